package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// Signature identifies what a case shows: the shape of its input (tokens, with
// numbers and texts by class, not by value) and what everybody makes of it. A
// case whose signature is there already adds nothing.
func (c *Case) Signature() string { return digest(c.behaviour() + "|" + c.phpPattern()) }

// ReferenceSignature is Signature without what PHPs do.
func (c *Case) ReferenceSignature() string { return digest(c.behaviour()) }

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:12])
}

func (c *Case) behaviour() string {
	s := []string{string(c.Op), c.From, fmt.Sprint(c.Chunks), string(c.Expect.Plugin), string(c.Expect.Canonical), c.faults()}
	switch c.Op {
	case Decode:
		if c.isMalformed() {
			s = append(s, c.brokenShape())
		} else {
			s = append(s, shape(c.Input.B64), c.writesOther())
		}
	case Encode:
		s = append(s, c.encodeShape())
	case Tagged:
		if c.Refused == nil {
			s = append(s, textShape(c.Input.B64))
		}
	case Float:
		s = append(s, c.floatShape())
	case Read:
		if c.Refused == nil {
			s = append(s, streamShape(c.Input.B64))
		} else {
			s = append(s, fmt.Sprint(len(c.Frames)), c.Refused.Plugin.found())
		}
	case Write:
		s = append(s, textShape(c.Input.B64))
	}
	return strings.Join(s, "|")
}

// isMalformed tells whether no profile has a say beyond the grammar.
func (c *Case) isMalformed() bool {
	for _, kind := range []codec.ErrorKind{codec.Syntax, codec.Truncated, codec.TrailingData, codec.BadKey} {
		if c.refusedAs(kind.String()) {
			return true
		}
	}
	return false
}

// brokenShape is a payload by the tokens before its fault and the byte there.
func (c *Case) brokenShape() string {
	in, at := c.Input.B64, int(c.Refused.Plugin.Offset)
	const before = 3
	kinds := ""
	s := codec.NewScanner(in)
	for !s.Done() {
		t, err := s.Next()
		if err != nil || t.End > at {
			break
		}
		kinds += string(in[t.Start])
	}
	start := s.Offset()
	if n := len(kinds); n > before {
		kinds = "…" + kinds[n-before:]
	}
	inside := ""
	if start < at && start < len(in) {
		inside = letters.ReplaceAllString(digitRun.ReplaceAllStringFunc(string(in[start:min(at, start+mostInside)]), digitsClass), "x")
	}
	return kinds + "|" + inside + "|" + byteClass(in, at)
}

// mostInside is how much of a broken token a shape tells apart.
const mostInside = 4

var letters = regexp.MustCompile(`[^-+.:;"{}\dNbidsaOCErRSeE]+`)

// byteClass is the byte at a fault, as far as faults differ by it.
func byteClass(in []byte, at int) string {
	switch {
	case at >= len(in):
		return "end"
	case strings.IndexByte(`:;"{}-+.`, in[at]) >= 0:
		return string(in[at])
	case in[at] >= '0' && in[at] <= '9':
		return "9"
	case in[at] <= ' ':
		return "blank"
	case strings.IndexByte("NbidsaOCErRS", in[at]) >= 0:
		return "tag"
	case in[at] >= 0x80:
		return "high"
	}
	return "x"
}

// writesOther is the shape of what is written, where that is not the input.
func (c *Case) writesOther() string {
	if c.Canonical == nil {
		return ""
	}
	return shape(c.Canonical.B64)
}

func (c *Case) faults() string {
	if c.Refused == nil {
		return ""
	}
	return c.Refused.Plugin.class() + "/" + c.Refused.Canonical.class()
}

var (
	afterFound = regexp.MustCompile(`found .*, want `)
	anyDigits  = regexp.MustCompile(`[0-9]+`)
)

// class is a fault without what depends on the place and the bytes there.
func (f *Fault) class() string {
	if f == nil {
		return ""
	}
	text := anyDigits.ReplaceAllString(afterFound.ReplaceAllString(f.Text, "want "), "9")
	return f.Kind + " " + f.Tag + " " + f.Field + " " + text + " " + f.Payload.class()
}

var foundKind = regexp.MustCompile(`found (the key |it from )?([a-z]+)`)

// found is the kind of what stood at the fault.
func (f *Fault) found() string { return foundKind.FindString(f.Text) }

// phpPattern is who does what, without places.
func (c *Case) phpPattern() string {
	var s []string
	for _, a := range c.PHP {
		words := anyDigits.ReplaceAllString(strings.Join(a.Warnings, ";"), "9")
		s = append(s, fmt.Sprint(a.On, a.Does, words, a.Bytes != nil))
	}
	return strings.Join(s, ";")
}

// encodeShape is the shape of the bytes and of the kinds that are written.
func (c *Case) encodeShape() string {
	v, err := codec.ParseTagged(c.Input.B64)
	if err != nil {
		return err.Error()
	}
	kinds := kindsOf(v)
	if f, ok := v.Float(); ok {
		kinds += writtenFloat(f)
	}
	if c.Canonical == nil {
		return kinds + textShape(c.Input.B64)
	}
	if v.Kind() == codec.KindFloat {
		return kinds
	}
	return kinds + shape(c.Canonical.B64)
}

const mostKinds = 40

func kindsOf(v codec.Value) string {
	var s strings.Builder
	var walk func(v codec.Value, depth int)
	walk = func(v codec.Value, depth int) {
		if s.Len() > mostKinds || depth > 8 {
			return
		}
		s.WriteString(v.Kind().String()[:2])
		if f, ok := v.Float(); ok && f != f {
			s.WriteString("NaN")
		}
		for _, e := range v.All() {
			s.WriteByte('(')
			walk(e, depth+1)
		}
	}
	walk(v, 0)
	return s.String()
}

var (
	base64Text = regexp.MustCompile(`"b64":"[A-Za-z0-9+/]{5,}=*"`)
	nested     = regexp.MustCompile(`(\{"t":"list","v":\[){5,}`)
)

// textShape is a JSON text with long strings and numbers by length.
func textShape(text []byte) string {
	s := nested.ReplaceAllStringFunc(string(text), func(m string) string { return "nested" + bucket(len(m)/18) })
	s = base64Text.ReplaceAllStringFunc(s, func(m string) string { return "b64" + bucket(len(m)) })
	if len(s) > 600 {
		s = s[:600] + bucket(len(s))
	}
	return s
}

func (c *Case) floatShape() string {
	f, precision, how, err := c.FloatInput()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s %s", precision, how, writtenFloat(f))
}

// streamShape is the shape of the frames of a stream.
func streamShape(stream []byte) string {
	var s []string
	const most, length, header = 6, 8, 17
	for range most {
		if len(stream) < header {
			break
		}
		n := le(stream[:length])
		tag := frames.Tag(stream[length])
		id := le(stream[length+1 : header])
		if n > uint64(len(stream)-length) || n < header-length {
			s = append(s, fmt.Sprintf("%s:%d:%s of %s", tag, min(n, 12), idClass(id), bucket(len(stream))))
			return strings.Join(s, " ")
		}
		end := length + int(n)
		s = append(s, fmt.Sprintf("%s:%s:%s", tag, idClass(id), shape(stream[header:end])))
		stream = stream[end:]
	}
	return strings.Join(s, " ") + fmt.Sprintf("+%d", min(len(stream), header))
}

func le(b []byte) (n uint64) {
	for i := range b {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

func idClass(id uint64) string {
	switch {
	case id <= 2:
		return fmt.Sprint(id)
	case id >= 1<<63:
		return "huge"
	case id > 1<<32:
		return "big" + fmt.Sprint(id%2)
	}
	return fmt.Sprint("n", id%2)
}
