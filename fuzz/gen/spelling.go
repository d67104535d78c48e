package gen

import (
	"math/rand"
	"strconv"
	"strings"

	"phpwire/floatfmt"
)

var floatTexts = []string{
	".5", "5.", ".", "-.5", "-5.", "+.5", "-.", "1e5", "1E5", "1e+5", "1E+5", "1e-5", "1.e5", ".1e5", ".e5", "1e", "1e+", "e5", "1e5.5", "1e 5",
	"+1.5", "--1.5", "+-1", "1.5.5", "1,5", " 1.5", "1.5 ", "0x1p3", "0x1", "1_0", "1f", "1.5f", "1d",
	"0", "-0", "+0", "00", "-00.00", "0e0", "0e99999", "1e400", "-1e400", "1e-400", "-1e-400", "1e99999999999", "1e-99999999999", "0.0000e+0000",
	"INF", "-INF", "+INF", "NAN", "-NAN", "+NAN", "inf", "Inf", "-inf", "nan", "NaN", "INFINITY", "INF ", "INFI", "NA", "IN", "I", "N", "--INF",
	"1.7976931348623157E+308", "1.7976931348623158E+308", "1.7976931348623159E+308", "1.797693134862315807e308", "1.8E+308",
	"4.9E-324", "5E-324", "2.4703282292062327E-324", "2.4703282292062328E-324", "2.47E-324", "2.2250738585072011e-308", "2.2250738585072014E-308",
	"9007199254740993", "9007199254740992.5", "9007199254740993.0000000000000000000000001", "9223372036854775807", "18446744073709551616",
	"0.1000000000000000055511151231257827021181583404541015625", "0.3", "0.30000000000000004", "123456789012345678901234567890",
	"1.0E+25", "1.0E25", "1E+25", "1.0e+25", "10.0E+24", "1.00E+25", "1.0E+025", "100000", "1.0E+5", "0.00001", "1.0E-5", "1.0E-05", "1.0", "1.00", "01",
}

// RandomFloatText draws what may stand behind "d:", in PHP's own spelling, in
// others that it reads, and in some that it does not.
func RandomFloatText(r *rand.Rand) string {
	if coin(r) {
		return pick(r, floatTexts)
	}
	return respelled(r, string(floatfmt.AppendFloat(nil, RandomFloat(r), -1)))
}

// respelled writes the text of a double in another way, mostly one that means
// the same.
func respelled(r *rand.Rand, text string) string {
	point, exponent := strings.IndexByte(text, '.'), strings.IndexAny(text, "eE")
	f, err := strconv.ParseFloat(text, 64)
	switch r.Intn(12) {
	case 0:
		return pick(r, floatTexts)
	case 1:
		return "+" + text
	case 2:
		return "-" + text
	case 3: // more zeros behind the point
		if point >= 0 && exponent < 0 {
			return text + strings.Repeat("0", 1+r.Intn(20))
		}
		return text + "."
	case 4:
		if exponent >= 0 {
			return strings.ToLower(text)
		}
		return text + pick(r, []string{"e0", "E0", "E+0", "e-0", "e1", "E+1", "e-1", "e", "E+", "e00"})
	case 5: // 0.5 as .5, 5.0 as 5.
		if strings.HasPrefix(text, "0.") {
			return text[1:]
		}
		if strings.HasSuffix(text, ".0") {
			return text[:len(text)-1]
		}
		return text + ".0"
	case 6:
		return "0" + text
	case 7, 8:
		if err == nil { // all the digits there are, or some of them
			return strconv.FormatFloat(f, pick(r, []byte("eEfg")), r.Intn(30)-1, 64)
		}
	case 9: // as far from the double as reading allows, and further
		if err == nil {
			return strconv.FormatFloat(f, 'e', 15+r.Intn(3), 64)
		}
	case 10:
		if exponent >= 0 {
			return strings.Replace(text, "+", "", 1)
		}
		return text + strconv.Itoa(r.Intn(1000))
	case 11:
		at := r.Intn(len(text) + 1)
		return text[:at] + pick(r, []string{"", ".", "0", "1", "e", "-", "+", "E", " "}) + text[at:]
	}
	return text + pick(r, []string{".0", "0", "1", "e1"})
}
