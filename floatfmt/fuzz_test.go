package floatfmt_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"phpwire/floatfmt"
)

var grammar = regexp.MustCompile(`^(?:NAN|-?INF|[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)$`)

// FuzzParse checks the accept set against a regular expression, and the value
// against strconv wherever both mean the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "-0", "1.5", ".5", "5.", "1e5", "+1E-5", "INF", "-INF", "NAN", "1e", "-", ".", "1e+-5", "+INF",
		"9007199254740993", "2.2250738585072011e-308", "179769313486231580793728971405e279", "0.00012345678901234567",
		"1" + strings.Repeat("0", 400) + "e-400", strings.Repeat("9", 800)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		value, err := floatfmt.Parse(text)
		match := grammar.FindSubmatch(text)
		if (match != nil) != (err == nil) {
			t.Fatalf("Parse(%q) = %g, %v; the grammar says %v", text, value, err, match != nil)
		}
		prefix, n, prefixErr := floatfmt.ParsePrefix(append(text[:len(text):len(text)], ';'))
		if err == nil && (prefixErr != nil || n != len(text) || math.Float64bits(prefix) != math.Float64bits(value)) {
			t.Fatalf("ParsePrefix(%q) = %g, %d, %v; Parse says %g", text, prefix, n, prefixErr, value)
		}
		if err != nil {
			if offset := err.(*floatfmt.SyntaxError).Offset; offset > len(text) {
				t.Fatalf("Parse(%q): offset %d", text, offset)
			}
			return
		}
		if exp, err := strconv.Atoi("0" + strings.TrimLeft(string(match[1]), "+-")); err != nil || exp >= 10_000 {
			return // there strconv and PHP clamp, each in its way
		}
		if want, _ := strconv.ParseFloat(string(text), 64); math.Float64bits(want) != math.Float64bits(value) && want == want {
			t.Fatalf("Parse(%q) = %g, want %g", text, value, want)
		}
	})
}

// FuzzAppendFloat checks that texts have strconv's digits, read back, and stay
// within their promised length.
func FuzzAppendFloat(f *testing.F) {
	for _, bits := range []uint64{0, 1 << 63, 1, 1 << 52, 1<<52 - 1, 0x3FF0000000000000, 0x3FB999999999999A, 0x7FEFFFFFFFFFFFFF,
		0x7FF0000000000000, 0x7FF8000000000000, 0x4340000000000000, 0x4376345785D8A000, 0x3F1A36E2EB1C432D} {
		f.Add(bits, 17)
		f.Add(bits, 3)
	}
	f.Fuzz(func(t *testing.T, bits uint64, precision int) {
		value := math.Float64frombits(bits)
		text := floatfmt.AppendFloat(nil, value, -1)
		back, err := floatfmt.Parse(text)
		if err != nil || back != value && value == value || math.Signbit(back) != math.Signbit(value) && value == value {
			t.Fatalf("%x becomes %q, and that %g, %v", bits, text, back, err)
		}
		if !floatfmt.Canonical(text, value) || len(text) > 24 {
			t.Fatalf("%x becomes %q", bits, text)
		}
		if value-value != 0 {
			return
		}
		if got, want := significant(text), significant(strconv.AppendFloat(nil, value, 'e', -1, 64)); got != want {
			t.Fatalf("%x becomes %q: digits %s, want %s", bits, text, got, want)
		}
		precision = max(precision, -precision, 0) % 1000
		rounded := floatfmt.AppendFloat(nil, value, precision)
		if got, want := significant(rounded), significant(strconv.AppendFloat(nil, value, 'e', max(precision, 1)-1, 64)); got != want {
			t.Fatalf("%x with precision %d becomes %q: digits %s, want %s", bits, precision, rounded, got, want)
		}
		if len(rounded) > 774 || precision <= 17 && len(rounded) > 24 {
			t.Fatalf("%x with precision %d becomes %q, of %d bytes", bits, precision, rounded, len(rounded))
		}
	})
}

// significant returns a number's digits, without zeros before and after.
func significant(text []byte) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(string(text)), "e")
	return strings.Trim(strings.NewReplacer(".", "", "-", "").Replace(mantissa), "0")
}
