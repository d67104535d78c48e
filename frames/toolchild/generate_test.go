package toolchild_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"phpwire/frames/toolchild"
)

// A generator makes texts that are messages, or nearly so, or once were.
type generator struct{ *rand.Rand }

func pick[T any](g generator, from []T) T { return from[g.IntN(len(from))] }

// chance is true once in n times.
func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

// text returns a message of a random type, mutated two times in three.
func (g generator) text() []byte {
	text := g.message()
	if !g.chance(3) {
		for range 1 + g.IntN(3) {
			text = g.mutate(text)
		}
	}
	return text
}

func (g generator) message() []byte {
	shape := pick(g, toolchild.Vocabulary())
	members := []string{`"type":` + strconv.Quote(string(shape.Type))}
	for _, field := range shape.Fields {
		if field.Optional && g.chance(2) || g.chance(40) {
			continue
		}
		members = append(members, g.key(field.Name)+":"+g.value(field.Kind))
		if g.chance(30) {
			members = append(members, g.key(field.Name)+":"+g.value(field.Kind))
		}
	}
	if g.chance(20) {
		members = append(members, g.key(pick(g, []string{"surplus", "__proto__", "toString", "", "value", "Type"}))+":"+g.json(2))
	}
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return []byte(g.space() + "{" + strings.Join(members, g.space()+",") + "}" + g.space())
}

func (g generator) space() string {
	if !g.chance(10) {
		return ""
	}
	return pick(g, []string{" ", "\t", "\n", "\r", "\u00a0", "\ufeff", "\v"})
}

// key quotes a name, sometimes with an escape in it.
func (g generator) key(name string) string {
	if name != "" && g.chance(12) {
		at := g.IntN(len(name))
		return fmt.Sprintf(`"%s\u%04x%s"`, name[:at], name[at], name[at+1:])
	}
	return `"` + name + `"`
}

func (g generator) value(kind toolchild.Kind) string {
	good, bad := toolchild.SampleTexts(kind)
	switch n := g.IntN(20); {
	case n < 12:
		return pick(g, good)
	case n < 15 && len(bad) > 0:
		return pick(g, bad)
	case n < 17 && kind.Name == "number":
		return g.number()
	}
	return g.json(3)
}

func (g generator) json(depth int) string {
	n := g.IntN(8)
	if depth == 0 {
		n = g.IntN(5)
	}
	switch n {
	case 0:
		return pick(g, []string{"null", "true", "false"})
	case 1, 2:
		return g.number()
	case 3, 4:
		return g.string()
	}
	var inner []string
	object := g.chance(2)
	for range g.IntN(4) {
		v := g.json(depth - 1)
		if object {
			v = pick(g, []string{`"a"`, `"refId"`, `"generation"`, `"bytes"`, `"sha256"`, `"id"`, `"parentId"`, `"ref"`, g.string()}) + ":" + v
		}
		inner = append(inner, v)
	}
	if object {
		return "{" + strings.Join(inner, ",") + "}"
	}
	return "[" + strings.Join(inner, ",") + "]"
}

func (g generator) number() string {
	switch g.IntN(7) {
	case 0:
		return pick(g, []string{"0", "-0", "5.0", "5e0", "1e999", "-1e999", "1e-999", "0e999999999999", "1e+21", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308"})
	case 1: // around 2^53
		return strconv.FormatInt(1<<53+int64(g.IntN(7))-3, 10) + pick(g, []string{"", ".0", ".4", ".5", ".50000000000000000001", "e0", "0e-1"})
	case 2: // around -2^53
		return strconv.FormatInt(-1<<53+int64(g.IntN(7))-3, 10) + pick(g, []string{"", ".5", ".49999999999999999999"})
	case 3: // many digits
		digits := make([]byte, 1+g.IntN(400))
		for i := range digits {
			digits[i] = byte('0' + g.IntN(10))
		}
		digits[0] = byte('1' + g.IntN(9))
		return string(digits) + fmt.Sprintf("e%d", g.IntN(800)-500)
	case 4: // just below and above the largest double
		return "17976931348623" + strconv.Itoa(15+g.IntN(2)) + strconv.Itoa(g.IntN(100)) + strings.Repeat("0", 292)
	case 5:
		return strconv.FormatFloat(g.NormFloat64()*1e3, 'e', -1, 64)
	}
	return strconv.Itoa(g.IntN(2000) - 1000)
}

func (g generator) string() string {
	var out strings.Builder
	out.WriteByte('"')
	for range g.IntN(6) {
		out.WriteString(pick(g, []string{"a", "Z", "_", "-", "é", "😀", `\n`, `\/`, `\"`, `\\`, `\u0000`, `\ud800`, `\udc00`, `\uD83D\uDE00`, `\u0061`, "\u2028", "\x7f", "/", ".."}))
	}
	out.WriteByte('"')
	return out.String()
}

var tokens = []string{
	"{", "}", "[", "]", ",", ":", `"`, `\`, "null", "true", "0", "-", ".", "e", "E+", "1e999", "9007199254740992", `"type":"cancel"`, `"__proto__":`,
	`\ud800`, `\u`, "\xff", "\xed\xa0\x80", "\xc0\x80", "\ufeff", "\x00", "\x1f", " ", "\n", "Infinity", "NaN", "//", "/**/", "'", "0x1", "01", "+1", ".5", "5.",
}

func (g generator) mutate(text []byte) []byte {
	if len(text) == 0 {
		return []byte(pick(g, tokens))
	}
	from := g.IntN(len(text))
	to := min(len(text), from+1+g.IntN(12))
	replace := func(with []byte) []byte {
		return append(append(append([]byte{}, text[:from]...), with...), text[to:]...)
	}
	switch g.IntN(7) {
	case 0:
		return replace(nil)
	case 1:
		return replace([]byte(pick(g, tokens)))
	case 2: // twice
		return replace(append(append([]byte{}, text[from:to]...), text[from:to]...))
	case 3: // from elsewhere
		other := g.IntN(len(text))
		return replace(text[other:min(len(text), other+to-from)])
	case 4:
		flipped := replace(text[from:to])
		flipped[from] ^= 1 << g.IntN(8)
		return flipped
	case 5:
		return text[:from]
	}
	to = from
	return replace([]byte(pick(g, tokens)))
}
