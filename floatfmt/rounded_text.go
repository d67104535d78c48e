package floatfmt

import (
	"math"
	"strconv"
)

// maxDigits is the most significant digits that a double has: those just above
// the smallest normal one do.
const maxDigits = 767

// appendRounded appends f rounded to precision >= 0 significant digits, with
// the given exponent letter.
func appendRounded(dst []byte, f float64, precision int, letter byte) []byte {
	if !isFinite(f) {
		word := nonFinite(f)
		return append(dst, word[:min(len(word), precision)]...)
	}
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}

	// strconv rounds as PHP does: exactly, ties to even. Its text is d, or
	// d.ddd, then e, a sign and the exponent.
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', min(max(precision, 1), maxDigits)-1, 64)
	e := len(text) - len("e+00")
	if text[e] != 'e' {
		e--
	}
	exp, sign := 0, text[e+1]
	for _, c := range text[e+2:] {
		exp = exp*10 + int(c-'0')
	}
	if sign == '-' {
		exp = -exp
	}
	digits := text[:e]
	if len(digits) > 1 {
		digits[1] = digits[0]
		digits = digits[1:]
	}
	if !keepsZeros(f, precision) {
		for len(digits) > 1 && digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
	}
	return appendPlaced(dst, digits, exp+1, precision, letter)
}

// What keepsZeros holds for: integers of at most 15 digits, cut to at most 14.
// There zend_dtoa divides, and it is the one way through it that does not look
// for trailing zeros once a tie is rounded down.
const (
	dividedBelow  = 1e15
	dividedDigits = 14
)

// keepsZeros tells whether PHP writes the trailing zeros of f >= 0 rounded to
// precision digits: 28105 with 4 digits is 2.810E+4, but 28101 is 2.81E+4.
func keepsZeros(f float64, precision int) bool {
	if f >= dividedBelow || precision < 1 || precision > dividedDigits || f != math.Trunc(f) {
		return false
	}
	n := uint64(f)
	power := uint64(1)
	for limit := tenTo(precision); n/power >= limit; {
		power *= 10
	}
	return n%power*2 == power && n/power%2 == 0
}

func tenTo(n int) uint64 {
	power := uint64(1)
	for range n {
		power *= 10
	}
	return power
}

// appendPlaced appends the number 0.DIGITS * 10^point in PHP's notation.
func appendPlaced(dst, digits []byte, point, precision int, letter byte) []byte {
	const zeros = "0000"
	switch {
	case point > precision || point < -3:
		dst = append(dst, digits[0], '.')
		if len(digits) == 1 {
			dst = append(dst, '0')
		}
		dst = append(dst, digits[1:]...)
		var buf [8]byte
		return append(dst, buf[:putExponent(buf[:], letter, point-1)]...)
	case point <= 0:
		dst = append(dst, "0."...)
		dst = append(dst, zeros[:-point]...)
		return append(dst, digits...)
	case point < len(digits):
		dst = append(dst, digits[:point]...)
		dst = append(dst, '.')
		return append(dst, digits[point:]...)
	}
	dst = append(dst, digits...)
	for range point - len(digits) {
		dst = append(dst, '0')
	}
	return dst
}
