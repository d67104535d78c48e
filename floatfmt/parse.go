package floatfmt

import (
	"encoding/binary"
	"math"
)

// Parse reads text as PHP's unserialize() reads what stands between "d:" and
// ";", which text must be as a whole, and returns PHP's value for it.
//
// PHP accepts NAN, INF, -INF, and decimal numbers: an optional sign, digits
// with at most one point among, before or after them, and an optional exponent
// (e or E, an optional sign, digits). The value is the nearest double, ties to
// even; too large a number is an infinity, too small a one is a zero with the
// number's sign. An exponent beyond 19999 either way counts as 19999, even if
// thousands of digits make up for it: PHP does so too.
//
// An error is a *SyntaxError. Time is linear in len(text); memory is bounded.
func Parse(text []byte) (float64, error) {
	f, n, want := scan(text)
	if want != "" || n < len(text) {
		return 0, syntaxError(text, n, want, wantEnd)
	}
	return f, nil
}

// ParsePrefix is Parse for a text that ends at the first byte that cannot
// belong to it, which must be a ";". It returns the value and the length of
// the text: b[n] is the ";".
func ParsePrefix(b []byte) (f float64, n int, err error) {
	f, n, want := scan(b)
	if want != "" || n == len(b) || b[n] != ';' {
		return 0, 0, syntaxError(b, n, want, wantSemicolon)
	}
	return f, n, nil
}

// scan reads the longest number at the start of b. It returns its value and
// length; or, if there is none, where it went wrong and what was wanted there.
func scan(b []byte) (f float64, n int, want string) {
	i, negative := 0, false
	if len(b) > 0 {
		switch b[0] {
		case '-':
			i, negative = 1, true
		case '+':
			i = 1
		}
	}

	// The digits, as one integer. It may overflow; then count says so.
	start := i
	mant, i := scanDigits(b, i, 0)
	count, fraction := i-start, 0
	if i < len(b) && b[i] == '.' {
		point := i
		mant, i = scanDigits(b, i+1, mant)
		fraction = i - point - 1
		count += fraction
	}
	if count == 0 {
		return scanWord(b, start, i)
	}
	end := i

	exp := 0
	if i < len(b) && b[i]|0x20 == 'e' {
		if exp, i = scanExponent(b, i+1); exp == noExponent {
			if c := b[i-1]; c == '+' || c == '-' {
				return 0, i, wantDigit
			}
			return 0, i, wantSignOrDigit
		}
	}

	if count > maxMantissaDigits {
		count -= leadingZeros(b[start:end])
		if count > maxMantissaDigits {
			return signed(parseLong(b[start:end], exp), negative), i, ""
		}
	}
	f, ok := fromDecimal(mant, exp-fraction)
	if !ok {
		f = parseExact(b[start:end], exp)
	}
	return signed(f, negative), i, ""
}

// leadingZeros counts the zeros that open text, whether or not a point stands
// among them.
func leadingZeros(text []byte) (n int) {
	for _, c := range text {
		if c == '0' {
			n++
		} else if c != '.' {
			break
		}
	}
	return n
}

// maxMantissaDigits is how many digits always fit a uint64.
const maxMantissaDigits = 19

// scanDigits reads digits from b[i:], continuing the number mant.
func scanDigits(b []byte, i int, mant uint64) (uint64, int) {
	for len(b)-i >= 8 {
		word := binary.LittleEndian.Uint64(b[i:])
		if !allDigits(word) {
			break
		}
		mant = mant*1e8 + eightDigitsValue(word)
		i += 8
	}
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		mant = mant*10 + uint64(c)
	}
	return mant, i
}

// allDigits reports whether all eight bytes of word are ASCII digits.
func allDigits(word uint64) bool {
	const high = 0xF0F0F0F0F0F0F0F0
	return word&high|(word+0x0606060606060606)&high>>4 == 0x3333333333333333
}

// eightDigitsValue returns the number that eight ASCII digits spell, the
// highest digit in the lowest byte.
func eightDigitsValue(word uint64) uint64 {
	const (
		mask = 0x000000FF000000FF
		mul1 = 100 + 1000000<<32
		mul2 = 1 + 10000<<32
	)
	word -= asciiZeros
	word = word*10 + word>>8
	return (word&mask*mul1 + word>>16&mask*mul2) >> 32 & 0xFFFFFFFF
}

const (
	maxExponent = 19999       // where PHP stops counting
	noExponent  = math.MaxInt // from scanExponent: not a digit where one must be
)

// scanExponent reads an optional sign and digits from b[i:].
func scanExponent(b []byte, i int) (exp, end int) {
	negative := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		negative = b[i] == '-'
		i++
	}
	start := i
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		exp = min(exp*10+int(c), maxExponent)
	}
	if i == start {
		return noExponent, i
	}
	if negative {
		exp = -exp
	}
	return exp, i
}

// scanWord reads NAN, INF or -INF from b, where no number stands. A sign ends
// at start, and digits were missing at i.
func scanWord(b []byte, start, i int) (f float64, n int, want string) {
	word, value := "", 0.0
	switch {
	case i > start:
		return 0, i, wantDigit
	case start == 1 && b[0] == '+' || i == len(b):
	case b[i] == 'I':
		word, value = "INF", math.Inf(1)
	case b[i] == 'N' && start == 0:
		word, value = "NAN", math.Float64frombits(phpNaN)
	}
	if word == "" {
		switch {
		case start == 0:
			return 0, i, wantNumber
		case b[0] == '-':
			return 0, i, wantUnsignedOrInf
		}
		return 0, i, wantDigitOrPoint
	}
	for j := range word {
		if i+j == len(b) || b[i+j] != word[j] {
			return 0, i + j, "'" + word[j:j+1] + "'"
		}
	}
	return signed(value, start == 1), i + len(word), ""
}

// phpNaN is the bits of PHP's NAN.
const phpNaN = 0x7FF8000000000000

// signed returns f >= 0 with its sign set if negative.
func signed(f float64, negative bool) float64 {
	if negative {
		return -f
	}
	return f
}
