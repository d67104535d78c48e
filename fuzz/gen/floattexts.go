package gen

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand"
)

// ExtremeFloatText draws the text of a number that few write, and PHP reads: the
// middle between two doubles, hundreds of digits, hundreds of zeros before them or
// behind them, exponents of many digits; and seldom one of thousands of digits,
// which make up for an exponent near the largest that PHP counts.
func ExtremeFloatText(r *rand.Rand) []byte {
	text := []byte(pick(r, []string{"", "", "-", "+"}))
	if oneIn(r, 16) {
		return append(text, balanced(r)...)
	}
	switch r.Intn(5) {
	case 0:
		return append(text, MiddleFloatText(r, positiveFinite(r))...)
	case 1: // more digits than decide
		text = digits(r, text, 1+r.Intn(1000))
		if coin(r) {
			text = digits(r, append(text, '.'), 1+r.Intn(400))
		}
		return withExponent(r, text, r.Intn(700)-350)
	case 2:
		text = append(text, zeros(r, 400)...)
		text = append(digits(r, append(append(text, '.'), zeros(r, 400)...), 1+r.Intn(20)), zeros(r, 400)...)
		return withExponent(r, text, r.Intn(700)-350)
	case 3: // an exponent of many digits, most of them zeros
		text = append(digits(r, text, 1+r.Intn(17)), "eE"[r.Intn(2)])
		text = append(append(text, pick(r, []string{"", "-", "+"})...), zeros(r, 40)...)
		return fmt.Appendf(text, "%d", r.Intn(400))
	}
	text = append(digits(r, text, 1+r.Intn(17)), "eE"[r.Intn(2)])
	return append(append(text, pick(r, []string{"", "-", "+"})...), pick(r, exponentEdges)...)
}

// exponentEdges are exponents at which counting them goes wrong.
var exponentEdges = []string{
	"307", "308", "309", "310", "323", "324", "325", "342", "400", "999", "1000", "9999", "10000", "19998", "19999", "20000", "20001", "32767", "32768",
	"65535", "65536", "99999", "100000", "2147483647", "2147483648", "4294967295", "4294967296", "4294967301", "9223372036854775807",
	"9223372036854775808", "18446744073709551615", "18446744073709551616", "18446744073709551621", "99999999999999999999999999",
}

func positiveFinite(r *rand.Rand) float64 {
	for {
		if f := positiveFloat(r); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
}

// balanced writes a number with an exponent near 19999, beyond which PHP does not
// count, and about as many zeros as make up for it.
func balanced(r *rand.Rand) []byte {
	const limit = 19999
	exponent := limit + r.Intn(9) - 4
	if oneIn(r, 4) {
		exponent = limit + r.Intn(5000)
	}
	places := limit + r.Intn(40) - 20
	if coin(r) {
		text := append([]byte("0."), bytes.Repeat([]byte{'0'}, places)...)
		return fmt.Appendf(digits(r, append(text, '1'), r.Intn(4)), "e%d", exponent)
	}
	text := append(digits(r, []byte{'1'}, r.Intn(4)), bytes.Repeat([]byte{'0'}, places)...)
	return fmt.Appendf(text, "E-%d", exponent)
}

func digits(r *rand.Rand, text []byte, n int) []byte {
	for range n {
		text = append(text, byte('0'+r.Intn(10)))
	}
	return text
}

// zeros draws none to so many zeros, mostly few.
func zeros(r *rand.Rand, most int) []byte { return bytes.Repeat([]byte{'0'}, r.Intn(1+r.Intn(most+1))) }

func withExponent(r *rand.Rand, text []byte, exponent int) []byte {
	if coin(r) {
		return text
	}
	return fmt.Appendf(text, "%c%d", "eE"[r.Intn(2)], exponent)
}

// MiddleFloatText writes the number between x, which must be finite and not
// negative, and the next double in full, sometimes with its last digit changed or
// one more behind it.
func MiddleFloatText(r *rand.Rand, x float64) []byte {
	mantissa, exponent := math.Frexp(x)
	text := exact(uint64(math.Ldexp(mantissa, 54))+1, exponent-54)
	switch r.Intn(3) {
	case 0:
		text = append(text, '1')
	case 1:
		if last := &text[len(text)-1]; *last > '0' && *last <= '9' {
			*last--
		}
	}
	return text
}

// exact writes m * 2^e in full, with a point where it has a fraction.
func exact(m uint64, e int) []byte {
	n := new(big.Int).SetUint64(m)
	if e >= 0 {
		return n.Lsh(n, uint(e)).Append(nil, 10)
	}
	// m / 2^k is m * 5^k / 10^k.
	k := -e
	n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(k)), nil))
	digits := n.Append(nil, 10)
	if len(digits) <= k {
		digits = append(bytes.Repeat([]byte{'0'}, k-len(digits)+1), digits...)
	}
	point := len(digits) - k
	return append(append(append([]byte{}, digits[:point]...), '.'), digits[point:]...)
}
