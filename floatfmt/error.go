package floatfmt

import "fmt"

// A SyntaxError says why a text is not a number.
type SyntaxError struct {
	Offset   int    // of the first byte that is wrong, or the length of the input
	Found    string // that byte, or "" at the end of the input
	Expected string // what may stand there, in words
}

func (e *SyntaxError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("float: offset %d: input ends, expected %s", e.Offset, e.Expected)
	}
	return fmt.Sprintf("float: offset %d: found %q, expected %s", e.Offset, e.Found, e.Expected)
}

// What can be wanted.
const (
	wantNumber        = "a sign, a digit, '.', INF or NAN"
	wantUnsignedOrInf = "a digit, '.' or INF"
	wantDigitOrPoint  = "a digit or '.'"
	wantDigit         = "a digit"
	wantSignOrDigit   = "a sign or a digit"
	wantSemicolon     = "';'"
	wantEnd           = "the end"
)

// syntaxError builds the error for b[offset:]; an empty want means that a
// number ended there, but not as it had to: with terminator.
func syntaxError(b []byte, offset int, want, terminator string) error {
	e := &SyntaxError{Offset: offset, Expected: want}
	if offset < len(b) {
		e.Found = string(b[offset : offset+1])
	}
	if want == "" {
		e.Expected = terminator
	}
	return e
}
