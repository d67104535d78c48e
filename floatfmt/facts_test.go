package floatfmt_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/floatfmt"
)

var (
	inf          = math.Inf(1)
	negativeZero = math.Copysign(0, -1)
)

// textFacts are what PHP 8.2 writes.
var textFacts = []struct {
	f                          float64
	precision                  int
	serialize, varExport, json string
}{
	{0, -1, "0", "0.0", "0"},
	{negativeZero, -1, "-0", "-0.0", "-0"},
	{1, -1, "1", "1.0", "1"},
	{-1.5, -1, "-1.5", "-1.5", "-1.5"},
	{0.1, -1, "0.1", "0.1", "0.1"},
	{0.30000000000000004, -1, "0.30000000000000004", "0.30000000000000004", "0.30000000000000004"},
	{123456789, -1, "123456789", "123456789.0", "123456789"},
	{1e15, -1, "1000000000000000", "1000000000000000.0", "1000000000000000"},
	{1e16, -1, "10000000000000000", "10000000000000000.0", "10000000000000000"},
	{1e17, -1, "1.0E+17", "1.0E+17", "1.0e+17"},
	{1e25, -1, "1.0E+25", "1.0E+25", "1.0e+25"},
	{1e100, -1, "1.0E+100", "1.0E+100", "1.0e+100"},
	{0.0001, -1, "0.0001", "0.0001", "0.0001"},
	{0.00012345678901234567, -1, "0.00012345678901234567", "0.00012345678901234567", "0.00012345678901234567"},
	{0.00001, -1, "1.0E-5", "1.0E-5", "1.0e-5"},
	{1.5e-7, -1, "1.5E-7", "1.5E-7", "1.5e-7"},
	{5e-324, -1, "5.0E-324", "5.0E-324", "5.0e-324"},
	{math.MaxFloat64, -1, "1.7976931348623157E+308", "1.7976931348623157E+308", "1.7976931348623157e+308"},
	{9223372036854775808, -1, "9.223372036854776E+18", "9.223372036854776E+18", "9.223372036854776e+18"},
	{inf, -1, "INF", "INF", ""},
	{-inf, -1, "-INF", "-INF", ""},
	{math.NaN(), -1, "NAN", "NAN", ""},

	{0.1, 17, "0.10000000000000001", "0.10000000000000001", "0.10000000000000001"},
	// A tie that is rounded down keeps its zeros.
	{28105, 4, "2.810E+4", "2.810E+4", "2.810e+4"},
	{28101, 4, "2.81E+4", "2.81E+4", "2.81e+4"},
	{1005, 3, "1.00E+3", "1.00E+3", "1.00e+3"},
	{100500000000000, 3, "1.00E+14", "1.00E+14", "1.00e+14"},
	{1005000000000000, 3, "1.0E+15", "1.0E+15", "1.0e+15"},
	{1e25, 17, "1.0000000000000001E+25", "1.0000000000000001E+25", "1.0000000000000001e+25"},
	{1e17, 50, "100000000000000000", "100000000000000000.0", "100000000000000000"},
	{0.1, 40, "0.1000000000000000055511151231257827021182", "0.1000000000000000055511151231257827021182", "0.1000000000000000055511151231257827021182"},
	{0.1, 2000, "0.1000000000000000055511151231257827021181583404541015625", "0.1000000000000000055511151231257827021181583404541015625", "0.1000000000000000055511151231257827021181583404541015625"},
	{123456789, 4, "1.235E+8", "1.235E+8", "1.235e+8"},
	{2.5, 1, "2", "2.0", "2"},
	{99.5, 2, "1.0E+2", "1.0E+2", "1.0e+2"},
	{0.5, 0, "0.5", "0.5", "0.5"},
	{1, 0, "1.0E+0", "1.0", "1.0e+0"},
	{2.5, 0, "2.0E+0", "2.0", "2.0e+0"},
	{0, 0, "0.0E+0", "0.0", "0.0e+0"},
	{negativeZero, 0, "-0.0E+0", "-0.0", "-0.0e+0"},
	{-inf, 4, "-INF", "-INF", ""},
	{-inf, 3, "-IN", "-IN", ""},
	{inf, 1, "I", "I", ""},
	{math.NaN(), 0, "", "N", ""},
}

func TestTexts(t *testing.T) {
	for _, fact := range textFacts {
		assert.Equal(t, fact.serialize, string(floatfmt.AppendFloat(nil, fact.f, fact.precision)),
			"serialize %g with precision %d", fact.f, fact.precision)
		assert.Equal(t, fact.varExport, string(floatfmt.AppendVarExport(nil, fact.f, fact.precision)),
			"var_export %g with precision %d", fact.f, fact.precision)
		text, ok := floatfmt.AppendJSON(nil, fact.f, fact.precision)
		assert.Equal(t, fact.json, string(text), "json_encode %g with precision %d", fact.f, fact.precision)
		assert.Equal(t, fact.json != "", ok, "json_encode %g with precision %d", fact.f, fact.precision)
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	dst := []byte("d:.")
	assert.Equal(t, "d:.1.5", string(floatfmt.AppendFloat(dst, 1.5, -1)))
	assert.Equal(t, "d:.1.5", string(floatfmt.AppendFloat(dst, 1.5, 17)))
	assert.Equal(t, "d:.1.0", string(floatfmt.AppendVarExport(dst, 1, -1)))
	text, ok := floatfmt.AppendJSON(dst, inf, -1)
	assert.Equal(t, "d:.", string(text))
	assert.False(t, ok)
}

// parseFacts are what PHP 8.2 reads.
var parseFacts = []struct {
	text string
	bits uint64
}{
	{"0", 0}, {"-0", 1 << 63}, {"+0", 0}, {"-.0e5", 1 << 63}, {"0e99999999999", 0},
	{"1", 0x3FF0000000000000}, {"+1", 0x3FF0000000000000}, {"1.", 0x3FF0000000000000}, {"0001", 0x3FF0000000000000},
	{".5", 0x3FE0000000000000}, {"-.5E0", 0xBFE0000000000000}, {"5.e-1", 0x3FE0000000000000}, {"1e00000000000000000001", 0x4024000000000000},
	{"INF", 0x7FF0000000000000}, {"-INF", 0xFFF0000000000000}, {"NAN", 0x7FF8000000000000},
	{"1e309", 0x7FF0000000000000}, {"-1e309", 0xFFF0000000000000}, {"1e-400", 0}, {"-1e-400", 1 << 63},
	{"5e-324", 1}, {"2.4703282292062327e-324", 0}, {"2.4703282292062328e-324", 1},
	{"2.2250738585072011e-308", 0x000FFFFFFFFFFFFF}, {"2.2250738585072012e-308", 0x0010000000000000},
	{"9007199254740993", 0x4340000000000000}, {"9007199254740993.0000000000000000000001", 0x4340000000000001},
	{"9007199254740995", 0x4340000000000002}, {"1e23", 0x44B52D02C7E14AF6},
	{"17976931348623158079e289", 0x7FEFFFFFFFFFFFFF}, {"17976931348623158080e289", 0x7FF0000000000000},
}

func TestParse(t *testing.T) {
	for _, fact := range parseFacts {
		f, err := floatfmt.Parse([]byte(fact.text))
		require.NoError(t, err, fact.text)
		assert.Equal(t, fact.bits, math.Float64bits(f), "%s is %g", fact.text, f)

		f, n, err := floatfmt.ParsePrefix([]byte(fact.text + ";i:5;"))
		require.NoError(t, err, fact.text)
		assert.Equal(t, len(fact.text), n)
		assert.Equal(t, fact.bits, math.Float64bits(f), "%s is %g", fact.text, f)
	}
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	for _, fact := range []struct{ text, prefix string }{
		{"", "float: offset 0: input ends, expected a sign, a digit, '.', INF or NAN"},
		{"x", `float: offset 0: found "x", expected a sign, a digit, '.', INF or NAN`},
		{";", `float: offset 0: found ";", expected a sign, a digit, '.', INF or NAN`},
		{"-", "float: offset 1: input ends, expected a digit, '.' or INF"},
		{"-NAN", `float: offset 1: found "N", expected a digit, '.' or INF`},
		{"+INF", `float: offset 1: found "I", expected a digit or '.'`},
		{"+", "float: offset 1: input ends, expected a digit or '.'"},
		{".", "float: offset 1: input ends, expected a digit"},
		{"-.e5", `float: offset 2: found "e", expected a digit`},
		{"INX", `float: offset 2: found "X", expected 'F'`},
		{"-I", "float: offset 2: input ends, expected 'N'"},
		{"nan", `float: offset 0: found "n", expected a sign, a digit, '.', INF or NAN`},
		{"1e", "float: offset 2: input ends, expected a sign or a digit"},
		{"1e;", `float: offset 2: found ";", expected a sign or a digit`},
		{"1E+x", `float: offset 3: found "x", expected a digit`},
		{"1e+-5", `float: offset 3: found "-", expected a digit`},
		{"1.5.5", `float: offset 3: found ".", expected ';'`},
		{"0x10", `float: offset 1: found "x", expected ';'`},
		{"INFINITY", `float: offset 3: found "I", expected ';'`},
		{"1\xff", `float: offset 1: found "\xff", expected ';'`},
		{"12", "float: offset 2: input ends, expected ';'"},
	} {
		_, n, err := floatfmt.ParsePrefix([]byte(fact.text))
		assert.EqualError(t, err, fact.prefix, "%q", fact.text)
		assert.Zero(t, n)
		var syntax *floatfmt.SyntaxError
		require.True(t, errors.As(err, &syntax))
		if syntax.Offset < len(fact.text) {
			assert.Equal(t, fact.text[syntax.Offset:syntax.Offset+1], syntax.Found)
		} else {
			assert.Empty(t, syntax.Found)
		}
	}

	_, err := floatfmt.Parse([]byte("1.5;"))
	assert.EqualError(t, err, `float: offset 3: found ";", expected the end`)
	_, err = floatfmt.Parse([]byte("1e;"))
	assert.EqualError(t, err, `float: offset 2: found ";", expected a sign or a digit`)
}

// canonicalFacts say of texts that PHP 8.2 reads whether it writes them itself.
var canonicalFacts = map[string]bool{
	"0": true, "-0": true, "+0": false, "00": false, "0.0": false, ".0": false, "-0.0": false,
	"1": true, "+1": false, "01": false, "1.0": false, "1.": false, "1e0": false, "1.0E+0": false,
	"0.1": true, ".1": false, "0.10": false, "0.10000000000000001": false, "1.0E-1": false,
	"0.30000000000000004": true, "0.3000000000000000444": false,
	"1.0E+17": true, "1.0e+17": false, "1E+17": false, "1.0E17": false, "1.0E+017": false, "100000000000000000": false,
	"10000000000000000": true, "0.0001": true, "0.00001": false, "1.0E-5": true,
	"9.223372036854776E+18": true, "9.2233720368547758E+18": false,
	"5.0E-324": true, "4.9E-324": false, "1.0E-400": false, "1.0E+400": false,
	"INF": true, "-INF": true, "NAN": true,
}

func TestCanonical(t *testing.T) {
	for text, want := range canonicalFacts {
		f, err := floatfmt.Parse([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, floatfmt.Canonical([]byte(text), f), text)
	}
	assert.True(t, floatfmt.Canonical([]byte("NAN"), math.Float64frombits(0xFFF8000000000123)))
	assert.False(t, floatfmt.Canonical([]byte("1.5"), 2.5))
}

func TestNothingIsAllocated(t *testing.T) {
	var buf [64]byte
	for _, f := range []float64{0, 1.5, 123456, 0.1, 1e300, 5e-324, math.Pi, -inf, math.NaN()} {
		text := append(floatfmt.AppendFloat(nil, f, -1), ';')
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			floatfmt.AppendFloat(buf[:0], f, -1)
			floatfmt.AppendFloat(buf[:0], f, 17)
			floatfmt.AppendVarExport(buf[:0], f, -1)
			floatfmt.AppendJSON(buf[:0], f, -1)
			floatfmt.ParsePrefix(text)
			floatfmt.Parse(text[:len(text)-1])
			floatfmt.Canonical(text[:len(text)-1], f)
		}), "%g", f)
	}
}

// However long a text, the memory that it costs is bounded.
func TestLongTextsAreCheap(t *testing.T) {
	digits := bytes.Repeat([]byte("1234567890"), 1<<20)
	for _, text := range [][]byte{
		digits,
		append([]byte("0."), digits...),
		append([]byte("1e"), digits...),
		append(bytes.Repeat([]byte("0"), 1<<20), digits...),
		append([]byte("9007199254740993."), bytes.Repeat([]byte("0"), 1<<20)...), // a tie to its last digit
		append(digits, 'x'),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		floatfmt.Parse(text)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(10_000), "%.20s", text)
	}
}
