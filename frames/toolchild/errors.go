package toolchild

import (
	"fmt"
	"strconv"
)

// A Code says which rule an [Error] is about.
type Code string

const (
	Oversize       Code = "oversize"        // a length above FrameBytes
	Truncated      Code = "truncated"       // the stream ended inside a frame
	InvalidUTF8    Code = "invalid_utf8"    // a body that is not UTF-8
	Syntax         Code = "syntax"          // a body that is not JSON
	Refused        Code = "refused"         // a JSON value that is no message
	WrongDirection Code = "wrong_direction" // a message that this side may not send
)

// An Error is why a frame or a message was not taken.
type Error struct {
	Code Code
	// Offset is where it stands: a byte offset in the text for Parse, in the
	// stream for a Decoder.
	Offset int64
	Got    string // what stood there
	Want   string // what was expected
}

func (e *Error) Error() string {
	return fmt.Sprintf("toolchild: %s at offset %d: got %s, want %s", e.Code, e.Offset, e.Got, e.Want)
}

// shown quotes the beginning of a text for an error message.
func shown(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "…"
	}
	return strconv.Quote(string(text))
}
