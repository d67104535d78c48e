package gen

import (
	"math"
	"math/rand"
	"strconv"
)

var (
	powersOfTen = makePowersOfTen()

	// specialFloats are those that have a spelling, or a bit pattern, of their own.
	specialFloats = []float64{
		0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1),
		math.NaN(), math.Float64frombits(0x7ff8000000000000), math.Float64frombits(0xfff8000000000000),
		math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xffffffffffffffff),
		math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		0x1p-1022, 0x1.fffffffffffffp-1022, 0x0.fffffffffffffp-1022, 0x1p-1074 * 3,
		math.MaxFloat32, math.SmallestNonzeroFloat32, math.Pi, math.E, 0.1, 0.2, 0.1 + 0.2, 1.0 / 3, 2.0 / 3,
		1, -1, 10, 100, 5e-324, 1.7976931348623157e308, 9007199254740992, 9007199254740993, 9223372036854775807,
	}

	// switchPoints are where PHP's text changes its notation, or once did.
	switchPoints = []float64{
		1.0e-5, 9.9999e-5, 0.0001, 0.00012345, 0.001, 0.00099999999999999998,
		1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 999999999999999, 9999999999999998, 99999999999999984, 123456789012345680,
		1e20, 1e21, 1e22, 1e23, 4294967296, 2147483648,
	}
)

func makePowersOfTen() []float64 {
	var powers []float64
	for e := -323; e <= 308; e++ {
		f, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
		powers = append(powers, f)
	}
	return powers
}

// RandomFloat draws a double, mostly near an edge: the zeros, infinities and
// NaNs (of both signs, with payloads), subnormals, powers of two and ten and
// their neighbours, integers and halves, those around 2^53 and from 1e15 to 1e22, the points where
// PHP's notation switches, short and long decimals; else any 64 bits.
func RandomFloat(r *rand.Rand) float64 {
	f := positiveFloat(r)
	if oneIn(r, 4) {
		return -f
	}
	return f
}

func positiveFloat(r *rand.Rand) float64 {
	switch r.Intn(16) {
	case 0, 1:
		return pick(r, specialFloats)
	case 2:
		return math.Float64frombits(uint64(r.Int63()) >> (11 + r.Intn(52))) // subnormal
	case 3:
		return nextTo(r, math.Ldexp(1, r.Intn(2098)-1074))
	case 4:
		return nextTo(r, pick(r, powersOfTen))
	case 5:
		return float64(1<<53 + int64(r.Intn(200)-100))
	case 6:
		return nextTo(r, float64(1+r.Intn(9))*powersOfTen[323+15+r.Intn(8)])
	case 7:
		return nextTo(r, pick(r, switchPoints))
	case 8, 9:
		return float64(r.Intn(100_000)) / powersOfTen[323+r.Intn(8)] // short decimals
	case 10:
		return float64(r.Int63n(1e17)) / powersOfTen[323+r.Intn(22)] // long ones
	case 11:
		// Integers, halves and quarters: ties for one who rounds to fewer digits.
		return float64(r.Intn(2<<r.Intn(31))) + float64(r.Intn(4))/4
	case 12:
		return float64(math.Float32frombits(r.Uint32()))
	case 13:
		if oneIn(r, 3) {
			return math.Float64frombits(0x7ff<<52 | uint64(r.Int63())>>11 | 1) // a NaN with a payload
		}
		return float64(r.Int63())
	}
	return math.Float64frombits(r.Uint64())
}

// nextTo moves f by up to three units in the last place.
func nextTo(r *rand.Rand, f float64) float64 {
	if coin(r) {
		return f
	}
	return math.Float64frombits(uint64(max(int64(math.Float64bits(f))+int64(r.Intn(7)-3), 0)))
}

var edgeInts = []int64{
	0, 1, -1, 9, 10, -10, 127, 128, 255, 256, 512, 513, 65535, 65536,
	math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MinInt32 - 1, math.MaxUint32, math.MaxUint32 + 1,
	1<<53 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1),
	math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1,
}

// RandomInt draws an int, mostly small or at an edge: those of 8 to 64 bits,
// powers of two and ten and what stands beside them.
func RandomInt(r *rand.Rand) int64 {
	switch r.Intn(8) {
	case 0, 1:
		return pick(r, edgeInts)
	case 2, 3:
		return int64(r.Intn(21) - 10)
	case 4:
		return eitherSign(r, 1<<r.Intn(63)+int64(r.Intn(3)-1))
	case 5:
		n := int64(1)
		for range r.Intn(19) {
			n *= 10
		}
		return eitherSign(r, n+int64(r.Intn(3)-1))
	}
	return eitherSign(r, r.Int63()>>r.Intn(63))
}

func eitherSign(r *rand.Rand, n int64) int64 {
	if coin(r) {
		return -n
	}
	return n
}
