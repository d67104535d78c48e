package corpus

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostText is how many bytes the printable form of an input shows.
const mostText = 240

// NewBytes returns bytes with their printable form.
func NewBytes(b []byte) *Bytes {
	if b == nil {
		b = []byte{}
	}
	return &Bytes{B64: b, Text: printable(b)}
}

// printable is one line of ASCII: a backslash is doubled, and what is not
// printable is written as \n, \r, \t or \x00 to \xff.
func printable(b []byte) string {
	more := ""
	if len(b) > mostText {
		more = fmt.Sprintf("… (%d bytes)", len(b))
		b = b[:mostText]
	}
	var s strings.Builder
	for _, c := range b {
		switch {
		case c == '\\':
			s.WriteString(`\\`)
		case c == '\n':
			s.WriteString(`\n`)
		case c == '\r':
			s.WriteString(`\r`)
		case c == '\t':
			s.WriteString(`\t`)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&s, `\x%02x`, c)
		default:
			s.WriteByte(c)
		}
	}
	return s.String() + more
}

// mostComment is how long a comment is.
const mostComment = 120

// inOneLine is a comment as readers can take it: escaped where it is no text.
func inOneLine(comment string) string {
	isText := utf8.ValidString(comment) && strings.IndexFunc(comment, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if !isText {
		comment = printable([]byte(comment))
	}
	if len(comment) > mostComment {
		comment = strings.ToValidUTF8(comment[:mostComment], "") + "…"
	}
	return comment
}

func floatOf(bits string) (float64, error) {
	n, err := strconv.ParseUint(bits, 16, 64)
	if err != nil || len(bits) != 16 {
		return 0, fmt.Errorf("%q is not 16 hex digits", bits)
	}
	return math.Float64frombits(n), nil
}
