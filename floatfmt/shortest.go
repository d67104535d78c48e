package floatfmt

import "math/bits"

const (
	mantissaBits = 52
	mantissaMask = 1<<mantissaBits - 1
	exponentMask = 0x7FF
	exponentBias = 1023
)

// shortest returns the decimal digits * 10^exp10 that PHP's shortest text of a
// positive finite double carries: as few digits as still read back as the same
// double and, among those, the nearest to it. digits may end in zeros.
//
// The algorithm is Schubfach by Raffaello Giulietti ("The Schubfach way to
// render doubles"). With the precision of the spacing of doubles at hand, only
// four decimals can be the answer: the two neighbours of the double among the
// multiples of 10^k, and the two among the multiples of 10^(k+1).
func shortest(abs uint64) (digits uint64, exp10 int) {
	mant, exp := abs&mantissaMask, int(abs>>mantissaBits)
	lowerGap := uint64(2) // half the distance to the next smaller double, in quarters of 2^exp
	k := 0
	if exp == 0 {
		exp = 1 - exponentBias - mantissaBits
		k = floorLog10Pow2(exp)
	} else if mant != 0 || exp == 1 {
		mant |= 1 << mantissaBits
		exp -= exponentBias + mantissaBits
		k = floorLog10Pow2(exp)
	} else {
		// Below a power of two doubles are twice as dense.
		mant = 1 << mantissaBits
		exp -= exponentBias + mantissaBits
		k = floorLog10ThreeQuartersPow2(exp)
		lowerGap = 1
	}

	// The double and the borders of what reads back as it, in quarters of 10^k.
	// Only an even mantissa wins the tie on the border itself.
	shift := uint(exp + floorLog2Pow10(-k) + 1)
	g := pow10Above(-k)
	odd := mant & 1
	value := mulRoundToOdd(g, mant<<2<<shift)
	lower := mulRoundToOdd(g, (mant<<2-lowerGap)<<shift) + odd
	upper := mulRoundToOdd(g, (mant<<2+2)<<shift) - odd

	down := value >> 2
	if coarse := down / 10; down >= 10 {
		downIn := lower <= 40*coarse
		upIn := 40*coarse+40 <= upper
		if upIn {
			return coarse + 1, k + 1
		}
		if downIn {
			return coarse, k + 1
		}
	}
	downIn := lower <= 4*down
	upIn := 4*down+4 <= upper
	if downIn != upIn {
		if upIn {
			down++
		}
		return down, k
	}
	if middle := 4*down + 2; value > middle || value == middle && down&1 == 1 {
		down++
	}
	return down, k
}

// mulRoundToOdd returns g*v / 2^128; its lowest bit is set when anything
// other than zero was cut off, so that comparisons with it stay exact.
func mulRoundToOdd(g uint128, v uint64) uint64 {
	carryHi, _ := bits.Mul64(g.lo, v)
	hi, lo := bits.Mul64(g.hi, v)
	lo, carry := bits.Add64(lo, carryHi, 0)
	hi += carry
	if lo > 1 {
		hi |= 1
	}
	return hi
}
