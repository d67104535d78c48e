package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"phpwire/corpus/printable"
)

// plain makes a text safe to put into any document or terminal: what is not
// UTF-8 or not printable becomes an escape, line ends and tabs stay.
func plain(text string) string {
	var s strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == '\n' || r == '\t' || r == '\\':
			s.WriteByte(text[0])
		case r == utf8.RuneError && n == 1 || r < 0x80 && !unicode.IsPrint(r):
			s.WriteString(printable.Bytes([]byte(text[:n])))
		case !unicode.IsPrint(r):
			fmt.Fprintf(&s, `\u{%x}`, r)
		default:
			s.WriteString(text[:n])
		}
		text = text[n:]
	}
	return s.String()
}

// line is plain on one line.
func line(text string) string { return strings.Join(strings.Fields(plain(text)), " ") }

// clip shortens a text to n bytes or less, and says so. The text is ASCII or
// it is cut at a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// number writes 1234567 as 1,234,567.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// some is a number with its noun: "1 case", "2 cases".
func some(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + one + "s"
}

// duration writes seconds as a person says them: "0.4 s", "21 s", "2 h 5 min".
func duration(seconds float64) string {
	whole := int64(math.Round(seconds))
	switch {
	case seconds < 10:
		return strconv.FormatFloat(seconds, 'f', 1, 64) + " s"
	case whole < 120:
		return fmt.Sprintf("%d s", whole)
	case whole < 3600:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	default:
		return fmt.Sprintf("%d h %d min", whole/3600, whole/60%60)
	}
}
