package floatfmt_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"phpwire/floatfmt"
)

// workloads are the doubles of the benchmarks, by name.
func workloads() []struct {
	name    string
	doubles []float64
} {
	r := rand.New(rand.NewPCG(seed, 6))
	fill := func(next func() float64) []float64 {
		doubles := make([]float64, 4096)
		for i := range doubles {
			doubles[i] = next()
		}
		return doubles
	}
	return []struct {
		name    string
		doubles []float64
	}{
		{"integers", fill(func() float64 { return float64(r.IntN(1_000_000)) })},
		{"prices", fill(func() float64 { return float64(r.IntN(1_000_000)) / 100 })},
		{"17digits", fill(func() float64 { return 1000 * r.Float64() })},
		{"40decades", fill(func() float64 { return r.Float64() * math.Pow10(r.IntN(40)-20) })},
		{"anybits", fill(func() float64 {
			for {
				if f := math.Float64frombits(r.Uint64()); f-f == 0 {
					return f
				}
			}
		})},
		{"subnormal", fill(func() float64 { return math.Float64frombits(r.Uint64() >> 12) })},
	}
}

func BenchmarkAppendFloat(b *testing.B) {
	for _, load := range workloads() {
		b.Run(load.name+"/phpwire", func(b *testing.B) {
			b.ReportAllocs()
			var buf [64]byte
			for i := range b.N {
				floatfmt.AppendFloat(buf[:0], load.doubles[i&4095], -1)
			}
		})
		b.Run(load.name+"/strconv", func(b *testing.B) {
			b.ReportAllocs()
			var buf [64]byte
			for i := range b.N {
				strconv.AppendFloat(buf[:0], load.doubles[i&4095], 'e', -1, 64)
			}
		})
	}
}

func BenchmarkAppendFloat17(b *testing.B) {
	for _, load := range workloads() {
		b.Run(load.name+"/phpwire", func(b *testing.B) {
			b.ReportAllocs()
			var buf [64]byte
			for i := range b.N {
				floatfmt.AppendFloat(buf[:0], load.doubles[i&4095], 17)
			}
		})
		b.Run(load.name+"/strconv", func(b *testing.B) {
			b.ReportAllocs()
			var buf [64]byte
			for i := range b.N {
				strconv.AppendFloat(buf[:0], load.doubles[i&4095], 'e', 16, 64)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, load := range workloads() {
		texts, strings := make([][]byte, 4096), make([]string, 4096)
		for i, f := range load.doubles {
			texts[i] = append(floatfmt.AppendFloat(nil, f, -1), ';')
			strings[i] = string(texts[i][:len(texts[i])-1])
		}
		b.Run(load.name+"/phpwire", func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				if _, _, err := floatfmt.ParsePrefix(texts[i&4095]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(load.name+"/strconv", func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				if _, err := strconv.ParseFloat(strings[i&4095], 64); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	for _, load := range workloads() {
		texts := make([][]byte, 4096)
		for i, f := range load.doubles {
			texts[i] = floatfmt.AppendFloat(nil, f, -1)
		}
		b.Run(load.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				if !floatfmt.Canonical(texts[i&4095], load.doubles[i&4095]) {
					b.Fatal("not canonical")
				}
			}
		})
	}
}
