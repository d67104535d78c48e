package corpus

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Op tells what is done with the input of a case.
type Op string

const (
	// Decode reads the input, a payload.
	Decode Op = "decode"
	// Encode writes the payload of the input, a value as tagged JSON.
	Encode Op = "encode"
	// Tagged reads the input, a text that may be tagged JSON.
	Tagged Op = "tagged"
	// Float writes a double as the input says, a JSON object with its bits, a
	// precision, and how: serialize, var_export or json_encode.
	Float Op = "float"
	// Read reads the input, a stream of frames.
	Read Op = "read"
	// Write writes the frame that the input describes, a JSON object with tag, id
	// and fields, the fields being a list as tagged JSON.
	Write Op = "write"
)

// Requirement says what a port must do with an input.
type Requirement string

const (
	MustAccept Requirement = "must_accept"
	MustReject Requirement = "must_reject"
	// May: both are right. PHP itself warns, or its versions differ.
	May Requirement = "may"
)

// Expect is what a port must do by its profile (clause P-1). A profile that has
// no say in the operation is empty: frames are read with Plugin.
type Expect struct {
	Plugin    Requirement `json:"plugin"`
	Canonical Requirement `json:"canonical,omitempty"`
	PHP       Requirement `json:"php,omitempty"`
}

// Bytes are bytes, with a printable form for people.
type Bytes struct {
	B64  []byte `json:"b64"`
	Text string `json:"text"`
}

// Fault is how the reference refuses an input. Ports need not say the same words.
type Fault struct {
	Kind    string `json:"kind"`
	Offset  int64  `json:"offset"` // of the byte, or of the frame in its stream; -1 for nowhere
	Tag     string `json:"tag,omitempty"`
	Field   string `json:"field,omitempty"`
	Payload *Fault `json:"payload,omitempty"` // the fault in the payload of a frame
	Text    string `json:"text"`
}

// Refused holds the faults by profile. Canonical is nil where it is the same as
// Plugin's, or where Canonical accepts.
type Refused struct {
	Plugin    *Fault `json:"plugin,omitempty"`
	Canonical *Fault `json:"canonical,omitempty"`
}

// Frame is a typed frame: its fields are a list as tagged JSON, as a writer
// writes them.
type Frame struct {
	Tag    string          `json:"tag"`
	ID     string          `json:"id"` // in decimal digits
	Fields json.RawMessage `json:"fields,omitempty"`
}

// Does tells what a PHP makes of an input.
type Does string

const (
	Accepts Does = "accepts"
	Warns   Does = "warns" // it accepts, and has something to say
	Refuses Does = "refuses"
)

// Answer is what the PHPs of a group do alike.
type Answer struct {
	// On are the PHPs by version, like "8.2"; where builds with a size_t of 64
	// and of 32 bits differ, like "8.2 64-bit".
	On       []string        `json:"on"`
	Does     Does            `json:"does"`
	Bytes    *Bytes          `json:"bytes,omitempty"`    // what it writes, where that is not Written, or else the input
	Value    json.RawMessage `json:"value,omitempty"`    // what it reads, where that is not Value
	Warnings []string        `json:"warnings,omitempty"` // with the words of one C library
}

// FromExamples is the origin of the cases that the examples of docs/protocol.md are.
const FromExamples = "examples of docs/protocol.md"

// Case is one case of the corpus.
type Case struct {
	ID      string `json:"id"`
	Clause  string `json:"clause"`
	Comment string `json:"comment"`
	Op      Op     `json:"op"`
	Input   Bytes  `json:"input"`
	From    string `json:"from,omitempty"`   // who sends the frames: host, php or anyone
	Chunks  []int  `json:"chunks,omitempty"` // how the stream comes, over and over; all other ways give the same
	Expect  Expect `json:"expect"`
	// Value is what Plugin reads, as tagged JSON. It is left out where it is more
	// than MaxShownDepth deep.
	Value json.RawMessage `json:"value,omitempty"`
	// Canonical is what an encoder or writer writes for what was read. It is left
	// out where that is the input itself: see Written.
	Canonical *Bytes   `json:"canonical,omitempty"`
	Frames    []Frame  `json:"frames,omitempty"` // what a reader gives before the end or the fault
	Refused   *Refused `json:"refused,omitempty"`
	PHP       []Answer `json:"php,omitempty"`
	Flags     []Flag   `json:"flags,omitempty"`
	Origin    string   `json:"origin"`
}

// Area is the first part of the id, which names the file that holds the case.
func (c *Case) Area() string {
	for i := range c.ID {
		if c.ID[i] == '/' {
			return c.ID[:i]
		}
	}
	return ""
}

// Written returns what an encoder or writer writes, nil where there is nothing to
// be written.
func (c *Case) Written() []byte {
	switch {
	case c.Canonical != nil:
		return c.Canonical.B64
	case c.Op == Decode && c.Expect.Plugin == MustAccept, c.Op == Read && len(c.Frames) > 0:
		return c.Input.B64
	}
	return nil
}

// setWritten notes what is written.
func (c *Case) setWritten(b []byte) {
	c.Canonical = nil
	if b != nil && (c.Op != Decode && c.Op != Read || !bytes.Equal(b, c.Input.B64)) {
		c.Canonical = NewBytes(b)
	}
}

// Has tells whether the case has a flag.
func (c *Case) Has(f Flag) bool { return slices.Contains(c.Flags, f) }

// MaxShownDepth is the largest number of containers inside one another for which
// values are shown: JSON parsers have limits of their own.
const MaxShownDepth = 64
