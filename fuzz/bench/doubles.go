package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"

	"phpwire/floatfmt"
)

// manyDoubles is how many one run converts.
const manyDoubles = 4096

// doubleLoads are doubles of several sorts, the same every time.
func doubleLoads() []struct {
	name    string
	doubles []float64
} {
	r := rand.New(rand.NewPCG(3, 4))
	fill := func(next func() float64) []float64 {
		fs := make([]float64, manyDoubles)
		for i := range fs {
			fs[i] = next()
		}
		return fs
	}
	return []struct {
		name    string
		doubles []float64
	}{
		{"forty decades", fill(func() float64 { return (r.Float64() - 0.5) * math.Pow10(r.IntN(40)-20) })},
		{"whole numbers", fill(func() float64 { return float64(r.IntN(1_000_000)) })},
		{"prices", fill(func() float64 { return float64(r.IntN(1_000_000)) / 100 })},
		{"any bits", fill(func() float64 {
			for {
				if f := math.Float64frombits(r.Uint64()); f-f == 0 {
					return f
				}
			}
		})},
	}
}

// doubles measures both directions beside strconv.
func (b *bench) doubles(ctx context.Context) ([]Row, error) {
	var rows []Row
	for _, load := range doubleLoads() {
		texts, plain := make([][]byte, manyDoubles), make([]string, manyDoubles)
		for i, f := range load.doubles {
			text := floatfmt.AppendFloat(nil, f, -1)
			texts[i], plain[i] = append(text, ';'), string(text)
			back, n, err := floatfmt.ParsePrefix(texts[i])
			if same, _ := strconv.ParseFloat(plain[i], 64); err != nil || n != len(text) || back != f || same != f {
				return nil, wrong("%v is written as %s, and read back as %v, by strconv as %v (%v)", f, text, back, same, err)
			}
		}
		var buf [64]byte
		var sum float64
		for _, c := range []struct {
			name      string
			ours, std func()
		}{
			{"to text", func() {
				for _, f := range load.doubles {
					floatfmt.AppendFloat(buf[:0], f, -1)
				}
			}, func() {
				for _, f := range load.doubles {
					strconv.AppendFloat(buf[:0], f, 'e', -1, 64)
				}
			}},
			{"from text", func() {
				for _, t := range texts {
					f, _, _ := floatfmt.ParsePrefix(t)
					sum += f
				}
			}, func() {
				for _, t := range plain {
					f, _ := strconv.ParseFloat(t, 64)
					sum += f
				}
			}},
		} {
			results, err := b.rounds(ctx, []contestant{b.here(reference, c.ours), b.here(strconvName, c.std)})
			if err != nil {
				return nil, err
			}
			rows = append(rows, newRow(c.name+": "+load.name, manyDoubles, results...))
		}
	}
	return rows, nil
}

const strconvName = "strconv"
