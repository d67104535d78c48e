package floatfmt

import (
	"math"
	"math/bits"
	"strconv"
)

// exactPow10 holds the powers of ten that a double holds exactly.
var exactPow10 = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// fromDecimal returns the double nearest to mant * 10^exp. In rare cases, which
// lie too close to the middle between two doubles, it gives up: ok is false.
func fromDecimal(mant uint64, exp int) (f float64, ok bool) {
	if exp == 0 {
		return float64(mant), true
	}
	if mant <= 1<<53 && -22 <= exp && exp <= 22 {
		// Both are exact, so the result is rounded but once.
		if exp < 0 {
			return float64(mant) / exactPow10[-exp], true
		}
		return float64(mant) * exactPow10[exp], true
	}
	return eiselLemire(mant, exp)
}

// eiselLemire is fromDecimal by the algorithm of Michael Eisel and Daniel
// Lemire ("Number Parsing at a Gigabyte per Second"): a product with the 128
// leading bits of the power of ten decides, unless its bits leave it open
// whether those that were cut off would have carried.
func eiselLemire(mant uint64, exp int) (f float64, ok bool) {
	switch {
	case mant == 0 || exp < pow10Min:
		return 0, true
	case exp > 308:
		return math.Inf(1), true
	}

	zeros := bits.LeadingZeros64(mant)
	mant <<= zeros
	pow := pow10Table[exp-pow10Min]
	hi, lo := bits.Mul64(mant, pow.hi)
	// hi holds 53 bits of mantissa, one to round by, and at least nine more.
	// If those are all ones, the lower half of the power of ten matters.
	if hi&0x1FF == 0x1FF {
		carry, rest := bits.Mul64(mant, pow.lo)
		var c uint64
		lo, c = bits.Add64(lo, carry, 0)
		hi += c
		if hi&0x1FF == 0x1FF && lo == math.MaxUint64 && rest+mant < rest {
			return 0, false
		}
	}

	top := hi >> 63
	result := hi >> (top + 9) // 54 bits
	if lo == 0 && hi&0x1FF == 0 && result&3 == 1 {
		return 0, false // maybe a tie, maybe just above
	}
	biased := floorLog2Pow10(exp) + 63 + exponentBias - zeros + int(top)
	if biased <= 0 {
		// A subnormal: the mantissa loses more bits. No tie can occur here, for a
		// tie's digits would be far more than 19.
		result >>= min(1-biased, 63)
		result = (result + result&1) >> 1
		return math.Float64frombits(result), true // 2^52 carries into the exponent
	}
	result = (result + result&1) >> 1
	if result == 1<<53 {
		result >>= 1
		biased++
	}
	if biased >= exponentMask {
		return math.Inf(1), true
	}
	return math.Float64frombits(uint64(biased)<<mantissaBits | result&mantissaMask), true
}

// parseLong returns the value of text, digits with at most one point, times
// 10^exp, for more digits than a uint64 holds.
func parseLong(text []byte, exp int) float64 {
	var mant uint64
	digits, skipped, fraction := 0, 0, 0
	pointSeen := false
	for _, c := range text {
		if c == '.' {
			pointSeen = true
			continue
		}
		if digits < maxMantissaDigits {
			mant = mant*10 + uint64(c-'0')
			if mant != 0 {
				digits++
			}
		} else {
			skipped++
		}
		if pointSeen {
			fraction++
		}
	}
	// The value lies between mant and mant+1; often both are the same double.
	exp10 := exp - fraction + skipped
	if f, ok := fromDecimal(mant, exp10); ok {
		if above, ok := fromDecimal(mant+1, exp10); ok && f == above {
			return f
		}
	}
	return parseExact(text, exp)
}

// maxTieDigits is more significant digits than any point in the middle between
// two doubles has: of those beyond, it only matters whether one is not zero.
const maxTieDigits = 770

// parseExact is parseLong for the hard cases, and for any number of digits.
func parseExact(text []byte, exp int) float64 {
	// Normalize to 0.DIGITSeEXP with few digits and an exponent close to a
	// double's range, where strconv is exact.
	var buf [maxTieDigits + 16]byte
	norm := append(buf[:0], "0."...)
	pointSeen, more := false, false
	point := exp
	for _, c := range text {
		if c == '.' {
			pointSeen = true
			continue
		}
		leadingZero := c == '0' && len(norm) == len("0.")
		switch {
		case leadingZero:
		case len(norm) < len("0.")+maxTieDigits:
			norm = append(norm, c)
		default:
			more = more || c != '0'
		}
		if leadingZero && pointSeen {
			point--
		}
		if !leadingZero && !pointSeen {
			point++
		}
	}
	switch {
	case len(norm) == len("0.") || point < -330:
		return 0
	case point > 310:
		return math.Inf(1)
	}
	if more {
		norm = append(norm, '1')
	}
	norm = append(norm, 'e')
	norm = strconv.AppendInt(norm, int64(point), 10)
	f, _ := strconv.ParseFloat(string(norm), 64) // out of range: an infinity, as wanted
	return f
}
