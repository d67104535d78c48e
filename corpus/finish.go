package corpus

import (
	"fmt"

	"phpwire/docs"
)

// New makes a case of a question: it asks the reference and files the case in
// its area. What PHPs do is set with SetPHP afterwards.
func New(q Question) (*Case, error) {
	if _, ok := docs.Lookup(q.Clause); !ok {
		return nil, fmt.Errorf("docs/protocol.md has no clause %q", q.Clause)
	}
	c := &Case{
		Clause: q.Clause, Comment: inOneLine(q.Comment), Op: q.Op, Input: *NewBytes(q.Input), From: q.From, Chunks: q.Chunks, Origin: q.Origin,
	}
	if err := c.Observe(); err != nil {
		return nil, fmt.Errorf("%s %.60q: %w", q.Op, q.Input, err)
	}
	c.setID()
	c.setFlags()
	return c, nil
}

// Question is what a case asks, before anybody answered.
type Question struct {
	Op      Op     `json:"op"`
	Clause  string `json:"clause"`
	Comment string `json:"comment"` // what the case is about, in a few words
	Input   []byte `json:"input"`
	From    string `json:"from,omitempty"`   // for Read
	Chunks  []int  `json:"chunks,omitempty"` // for Read
	Origin  string `json:"origin,omitempty"` // where the case comes from
}
