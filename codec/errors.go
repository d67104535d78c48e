package codec

import (
	"fmt"
	"strconv"
)

// ErrorKind tells what is wrong with a payload or a value.
type ErrorKind uint8

// The kinds of errors. All but the last three speak of bytes that are decoded.
const (
	// Truncated: the payload ends where more must follow.
	Truncated ErrorKind = iota
	// Syntax: a byte that the grammar does not allow there.
	Syntax
	// Range: an int outside of 64 bits.
	Range
	// TooLarge: a length or count outside of 31 bits.
	TooLarge
	// BadKey: an array key that is neither an int nor a string.
	BadKey
	// Unsupported: a type that the profile does not have (O C E r R S).
	Unsupported
	// NotCanonical: a spelling that PHP reads but never writes.
	NotCanonical
	// TrailingData: bytes after the end of the value.
	TrailingData
	// Depth: more than [MaxDepth] containers inside one another.
	Depth
	// Reserved: an array that has a handle's key, but not a handle's shape.
	Reserved
	// Invalid: a value that nothing on the wire stands for.
	Invalid
)

var errorKindNames = [...]string{
	Truncated: "truncated", Syntax: "syntax", Range: "range", TooLarge: "too large", BadKey: "bad key",
	Unsupported: "unsupported", NotCanonical: "not canonical",
	TrailingData: "trailing data", Depth: "depth", Reserved: "reserved key", Invalid: "invalid",
}

func (k ErrorKind) String() string {
	if int(k) < len(errorKindNames) {
		return errorKindNames[k]
	}
	return "unknown"
}

// Error says why a payload or a value was refused, and where.
type Error struct {
	Kind ErrorKind
	// Offset is the byte of the payload at which the fault stands, counted from
	// 0; -1 when a value could not be encoded.
	Offset int
	Found  string // what stood there
	Want   string // what would have been right there
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: found %s, want %s", e.Kind, e.Found, e.Want)
	}
	return fmt.Sprintf("%s at offset %d: found %s, want %s", e.Kind, e.Offset, e.Found, e.Want)
}

// excerptLength is how many bytes of a payload an error quotes.
const excerptLength = 24

// excerpt quotes the payload from pos on.
func excerpt(in []byte, pos int) string {
	if pos >= len(in) {
		return "the end of the payload"
	}
	rest := in[pos:]
	if len(rest) > excerptLength {
		return strconv.QuoteToASCII(string(rest[:excerptLength])) + "…"
	}
	return strconv.QuoteToASCII(string(rest))
}

// unexpected is the error for a byte, or an end, that the grammar does not have.
func unexpected(in []byte, pos int, want string) *Error {
	kind := Syntax
	if pos >= len(in) {
		kind, pos = Truncated, len(in)
	}
	return &Error{Kind: kind, Offset: pos, Found: excerpt(in, pos), Want: want}
}

func fault(kind ErrorKind, in []byte, pos int, want string) *Error {
	return &Error{Kind: kind, Offset: pos, Found: excerpt(in, pos), Want: want}
}
