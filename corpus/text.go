package corpus

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"phpwire/corpus/printable"
)

// mostText is how many bytes the printable form of an input shows.
const mostText = 240

// NewBytes returns bytes with their printable form.
func NewBytes(b []byte) *Bytes {
	if b == nil {
		b = []byte{}
	}
	return &Bytes{B64: b, Text: beginning(b)}
}

// beginning is the printable form of the first bytes.
func beginning(b []byte) string {
	if len(b) > mostText {
		return printable.Bytes(b[:mostText]) + fmt.Sprintf("… (%d bytes)", len(b))
	}
	return printable.Bytes(b)
}

// mostComment is how long a comment is.
const mostComment = 120

// inOneLine is a comment as readers can take it: escaped where it is no text.
func inOneLine(comment string) string {
	isText := utf8.ValidString(comment) && strings.IndexFunc(comment, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if !isText {
		comment = beginning([]byte(comment))
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
