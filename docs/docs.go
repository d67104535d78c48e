// Package docs holds the protocol (protocol.md) and gives its clauses to
// whatever names them: suites, corpus cases and reports.
package docs

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed protocol.md
var protocol string

// Clause is one numbered rule of the protocol.
type Clause struct {
	ID       string // like "F-2"
	Title    string // like "Length limits"
	Part     string // the title of the part that it stands in, like "Frames"
	Text     string // the requirement in Markdown, without the examples
	Examples []Example
}

// Example is one example of a clause, which the tests run.
type Example struct {
	Kind   ExampleKind
	Input  string // a payload; for frames hexadecimal digits
	Output string // for AcceptsAs a payload, for Writes tagged JSON
}

// ExampleKind tells what an example says of its input.
type ExampleKind string

// The kinds of examples; protocol.md says what each promises.
const (
	Accepts       ExampleKind = "accepts"
	AcceptsAs     ExampleKind = "accepts as"
	Refuses       ExampleKind = "refuses"
	RefusesUnlike ExampleKind = "refuses, which PHP reads"
	Writes        ExampleKind = "writes"
	AcceptsFrame  ExampleKind = "accepts frame"
	RefusesFrame  ExampleKind = "refuses frame"
)

var parsed = sync.OnceValue(func() []Clause {
	clauses, err := parse(protocol)
	if err != nil {
		panic("docs: protocol.md: " + err.Error()) // it is part of the program, and the tests read it
	}
	return clauses
})

// Clauses returns all clauses in the order of the protocol.
func Clauses() []Clause { return slices.Clone(parsed()) }

// Lookup returns the clause with the given id, and whether there is one.
func Lookup(id string) (Clause, bool) {
	for _, c := range parsed() {
		if c.ID == id {
			return c, true
		}
	}
	return Clause{}, false
}

var (
	partLine   = regexp.MustCompile(`^## ([A-Z]) (\S.*)$`)
	clauseLine = regexp.MustCompile(`^\*\*([A-Z])-([1-9][0-9]*)\*\* ([^.]+)\. (\S.*)$`)

	exampleForms = []struct {
		kind   ExampleKind
		form   *regexp.Regexp
		input  int // the group that holds it
		output int
	}{
		{Accepts, example("accepts Q"), 1, 0},
		{AcceptsAs, example("accepts Q as Q"), 1, 2},
		{Refuses, example("refuses Q"), 1, 0},
		{RefusesUnlike, example("refuses Q, which PHP reads"), 1, 0},
		{Writes, example("writes Q for Q"), 2, 1},
		{AcceptsFrame, example("accepts frame Q"), 1, 0},
		{RefusesFrame, example("refuses frame Q"), 1, 0},
	}
)

// example makes the pattern of a list item: Q stands for a quoted text, and a
// note may follow a colon.
func example(form string) *regexp.Regexp {
	return regexp.MustCompile("^- " + strings.ReplaceAll(form, "Q", "`([^`]*)`") + `(?:: \S.*)?$`)
}

// parse reads the clauses of a protocol. A part is a heading "## F Frames", a
// clause starts with "**F-2** Length limits. …" and ends before the next clause
// or heading. Its list items are examples, in one of the seven forms. Parts and
// ids are unique, and the numbers of a part ascend.
func parse(text string) ([]Clause, error) {
	p := parser{parts: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	p.end()
	return p.clauses, nil
}

type parser struct {
	clauses []Clause
	parts   map[string]bool
	letter  string // of the part, "" outside of any
	title   string
	last    int // the number of the part's last clause
	open    *Clause
}

func (p *parser) line(line string) error {
	switch {
	case strings.HasPrefix(line, "#"):
		p.end()
		p.letter = ""
		if m := partLine.FindStringSubmatch(line); m != nil {
			if p.parts[m[1]] {
				return fmt.Errorf("part %s stands there twice", m[1])
			}
			p.parts[m[1]] = true
			p.letter, p.title, p.last = m[1], m[2], 0
		}
	case strings.HasPrefix(line, "**"):
		p.end()
		return p.clause(line)
	case p.open == nil:
	case strings.HasPrefix(line, "- "):
		return p.example(line)
	case len(p.open.Examples) > 0 && line != "":
		return fmt.Errorf("text after the examples of %s", p.open.ID)
	default:
		p.open.Text += "\n" + line
	}
	return nil
}

func (p *parser) clause(line string) error {
	m := clauseLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("%.40q is no start of a clause", line)
	}
	id := m[1] + "-" + m[2]
	if m[1] != p.letter {
		return fmt.Errorf("clause %s stands outside of part %s", id, m[1])
	}
	number, err := strconv.Atoi(m[2])
	if err != nil || number <= p.last {
		return fmt.Errorf("clause %s follows %s-%d", id, p.letter, p.last)
	}
	p.last = number
	p.open = &Clause{ID: id, Title: m[3], Part: p.title, Text: m[4]}
	return nil
}

func (p *parser) example(line string) error {
	for _, f := range exampleForms {
		if m := f.form.FindStringSubmatch(line); m != nil {
			e := Example{Kind: f.kind, Input: m[f.input]}
			if f.output > 0 {
				e.Output = m[f.output]
			}
			p.open.Examples = append(p.open.Examples, e)
			return nil
		}
	}
	return fmt.Errorf("%.60q is no example of %s", line, p.open.ID)
}

// end takes the open clause in.
func (p *parser) end() {
	if p.open != nil {
		p.open.Text = strings.TrimSpace(p.open.Text)
		p.clauses = append(p.clauses, *p.open)
		p.open = nil
	}
}
