package codec

import (
	"errors"

	"phpwire/floatfmt"
)

// floatError turns an error of the float's text, which starts at pos, into one
// of the payload.
func floatError(in []byte, pos int, err error) *Error {
	var e *floatfmt.SyntaxError
	if errors.As(err, &e) {
		return unexpected(in, pos+e.Offset, e.Expected)
	}
	return unexpected(in, pos, "a double")
}
