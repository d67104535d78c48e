package adapter

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errNoLiteral says that a language has no literal for a value.
var errNoLiteral = errors.New("the language has no literal for it")

// values writes literals of a language for tagged values.
type values struct {
	null     string
	bools    [2]string // false and true, "" where there is none
	int      func(digits string) string
	float    func(float64) string
	list     func(elements []literal) string
	array    func(entries []entry) string
	keyInt   func(digits string) string
	types    map[string]string // names of types by their letter, where the library wants them
	listsAre string            // "" or "maps"
}

type literal struct{ text, kind string }

type entry struct {
	key, value literal
	keyText    string
}

// style is a language: how bytes are written, and the values that are read and
// written.
type style struct {
	bytes         func(b []byte, text string) (string, error)
	repeats       repetition
	read, written values
	// alike are pairs of a pattern and what is printed instead, for what is one to
	// tagged values and different types in the language.
	alike []alike
}

type alike struct {
	pattern *regexp.Regexp
	instead string
}

// alike is what was printed, without what tagged values do not tell.
func (c *Call) alike(printed string) string {
	for _, a := range styles[c.Values].alike {
		printed = a.pattern.ReplaceAllString(printed, a.instead)
	}
	return printed
}

var (
	bigInt    = alike{regexp.MustCompile(`\b([0-9]+)n\b`), "$1"}
	mapOfGo   = alike{regexp.MustCompile(`map\[(interface \{\}|string|int64)\]`), "map"}
	emptyOfGo = alike{regexp.MustCompile(`(map|\[\])interface \{\}\{\}`), "empty"}
)

var styles = map[string]style{
	"javascript":       {javascriptText, repetition{"%s.repeat(%d)", " + "}, javascript, javascript, []alike{bigInt}},
	"typed javascript": {javascriptText, repetition{"%s.repeat(%d)", " + "}, typedRead, typedJavascript, nil},
	"python":           {pythonText, repetition{"%s * %d", " + "}, python, python, nil},
	"perl":             {perlText, repetition{"(%s x %d)", " . "}, perl, perl, nil},
	"go":               {goText, repetition{"strings.Repeat(%s, %d)", " + "}, goRead, goWritten, []alike{mapOfGo, emptyOfGo}},
}

// literal is the literal of a tagged value, and the name of its type.
func (c *Call) literal(as values, tagged json.RawMessage) (text, kind string, err error) {
	var tree any
	if err := json.Unmarshal(tagged, &tree); err != nil {
		return "", "", err
	}
	if c.Maps {
		as.listsAre = "maps"
	}
	w := &writer{as: as, bytes: func(b []byte) (string, error) { return styles[c.Values].bytes(b, c.Text) }}
	l := w.value(tree)
	return l.text, l.kind, w.err
}

type writer struct {
	as    values
	bytes func([]byte) (string, error)
	err   error // the first
}

func (w *writer) fail(err error) literal {
	if w.err == nil {
		w.err = err
	}
	return literal{}
}

func (w *writer) value(tree any) literal {
	t, _ := tree.(map[string]any)
	kind, _ := t["t"].(string)
	l := literal{kind: w.as.types[kind]}
	switch v := t["v"].(type) {
	case bool:
		if l.text = w.as.bools[0]; v {
			l.text = w.as.bools[1]
		}
	case string:
		if _, err := strconv.ParseInt(v, 10, 64); kind == "int" && err == nil {
			l.text = w.as.int(v)
		}
	case []any:
		l.text = w.container(kind, v)
	}
	switch kind {
	case "null":
		l.text = w.as.null
	case "undefined", "NaN": // of JavaScript
		l.text = kind
	case "float":
		bits, err := hex.DecodeString(fmt.Sprint(t["bits"]))
		if err != nil || len(bits) != 8 {
			return w.fail(errNoLiteral)
		}
		u, _ := strconv.ParseUint(fmt.Sprint(t["bits"]), 16, 64)
		l.text = w.as.float(math.Float64frombits(u))
	case "string":
		l.text = w.text(t["b64"])
	}
	if l.text == "" {
		return w.fail(errNoLiteral)
	}
	return l
}

func (w *writer) text(b64 any) string {
	b, err := base64.StdEncoding.DecodeString(fmt.Sprint(b64))
	if err == nil {
		var text string
		if text, err = w.bytes(b); err == nil {
			return text
		}
	}
	w.fail(err)
	return ""
}

func (w *writer) container(kind string, all []any) string {
	if kind == "list" && w.as.listsAre == "" {
		var elements []literal
		for _, e := range all {
			elements = append(elements, w.value(e))
		}
		return w.as.list(elements)
	}
	var entries []entry
	for i, e := range all {
		pair := []any{map[string]any{"int": strconv.Itoa(i)}, e}
		if kind != "list" {
			if pair, _ = e.([]any); len(pair) != 2 {
				w.fail(errNoLiteral)
				return ""
			}
		}
		entries = append(entries, w.entry(pair[0], pair[1]))
	}
	return w.as.array(entries)
}

func (w *writer) entry(key, value any) entry {
	e := entry{value: w.value(value)}
	k, _ := key.(map[string]any)
	if digits, ok := k["int"].(string); ok {
		e.key, e.keyText = literal{w.as.keyInt(digits), w.as.types["int"]}, digits
		return e
	}
	if _, ok := k["b64"].(string); !ok {
		w.fail(errNoLiteral)
		return e
	}
	e.key = literal{w.text(k["b64"]), w.as.types["string"]}
	b, _ := base64.StdEncoding.DecodeString(fmt.Sprint(k["b64"]))
	e.keyText = string(b)
	return e
}

// digits is the shortest text of a double, with a point or an exponent.
func digits(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

// special chooses the text for what has no digits.
func special(f float64, nan, inf, negative string) string {
	switch {
	case math.IsNaN(f):
		return nan
	case math.IsInf(f, 1):
		return inf
	case math.IsInf(f, -1):
		return negative
	}
	return digits(f)
}

func joined(all []literal) string {
	var texts []string
	for _, l := range all {
		texts = append(texts, l.text)
	}
	return strings.Join(texts, ", ")
}

func pairs(entries []entry, between string) string {
	var texts []string
	for _, e := range entries {
		texts = append(texts, e.key.text+between+e.value.text)
	}
	return strings.Join(texts, ", ")
}

func same(digits string) string { return digits }

// escaped writes bytes between double quotes: printable ASCII as it is, but for the
// characters in special, which get a backslash.
func escaped(b []byte, special string, hex string) string {
	var s strings.Builder
	s.WriteByte('"')
	for _, c := range b {
		switch {
		case c == '"' || c == '\\' || strings.IndexByte(special, c) >= 0:
			s.WriteByte('\\')
			s.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&s, hex, c)
		default:
			s.WriteByte(c)
		}
	}
	return s.String() + `"`
}

var javascript = values{
	null: "null", bools: [2]string{"false", "true"}, keyInt: strconv.Quote,
	int: func(digits string) string {
		if n, _ := strconv.ParseInt(digits, 10, 64); n != int64(float64(n)) || n > 1<<53 || n < -1<<53 {
			return digits + "n" // a BigInt
		}
		return digits
	},
	float: func(f float64) string { return special(f, "NaN", "Infinity", "-Infinity") },
	list:  func(all []literal) string { return "[" + joined(all) + "]" },
	array: func(all []entry) string {
		for i, e := range all {
			if e.keyText == "__proto__" {
				all[i].key.text = "[" + e.key.text + "]"
			}
		}
		return "{" + pairs(all, ": ") + "}"
	},
}

// typedJavascript is that of php-serialization, which wants the types of all.
var typedJavascript = values{
	null: "null", bools: javascript.bools, keyInt: strconv.Quote, int: javascript.int, listsAre: "maps",
	types: map[string]string{"null": "null", "bool": "boolean", "int": "integer", "float": "float", "string": "string", "list": "array", "array": "array"},
	float: func(f float64) string {
		if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
			return javascript.float(f)
		}
		return `new BigDecimal("` + strconv.FormatFloat(f, 'g', -1, 64) + `")`
	},
	array: func(all []entry) string {
		var made []string
		for _, e := range all {
			made = append(made, fmt.Sprintf("[%s, %q, %s, %q]", e.key.text, e.key.kind, e.value.text, e.value.kind))
		}
		return "array(" + strings.Join(made, ", ") + ")"
	},
}

// typedRead has another empty array.
var typedRead = func() values {
	r := typedJavascript
	r.array = func(all []entry) string {
		if len(all) == 0 {
			return "{}"
		}
		return typedJavascript.array(all)
	}
	return r
}()

func javascriptText(b []byte, text string) (string, error) {
	if text == "latin1" {
		return escaped(b, "", `\x%02x`), nil
	}
	if !utf8.Valid(b) {
		return "", errNoLiteral
	}
	var s strings.Builder
	for _, r := range string(b) {
		if r < utf8.RuneSelf {
			one := escaped([]byte{byte(r)}, "", `\x%02x`)
			s.WriteString(one[1 : len(one)-1])
		} else {
			fmt.Fprintf(&s, `\u{%x}`, r)
		}
	}
	return `"` + s.String() + `"`, nil
}

var python = values{
	null: "None", bools: [2]string{"False", "True"}, int: same, keyInt: same,
	float: func(f float64) string { return special(f, `float("nan")`, `float("inf")`, `float("-inf")`) },
	list:  func(all []literal) string { return "[" + joined(all) + "]" },
	array: func(all []entry) string { return "{" + pairs(all, ": ") + "}" },
}

func pythonText(b []byte, _ string) (string, error) { return "b" + escaped(b, "", `\x%02x`), nil }

var perl = values{
	null: "undef", int: same, keyInt: strconv.Quote,
	float: func(f float64) string { return special(f, `9**9**9/9**9**9`, "9**9**9", "-9**9**9") },
	list:  func(all []literal) string { return "[" + joined(all) + "]" },
	array: func(all []entry) string { return "{" + pairs(all, " => ") + "}" },
}

func perlText(b []byte, _ string) (string, error) { return escaped(b, "$@", `\x{%02x}`), nil }

var goRead = values{
	null: "nil", bools: [2]string{"false", "true"},
	int:    func(digits string) string { return "int64(" + digits + ")" },
	keyInt: func(digits string) string { return "int64(" + digits + ")" },
	float: func(f float64) string {
		if f == 0 && math.Signbit(f) {
			return "math.Copysign(0, -1)"
		}
		return special(f, "math.NaN()", "math.Inf(1)", "math.Inf(-1)")
	},
	list:  func(all []literal) string { return "[]any{" + joined(all) + "}" },
	array: func(all []entry) string { return "map[any]any{" + pairs(all, ": ") + "}" },
}

// goWritten has maps whose keys have a type.
var goWritten = func() values {
	w := goRead
	w.array = func(all []entry) string {
		if len(all) > 0 && strings.HasPrefix(all[0].key.text, "int64(") {
			return "map[int64]any{" + pairs(all, ": ") + "}"
		}
		return "map[string]any{" + pairs(all, ": ") + "}"
	}
	return w
}()

func goText(b []byte, _ string) (string, error) { return strconv.QuoteToASCII(string(b)), nil }
