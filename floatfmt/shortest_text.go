package floatfmt

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// shortestDigits is the number of digits that steers the notation of the
// shortest text: PHP places its digits as if 17 had been asked for.
const shortestDigits = 17

// appendShortest appends the shortest text of f with the given exponent letter.
func appendShortest(dst []byte, f float64, letter byte) []byte {
	abs := math.Float64bits(f) &^ (1 << 63)
	if abs>>mantissaBits == exponentMask {
		return append(dst, nonFinite(f)...)
	}
	if abs != math.Float64bits(f) {
		dst = append(dst, '-')
	}
	if abs < twoTo53 { // integers up to there are their own shortest text
		if u := uint64(int64(math.Float64frombits(abs))); math.Float64bits(float64(int64(u))) == abs {
			return strconv.AppendUint(dst, u, 10)
		}
	}

	digits, exp10 := shortest(abs)
	n := decimalLen(digits)
	point := n + exp10
	// From here on the digits are d0, then eight in each of the words w1 and w2
	// (the first in the lowest byte), filled up with zeros.
	digits *= smallPow10[shortestDigits-n]
	d0, rest := digits/1e16, digits%1e16
	w1, w2 := eightDigits(rest/1e8), eightDigits(rest%1e8)
	n = 1
	if w2 != 0 {
		n = 17 - bits.LeadingZeros64(w2)/8
	} else if w1 != 0 {
		n = 9 - bits.LeadingZeros64(w1)/8
	}
	d0 += '0'
	w1 |= asciiZeros
	w2 |= asciiZeros

	var buf [32]byte
	switch {
	case point > shortestDigits || point < -3:
		buf[0], buf[1] = byte(d0), '.'
		binary.LittleEndian.PutUint64(buf[2:], w1)
		binary.LittleEndian.PutUint64(buf[10:], w2)
		n = max(n+1, 3)
		return append(dst, buf[:n+putExponent(buf[n:], letter, point-1)]...)
	case point <= 0:
		binary.LittleEndian.PutUint64(buf[0:], asciiZeros)
		buf[1] = '.'
		start := 2 - point
		buf[start] = byte(d0)
		binary.LittleEndian.PutUint64(buf[start+1:], w1)
		binary.LittleEndian.PutUint64(buf[start+9:], w2)
		return append(dst, buf[:start+n]...)
	}
	buf[0] = byte(d0)
	binary.LittleEndian.PutUint64(buf[1:], w1)
	binary.LittleEndian.PutUint64(buf[9:], w2)
	if point >= n {
		return append(dst, buf[:point]...)
	}
	copy(buf[point+1:n+1], buf[point:n])
	buf[point] = '.'
	return append(dst, buf[:n+1]...)
}

// twoTo53 is the bits of 2^53, up to which a double holds every integer.
const twoTo53 = (53 + exponentBias) << mantissaBits

// asciiZeros turns eight digits into eight ASCII digits.
const asciiZeros = 0x3030303030303030

// eightDigits spreads v < 1e8 over eight bytes, the highest digit in the
// lowest byte.
func eightDigits(v uint64) uint64 {
	v = v/1e4 | v%1e4<<32
	hundreds := v * 10486 >> 20 & 0x7F_0000_007F
	v = hundreds | (v-hundreds*100)<<16
	tens := v * 103 >> 10 & 0x0F_000F_000F_000F
	return tens | (v-tens*10)<<8
}

// putExponent writes letter, a sign and |exp| < 1000 to buf, and returns how
// many bytes that is.
func putExponent(buf []byte, letter byte, exp int) int {
	_ = buf[4]
	buf[0], buf[1] = letter, '+'
	if exp < 0 {
		buf[1], exp = '-', -exp
	}
	switch {
	case exp < 10:
		buf[2] = byte('0' + exp)
		return 3
	case exp < 100:
		buf[2], buf[3] = byte('0'+exp/10), byte('0'+exp%10)
		return 4
	}
	buf[2], buf[3], buf[4] = byte('0'+exp/100), byte('0'+exp/10%10), byte('0'+exp%10)
	return 5
}

// isFinite reports whether f is neither an infinity nor a NaN.
func isFinite(f float64) bool { return f-f == 0 }

// nonFinite returns PHP's word for an infinity or a NaN.
func nonFinite(f float64) string {
	switch {
	case f > 0:
		return "INF"
	case f < 0:
		return "-INF"
	}
	return "NAN"
}
