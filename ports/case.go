package ports

import (
	"encoding/json"
	"fmt"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/ports/port"
	"phpwire/reports"
)

// Case is one question to a port, and what the answer must be.
type Case struct {
	// ID is that of the case in the corpus; behind it stands ":reencode" where the
	// input is also to be written again. A generated case has one when it has failed
	// and was made smaller: see [Known].
	ID string
	// Drawn says that the case is not of the corpus: it was generated, or given.
	Drawn bool
	// Again says that it is asked because it is a known failure.
	Again  bool
	Suite  string // area/operation
	Clause string // of docs/protocol.md
	Op     Op
	Input  []byte          // the payload; for Encode the value as tagged JSON
	Value  json.RawMessage // for Encode
	Want   Want
	Skip   string // why it is not asked, if it is not
}

// Want is what an answer must be.
type Want struct {
	Accept corpus.Requirement
	// Values, one of which is to be read. None says that they are not compared.
	Values []codec.Value
	// Bytes, one of which is to be written. None says that they are not compared.
	Bytes [][]byte
	// Foreign says that the input has one of PHP's types that a port need not have.
	Foreign bool
	// Sides tell what others did.
	Sides []reports.Side
}

// ask is the question.
func (c *Case) ask() port.Request {
	if c.Op == Encode {
		return port.Request{Op: Encode, Value: c.Value}
	}
	return port.Request{Op: c.Op, B64: c.Input}
}

// OfCorpus makes the cases of a port with the given profile from those of the
// corpus: the decoding ones, which are also written again where they can be read,
// and the encoding ones.
func OfCorpus(cases []corpus.Case, p Profile) ([]Case, error) {
	var all []Case
	for i := range cases {
		c := &cases[i]
		if c.Op != corpus.Decode && c.Op != corpus.Encode {
			continue
		}
		want := recorded(c, p)
		mine := Case{ID: c.ID, Suite: c.Area() + "/" + string(c.Op), Clause: c.Clause, Op: Op(c.Op), Input: c.Input.B64, Want: want}
		if c.Op == corpus.Encode {
			var err error
			if mine.Value, err = asked(c.Input.B64, p); err != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
			if c.Has(corpus.FlagDeep) {
				mine.Skip = tooDeep
			}
			all = append(all, mine)
			continue
		}
		if c.Has(corpus.FlagDeep) && want.Accept != corpus.MustReject {
			mine.Skip = tooDeep
		}
		all = append(all, mine)
		if want.Accept != corpus.MustReject {
			mine.ID, mine.Suite, mine.Op, mine.Skip = c.ID+":reencode", c.Area()+"/reencode", Reencode, ""
			all = append(all, mine)
		}
	}
	return all, nil
}

// asked is a value as a port of the profile is asked to write it: one with
// PHP's own types knows no handles and no objects.
func asked(tagged []byte, p Profile) (json.RawMessage, error) {
	v, err := codec.ParseTagged(tagged)
	if err != nil {
		return nil, err
	}
	if p == PHP {
		v = v.Plain().Landed()
	}
	return codec.AppendTagged(nil, v), nil
}

// recorded is what the corpus has of a case for a profile.
func recorded(c *corpus.Case, p Profile) Want {
	w := Want{Sides: sidesOf(c)}
	add := func(value json.RawMessage, bytes []byte) {
		if bytes != nil {
			w.Bytes = append(w.Bytes, bytes)
		}
		if value == nil {
			return
		}
		if v, err := codec.ParseTagged(value); err == nil {
			w.Values = append(w.Values, v)
		} else {
			w.Foreign = true // a type beyond plain data
		}
	}
	switch p {
	case Plugin:
		w.Accept = c.Expect.Plugin
		add(c.Value, c.Written())
		return w
	case Canonical:
		w.Accept = c.Expect.Canonical
		add(c.Value, c.Written())
		return w
	}
	w.Accept = c.Expect.PHP
	if w.Accept == corpus.MustAccept && c.Op == corpus.Decode && otherPHPsDiffer(c.Input.B64) {
		w.Accept = corpus.May // a length that wraps around in every PHP
	}
	w.Foreign = c.Has(corpus.FlagUnsupported)
	for _, a := range c.PHP {
		if a.Does == corpus.Refuses {
			continue
		}
		value, bytes := a.Value, c.Written()
		if value == nil {
			value = c.Value
		}
		if bytes == nil {
			bytes = c.Input.B64
		}
		if a.Bytes != nil {
			bytes = a.Bytes.B64
		}
		add(value, bytes)
	}
	return w
}

// sidesOf tells what the reference and the PHPs do with a case of the corpus.
func sidesOf(c *corpus.Case) []reports.Side {
	reference := reports.Side{Name: "reference plugin", Verdict: reports.Accepted, Bytes: c.Written(), Value: c.Value}
	if c.Expect.Plugin == corpus.MustReject {
		reference.Verdict = reports.Refused
		if c.Refused != nil && c.Refused.Plugin != nil {
			reference.Message = c.Refused.Plugin.Text
		}
	}
	sides := []reports.Side{reference}
	for _, a := range c.PHP {
		s := reports.Side{Name: "PHP " + list(a.On), Verdict: reports.Accepted, Value: a.Value, Warnings: a.Warnings}
		switch {
		case a.Does == corpus.Refuses:
			s.Verdict = reports.Refused
		case a.Bytes != nil:
			s.Bytes = a.Bytes.B64
		case c.Written() != nil:
			s.Bytes = c.Written()
		default:
			s.Bytes = c.Input.B64
		}
		if s.Verdict == reports.Accepted && s.Value == nil {
			s.Value = c.Value
		}
		sides = append(sides, s)
	}
	return sides
}

// list writes the names of PHPs.
func list(names []string) string {
	if len(names) == len(corpus.AllSeries()) {
		return names[0] + " to " + names[len(names)-1]
	}
	return strings.Join(names, ", ")
}

// tooDeep is why values of many containers inside one another are not asked for.
const tooDeep = "its value is too deep for many JSON parsers; what is written for it is judged instead"
