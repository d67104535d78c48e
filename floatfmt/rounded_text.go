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
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return appendPlaced(dst, digits, exp+1, precision, letter)
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
