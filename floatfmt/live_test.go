package floatfmt_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/floatfmt"
)

const (
	randomDoubles = 2_000_000
	batch         = 50_000
	seed          = 20
)

// edges returns the doubles where formatting and parsing can go wrong, and
// their neighbours, each with both signs.
func edges() []float64 {
	var base []float64
	for e := -1074; e <= 1023; e++ {
		base = append(base, math.Ldexp(1, e))
	}
	for e := -323; e <= 308; e++ {
		var f float64
		fmt.Sscanf(fmt.Sprintf("1e%d", e), "%g", &f)
		base = append(base, f)
		for _, m := range []float64{1.5, 9.5, 9.9999999999999999, 1.2345678901234567} {
			base = append(base, f*m)
		}
	}
	for i := range 200 {
		base = append(base, math.Float64frombits(uint64(i)), math.Float64frombits(1<<52-100+uint64(i)))
		base = append(base, float64(i), 1<<53-100+float64(i), float64(i)/10, float64(i)/100, float64(i)/1000)
	}
	for _, from := range []float64{1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1 << 62, 1 << 63, 1 << 64} {
		f := from
		for range 50 {
			f = math.Nextafter(f, 0)
		}
		for range 100 {
			base = append(base, f)
			f = math.Nextafter(f, math.Inf(1))
		}
	}
	for _, from := range []float64{0.1, 0.01, 0.001, 0.0001, 0.00001, math.MaxFloat64} {
		base = append(base, from, from*0.99999, from*0.5)
	}
	all := []float64{math.NaN(), math.Float64frombits(0xFFF8000000000001), math.Inf(1), math.Inf(-1)}
	for _, f := range base {
		for _, near := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, math.Inf(1))} {
			all = append(all, near, -near)
		}
	}
	return all
}

// random returns n doubles, each bit pattern as likely as any other, and some
// shorter decimals among them.
func random(r *rand.Rand, n int) []float64 {
	doubles := make([]float64, n)
	for i := range doubles {
		doubles[i] = math.Float64frombits(r.Uint64())
	}
	return doubles
}

// ordinary returns n doubles such as programs hold: few digits, middling size.
func ordinary(r *rand.Rand, n int) []float64 {
	doubles := make([]float64, n)
	for i := range doubles {
		doubles[i] = math.Round(r.NormFloat64()*math.Pow10(r.IntN(18))) / math.Pow10(r.IntN(23))
	}
	return doubles
}

// requireSameTexts fails at the first double that ours writes unlike PHP.
func requireSameTexts(t *testing.T, what string, doubles []float64, theirs [][]byte, ours func([]byte, float64) []byte) {
	t.Helper()
	require.Len(t, theirs, len(doubles))
	var buf []byte
	for i, f := range doubles {
		if buf = ours(buf[:0], f); !bytes.Equal(buf, theirs[i]) {
			t.Fatalf("%s of %x (%g): got %q, PHP writes %q", what, math.Float64bits(f), f, buf, theirs[i])
		}
	}
}

func shortest(dst []byte, f float64) []byte { return floatfmt.AppendFloat(dst, f, -1) }

// requireSameValues fails at the first text that ours reads unlike PHP.
func requireSameValues(t *testing.T, texts [][]byte, theirs []float64) {
	t.Helper()
	require.Len(t, theirs, len(texts))
	for i, text := range texts {
		f, err := floatfmt.Parse(text)
		if err != nil || math.Float64bits(f) != math.Float64bits(theirs[i]) {
			t.Fatalf("Parse(%.1000q) = %x (%g), %v; PHP reads %x (%g)", text,
				math.Float64bits(f), f, err, math.Float64bits(theirs[i]), theirs[i])
		}
	}
}

func TestShortestTextIsPHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	check := func(doubles []float64) {
		texts := p.serialize(doubles, -1)
		requireSameTexts(t, "serialize", doubles, texts, shortest)
		requireSameValues(t, texts, p.values(texts))
		for i, f := range doubles {
			if !floatfmt.Canonical(texts[i], f) {
				t.Fatalf("Canonical(%q) = false", texts[i])
			}
		}
	}
	check(edges())
	r := rand.New(rand.NewPCG(seed, 1))
	for range 4 {
		check(ordinary(r, batch))
	}
	for range randomDoubles / batch {
		check(random(r, batch))
	}
}

func TestVarExportAndJSONArePHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	r := rand.New(rand.NewPCG(seed, 2))
	doubles := append(append(edges(), random(r, batch)...), ordinary(r, batch)...)
	requireSameTexts(t, "var_export", doubles, p.varExport(doubles, -1), func(dst []byte, f float64) []byte {
		return floatfmt.AppendVarExport(dst, f, -1)
	})
	requireSameTexts(t, "json_encode", doubles, p.json(doubles, -1), func(dst []byte, f float64) []byte {
		return json(t, dst, f, -1)
	})
}

// json is AppendJSON; it checks that only numbers are taken.
func json(t *testing.T, dst []byte, f float64, precision int) []byte {
	text, ok := floatfmt.AppendJSON(dst, f, precision)
	if ok != (len(text) > len(dst)) {
		t.Fatalf("AppendJSON(%g) = %q, %v", f, text, ok)
	}
	return text
}

func TestEveryPrecisionIsPHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	r := rand.New(rand.NewPCG(seed, 3))
	sample := func(n int) []float64 {
		all := edges()
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		doubles := append([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64}, all[:n]...)
		// Ties: 0.5, 2.5, 1.25, 0.375, 1234567.5 …
		for range n {
			doubles = append(doubles, math.Ldexp(float64(r.IntN(1<<20)*2+1), -1-r.IntN(12)))
		}
		return append(append(doubles, ordinary(r, n)...), random(r, n)...)
	}
	check := func(precision, n int) {
		doubles := sample(n)
		texts := p.serialize(doubles, precision)
		if precision >= len("-INF") {
			requireSameValues(t, texts, p.values(texts))
		}
		requireSameTexts(t, fmt.Sprintf("serialize with precision %d", precision), doubles, texts, func(dst []byte, f float64) []byte {
			return floatfmt.AppendFloat(dst, f, precision)
		})
		requireSameTexts(t, fmt.Sprintf("var_export with precision %d", precision), doubles,
			p.varExport(doubles, precision), func(dst []byte, f float64) []byte {
				return floatfmt.AppendVarExport(dst, f, precision)
			})
		requireSameTexts(t, fmt.Sprintf("json_encode with precision %d", precision), doubles,
			p.json(doubles, precision), func(dst []byte, f float64) []byte {
				return json(t, dst, f, precision)
			})
	}
	for precision := range 21 {
		check(precision, 3000)
	}
	for _, precision := range []int{25, 40, 53, 100, 308, 309, 310, 324, 400, 500, 751, 766, 767, 768, 1000, 2000, 100_000} {
		check(precision, 40)
	}
}

// TestFactsArePHPs checks the tables of the tests that do without PHP.
func TestFactsArePHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	for _, fact := range textFacts {
		double := []float64{fact.f}
		assert.Equal(t, fact.serialize, string(p.serialize(double, fact.precision)[0]))
		assert.Equal(t, fact.varExport, string(p.varExport(double, fact.precision)[0]))
		assert.Equal(t, fact.json, string(p.json(double, fact.precision)[0]))
	}
	for _, fact := range parseFacts {
		assert.Equal(t, verdict{'y', fact.bits}, p.unserialize([][]byte{[]byte(fact.text)})[0], fact.text)
	}
	for text, canonical := range canonicalFacts {
		f := p.values([][]byte{[]byte(text)})
		assert.Equal(t, canonical, text == string(p.serialize(f, -1)[0]), text)
	}
}

// TestGrammarIsPHPs asks PHP about every short text over the bytes that matter.
func TestGrammarIsPHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	check := func(texts [][]byte) {
		for i, verdict := range p.unserialize(texts) {
			f, err := floatfmt.Parse(texts[i])
			got := verdictOf(f, err)
			if got != verdict {
				t.Fatalf("Parse(%q) = %g, %v; PHP: %c, bits %x", texts[i], f, err, verdict.answer, verdict.bits)
			}
			f, n, err := floatfmt.ParsePrefix(append(texts[i][:len(texts[i]):len(texts[i])], ";5;"...))
			if verdictOf(f, err) != got || err == nil && n != len(texts[i]) {
				t.Fatalf("ParsePrefix(%q) = %g, %d, %v; Parse differs", texts[i], f, n, err)
			}
		}
	}
	for _, alphabet := range []struct {
		bytes  string
		length int
	}{{"+-.eE0159INFA x", 5}, {"+-.e05", 7}, {"INFA-+1", 5}} {
		var texts [][]byte
		for length := range alphabet.length + 1 {
			eachText(alphabet.bytes, length, func(text []byte) {
				if texts = append(texts, text); len(texts) == batch {
					check(texts)
					texts = texts[:0]
				}
			})
		}
		check(texts)
	}
	for c := range 256 {
		if c != '\n' && c != ';' {
			b := string([]byte{byte(c)})
			check([][]byte{[]byte(b), []byte("1" + b), []byte("1." + b), []byte("1e" + b), []byte("1e1" + b), []byte(b + "1"),
				[]byte("NA" + b), []byte("12345678" + b + "12345678")})
		}
	}
}

func verdictOf(f float64, err error) verdict {
	if err != nil {
		return verdict{'n', 0}
	}
	return verdict{'y', math.Float64bits(f)}
}

// eachText calls visit with every text of this length over alphabet.
func eachText(alphabet string, length int, visit func([]byte)) {
	total := 1
	for range length {
		total *= len(alphabet)
	}
	for i := range total {
		text := make([]byte, length)
		for j := range text {
			text[j] = alphabet[i%len(alphabet)]
			i /= len(alphabet)
		}
		visit(text)
	}
}

// TestHalfwayIsPHPs reads the exact decimal expansion of the middle between two
// doubles, and what lies a trifle below and above.
func TestHalfwayIsPHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	r := rand.New(rand.NewPCG(seed, 4))
	lower := random(r, 3000)
	for _, f := range edges() {
		if r.IntN(3) == 0 {
			lower = append(lower, f)
		}
	}
	lower = append(lower, 0, 5e-324, math.MaxFloat64, math.Float64frombits(1<<52-1), 1<<53, 1<<53+2)
	var texts [][]byte
	var want []float64
	for _, f := range lower {
		if f = math.Abs(f); !(f <= math.MaxFloat64) {
			continue
		}
		up := math.Float64frombits(math.Float64bits(f) + 1)
		even := f
		if math.Float64bits(f)&1 == 1 {
			even = up
		}
		digits, exp := halfway(f)
		last, tail := len(digits)-1, max(1, 25-len(digits))+r.IntN(30)
		middle := fmt.Sprintf("%se%d", digits, exp)
		below := fmt.Sprintf("%s%c%se%d", digits[:last], digits[last]-1, strings.Repeat("9", tail), exp-tail)
		above := fmt.Sprintf("%s.%s1e%d", digits, strings.Repeat("0", tail-1), exp)
		texts = append(texts, []byte(middle), []byte(below), []byte(above))
		want = append(want, even, f, up)
	}
	theirs := p.values(texts)
	for i := range want {
		require.Equal(t, want[i], theirs[i], "PHP reads %s otherwise than this test expects", texts[i])
	}
	requireSameValues(t, texts, theirs)
}

// halfway returns the exact middle between f and the next double as
// digits * 10^exp, where the last digit is not zero.
func halfway(f float64) (digits string, exp int) {
	bits := math.Float64bits(f)
	mant, binary := bits&(1<<52-1), int(bits>>52)
	if binary == 0 {
		binary = 1
	} else {
		mant |= 1 << 52
	}
	middle := new(big.Float).SetInt(new(big.Int).SetUint64(2*mant + 1))
	middle.SetMantExp(middle, binary-1076)
	text := middle.Text('e', 800)
	if _, err := fmt.Sscanf(text[strings.Index(text, "e"):], "e%d", &exp); err != nil {
		panic(err)
	}
	digits = strings.TrimRight(text[:1]+text[2:strings.Index(text, "e")], "0")
	return digits, exp - len(digits) + 1
}

// TestLongTextsArePHPs reads random digits in every arrangement, up to
// thousands of them, with exponents of any size.
func TestLongTextsArePHPs(t *testing.T) {
	t.Parallel()
	p := startPHP(t)
	r := rand.New(rand.NewPCG(seed, 5))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('0' + r.IntN(10))
		}
		return string(b)
	}
	var texts [][]byte
	add := func(format string, args ...any) { texts = append(texts, fmt.Appendf(nil, format, args...)) }
	for range 100_000 {
		whole := digits(r.IntN(22))
		add("%s%s.%se%d", []string{"", "-", "+"}[r.IntN(3)], whole, digits(1+r.IntN(22)), r.IntN(720)-370)
	}
	for range 100_000 { // the 17 digits and about, everywhere in the range
		add("%d.%se%d", r.IntN(9)+1, digits(r.IntN(20)), r.IntN(640)-326)
	}
	for range 3000 {
		zeros := strings.Repeat("0", r.IntN(400))
		add("%s%s.%se%d", zeros, digits(r.IntN(900)), digits(r.IntN(900)+1), r.IntN(2600)-1800)
		add("0.%s%se%d", zeros, digits(r.IntN(900)+1), r.IntN(1500)-500)
		add("%d%s.%s%de-%d", r.IntN(9)+1, zeros, zeros, r.IntN(10), len(zeros)+r.IntN(300))
	}
	// PHP counts exponents to 19999 only, whatever the digits make of them.
	for _, n := range []int{300, 9_999, 10_000, 10_400, 19_700, 19_998, 19_999, 20_000, 20_001, 20_300, 25_000} {
		zeros := strings.Repeat("0", n)
		for d := -3; d <= 3; d++ {
			add("1%se-%d", zeros, n+d)
			add("-1%s.5e-%d", zeros, n+d)
			add("0.%s1e%d", zeros, n+d)
			add("-.%s17e+%d", zeros, n+d)
			add("%s1%se-%d", zeros, zeros, n+d)
		}
	}
	for _, exp := range []string{"308", "309", "310", "400", "9999", "10000", "19999", "20000", "99999", "999999999", "1000000000",
		"4294967296", "18446744073709551616", "99999999999999999999999999", strings.Repeat("0", 5000) + "7", strings.Repeat("9", 5000)} {
		for _, mant := range []string{"1", "-1", "0", "-0", "+0", "0.0", "-.0", "0000000000000000000000000", "12345678901234567890", "1.7976931348623157"} {
			add("%se%s", mant, exp)
			add("%sE+%s", mant, exp)
			add("%se-%s", mant, exp)
		}
	}
	for len(texts) > 0 {
		n := min(len(texts), 10_000)
		requireSameValues(t, texts[:n], p.values(texts[:n]))
		texts = texts[n:]
	}
}
