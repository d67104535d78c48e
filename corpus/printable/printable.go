// Package printable writes payloads for people.
package printable

import (
	"fmt"
	"strings"
)

// Bytes is a payload as one line of ASCII: a backslash is doubled, and what is not
// printable is written as \n, \r, \t or \x00 to \xff, so that any bytes can be read
// back from it.
func Bytes(b []byte) string {
	var s strings.Builder
	s.Grow(len(b))
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
	return s.String()
}
