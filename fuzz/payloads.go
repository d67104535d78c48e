package fuzz

import (
	"context"
	"math/rand"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
	"phpwire/oracle"
)

// Decode judges the decoder on the input in each profile, without PHP: no panic,
// memory and time in proportion, P1 and P4 as far as they bind the profiles to
// one another and to the encoder, errors that say where, and tokens that the
// scanner finds where the decoder does.
func Decode(t T, input []byte) {
	t.Helper()
	decodeTarget.check(t, mutants(input, 16, mutating()))
}

var decodeTarget = &target[[]byte]{
	name: "FuzzDecode",
	judge: func(_ context.Context, cases [][]byte) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, p := range judge.Read(cases) {
			if findings[i] = p.Alone(); findings[i] == nil {
				findings[i] = scanned(cases[i])
			}
		}
		if findings[0] == nil {
			findings[0] = judge.Proportion(cases[0], judge.Decoding)
		}
		return findings, nil
	},
	smaller: gen.SmallerPayloads,
	explain: explainPayload,
}

// scanned holds the scanner against the decoder: of what the decoder accepts it
// makes tokens, and they are canonical where Canonical accepts.
func scanned(payload []byte) *judge.Finding {
	if _, err := codec.Decode(payload, codec.Plugin); err != nil {
		return nil
	}
	_, err := codec.Decode(payload, codec.Canonical)
	s := codec.NewScanner(payload)
	for !s.Done() {
		token, scanErr := s.Next()
		if scanErr != nil {
			return &judge.Finding{Invariant: "P1", Clause: "P-2", Kind: "the scanner refuses what the decoder accepts",
				Title: "The scanner finds no token in what the decoder accepts: " + scanErr.Error(), Offset: s.Offset()}
		}
		if err == nil && !token.Canonical {
			return &judge.Finding{Invariant: "P4", Clause: "P-3", Kind: "the scanner calls canonical spelling another",
				Title: "The scanner says that PHP would not write a token which Canonical accepts", Offset: token.Start}
		}
	}
	return nil
}

// DecodePHP judges the decoder against PHP (P1, P3, P4) on the input and mutants
// of it.
func DecodePHP(t T, input []byte) {
	t.Helper()
	p, err := php()
	if err != nil {
		t.Fatal(err)
	}
	(&target[[]byte]{
		name:    "FuzzDecodePHP",
		ready:   p.ready,
		judge:   p.payloads,
		smaller: gen.SmallerPayloads,
		explain: explainPayload,
	}).check(t, mutants(input, batchCases, mutating()))
}

// mutating returns [gen.Mutate], which takes apart only once what it is given again
// and again.
func mutating() func(*rand.Rand, []byte) []byte {
	mutator := mutators()
	return func(r *rand.Rand, payload []byte) []byte { return mutator(payload).Mutate(r) }
}

// mutators returns the mutator of a payload. It keeps the first and the last: a batch
// is made of its input, and of one mutant after another for a while.
func mutators() func(payload []byte) *gen.Mutator {
	type kept struct {
		payload []byte
		mutator *gen.Mutator
	}
	var first, last kept
	return func(payload []byte) *gen.Mutator {
		switch {
		case first.mutator == nil:
			first = kept{payload, gen.NewMutator(payload)}
			fallthrough
		case sameSlice(payload, first.payload):
			return first.mutator
		case last.mutator == nil || !sameSlice(payload, last.payload):
			last = kept{payload, gen.NewMutator(payload)}
		}
		return last.mutator
	}
}

// sameSlice tells whether two slices are one.
func sameSlice(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (p *reference) payloads(ctx context.Context, cases [][]byte) ([]*judge.Finding, error) {
	return judge.Payloads(ctx, p.client, p.is, judge.Read(cases))
}

// explainPayload tells what everybody makes of a payload; where PHP is not asked
// or does not live, what the reference makes of it.
func explainPayload(ctx context.Context, payload []byte) explanation {
	b64 := judge.ReplayPayload(payload)
	e := explanation{input: payload, replay: b64, keep: b64}
	var clients []*oracle.Client
	if p, err := php(); err == nil {
		clients = append(clients, p.client)
	}
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	c, err := replay.Payload(ctx, payload, clients)
	if err != nil {
		return e
	}
	e.sides = append([]string{readingSide("reference plugin", c.Reference.Plugin), readingSide("reference canonical", c.Reference.Canonical)},
		answerSides(c.PHP)...)
	return e
}

// Throw judges the input as the payload of a Throw frame: the frame reader's
// verdict is that of clause F-11, said a second time here, and what it accepts
// is written and read as the same.
func Throw(t T, input []byte) {
	t.Helper()
	throwTarget.check(t, mutants(input, 64, mutating()))
}

var throwTarget = &target[[]byte]{
	name: "FuzzThrow",
	judge: func(_ context.Context, cases [][]byte) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, payload := range cases {
			findings[i] = judgeThrow(payload)
		}
		return findings, nil
	},
	smaller: gen.SmallerPayloads,
	explain: func(_ context.Context, payload []byte) explanation {
		frame := framed(append([]byte{byte(frames.TagThrow), throwID, 0, 0, 0, 0, 0, 0, 0}, payload...))
		return explainStream(judge.Stream{Bytes: frame, From: frames.FromPHP})
	},
}

// throwID is the id of the call that the Throw answers.
const throwID = 1

func judgeThrow(payload []byte) *judge.Finding {
	f, err := frames.Parse(frames.Raw{Tag: frames.TagThrow, ID: throwID, Payload: payload}, frames.FromPHP)
	fields, isThrow := throwFields(payload)
	if isThrow != (err == nil) {
		title := "The payload of a Throw is refused: "
		if err == nil {
			return &judge.Finding{Invariant: "P3", Clause: "F-11", Kind: "what is no Throw is accepted", Title: "What is no Throw is accepted", Offset: -1}
		}
		return &judge.Finding{Invariant: "P3", Clause: "F-11", Kind: "a Throw is refused", Title: title + err.Error(), Offset: -1}
	}
	if err != nil {
		return nil
	}
	throw, ok := f.(frames.Throw)
	class, _ := fields[0].Text()
	message, _ := fields[1].Text()
	code, _ := fields[2].Int()
	properties := 0
	if len(fields) == 4 {
		properties = fields[3].Len()
	}
	if !ok || throw.ID != throwID || throw.Class != class || throw.Message != message || throw.Code != code || len(throw.Properties) != properties {
		return &judge.Finding{Invariant: "P3", Clause: "F-11", Kind: "a Throw has other fields", Title: "A Throw has other fields than its payload", Offset: -1}
	}
	return judge.RoundTrip(f, frames.FromPHP)
}

// throwFields reads the fields of a Throw, as clause F-11 has them.
func throwFields(payload []byte) ([]codec.Value, bool) {
	v, err := codec.Decode(payload, codec.Plugin)
	if err != nil || v.Kind() != codec.KindList {
		return nil, false
	}
	fields := v.Elements()
	if len(fields) != 3 && len(fields) != 4 || fields[0].Kind() != codec.KindString ||
		fields[1].Kind() != codec.KindString || fields[2].Kind() != codec.KindInt {
		return nil, false
	}
	if len(fields) == 4 {
		switch p := fields[3]; {
		case p.Kind() == codec.KindArray, p.Kind() == codec.KindList && p.Len() == 0:
		default:
			return nil, false
		}
	}
	return fields, true
}
