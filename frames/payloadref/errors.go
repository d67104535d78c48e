package payloadref

import (
	"fmt"

	"phpwire/frames/toolchild"
)

// A Code says what an [Error] is about.
type Code string

const (
	BudgetExceeded Code = "ref_budget_exceeded" // the side would own more bytes than its budget
	Rejected       Code = "ref_rejected"        // a ref_nack was sent, for Reason
	Invalid        Code = "ref_invalid"         // a reference that the guard would refuse
	NotOwned       Code = "ref_not_owned"       // no accepted reference of that id
	Closed         Code = "ref_closed"          // the writer has been torn down
	Failed         Code = "ref_failed"          // the file system or the channel failed; see Err
)

// A Reason is why a reference was refused.
type Reason string

const (
	Cancelled Reason = "cancelled" // the receiver no longer wants it
	Corrupt   Reason = "corrupt"   // size, sha256 or the kind of file is not what the reference says
	Missing   Reason = "missing"   // no such file
	Budget    Reason = "budget"    // the receiver's budget has no room
	Foreign   Reason = "foreign"   // of another generation
)

// An Error is why a reference could not be made, accepted or consumed.
type Error struct {
	Code   Code
	RefID  string
	Reason Reason // for Rejected
	Detail string // what stood there and what was expected
	Err    error  // the cause, if there is one
}

func (e *Error) Error() string {
	text := "payloadref: " + string(e.Code)
	if e.RefID != "" {
		text += fmt.Sprintf(" %q", e.RefID)
	}
	if e.Reason != "" {
		text += " (" + string(e.Reason) + ")"
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

func failed(refID string, err error) error { return &Error{Code: Failed, RefID: refID, Err: err} }

func invalid(ref toolchild.PayloadRef) error {
	return &Error{
		Code: Invalid, RefID: ref.RefID,
		Detail: fmt.Sprintf("got %+v, want an id of 1 to 64 of A-Z, a-z, 0-9, _ and -, counts from 0 to 2^53-1 and 64 lower-case hexadecimal digits", ref),
	}
}
