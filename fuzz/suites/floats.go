package suites

import (
	"context"
	"fmt"
	"math"
	"math/rand"

	"phpwire/floatfmt"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// doubles is a suite of doubles, written and read back.
func doubles(a about, make func(r *rand.Rand, first, n int) []judge.Float) Suite {
	return &suite[judge.Float]{
		about: a,
		make:  make,
		judge: func(ctx context.Context, _ *php, c *oracle.Client, cases []judge.Float, seen *judge.Visits) ([]*judge.Finding, error) {
			seen.Floats(cases)
			return judge.Floats(ctx, c, cases)
		},
		smaller: judge.SmallerFloats,
		show: func(f judge.Float) shown {
			text := floatfmt.AppendFloat(nil, math.Float64frombits(f.Bits), f.Precision)
			return shown{
				input:  append(append([]byte("d:"), text...), ';'),
				replay: judge.ReplayFloat(f),
				file:   judge.FileFloat(f),
			}
		},
	}
}

func shortest(bits uint64) judge.Float { return judge.Float{Bits: bits, Precision: -1} }

func floatEdges() Suite {
	all := edges()
	return doubles(about{
		name: "float/edges", title: "powers of two and ten, subnormals, 2^53, where the notation switches, and the neighbours of each",
		clauses: []string{"D-1", "D-3", "D-4"}, fixed: len(all), size: 5000,
	}, list(all))
}

// edges are the doubles at which text changes its form or its last digit.
func edges() []judge.Float {
	var all []judge.Float
	add := func(x float64) {
		b := math.Float64bits(x)
		for d := range uint64(4) {
			all = append(all, shortest(b+d), shortest(b-d), shortest((b+d)^1<<63), shortest((b-d)^1<<63))
		}
	}
	for e := -1074; e < 1024; e++ {
		add(math.Ldexp(1, e))
	}
	for e := -324; e <= 308; e++ {
		x, _ := floatfmt.Parse(fmt.Appendf(nil, "1e%d", e))
		add(x)
	}
	for e := 14; e <= 19; e++ {
		ten := math.Pow(10, float64(e))
		for d := -20.0; d <= 20; d++ {
			add(ten + d)
			add(ten + d/8)
		}
	}
	for d := -64.0; d <= 64; d++ {
		add(1<<53 + d)
		add(1<<63 + d*2048)
		add(d / 8)
	}
	for _, x := range []float64{0.0001, 0.00001, 0.00012345678901234567, 0.000099999999999999999, math.MaxFloat64, math.Inf(1)} {
		add(x)
	}
	for _, bits := range []uint64{0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xffffffffffffffff} {
		all = append(all, shortest(bits))
	}
	return all
}

func floatFormat() Suite {
	return doubles(about{
		name: "float/format", title: "doubles of any bits: the text that PHP writes, and reads back",
		clauses: []string{"D-1", "D-2"}, share: 800, size: 10_000,
	}, each(func(r *rand.Rand) judge.Float {
		if r.Intn(2) == 0 {
			return shortest(r.Uint64())
		}
		return shortest(math.Float64bits(gen.RandomFloat(r)))
	}))
}

func floatPrecision() Suite {
	return doubles(about{
		name: "float/precision", title: "doubles under serialize_precision 0 to 20 and beyond",
		clauses: []string{"D-1"}, share: 100, size: 2000,
	}, func(r *rand.Rand, _, n int) []judge.Float {
		precision := r.Intn(21)
		if r.Intn(10) == 0 {
			precision = 21 + r.Intn(60)
		}
		fs := make([]judge.Float, n)
		for i := range fs {
			fs[i] = judge.Float{Bits: math.Float64bits(gen.RandomFloat(r)), Precision: precision}
		}
		return fs
	})
}

// floatParse: texts that PHP reads, of any length and exponent.
func floatParse() Suite {
	return &suite[[]byte]{
		about: about{
			name: "float/parse", title: "texts of doubles, long and extreme ones too: the same bits",
			clauses: []string{"D-2", "D-4"}, share: 100, size: 5000,
		},
		make: each(floatText),
		judge: func(ctx context.Context, _ *php, c *oracle.Client, cases [][]byte, seen *judge.Visits) ([]*judge.Finding, error) {
			seen.FloatTexts(cases)
			return judge.FloatTexts(ctx, c, cases)
		},
		smaller: func(text []byte) [][]byte {
			var smaller [][]byte
			for size := len(text) / 2; size > 0; size /= 2 {
				for at := 0; at+size <= len(text); at += size {
					less := append(append([]byte{}, text[:at]...), text[at+size:]...)
					if _, err := floatfmt.Parse(less); err == nil {
						smaller = append(smaller, less)
					}
				}
			}
			return smaller
		},
		show: func(text []byte) shown {
			payload := append(append([]byte("d:"), text...), ';')
			return showPayload(payload)
		},
	}
}

// floatText writes a number in any of the ways that PHP reads.
func floatText(r *rand.Rand) []byte {
	if r.Intn(100) == 0 {
		return gen.ExtremeFloatText(r)
	}
	var text []byte
	text = append(text, []string{"", "", "", "-", "+"}[r.Intn(5)]...)
	digit := func(n int) {
		for range n {
			text = append(text, byte('0'+r.Intn(10)))
		}
	}
	size := 1 + r.Intn(20)
	if r.Intn(200) == 0 {
		size = 1 + r.Intn(900)
	}
	whole := r.Intn(size + 1)
	if r.Intn(3) == 0 {
		// The exact middle between two doubles, or next to it.
		x := gen.RandomFloat(r)
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return append(text, gen.MiddleFloatText(r, math.Abs(x))...)
		}
	}
	digit(whole)
	if whole < size {
		text = append(text, '.')
		digit(size - whole)
	} else if r.Intn(2) == 0 {
		text = append(text, '.')
	}
	if r.Intn(2) == 0 {
		span := []int{10, 30, 330, 30_000}[r.Intn(4)]
		text = append(text, "eE"[r.Intn(2)])
		text = append(text, []string{"", "-", "+"}[r.Intn(3)]...)
		text = fmt.Appendf(text, "%0*d", 1+r.Intn(5), r.Intn(span))
	}
	return text
}

func floatGrammar() Suite {
	return payloads(about{
		name: "float/grammar", title: "what may stand between d: and ; is what PHP takes there",
		clauses: []string{"D-2", "D-3"}, share: 10, size: 1000,
	}, each(func(r *rand.Rand) []byte {
		const alphabet = "0123456789+-.eE  INFANinfaxX_,;"
		text := []byte("d:")
		if r.Intn(2) == 0 {
			text = append(text, floatText(r)...)
			if len(text) > 2 {
				text[2+r.Intn(len(text)-2)] = alphabet[r.Intn(len(alphabet))]
			}
		} else {
			for range 1 + r.Intn(8) {
				text = append(text, alphabet[r.Intn(len(alphabet))])
			}
		}
		return append(text, ';')
	}))
}
