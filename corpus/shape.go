package corpus

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"phpwire/codec"
	"phpwire/floatfmt"
)

// mostTokens is how many tokens a shape tells apart.
const mostTokens = 60

// shape is a payload by its tokens: kinds, and classes of numbers and texts.
// Repetitions are counted roughly.
func shape(payload []byte) string {
	s := codec.NewScanner(payload)
	seen := map[string]int{}
	var tokens []string
	for !s.Done() {
		start := s.Offset()
		t, err := s.Next()
		if err != nil {
			tokens = append(tokens, "!"+tailShape(payload[start:]))
			break
		}
		class := tokenClass(payload, t)
		if t.Kind == codec.TokenString || t.Kind == codec.TokenInt {
			same := string(payload[t.Start:t.End])
			if at, again := seen[same]; again && len(tokens) < mostTokens {
				class += "@" + strconv.Itoa(at)
			} else if !again {
				seen[same] = len(seen)
			}
		}
		tokens = append(tokens, class)
	}
	tokens = folded(tokens)
	if len(tokens) > mostTokens {
		tokens = append(tokens[:mostTokens:mostTokens], bucket(len(tokens)))
	}
	return strings.Join(tokens, " ")
}

// folded writes repetitions of one to three tokens as one, with how often.
func folded(tokens []string) []string {
	var out []string
	for i := 0; i < len(tokens); {
		best, times := 0, 0
		for period := 1; period <= 3; period++ {
			n := 1
			for i+(n+1)*period <= len(tokens) && equal(tokens[i:i+period], tokens[i+n*period:i+(n+1)*period]) {
				n++
			}
			if n >= 4 && n*period > best*times {
				best, times = period, n
			}
		}
		if best == 0 {
			out = append(out, tokens[i])
			i++
			continue
		}
		out = append(out, "("+strings.Join(tokens[i:i+best], " ")+")x"+bucket(times))
		i += best * times
	}
	return out
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// bucket is a number by its size; exact where it is small, or near a limit of
// depth.
func bucket(n int) string {
	for _, edge := range []int{512, 4096} {
		if n >= edge-4 && n <= edge+4 {
			return strconv.Itoa(n)
		}
	}
	if n <= 3 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("2^%d", int(math.Log2(float64(n))))
}

func tokenClass(in []byte, t codec.Token) string {
	body := in[min(t.Start+2, t.End):t.End]
	plain := ""
	if !t.Canonical {
		plain = "'"
	}
	switch t.Kind {
	case codec.TokenNull:
		return "N"
	case codec.TokenClose:
		return "}"
	case codec.TokenBool:
		return "b" + string(body[:1])
	case codec.TokenInt, codec.TokenReference, codec.TokenAlias:
		return string(in[t.Start]) + numberClass(string(bytes.TrimSuffix(body, []byte(";"))))
	case codec.TokenFloat:
		return "d" + readFloat(string(bytes.TrimSuffix(body, []byte(";"))), t.Float)
	case codec.TokenString:
		return "s" + lengthZeros(body) + textClass(string(in[t.From:t.To]))
	case codec.TokenEscaped:
		return "S" + textClass(string(in[t.From:t.To]))
	case codec.TokenArray:
		return "a" + lengthZeros(body) + bucket(t.Count)
	}
	return string(in[t.Start]) + plain + textClass(string(in[t.From:t.To])) + bucket(t.Count)
}

// lengthZeros tells of leading zeros.
func lengthZeros(body []byte) string {
	zeros := 0
	for zeros+1 < len(body) && body[zeros] == '0' && body[zeros+1] >= '0' && body[zeros+1] <= '9' {
		zeros++
	}
	if zeros == 0 {
		return ""
	}
	return "z" + bucket(zeros)
}

// numberClass is an int by sign, zeros, and size: exact at the edges.
func numberClass(text string) string {
	sign := ""
	for len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		sign, text = sign+text[:1], text[1:]
	}
	digits := strings.TrimLeft(text, "0")
	zeros := len(text) - len(digits)
	if digits == "" {
		zeros--
	}
	s := sign
	if zeros > 0 {
		s += "z" + bucket(zeros)
	}
	if len(digits) <= 1 || atEdge(digits) {
		return s + digits
	}
	return s + "#" + strconv.Itoa(min(len(digits), 21))
}

// atEdge tells whether a number is within one of a power of two that limits a
// type, or of a power of ten.
func atEdge(digits string) bool {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return false
	}
	one := big.NewInt(1)
	for d := -1; d <= 1; d++ {
		m := new(big.Int).Add(n, big.NewInt(int64(d)))
		if m.Sign() > 0 {
			for _, bits := range []uint{7, 8, 15, 16, 31, 32, 53, 62, 63, 64} {
				if m.Cmp(new(big.Int).Lsh(one, bits)) == 0 {
					return true
				}
			}
			if s := m.String(); strings.Trim(s[1:], "0") == "" && s[0] == '1' && len(s) < 24 {
				return true
			}
		}
	}
	return false
}

var numeric = regexp.MustCompile(`^[-+ .\d][-+ .\deExX]*$`)

// textClass is a text by length and what is in it; exact where PHP or a handle
// may make something of it.
func textClass(text string) string {
	switch {
	case strings.HasPrefix(text, "__"), strings.HasPrefix(text, "_r"):
		return strconv.Quote(text)
	case len(text) == 0:
		return "0"
	case len(text) < 30 && numeric.MatchString(text):
		if len(text) > 3 && !strings.ContainsAny(text, ".eExX +") {
			return "n" + numberClass(text)
		}
		return strconv.Quote(text)
	}
	s := bucket(len(text))
	if edge := len(text); edge > 3 && isEdgeLength(edge) {
		s = strconv.Itoa(edge)
	}
	if !utf8.ValidString(text) {
		s += "!"
	} else if len(text) > utf8.RuneCountInString(text) {
		s += "u"
	}
	for _, c := range []string{"\x00", "\n", `"`, ";", "{", "}", `\`, ":"} {
		if strings.Contains(text, c) {
			s += c
		}
	}
	return s
}

func isEdgeLength(n int) bool {
	switch n {
	case 9, 10, 99, 100, 255, 256, 999, 1000, 4095, 4096:
		return true
	}
	return false
}

var (
	digitRun = regexp.MustCompile(`\d+`)
	floatRe  = regexp.MustCompile(`^([-+]?)(\d*)(\.?)(\d*)(?:([eE])([-+]?)(\d+))?$`)
)

// readFloat is the text of a double by its form, and the double by size and by
// how it had to be rounded.
func readFloat(text string, f float64) string {
	m := floatRe.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	exp := ""
	if m[5] != "" {
		exp = m[5] + m[6] + digitsClass(m[7])
	}
	zeros := ""
	if len(text) > mostExact {
		zeros = fmt.Sprint(len(text))
	}
	significant := len(strings.Trim(m[2]+m[4], "0"))
	return fmt.Sprintf("%s%s%s%s%s/%s/%s%s", m[1], digitsClass(m[2]), m[3], digitsClass(m[4]), exp, digitCount(significant), readSize(f), rounding(text, f)+zeros)
}

func digitsClass(digits string) string {
	if digits == "" {
		return ""
	}
	inner := strings.TrimLeft(digits, "0")
	s := "9"
	if inner == "" {
		s = "0"
	}
	if zeros := len(digits) - len(inner); zeros > 1 || zeros == 1 && inner != "" {
		s = "z" + s
	}
	return s
}

// digitCount is a number of digits as far as algorithms tell them apart.
func digitCount(n int) string {
	for _, most := range []int{2, 15, 17, 19, 20, 40, 767, 800} {
		if n <= most {
			return strconv.Itoa(most)
		}
	}
	return "more"
}

// readSize is a double by where it lies, as far as reading tells them apart.
func readSize(f float64) string {
	s := sizeOf(math.Abs(f))
	if !strings.HasPrefix(s, "e") {
		return s
	}
	switch e := decimalExponent(math.Abs(f)); {
	case e < -300, e > 300:
		return fmt.Sprintf("far%v", e > 0)
	case e < -22, e > 22:
		return fmt.Sprintf("big%v", e > 0)
	case e >= 15:
		return "e15"
	case e < 0:
		return "fraction"
	}
	return "e"
}

// sizeOf is a double by where it lies.
func sizeOf(f float64) string {
	sign := ""
	if math.Signbit(f) {
		sign = "-"
	}
	a := math.Abs(f)
	const leastNormal = 2.2250738585072014e-308
	switch {
	case f != f:
		return "NaN"
	case a == 0, math.IsInf(a, 0), a == math.MaxFloat64, a == math.SmallestNonzeroFloat64, a == leastNormal:
		return sign + strconv.FormatFloat(a, 'g', -1, 64)
	case a < leastNormal:
		return sign + "sub"
	}
	e := decimalExponent(a)
	if e < -8 || e > 25 {
		return fmt.Sprintf("%se%d0s", sign, e/20*2)
	}
	return fmt.Sprintf("%se%d", sign, e)
}

func decimalExponent(a float64) int {
	text := strconv.FormatFloat(a, 'e', -1, 64)
	e, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return e
}

// mostExact is the longest text whose value is computed exactly.
const mostExact = 1200

// rounding tells on which side of the number the double lies, and how the text
// stands to the middle between two doubles.
func rounding(text string, f float64) string {
	if math.IsInf(f, 0) || len(text) > mostExact {
		return ""
	}
	if m := floatRe.FindStringSubmatch(text); m != nil && len(m[7]) > 3 {
		return ""
	}
	exact, ok := new(big.Rat).SetString(strings.TrimPrefix(text, "+"))
	if !ok {
		return ""
	}
	double := new(big.Rat).SetFloat64(f)
	side := exact.Cmp(double)
	if side == 0 {
		return "="
	}
	neighbour := math.Nextafter(f, math.Inf(side))
	if math.IsInf(neighbour, 0) {
		return "edge"
	}
	middle := new(big.Rat).SetFloat64(neighbour)
	middle.Add(middle, double).Quo(middle, big.NewRat(2, 1))
	odd := math.Float64bits(f)&1 == 1
	if exact.Cmp(middle) == 0 {
		return fmt.Sprintf("tie%+d", side)
	}
	// How near the middle: whether the 17 or 19 leading digits tell.
	distance, _ := new(big.Rat).Quo(new(big.Rat).Sub(exact, middle), new(big.Rat).Sub(middle, double)).Float64()
	near := ""
	if math.Abs(distance) < 1e-3 {
		near = "near"
	}
	return fmt.Sprintf("%+d%s%v", side, near, odd && near != "")
}

// writtenFloat is a double by what writing it takes: size, digits, and whether
// its bits are those of a power of two.
func writtenFloat(f float64) string {
	text := string(floatfmt.AppendFloat(nil, f, -1))
	digits := len(strings.Trim(digitsOnly(text), "0"))
	power := ""
	bits := math.Float64bits(f)
	switch bits & (1<<52 - 1) {
	case 0:
		power = "pow"
	case 1:
		power = "pow+"
	case 1<<52 - 1:
		power = "pow-"
	}
	if f != f {
		return fmt.Sprintf("NaN%v%v", math.Signbit(f), bits&(1<<51) != 0)
	}
	sign := ""
	if f < 0 {
		sign = "-"
		power = ""
		digits = min(digits, 2)
	}
	return fmt.Sprintf("%d/%s/%s%s", writtenDigits(digits), sizeOf(math.Abs(f)), power, sign)
}

// writtenDigits is a number of digits as far as writing tells them apart.
func writtenDigits(n int) int {
	switch {
	case n <= 2 || n >= 15:
		return n
	case n <= 8:
		return 8
	}
	return 14
}

func digitsOnly(text string) string {
	mantissa, _, _ := strings.Cut(text, "E")
	return strings.Join(digitRun.FindAllString(mantissa, -1), "")
}

// tailShape is what stands from a token on that is none.
func tailShape(rest []byte) string {
	const most = 40
	s := string(rest[:min(len(rest), most)])
	s = digitRun.ReplaceAllStringFunc(s, numberClass)
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80:
			b.WriteByte('~')
		case c < ' ' && c != '\n':
			b.WriteByte('^')
		case (c >= 'f' && c <= 'q' || c >= 't' && c <= 'z') && c != 'i':
			b.WriteByte('x')
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + bucket(len(rest))
}
