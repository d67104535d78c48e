package corpus

import (
	"bytes"
	"slices"
)

// Flag marks what a port may want to know of a case before it runs it.
type Flag string

const (
	FlagClaim        Flag = "claim"        // it claims more bytes than there are (clause L-2)
	FlagDeep         Flag = "deep"         // values are left out, being too deep for many JSON parsers
	FlagDisputed     Flag = "disputed"     // a PHP version reads it otherwise than the protocol has it
	FlagHandle       Flag = "handle"       // it has a reserved key (part H); PHP itself knows no handles
	FlagLarge        Flag = "large"        // the input has more than 4 KiB
	FlagNotCanonical Flag = "notcanonical" // Plugin accepts it and Canonical does not
	FlagPrecision    Flag = "precision"    // it is about another precision than the wire's
	FlagSizeT        Flag = "size_t"       // PHPs with a size_t of 64 and of 32 bits differ
	FlagUnsupported  Flag = "unsupported"  // it has one of the types O C E r R S, which a port may skip
	FlagVersions     Flag = "versions"     // PHPs differ in what they read or write, not only in words
	FlagWarns        Flag = "warns"        // a PHP accepts it with a warning
)

// Flags are all flags.
func Flags() []Flag {
	return []Flag{FlagClaim, FlagDeep, FlagDisputed, FlagHandle, FlagLarge, FlagNotCanonical, FlagPrecision, FlagSizeT, FlagUnsupported, FlagVersions, FlagWarns}
}

const largeInput = 4 << 10

// setFlags says anew what a case is.
func (c *Case) setFlags() {
	var flags []Flag
	set := func(f Flag, is bool) {
		if is {
			flags = append(flags, f)
		}
	}
	set(FlagClaim, c.claims())
	set(FlagDeep, c.isDeep())
	set(FlagDisputed, c.disputed())
	set(FlagHandle, c.hasReservedKey())
	set(FlagLarge, len(c.Input.B64) > largeInput)
	set(FlagNotCanonical, c.Expect.Plugin == MustAccept && c.Expect.Canonical == MustReject)
	set(FlagPrecision, c.Op == Float)
	set(FlagSizeT, c.splitBySize())
	set(FlagUnsupported, c.refusedAs("unsupported"))
	set(FlagVersions, c.Differ())
	set(FlagWarns, slices.ContainsFunc(c.PHP, func(a Answer) bool { return a.Does == Warns }))
	c.Flags = flags
}

// disputed tells whether a PHP does what the protocol does not have: it refuses,
// or reads or writes otherwise, what a port must accept.
func (c *Case) disputed() bool {
	if c.Op == Float {
		return slices.ContainsFunc(c.PHP, func(a Answer) bool { return a.Bytes != nil })
	}
	if c.Expect.Plugin != MustAccept || c.Op != Decode && c.Op != Encode || c.hasReservedKey() {
		return false
	}
	return slices.ContainsFunc(c.PHP, func(a Answer) bool { return a.Does != Accepts || a.Bytes != nil || a.Value != nil && c.Value != nil })
}

// Differ tells whether PHPs read or write different things, or one accepts what
// another refuses.
func (c *Case) Differ() bool {
	for i := 1; i < len(c.PHP); i++ {
		a, b := &c.PHP[0], &c.PHP[i]
		if a.Does != b.Does || !bytes.Equal(a.Value, b.Value) || !a.Bytes.equal(b.Bytes) {
			return true
		}
	}
	return false
}

func (b *Bytes) equal(o *Bytes) bool {
	if b == nil || o == nil {
		return b == o
	}
	return bytes.Equal(b.B64, o.B64)
}

func (c *Case) splitBySize() bool {
	return slices.ContainsFunc(c.PHP, func(a Answer) bool { return len(a.On) > 0 && len(a.On[0]) > len("8.2") })
}

func (c *Case) refusedAs(kind string) bool {
	return c.Refused != nil && c.Refused.Plugin != nil && c.Refused.Plugin.Kind == kind
}

func (c *Case) claims() bool {
	return (c.Op == Decode || c.Op == Read) && (c.refusedAs("truncated") || c.refusedAs("truncated frame") || c.refusedAs("too large")) &&
		longNumber(c.Input.B64, c.Op)
}

// longNumber tells whether bytes have a number with more than 6 digits before a
// colon, or a stream a length of more than its bytes.
func longNumber(b []byte, op Op) bool {
	if op == Read {
		return true
	}
	digits := 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == ':' && digits > 6:
			return true
		default:
			digits = 0
		}
	}
	return false
}

func (c *Case) hasReservedKey() bool {
	if c.Op != Decode && c.Op != Encode {
		return false
	}
	for _, name := range []string{`"__rhandle"`, `"__phandle"`, `"__pclass"`} {
		if bytes.Contains(c.Input.B64, []byte(name)) || c.Canonical != nil && bytes.Contains(c.Canonical.B64, []byte(name)) {
			return true
		}
	}
	return c.refusedAs("reserved key")
}

func (c *Case) isDeep() bool {
	if c.Expect.Plugin == MustAccept && c.Value == nil && (c.Op == Decode || c.Op == Encode) {
		return true
	}
	for _, f := range c.Frames {
		if f.Fields == nil {
			return true
		}
	}
	return depthOfJSON(c.Input.B64, c.Op) > 2*MaxShownDepth || depthOfPayload(c.Input.B64, c.Op) > MaxShownDepth
}

func depthOfJSON(b []byte, op Op) int {
	if op == Decode || op == Read {
		return 0
	}
	return deepest(b, "[{", "]}")
}

func depthOfPayload(b []byte, op Op) int {
	if op != Decode {
		return 0
	}
	return deepest(b, "{", "}")
}

func deepest(b []byte, open, end string) (most int) {
	depth := 0
	for _, c := range b {
		if bytes.IndexByte([]byte(open), c) >= 0 {
			depth++
			most = max(most, depth)
		} else if bytes.IndexByte([]byte(end), c) >= 0 {
			depth--
		}
	}
	return most
}
