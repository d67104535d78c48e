package fuzz

import (
	"fmt"
	"strings"

	"phpwire/corpus/printable"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
)

// explanation is a failed case as a person reads it.
type explanation struct {
	input  []byte
	sides  []string
	replay string // the arguments of phpwire replay, "" where no shell can pass them
	keep   string // the arguments of phpwire corpus add, "" where the corpus has no such cases
}

// text tells a failure whose case was found with so many bytes.
func (e explanation) text(f *judge.Finding, found int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (clause %s)  %s\n  input   %s  (%d bytes", f.Invariant, f.Clause, f.Title, beginning(e.input), len(e.input))
	if found > len(e.input) {
		fmt.Fprintf(&b, ", shrunk from %d", found)
	}
	b.WriteString(")\n")
	for _, s := range e.sides {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	for _, d := range f.Differences {
		fmt.Fprintf(&b, "  differs %s\n", d)
	}
	if e.replay != "" {
		fmt.Fprintf(&b, "  replay  phpwire replay %s\n", e.replay)
	}
	if filing := f.Filing("phpwire", e.keep); filing != "" {
		fmt.Fprintf(&b, "  keep    %s\n", filing)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// beginning shows bytes, the start of them where there are many.
func beginning(b []byte) string {
	const most = 400
	if len(b) > most {
		return printable.Bytes(b[:most]) + "..."
	}
	return printable.Bytes(b)
}

func side(name string, ok bool, bytes []byte, said ...string) string {
	verdict := "refuses"
	if ok {
		verdict = "accepts"
	}
	parts := []string{fmt.Sprintf("%-20s %s", name, verdict)}
	if bytes != nil {
		parts = append(parts, "and writes "+beginning(bytes))
	}
	for _, s := range said {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "  ")
}

func readingSide(name string, r replay.Reading) string { return side(name, r.OK, r.B64, r.Error) }

func answerSides(answers []replay.Answer) []string {
	var all []string
	for _, a := range answers {
		all = append(all, side("PHP "+a.Name, a.OK, a.B64, a.Warnings...))
	}
	return all
}
