package suites

import (
	"context"
	"errors"
	"math/rand"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// encodeRefused: what the encoder must not write, since on the wire it would be
// something else, or nothing that the other side reads.
func encodeRefused() Suite {
	return &suite[refusal]{
		about: about{
			name: "codec/encode/refused", title: "plain arrays with reserved keys, and what nests too deep: the encoder refuses them",
			clauses: []string{"H-6", "L-1"}, share: 1, size: 500, alone: true,
		},
		make: each(randomRefusal),
		judge: func(_ context.Context, _ *php, _ *oracle.Client, cases []refusal, seen *judge.Visits) ([]*judge.Finding, error) {
			findings := make([]*judge.Finding, len(cases))
			for i, c := range cases {
				findings[i] = c.judge(seen)
			}
			return findings, nil
		},
		smaller: func(c refusal) []refusal {
			var smaller []refusal
			for _, v := range gen.SmallerValues(c.around) {
				smaller = append(smaller, refusal{c.kind, v})
			}
			return smaller
		},
		show: func(c refusal) shown { return showValue(judge.Of(c.value())) },
	}
}

// refusal is a value that must not be encoded: one that is sound, inside of what
// is not.
type refusal struct {
	kind   string // the reserved key, or "" for an array at depth 513
	around codec.Value
}

func randomRefusal(r *rand.Rand) refusal {
	return refusal{
		kind:   []string{"__rhandle", "__phandle", "__pclass", ""}[r.Intn(4)],
		around: gen.RandomValue(r, gen.Options{MaxNodes: 4, MaxDepth: 3}),
	}
}

func (c refusal) value() codec.Value {
	switch c.kind {
	case "":
		v := codec.List(c.around)
		for range codec.MaxDepth {
			v = codec.List(v)
		}
		return v
	case "__pclass":
		return codec.List(codec.Array(codec.Entry{Key: codec.StringKey(c.kind), Value: c.around}))
	}
	return codec.List(codec.Object(
		codec.Entry{Key: codec.IntKey(0), Value: codec.Null()},
		codec.Entry{Key: codec.StringKey(c.kind), Value: c.around},
	))
}

func (c refusal) judge(seen *judge.Visits) *judge.Finding {
	want, clause, exercised := codec.Reserved, "H-6", judge.H6
	if c.kind == "" {
		want, clause, exercised = codec.Depth, "L-1", judge.L1
	}
	seen.Add(exercised, judge.Verdict{Sort: "value", Who: "refused by the encoder", Kind: want.String()})
	dst := []byte("before")
	out, err := codec.AppendValue(dst, c.value())
	var e *codec.Error
	switch {
	case !errors.As(err, &e):
		return &judge.Finding{Invariant: "P2", Clause: clause, Kind: "the encoder writes what it must refuse",
			Title: "The encoder writes a value that it must refuse (" + want.String() + ")", Offset: -1}
	case e.Kind != want || e.Found == "" || e.Want == "":
		return &judge.Finding{Invariant: "P2", Clause: clause, Kind: "the encoder refuses for another reason",
			Title: "The encoder refuses for another reason than " + want.String() + ": " + err.Error(), Offset: -1}
	case string(out) != "before":
		return &judge.Finding{Invariant: "P2", Clause: clause, Kind: "a refused value leaves bytes behind",
			Title: "The encoder leaves bytes of a value that it refuses", Offset: -1}
	}
	return nil
}
