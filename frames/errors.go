package frames

import "fmt"

// ErrorKind tells how a stream of frames breaks the protocol.
type ErrorKind uint8

// The kinds of errors.
const (
	// TooShort: a length below 9, which has no room for tag and id.
	TooShort ErrorKind = iota
	// TooLong: a length above 256 MiB; nothing was allocated for it.
	TooLong
	// Truncated: the stream ends inside a frame.
	Truncated
	// UnknownTag: a tag that is none of the ten.
	UnknownTag
	// WrongDirection: a tag that the other side never sends.
	WrongDirection
	// BadID: a correlation id that such a frame cannot have.
	BadID
	// BadPayload: the payload is no valid value.
	BadPayload
	// NotAList: the payload is a value, but not a list of fields.
	NotAList
	// MissingField: the list ends before the last field.
	MissingField
	// ExtraField: the list goes on after the last field.
	ExtraField
	// BadField: a field of the wrong type or outside of its range.
	BadField
	// Stream: reading or writing the stream itself failed.
	Stream
)

var errorKindNames = [...]string{
	TooShort: "frame too short", TooLong: "frame too long", Truncated: "truncated frame", UnknownTag: "unknown tag",
	WrongDirection: "wrong direction", BadID: "bad correlation id", BadPayload: "bad payload", NotAList: "payload is not a list",
	MissingField: "missing field", ExtraField: "extra field", BadField: "bad field", Stream: "stream failed",
}

func (k ErrorKind) String() string {
	if int(k) < len(errorKindNames) {
		return errorKindNames[k]
	}
	return "unknown"
}

// Error is a violation of the protocol; every one is fatal to the stream
// (clause E-2).
type Error struct {
	Kind   ErrorKind
	Offset int64  // where in the stream the frame starts; 0 for a frame by itself
	Tag    Tag    // of the frame, where HasTag
	ID     uint64 // its correlation id, where HasTag
	HasTag bool
	Field  string // the name of the field, for MissingField and BadField
	Found  string
	Want   string
	Err    error // the cause: a *codec.Error for BadPayload, the stream's own for Stream
}

func (e *Error) Error() string {
	where := fmt.Sprintf("frame at offset %d", e.Offset)
	if e.HasTag {
		where = fmt.Sprintf("%v frame (id %d) at offset %d", e.Tag, e.ID, e.Offset)
	}
	what := e.Kind.String()
	if e.Field != "" {
		what += " " + e.Field
	}
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", where, what, e.Err)
	}
	return fmt.Sprintf("%s: %s: found %s, want %s", where, what, e.Found, e.Want)
}

func (e *Error) Unwrap() error { return e.Err }
