package toolchild

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is a JSON text that JSON.parse accepts.
type JSON []byte

// ParseJSON reports whether text is UTF-8 that JSON.parse accepts; if not, the
// error is an *[Error]. Nesting costs one byte a level, and no recursion.
func ParseJSON(text []byte) (JSON, error) {
	if at := invalidUTF8(text); at < len(text) {
		return nil, &Error{InvalidUTF8, int64(at), shown(text[at:]), "UTF-8"}
	}
	start := skipSpace(text, 0)
	end, err := skipValue(text, start)
	if err != nil {
		return nil, err
	}
	if rest := skipSpace(text, end); rest < len(text) {
		return nil, syntaxError(text, rest, "the end of the text")
	}
	return JSON(text[start:end]), nil
}

func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

func syntaxError(text []byte, at int, want string) error {
	got := "the end of the text"
	if at < len(text) {
		got = shown(text[at:])
	}
	return &Error{Syntax, int64(at), got, want}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\n', '\r':
			at++
		default:
			return at
		}
	}
	return at
}

// skipValue returns the end of the value that begins at at. Open containers are
// kept in a slice, so that nesting is bounded by the text and not by a stack.
func skipValue(text []byte, at int) (int, error) {
	var open []byte // '{' or '[' for each container around at
	var err error
	for {
		// Here a value begins.
		if at == len(text) {
			return 0, syntaxError(text, at, "a value")
		}
		switch c := text[at]; {
		case c == '{' || c == '[':
			open = append(open, c)
			at = skipSpace(text, at+1)
			switch {
			case at < len(text) && text[at] == c+2: // '}' is '{'+2, and ']' is '['+2
				open = open[:len(open)-1]
				at++
			case c == '[':
				continue
			default:
				if at, err = skipKey(text, at, "a string or '}'"); err != nil {
					return 0, err
				}
				continue
			}
		case c == '"':
			at, err = skipString(text, at)
		case c == '-' || isDigit(c):
			at, err = skipNumber(text, at)
		case c == 't':
			at, err = skipWord(text, at, "true")
		case c == 'f':
			at, err = skipWord(text, at, "false")
		case c == 'n':
			at, err = skipWord(text, at, "null")
		default:
			return 0, syntaxError(text, at, "a value")
		}
		if err != nil {
			return 0, err
		}
		// Here a value has ended; so may the containers around it.
		for {
			if len(open) == 0 {
				return at, nil
			}
			container := open[len(open)-1]
			at = skipSpace(text, at)
			if at < len(text) && text[at] == container+2 {
				open = open[:len(open)-1]
				at++
				continue
			}
			if at == len(text) || text[at] != ',' {
				return 0, syntaxError(text, at, "',' or '"+string(container+2)+"'")
			}
			at = skipSpace(text, at+1)
			if container == '{' {
				if at, err = skipKey(text, at, "a string"); err != nil {
					return 0, err
				}
			}
			break
		}
	}
}

// skipKey returns where the value of the member that begins at at begins.
func skipKey(text []byte, at int, want string) (int, error) {
	if at == len(text) || text[at] != '"' {
		return 0, syntaxError(text, at, want)
	}
	at, err := skipString(text, at)
	if err != nil {
		return 0, err
	}
	at = skipSpace(text, at)
	if at == len(text) || text[at] != ':' {
		return 0, syntaxError(text, at, "':'")
	}
	return skipSpace(text, at+1), nil
}

func skipString(text []byte, at int) (int, error) {
	at++
	for at < len(text) {
		switch c := text[at]; {
		case c == '"':
			return at + 1, nil
		case c < ' ':
			return 0, syntaxError(text, at, "no control character in a string")
		case c != '\\':
			at++
			continue
		}
		at++
		if at == len(text) {
			break
		}
		switch text[at] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			at++
		case 'u':
			at++
			for range 4 {
				if at == len(text) || !isHex(text[at]) {
					return 0, syntaxError(text, at, "a hexadecimal digit")
				}
				at++
			}
		default:
			return 0, syntaxError(text, at, "an escape")
		}
	}
	return 0, syntaxError(text, at, `'"'`)
}

func skipNumber(text []byte, at int) (int, error) {
	if text[at] == '-' {
		at++
	}
	var err error
	if at < len(text) && text[at] == '0' {
		at++
	} else if at, err = skipDigits(text, at); err != nil {
		return 0, err
	}
	if at < len(text) && text[at] == '.' {
		if at, err = skipDigits(text, at+1); err != nil {
			return 0, err
		}
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		at++
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		return skipDigits(text, at)
	}
	return at, nil
}

func skipDigits(text []byte, at int) (int, error) {
	if at == len(text) || !isDigit(text[at]) {
		return 0, syntaxError(text, at, "a digit")
	}
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at, nil
}

func skipWord(text []byte, at int, word string) (int, error) {
	for i := range len(word) {
		if at+i == len(text) || text[at+i] != word[i] {
			return 0, syntaxError(text, at+i, word)
		}
	}
	return at + len(word), nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// A value is a JSON value inside a text that has been checked.
type value struct {
	text JSON
	at   int // where it stands in the whole text
}

func (v value) isString() bool { return v.text[0] == '"' }
func (v value) isNumber() bool { return v.text[0] == '-' || isDigit(v.text[0]) }
func (v value) isBool() bool   { return v.text[0] == 't' || v.text[0] == 'f' }
func (v value) isNull() bool   { return v.text[0] == 'n' }
func (v value) isObject() bool { return v.text[0] == '{' }
func (v value) isArray() bool  { return v.text[0] == '[' }

// eachMember calls f for every member of an object, repeated keys included: the
// last one is the one that counts.
func (v value) eachMember(f func(key string, member value)) {
	at := skipSpace(v.text, 1)
	for v.text[at] != '}' {
		end, _ := skipString(v.text, at)
		key := unquote(v.text[at:end])
		at, _ = skipKey(v.text, at, "")
		end, _ = skipValue(v.text, at)
		f(key, value{v.text[at:end], v.at + at})
		at = skipSpace(v.text, end)
		if v.text[at] == ',' {
			at = skipSpace(v.text, at+1)
		}
	}
}

// eachElement calls f for every element of an array until f returns false.
func (v value) eachElement(f func(element value) bool) {
	at := skipSpace(v.text, 1)
	for v.text[at] != ']' {
		end, _ := skipValue(v.text, at)
		if !f(value{v.text[at:end], v.at + at}) {
			return
		}
		at = skipSpace(v.text, end)
		if v.text[at] == ',' {
			at = skipSpace(v.text, at+1)
		}
	}
}

// number returns the double that JSON.parse makes of it, infinities included.
func (v value) number() float64 {
	// The text is a JSON number, so the only error is a range error, and its
	// value is then the infinity.
	f, _ := strconv.ParseFloat(string(v.text), 64)
	return f
}

const maxSafeInteger = 1<<53 - 1

func isSafeInteger(f float64) bool {
	return f == math.Trunc(f) && math.Abs(f) <= maxSafeInteger
}

// unquote returns the string that a JSON string stands for, in UTF-8 where a
// lone surrogate takes three bytes, as any other code point of its size would
// (WTF-8). A pair of surrogates is the code point it stands for.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	plain := 0
	for plain < len(inner) && inner[plain] != '\\' {
		plain++
	}
	if plain == len(inner) {
		return string(inner)
	}
	out := make([]byte, plain, len(inner))
	copy(out, inner)
	for at := plain; at < len(inner); {
		if inner[at] != '\\' {
			out = append(out, inner[at])
			at++
			continue
		}
		c := inner[at+1]
		at += 2
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			unit := hex4(inner[at:])
			at += 4
			if utf16.IsSurrogate(unit) && at+6 <= len(inner) && inner[at] == '\\' && inner[at+1] == 'u' {
				if pair := utf16.DecodeRune(unit, hex4(inner[at+2:])); pair != utf8.RuneError {
					unit = pair
					at += 6
				}
			}
			out = appendWTF8(out, unit)
		default: // '"', '\\' and '/'
			out = append(out, c)
		}
	}
	return string(out)
}

func appendWTF8(out []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(out, r)
}

// hex4 reads four hexadecimal digits.
func hex4(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
