package floatfmt

import "math/bits"

//go:generate go run gen_pow10.go

// uint128 is the number hi<<64 + lo.
type uint128 struct{ hi, lo uint64 }

// pow10Above returns the leading 128 bits of 10^e and one more, which is above
// 10^e also where that has no further bits.
func pow10Above(e int) uint128 {
	p := pow10Table[e-pow10Min]
	p.lo++ // No entry ends in 64 ones.
	return p
}

// floorLog10Pow2 returns floor(log10(2^e)) for |e| <= 1100.
func floorLog10Pow2(e int) int { return (e * 315653) >> 20 }

// floorLog10ThreeQuartersPow2 returns floor(log10(3/4 * 2^e)) for |e| <= 1100.
func floorLog10ThreeQuartersPow2(e int) int { return (e*315653 - 131008) >> 20 }

// floorLog2Pow10 returns floor(log2(10^e)) for |e| <= 400.
func floorLog2Pow10(e int) int { return (e * 108853) >> 15 }

// smallPow10 holds the powers of ten that a uint64 can hold.
var smallPow10 = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// decimalLen returns how many decimal digits v > 0 has.
func decimalLen(v uint64) int {
	n := bits.Len64(v) * 1233 >> 12 // the digits, or one less
	if v >= smallPow10[n] {
		n++
	}
	return n
}
