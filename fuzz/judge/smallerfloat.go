package judge

import (
	"math"

	"phpwire/floatfmt"
)

// SmallerFloats lists doubles of fewer digits, then of fewer bits.
func SmallerFloats(f Float) []Float {
	v := math.Float64frombits(f.Bits)
	var smaller []Float
	add := func(x float64) {
		if bits := math.Float64bits(x); bits != f.Bits && digits(x) < digits(v) {
			smaller = append(smaller, Float{Bits: bits, Precision: f.Precision})
		}
	}
	for _, x := range []float64{0, 1, -1, 0.5, 1e15, 1e16, 1e17, 1e-4, 1e-5, math.Copysign(0, -1)} {
		add(x)
	}
	for d := range 17 {
		text := floatfmt.AppendFloat(nil, v, d+1)
		if x, err := floatfmt.Parse(text); err == nil {
			add(x)
		}
	}
	add(-v)
	add(math.Trunc(v))
	add(v / 2)
	add(v / 10)
	return smaller
}

// digits orders doubles by how much there is to read.
func digits(x float64) int {
	if math.IsNaN(x) {
		return 1000
	}
	n := 2 * len(floatfmt.AppendFloat(nil, x, -1))
	if math.Signbit(x) {
		n++
	}
	return n
}
