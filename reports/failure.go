package reports

import "encoding/json"

// Outcome says how a case failed, and so in which of [Counts] it is.
type Outcome string

// The outcomes of a failure.
const (
	Failed  Outcome = "fail"
	Crashed Outcome = "crash"
	Hung    Outcome = "hang"
	Garbage Outcome = "garbage"
	Fixed   Outcome = "fixed" // a known failure that passes
)

// Failure tells one failed case.
type Failure struct {
	// ID is unique in the run and the same when the case fails again.
	// [Run.Add] makes one when it is empty.
	ID string `json:"id"`
	// Case is the case's id in the corpus, if it is from there.
	Case   string `json:"case,omitempty"`
	Suite  string `json:"suite"`
	Column string `json:"column"`
	// Clause is the clause of the protocol that is broken.
	Clause string `json:"clause,omitempty"`
	// Invariant is the broken one, "P1" to "P6".
	Invariant string  `json:"invariant,omitempty"`
	Outcome   Outcome `json:"outcome"`
	// Kind is the sort of failure in a few words, the same for all failures
	// of that sort: "accepts what PHP refuses".
	Kind string `json:"kind"`
	// Title says in words what went wrong with this case.
	Title string `json:"title"`
	// Input is the payload, Tokens what colours it.
	Input  []byte  `json:"input"`
	Tokens []Token `json:"tokens,omitempty"`
	// Value is the value that was encoded, as tagged JSON, when the case is
	// a value rather than a payload.
	Value json.RawMessage `json:"value,omitempty"`
	// Offset is where in Input the difference lies, in bytes; nil if nowhere.
	Offset *int `json:"offset,omitempty"`
	// ShrunkFrom is the size in bytes of the input that was found first;
	// 0 if the input was not shrunk.
	ShrunkFrom int `json:"shrunk_from,omitempty"`
	// Sides are who was asked, the reference first.
	Sides []Side `json:"sides"`
	// Differences names in words what differs between the sides.
	Differences []string `json:"differences,omitempty"`
	// Replay is the command that shows the case again; File is the one that
	// files it in the corpus. Both can be pasted into a shell.
	Replay string `json:"replay,omitempty"`
	File   string `json:"file,omitempty"`
	// Call is the call in a port's own language that shows the same.
	Call string `json:"call,omitempty"`
}

// Verdict is what a side did with a case.
type Verdict string

// The verdicts.
const (
	Accepted Verdict = "accepted"
	Refused  Verdict = "refused"
	Crash    Verdict = "crash"
	Hang     Verdict = "hang"
	Noise    Verdict = "garbage" // an answer that is none
	Skip     Verdict = "skip"
)

// Side is what one of those asked did with a failure's input.
type Side struct {
	// Name says who: "reference plugin", "PHP 8.2.36 native", "php-serialize".
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	// Offset is where in the input it says that it refused, in bytes; nil if it
	// did not say. It is told as it came, even when it lies outside the input.
	Offset *int `json:"offset,omitempty"`
	// Message is its error, or the reason of a skip.
	Message  string   `json:"message,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Bytes is what it wrote, Tokens what colours it. Nil means that it wrote
	// nothing, which is not the same as no bytes.
	Bytes  []byte  `json:"bytes,omitzero"`
	Tokens []Token `json:"tokens,omitempty"`
	// Value is the value that it saw, as tagged JSON.
	Value json.RawMessage `json:"value,omitempty"`
}

// TokenKind is what a token is, and so how it is coloured. A kind that is not
// listed here is allowed; it is shown plain.
type TokenKind string

// The kinds of tokens that have a colour.
const (
	TokenTag    TokenKind = "tag"    // the letter of a type, or the tag of a frame
	TokenPunct  TokenKind = "punct"  // : ; { } "
	TokenLength TokenKind = "length" // a length or a count
	TokenKey    TokenKind = "key"    // an array's key
	TokenNumber TokenKind = "number" // an int, a float, a bool, a correlation id
	TokenString TokenKind = "string" // the bytes of a string
	TokenName   TokenKind = "name"   // a class, a function, a property
	TokenBad    TokenKind = "bad"    // bytes that are no token
)

// Token is the part Offset to End (exclusive) of a payload. Tokens are in
// order and do not overlap; gaps are shown plain.
type Token struct {
	Offset int       `json:"offset"`
	End    int       `json:"end"`
	Kind   TokenKind `json:"kind"`
}
