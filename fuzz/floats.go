package fuzz

import (
	"context"
	"fmt"
	"math"
	"math/rand"

	"phpwire/floatfmt"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
	"phpwire/oracle"
)

// FloatsPHP judges the text of doubles against PHP, and how it is read (P2): the
// double of the given bits, others that differ from it in a few bits, its
// neighbours, and doubles near the edges of the format. The precision is brought
// into the range from -1 to 40.
func FloatsPHP(t T, bits uint64, precision int) {
	t.Helper()
	p, err := php()
	if err != nil {
		t.Fatal(err)
	}
	precision = max(precision, -(precision+1))%42 - 1
	r := gen.NewRand(int64(bits) ^ int64(precision)<<56)
	cases := []judge.Float{{Bits: bits, Precision: precision}}
	for len(cases) < batchCases {
		b := bits
		switch r.Intn(4) {
		case 0:
			b ^= 1 << r.Intn(64)
		case 1:
			b += uint64(r.Intn(65) - 32)
		case 2:
			b ^= r.Uint64() >> r.Intn(64)
		default:
			b = math.Float64bits(gen.RandomFloat(r))
		}
		cases = append(cases, judge.Float{Bits: b, Precision: precision})
	}
	(&target[judge.Float]{
		name:  "FuzzFloatsPHP",
		ready: p.ready,
		judge: func(ctx context.Context, cases []judge.Float) ([]*judge.Finding, error) {
			return judge.Floats(ctx, p.client, cases)
		},
		smaller: judge.SmallerFloats,
		explain: p.explainFloat,
	}).check(t, cases)
}

func (p *reference) explainFloat(ctx context.Context, f judge.Float) explanation {
	text := floatfmt.AppendFloat([]byte("d:"), math.Float64frombits(f.Bits), f.Precision)
	e := explanation{input: append(text, ';'), replay: judge.ReplayFloat(f), keep: judge.FileFloat(f)}
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	d, err := replay.Float(ctx, f, []*oracle.Client{p.client})
	if err != nil {
		return e
	}
	e.sides = append(e.sides, fmt.Sprintf("%-20s writes %s", "reference", d.Reference))
	for _, a := range d.PHP {
		e.sides = append(e.sides, fmt.Sprintf("%-20s writes %s", "PHP "+a.Name, a.Text))
	}
	return e
}

// FloatTextsPHP judges what stands between `d:` and `;` against PHP (P3, P4): the
// input and other spellings of it.
func FloatTextsPHP(t T, text []byte) {
	t.Helper()
	p, err := php()
	if err != nil {
		t.Fatal(err)
	}
	payload := append(append([]byte("d:"), text...), ';')
	(&target[[]byte]{
		name:    "FuzzFloatTextsPHP",
		ready:   p.ready,
		judge:   p.payloads,
		smaller: gen.SmallerPayloads,
		explain: explainPayload,
	}).check(t, mutants(payload, batchCases, respelling()))
}

// respelling returns what changes a payload that is a float, or was one, or writes
// an extreme one. It takes apart only once what it is given again and again.
func respelling() func(*rand.Rand, []byte) []byte {
	kinds := []gen.Mutation{gen.FloatRespelled, gen.FloatRespelled, gen.SignChanged, gen.ZerosAdded, gen.ByteChanged}
	mutator := mutators()
	return func(r *rand.Rand, payload []byte) []byte {
		if r.Intn(48) == 0 {
			return append(append([]byte("d:"), gen.ExtremeFloatText(r)...), ';')
		}
		if out := mutator(payload).MutateWith(r, kinds[r.Intn(len(kinds))]); out != nil {
			return out
		}
		at := 2 + r.Intn(max(1, len(payload)-3))
		if at >= len(payload) {
			return append([]byte("d:"), gen.RandomFloatText(r)+";"...)
		}
		const bytes = "0123456789+-.eEINFA"
		out := append([]byte{}, payload...)
		out[at] = bytes[r.Intn(len(bytes))]
		return out
	}
}
