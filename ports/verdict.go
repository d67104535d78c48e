package ports

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/ports/port"
	"phpwire/reports"
)

// Outcome is what became of a case.
type Outcome string

// The outcomes.
const (
	Pass    Outcome = "pass"
	Fail    Outcome = "fail"    // a wrong answer
	Crash   Outcome = "crash"   // the port ended
	Hang    Outcome = "hang"    // no answer in time
	Garbage Outcome = "garbage" // what is no answer
	Skip    Outcome = "skip"    // not asked, or not claimed by the port
)

// Bad tells whether an outcome is a fault of the port.
func (o Outcome) Bad() bool { return o != Pass && o != Skip }

// Verdict is what a case ended with.
type Verdict struct {
	Outcome Outcome
	Kind    string // the same for all faults of a sort; for a skip its reason
	Title   string // what happened here
	// Differences between what was read and what should have been.
	Differences []string
	Side        reports.Side // what the port did
}

// judge gives the verdict on an answer; err is what there was instead of one.
func (c *Case) judge(by *Hello, r *port.Response, err error) Verdict {
	v := Verdict{Side: reports.Side{Name: by.Name}}
	if err != nil {
		return c.withoutAnswer(v, err)
	}
	if r.Skip != "" {
		v.Side.Verdict, v.Side.Message = reports.Skip, r.Skip
		v.Outcome, v.Kind = Skip, r.Skip
		return v
	}
	v.Outcome = Pass
	if !*r.OK {
		v.Side.Verdict, v.Side.Message = reports.Refused, r.Error
		switch {
		case c.Want.Accept != corpus.MustAccept:
		case c.Want.Foreign:
			v.Outcome, v.Kind = Skip, "refuses a type of PHP that a port need not have"
		default:
			v.fail(c.refusing(), r.Error)
		}
		return v
	}
	v.Side.Verdict = reports.Accepted
	if c.Op == Decode {
		v.Side.Value = corpus.ShownValue(r.Value)
	} else {
		v.Side.Bytes = r.B64
	}
	switch {
	case c.Want.Accept == corpus.MustReject && c.Op == Encode:
		v.fail("writes what has no payload", reports.Brief(r.B64))
	case c.Want.Accept == corpus.MustReject:
		v.fail("accepts what must be refused", "")
	case c.Want.Foreign:
		v.Outcome, v.Kind = Skip, "values with a type beyond plain data are not compared"
	case c.Op == Decode:
		c.compareValue(&v, r.Value, by.Profile)
	case len(c.Want.Bytes) > 0 && !slices.ContainsFunc(c.Want.Bytes, func(b []byte) bool { return bytes.Equal(b, r.B64) }):
		v.fail(c.writing(), fmt.Sprintf("%s, and not %s", reports.Brief(r.B64), reports.Brief(c.Want.Bytes[0])))
	}
	return v
}

func (c *Case) refusing() string {
	if c.Op == Encode {
		return "refuses to write a value"
	}
	return "refuses what must be accepted"
}

func (c *Case) writing() string {
	if c.Op == Encode {
		return "writes other bytes"
	}
	return "writes what it read as other bytes"
}

func (v *Verdict) fail(kind, what string) {
	v.Outcome, v.Kind, v.Title = Fail, kind, kind
	if what != "" {
		v.Title += ": " + what
	}
}

func (c *Case) withoutAnswer(v Verdict, err error) Verdict {
	v.Outcome, v.Kind, v.Side.Verdict = Crash, "crashes", reports.Crash
	switch b := new(broken); {
	case !errors.As(err, &b):
	case b.kind == errTimeout:
		v.Outcome, v.Kind, v.Side.Verdict = Hang, "does not answer in time", reports.Hang
	case b.kind == errNoise:
		v.Outcome, v.Kind, v.Side.Verdict = Garbage, "writes what is no answer", reports.Noise
	}
	v.Title, v.Side.Message = v.Kind+": "+err.Error(), err.Error()
	return v
}

// compareValue judges a value that was read, which came as tagged JSON.
func (c *Case) compareValue(v *Verdict, tagged []byte, p Profile) {
	got, err := codec.ParseTagged(tagged)
	if err != nil {
		if _, keysErr := codec.ParseTaggedKeys(tagged); keysErr == nil {
			v.fail("keeps a string key that PHP turns into an int", err.Error())
			return
		}
		v.fail("gives what is no value of PHP", err.Error())
		return
	}
	same := func(want codec.Value) bool { return landed(got, p).Equal(landed(want, p)) }
	if len(c.Want.Values) == 0 || slices.ContainsFunc(c.Want.Values, same) {
		return
	}
	for _, d := range codec.Differences(landed(got, p), landed(c.Want.Values[0], p), 5) {
		v.Differences = append(v.Differences, d.String())
	}
	v.fail("reads another value", strings.Join(v.Differences, "; "))
}

// landed is a value as a port of the profile sees it: every NaN is one, and
// handles are plain arrays to PHP.
func landed(v codec.Value, p Profile) codec.Value {
	if p == PHP {
		v = v.Plain()
	}
	return v.Landed()
}
