package grow

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/floatfmt"
)

func (q *questions) double(clause, comment, text string) { q.decode(clause, comment, "d:"+text+";") }

// doubleTexts has every form of a number: sign, digits, point, digits, exponent.
func doubleTexts(q *questions) {
	for _, sign := range []string{"", "+", "-"} {
		for _, whole := range []string{"", "0", "1", "012"} {
			for _, fraction := range []string{"", ".", ".0", ".5", ".50", ".05"} {
				for _, exponent := range []string{"", "e5", "E5", "e+5", "E-5", "e", "E", "e+", "e-", "e05", "E0", "e+-5", "e5.0", "e 5"} {
					if sign != "" && (len(exponent) > 2 || fraction == ".50" || len(whole) > 1) {
						continue
					}
					text := sign + whole + fraction + exponent
					q.double("D-2", "number "+text, text)
				}
			}
		}
	}
	for _, text := range []string{"+-1", "-+1", "--1", "++1", "1-", "1+", "1..2", "1.2.", "..5", ".-5", "1e5e5", "1ee5", " 1", "1 ", "\t1", "1\n", "1,5", "1_0", "0x1p3", "0x1", "1f", "1d", "１", "1\x00", "\x001",
		"1e5.", ".e1", "+.e1", "e5", "E", "-e5", ".", "+", "-", "+.", "-.", ""} {
		q.double("D-2", "no number: "+text, text)
		q.decode("D-2", "no number in a list: "+text, "a:1:{i:0;d:"+text+";}")
	}
	for _, word := range []string{"INF", "NAN", "INFINITY", "inf", "nan", "Inf", "NaN", "InF", "NA", "IN", "I", "N", "NANA", "INFI", "INF1", "1INF", "NAN(1)", "1.#INF", "INF ", " INF", "IND"} {
		for _, sign := range []string{"", "-", "+", "--"} {
			q.double("D-3", "word "+sign+word, sign+word)
		}
	}
	for _, form := range []string{"d", "d:", "d;", "d:1", "d:1.", "d:1.5", "d:1e", "d:1e5", "d:-", "d:+", "d:.", "d:I", "d:IN", "d:INF", "d:N", "d:NA", "d:NAN", "d:-I", "d:-INF", "d:-N", "d1;", "d::1;", "d:1:", "d:1,", "D:1;", "d:1;;",
		"d:INF:", "d:NAN}", "d:-INF}", "d:1}", "d:1e5}", "d:1.}", "d:.5}"} {
		q.decode("D-2", "double cut or broken: "+form, form)
		q.decode("D-2", "double cut or broken in a list: "+form, "a:1:{i:0;"+form+"}")
	}
	for _, zero := range []string{"0", "-0", "+0", "0.0", "-0.0", "00", "-00", "0e5", "-0e5", "0e-5", ".0", "-.0", "0.", "-0.", "0e999", "-0e-999", "0000000000000000000000000", "0.0000000000000000000000000"} {
		q.double("D-3", "zero "+zero, zero)
	}
}

// edgeDoubles are texts at and beside the places where rounding turns, in more
// and more digits.
func edgeDoubles(q *questions) {
	for _, f := range interesting() {
		if math.IsInf(f, 0) || f != f {
			continue
		}
		next := math.Nextafter(f, math.Inf(1))
		exact := exactText(f)
		q.double("D-4", fmt.Sprintf("all digits of %g", f), exact)
		if f == 0 || math.IsInf(next, 0) {
			continue
		}
		middle := middleText(f, next)
		q.double("D-4", fmt.Sprintf("the middle above %g", f), middle)
		q.double("D-4", fmt.Sprintf("just above the middle above %g", f), beside(middle, "1"))
		q.double("D-4", fmt.Sprintf("just below the middle above %g", f), below(middle))
		for _, digits := range []int{17, 19, 20, 40} {
			q.double("D-4", fmt.Sprintf("%d digits of the middle above %g", digits, f), shortened(middle, digits))
			q.double("D-4", fmt.Sprintf("%d digits of %g", digits, f), fmt.Sprintf("%.*e", digits-1, f))
		}
	}
	for _, mantissa := range []string{"1", "9", "1.7976931348623158", "1.797693134862315808", "2.4", "2.5", "0", "0.001"} {
		for _, e := range []string{"300", "307", "308", "309", "310", "400", "-300", "-307", "-308", "-320", "-323", "-324", "-325", "-326", "-400", "9999", "-9999", "19999", "20000", "-19999", "-20000", "99999", "-99999",
			"2147483647", "2147483648", "-2147483649", "4294967296", "4294967301", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "18446744073709551621", "99999999999999999999999"} {
			q.double("D-4", "exponent "+mantissa+"e"+e, mantissa+"e"+e)
		}
	}
	for _, n := range []int{300, 400, 767, 768, 800, 1100, 5000} {
		q.double("D-4", fmt.Sprintf("%d nines", n), strings.Repeat("9", n))
		q.double("D-4", fmt.Sprintf("%d nines behind the point", n), "0."+strings.Repeat("9", n))
		q.double("D-4", fmt.Sprintf("%d zeros, then 1", n), "0."+strings.Repeat("0", n)+"1")
		q.double("D-4", fmt.Sprintf("%d zeros behind 1, taken back", n), "1"+strings.Repeat("0", n)+fmt.Sprintf("e-%d", n))
		q.double("D-4", fmt.Sprintf("%d zeros behind the point, made up for", n), "0."+strings.Repeat("0", n)+fmt.Sprintf("1e%d", n+1))
		q.double("D-4", fmt.Sprintf("%d zeros before 1", n), strings.Repeat("0", n)+"1")
		q.double("D-4", fmt.Sprintf("an exponent with %d zeros", n), "1e"+strings.Repeat("0", n)+"5")
		q.double("D-4", fmt.Sprintf("one, %d zeros, one", n), "1."+strings.Repeat("0", n)+"1")
	}
	for _, n := range []int{9_998, 19_998, 20_001} { // what digits make up for, up to the largest exponent that counts
		q.double("D-4", fmt.Sprintf("%d zeros behind the point, made up for by an exponent", n), "0."+strings.Repeat("0", n)+fmt.Sprintf("1e%d", n+1))
		q.double("D-4", fmt.Sprintf("%d zeros, taken back by an exponent", n), "1"+strings.Repeat("0", n)+fmt.Sprintf("e-%d", n))
	}
	for _, e := range []int{-30, -23, -22, -21, -1, 0, 1, 15, 21, 22, 23, 30, 37, 38, 39} { // where fast ways of reading end
		for _, mantissa := range []string{"1", "9007199254740991", "9007199254740993", "1234567890123456789", "12345678901234567891"} {
			q.double("D-4", fmt.Sprintf("%se%d", mantissa, e), fmt.Sprintf("%se%d", mantissa, e))
		}
	}
}

// interesting are doubles at the edges of what a double can be.
func interesting() []float64 {
	fs := []float64{0, math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64, 2.225073858507201e-308, 2.2250738585072014e-308, math.MaxFloat64,
		math.Nextafter(math.MaxFloat64, 0), 1, 0.1, 0.3, 1.0 / 3, 1e15, 1e16, 1e17, 1e22, 1e23, 123456789.125, 9007199254740991, 9007199254740992, 9007199254740994, 9007199254740996, 1e-5, 1e-7, 1e300, 1e-300, 5e-320, 8.5e307}
	for _, e := range []int{-1074, -1060, -1022, -100, -1, 0, 1, 52, 53, 54, 63, 64, 100, 1023} {
		p := math.Ldexp(1, e)
		fs = append(fs, p, math.Nextafter(p, 0), math.Nextafter(p, math.Inf(1)), math.Ldexp(1.5, e))
	}
	return fs
}

// exactText is all digits of a double, which are at most 1075 behind the point.
func exactText(f float64) string {
	text := new(big.Float).SetFloat64(f).Text('f', 1080)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// middleText is the number half way between two doubles.
func middleText(a, b float64) string {
	sum := new(big.Float).SetPrec(3000).Add(new(big.Float).SetFloat64(a), new(big.Float).SetFloat64(b))
	text := sum.Quo(sum, big.NewFloat(2)).Text('f', 1080)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// beside is a number a little larger: with more digits behind.
func beside(text, digits string) string {
	if !strings.Contains(text, ".") {
		text += "."
	}
	return text + "000" + digits
}

// below is a number a little smaller: its last digit, which is not 0, made one
// less, and a 9 behind.
func below(text string) string {
	at := strings.LastIndexAny(text, "123456789")
	if at < 0 {
		return text
	}
	point := ""
	if !strings.Contains(text, ".") {
		point = "."
	}
	rest := strings.ReplaceAll(text[at+1:], "0", "9")
	return text[:at] + string(text[at]-1) + rest + point + "9"
}

// shortened is a number cut to so many significant digits, in exponent form.
func shortened(text string, digits int) string {
	f, ok := new(big.Float).SetPrec(3000).SetString(text)
	if !ok {
		return text
	}
	return f.Text('e', digits-1)
}

func (q *questions) bits(clause, comment string, f float64) {
	q.encode(clause, comment, codec.Float(f))
}

// writtenDoubles are doubles for which writing is hard, or at a turn of the
// notation.
func writtenDoubles(q *questions) {
	for e := -330; e <= 308; e++ {
		if e < -8 || e > 25 {
			if e%20 != 0 && e > -307 && e < 300 {
				continue
			}
		}
		for _, digits := range []string{"1", "1.5", "9.5", "1.2345678901234567", "9.999999999999999"} {
			q.text("D-1", digits, e)
		}
	}
	const all = "12345678912345678"
	for e := -7; e <= 22; e++ {
		for n := 1; n <= 17; n += 1 + abs(e-8)/12*4 {
			q.text("D-1", all[:1]+"."+all[1:n]+"0", e)
		}
	}
	for e := -1074; e <= 1023; e += 1 + step(e) {
		p := math.Ldexp(1, e)
		q.bits("D-1", fmt.Sprintf("2^%d", e), p)
		q.bits("D-1", fmt.Sprintf("below 2^%d", e), math.Nextafter(p, 0))
		q.bits("D-1", fmt.Sprintf("above 2^%d", e), math.Nextafter(p, math.Inf(1)))
	}
	for _, f := range interesting() {
		q.bits("D-1", fmt.Sprintf("%g", f), f)
		q.bits("D-1", fmt.Sprintf("%g", -f), -f)
		q.decode("D-1", fmt.Sprintf("%g inside a list", f), "a:1:{i:0;d:"+string(phpText(f))+";}")
	}
	for _, bits := range []uint64{0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xfff0000000000001, 0x7fffffffffffffff, 0x7ff8000000000001, 0x7ff4000000000000} {
		q.bits("V-10", fmt.Sprintf("NaN with bits %016x", bits), math.Float64frombits(bits))
		q.encode("V-10", fmt.Sprintf("NaN with bits %016x in a list", bits), codec.List(codec.Float(math.Float64frombits(bits))))
	}
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0} {
		q.bits("V-10", fmt.Sprintf("%g", f), f)
		q.encode("V-10", fmt.Sprintf("%g in a list", f), codec.List(codec.Float(f)))
	}
	for _, f := range []float64{1, -1, 100, 123456789, 1 << 53, 1<<53 + 2, 1e15, 999999999999999.9, 9999999999999998, 99999999999999980, 99999999999999984, 99999999999999990} {
		q.bits("V-5", fmt.Sprintf("whole number %g", f), f)
	}
}

func (q *questions) text(clause, mantissa string, e int) {
	var f float64
	if _, err := fmt.Sscanf(fmt.Sprintf("%se%d", mantissa, e), "%g", &f); err == nil {
		q.bits(clause, fmt.Sprintf("%se%d", mantissa, e), f)
		if e%8 == 0 {
			q.bits(clause, fmt.Sprintf("-%se%d", mantissa, e), -f)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// step passes over most powers of two, but those near an edge.
func step(e int) int {
	if e < -1060 || abs(e) < 70 || e > 1015 {
		return 0
	}
	return 40
}

// precisions are the texts of doubles in other notations, which the wire does
// not have and PHP's users see.
func precisions(q *questions) {
	values := []float64{0, math.Copysign(0, -1), 1, 0.1, -2.5, 99.5, 9.995, 123456789, 1e15, 1e25, 1e-5, 0.0001, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, how := range []string{"serialize", "var_export", "json_encode"} {
		for _, precision := range []int{-1, 0, 1, 2, 3, 4, 14, 16, 17, 40, 1000} {
			for _, f := range values {
				if (how != "serialize" && precision > 1 || precision > 17) && precision != 17 && f != 0.1 && f != 1e25 && f != 99.5 {
					continue
				}
				input, err := json.Marshal(map[string]any{"bits": fmt.Sprintf("%016x", math.Float64bits(f)), "precision": precision, "how": how})
				if err != nil {
					panic(err) // it is JSON
				}
				q.ask(corpus.Question{Op: corpus.Float, Clause: "D-1", Comment: fmt.Sprintf("%s of %g with precision %d", how, f, precision), Input: input})
			}
		}
	}
}

func phpText(f float64) []byte { return floatfmt.AppendFloat(nil, f, -1) }
