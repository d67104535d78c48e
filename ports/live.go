package ports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"time"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
	"phpwire/reports"
)

// phpLimit is how long PHP may take for a batch.
const phpLimit = 30 * time.Second

// panel asks live PHPs what a port must do. Where they differ, either is right.
type panel struct {
	profile Profile
	clients []*oracle.Client
}

func newPanel(phps []oracle.Runtime, p Profile) *panel {
	all := &panel{profile: p}
	for _, r := range phps {
		all.clients = append(all.clients, oracle.NewClient(r, nil))
	}
	return all
}

func (p *panel) close() {
	for _, c := range p.clients {
		c.Close()
	}
}

// payloads tells what must be made of payloads.
func (p *panel) payloads(ctx context.Context, all [][]byte) ([]Want, error) {
	return p.combined(ctx, len(all), func(ctx context.Context, c *oracle.Client) ([]Want, error) {
		if p.profile != PHP {
			return p.referencePayloads(ctx, c, all)
		}
		described, err := c.Describe(ctx, all)
		if err != nil {
			return nil, err
		}
		written, err := c.Reserialize(ctx, all)
		if err != nil {
			return nil, err
		}
		wants := make([]Want, len(all))
		for i := range all {
			wants[i] = wantOf(c, all[i], described[i], written[i])
		}
		return wants, nil
	})
}

// wantOf is what a port that does as PHP must make of a payload.
func wantOf(c *oracle.Client, payload []byte, described, written oracle.Answer) Want {
	w := Want{Accept: corpus.MustReject}
	side := reports.Side{Name: "PHP " + c.Runtime().Name(), Verdict: reports.Refused, Warnings: described.Warnings}
	if described.Accepted {
		side.Verdict, side.Bytes = reports.Accepted, written.Bytes
		if json.Valid(described.Bytes) {
			side.Value = corpus.ShownValue(described.Bytes)
		}
		w.Accept = corpus.MustAccept
		if !described.Clean() || otherPHPsDiffer(payload) {
			w.Accept = corpus.May
		}
		v, err := codec.ParseTagged(described.Bytes)
		if err == nil {
			w.Values, w.Bytes = []codec.Value{v}, [][]byte{written.Bytes}
		}
		w.Foreign = err != nil || hasForeign(payload)
	}
	w.Sides = []reports.Side{side}
	return w
}

// hasForeign tells whether a payload has one of the types that a port need not have.
func hasForeign(payload []byte) bool {
	for s := codec.NewScanner(payload); !s.Done(); {
		t, err := s.Next()
		if err != nil {
			return false
		}
		switch t.Kind {
		case codec.TokenEscaped, codec.TokenObject, codec.TokenCustom, codec.TokenEnum, codec.TokenReference, codec.TokenAlias:
			return true
		}
	}
	return false
}

// otherPHPsDiffer tells whether a payload that a PHP reads silently is one of
// those that others refuse, or warn about: bytes after the value (clause P-5), and
// lengths that wrap around (clause L-3).
func otherPHPsDiffer(payload []byte) bool {
	_, err := codec.Decode(payload, codec.Plugin)
	var fault *codec.Error
	return errors.As(err, &fault) && (fault.Kind == codec.TrailingData || fault.Kind == codec.TooLarge)
}

// referencePayloads is what the reference makes of payloads, where PHP agrees.
func (p *panel) referencePayloads(ctx context.Context, c *oracle.Client, all [][]byte) ([]Want, error) {
	facts, err := c.Facts(ctx)
	if err != nil {
		return nil, err
	}
	read := judge.Read(all)
	findings, err := judge.Payloads(ctx, c, judge.BehaviourOf(facts), read)
	if err != nil {
		return nil, err
	}
	wants := make([]Want, len(all))
	for i := range all {
		reading := read[i].Plugin
		if p.profile == Canonical {
			reading = read[i].Canonical
		}
		side := reports.Side{Name: "reference " + string(p.profile), Verdict: reports.Refused}
		wants[i].Accept = corpus.MustReject
		if reading.Err == nil {
			written, err := codec.Encode(reading.Value)
			if err != nil {
				return nil, err
			}
			side.Verdict, side.Bytes, side.Value = reports.Accepted, written, corpus.ShownValue(codec.AppendTagged(nil, reading.Value))
			wants[i].Accept, wants[i].Values, wants[i].Bytes = corpus.MustAccept, []codec.Value{reading.Value}, [][]byte{written}
		} else {
			side.Message = reading.Err.Error()
		}
		if findings[i] != nil {
			wants[i] = Want{Accept: corpus.May} // nobody knows who is right
		}
		wants[i].Sides = []reports.Side{side}
	}
	return wants, nil
}

// values tells what must be written for values.
func (p *panel) values(ctx context.Context, tagged [][]byte) ([]Want, error) {
	return p.combined(ctx, len(tagged), func(ctx context.Context, c *oracle.Client) ([]Want, error) {
		built, err := c.Build(ctx, tagged)
		if err != nil {
			return nil, err
		}
		wants := make([]Want, len(tagged))
		for i, a := range built {
			wants[i] = Want{Accept: corpus.MustAccept, Bytes: [][]byte{a.Bytes}}
			wants[i].Sides = []reports.Side{{Name: "PHP " + c.Runtime().Name(), Verdict: reports.Accepted, Bytes: a.Bytes, Warnings: a.Warnings}}
			if !a.Accepted {
				wants[i] = Want{Accept: corpus.May}
			}
		}
		return wants, nil
	})
}

// combined asks every PHP, and allows what any of them does.
func (p *panel) combined(ctx context.Context, n int, ask func(context.Context, *oracle.Client) ([]Want, error)) ([]Want, error) {
	var all []Want
	for _, c := range p.clients {
		ctx, cancel := context.WithTimeout(ctx, phpLimit)
		wants, err := ask(ctx, c)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("PHP %s: %w", c.Runtime().Name(), err)
		}
		if all == nil {
			all = wants
			continue
		}
		for i, w := range wants {
			a := &all[i]
			if a.Accept != w.Accept {
				a.Accept = corpus.May
			}
			a.Values, a.Bytes, a.Sides = append(a.Values, w.Values...), append(a.Bytes, w.Bytes...), append(a.Sides, w.Sides...)
			a.Foreign = a.Foreign || w.Foreign
		}
	}
	return all, nil
}

// sort is a sort of generated cases.
type sort struct {
	area string
	op   Op
	draw func(*rand.Rand, Profile) []byte // a payload, or a value as tagged JSON
}

func payloadOf(draw func(*rand.Rand) []byte) func(*rand.Rand, Profile) []byte {
	return func(r *rand.Rand, _ Profile) []byte { return draw(r) }
}

// sorts are the sorts of generated cases.
var sorts = []sort{
	{"generated", Decode, payloadOf(gen.RandomValidPayload)},
	{"generated", Reencode, payloadOf(gen.RandomValidPayload)},
	{"generated", Encode, drawValue},
	{"mutated", Decode, payloadOf(gen.RandomPayload)},
	{"mutated", Reencode, payloadOf(gen.RandomPayload)},
}

func (s *sort) suite() string { return s.area + "/" + string(s.op) }

// drawValue draws a value that JSON parsers can read.
func drawValue(r *rand.Rand, p Profile) []byte {
	o := gen.Options{MaxNodes: 500, MaxDepth: corpus.MaxShownDepth, Without: gen.Kinds(codec.KindObject)}
	if p == PHP {
		o.Without |= gen.Handles
	}
	return codec.AppendTagged(nil, gen.RandomValue(r, o))
}

// cases asks PHP about inputs, and makes cases of them.
func (p *panel) cases(ctx context.Context, s *sort, inputs [][]byte) ([]Case, error) {
	ask := p.payloads
	if s.op == Encode {
		ask = p.values
	}
	wants, err := ask(ctx, inputs)
	if err != nil {
		return nil, err
	}
	all := make([]Case, len(inputs))
	for i, in := range inputs {
		all[i] = Case{Suite: s.suite(), Drawn: true, Op: s.op, Input: in, Want: wants[i]}
		if s.op == Encode {
			all[i].Value = in
			all[i].Clause = "V-1"
			continue
		}
		all[i].Clause = corpus.Suggest(in)
		if s.op == Decode && deep(wants[i].Values) {
			all[i].Skip = tooDeep
		}
	}
	return all, nil
}

// deep tells whether a value is deeper than many JSON parsers read.
func deep(values []codec.Value) bool {
	for _, v := range values {
		if depthAbove(v, corpus.MaxShownDepth) {
			return true
		}
	}
	return false
}

func depthAbove(v codec.Value, most int) bool {
	for _, e := range v.All() {
		if e.Kind() != codec.KindList && e.Kind() != codec.KindArray {
			continue
		}
		if most <= 1 || depthAbove(e, most-1) {
			return true
		}
	}
	return false
}
