package oracle

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"phpwire/codec"
)

// The worker's helpers.
const (
	helperHello       = "__phpwire_hello"
	helperReserialize = "__phpwire_reserialize"
	helperDescribe    = "__phpwire_describe"
	helperBuild       = "__phpwire_build"
	helperFloats      = "__phpwire_floats"
	helperFloatTexts  = "__phpwire_float_texts"
	helperParseFloats = "__phpwire_parse_floats"
)

// The largest batch that travels in one frame; what a caller asks beyond it is
// cut into several. They are small enough that PHP works on one while the next
// waits in the socket, whatever the host does meanwhile.
const (
	batchCases = 2000
	batchBytes = 128 << 10
)

// Answer is what PHP says to one question.
type Answer struct {
	Accepted bool
	// Bytes is the result: re-serialized bytes, tagged JSON, or serialized bytes;
	// nil where PHP refused. The results of many answers share memory, and a result
	// that is the question is the caller's own bytes: it must not be changed.
	Bytes []byte
	// Warnings are all that PHP raised, like "E_WARNING: unserialize(): …".
	Warnings []string
}

// Clean tells whether PHP accepted without a warning.
func (a Answer) Clean() bool { return a.Accepted && len(a.Warnings) == 0 }

// Reserialize asks PHP for serialize(unserialize(b)) of each payload.
func (c *Client) Reserialize(ctx context.Context, payloads [][]byte) ([]Answer, error) {
	return c.batches(ctx, helperReserialize, payloads)
}

// Describe asks PHP to unserialize each payload and to describe the value as
// tagged JSON, in the form of [codec.AppendTagged], handles being plain arrays.
// What a plugin value cannot be has the kind "other".
func (c *Client) Describe(ctx context.Context, payloads [][]byte) ([]Answer, error) {
	return c.batches(ctx, helperDescribe, payloads)
}

// Build asks PHP to build each value, given as tagged JSON, with its own code
// and to serialize it.
func (c *Client) Build(ctx context.Context, tagged [][]byte) ([]Answer, error) {
	return c.batches(ctx, helperBuild, tagged)
}

func (c *Client) batches(ctx context.Context, helper string, cases [][]byte) ([]Answer, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	batches := cut(cases)
	separator := "\n"
	var answers, rest []Answer
	err := c.callInARow(ctx, helper, len(batches),
		func(i int) []codec.Value {
			var joined string
			joined, separator = join(batches[i], separator)
			return []codec.Value{codec.String(joined), codec.String(separator)}
		},
		func(i int, v codec.Value) error {
			if answers == nil { // made while PHP is at work
				answers = make([]Answer, len(cases))
				rest = answers
			}
			n := len(batches[i])
			err := readAnswers(rest[:n], v, batches[i], helper == helperReserialize)
			if err != nil {
				return fmt.Errorf("%s answered %d questions with %.60s: %w", helper, n, v, err)
			}
			rest = rest[n:]
			return nil
		})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// callInARow is [Session.callInARow] in a session of its own.
func (c *Client) callInARow(ctx context.Context, helper string, n int, args func(i int) []codec.Value, use func(i int, v codec.Value) error) error {
	s, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer s.End()
	return s.callInARow(ctx, helper, n, args, use)
}

// startPart makes PHP begin sooner where there are several batches: one in so many
// cases of the first is sent before the rest of it.
const startPart = 8

// cut cuts cases into batches.
func cut(cases [][]byte) (batches [][][]byte) {
	for len(cases) > 0 {
		n, size := 0, 0
		for n < len(cases) && n < batchCases && (n == 0 || size+len(cases[n]) <= batchBytes) {
			size += len(cases[n])
			n++
		}
		if len(batches) == 0 && n < len(cases) {
			n = (n + startPart - 1) / startPart
		}
		batches = append(batches, cases[:n])
		cases = cases[n:]
	}
	return batches
}

// join puts cases into one text, which crosses at less cost than a list, with a
// separator that none of them holds: the given one, or else another one.
func join(cases [][]byte, separator string) (joined, separatedBy string) {
	size := 0
	for _, b := range cases {
		size += len(b)
	}
	for {
		var text strings.Builder
		text.Grow(size + len(cases)*len(separator))
		for i, b := range cases {
			if i > 0 {
				text.WriteString(separator)
			}
			text.Write(b)
		}
		if strings.Count(text.String(), separator) == len(cases)-1 {
			return text.String(), separator
		}
		separator = randomSeparator()
	}
}

// randomSeparator returns a text that cannot overlap with itself, since its first
// byte does not come again, and that looks like no token, since no byte is ASCII.
func randomSeparator() string {
	b := binary.LittleEndian.AppendUint64(nil, rand.Uint64()&^0x0101010101010101|0x8080808080808080)
	b[0] = 0xff
	return string(b)
}

// readAnswers reads the worker's short forms, by number of the case: nothing for
// "as it came", where mayBeSame, a string for a clean result, a list of verdict,
// result and warnings for the rest. It keeps nothing of v.
func readAnswers(answers []Answer, v codec.Value, cases [][]byte, mayBeSame bool) error {
	switch {
	case v.Kind() != codec.KindList && v.Kind() != codec.KindArray:
		return errors.New("no array")
	case v.Len() != len(cases) && !mayBeSame:
		return fmt.Errorf("%d answers", v.Len())
	}
	if mayBeSame {
		for i, b := range cases {
			answers[i] = Answer{Accepted: true, Bytes: b}
		}
	}
	size := 0
	for _, e := range v.All() {
		text, _ := e.Text()
		size += len(text)
	}
	texts := make([]byte, 0, size)
	for k, e := range v.All() {
		i, ok := k.Int()
		if !ok || i < 0 || i >= int64(len(cases)) {
			return fmt.Errorf("an answer to question %v", k)
		}
		if text, ok := e.Text(); ok {
			from := len(texts)
			texts = append(texts, text...)
			answers[i] = Answer{Accepted: true, Bytes: texts[from:len(texts):len(texts)]}
		} else if answers[i], ok = fullAnswer(e); !ok {
			return fmt.Errorf("answer %d is %.60s", i, e)
		}
	}
	return nil
}

func fullAnswer(v codec.Value) (a Answer, ok bool) {
	parts := v.Elements()
	if len(parts) != 3 {
		return a, false
	}
	if a.Accepted, ok = parts[0].Bool(); !ok {
		return a, false
	}
	if text, isText := parts[1].Text(); isText {
		a.Bytes = []byte(text)
	}
	for _, w := range parts[2].Elements() {
		text, isText := w.Text()
		if !isText {
			return a, false
		}
		a.Warnings = append(a.Warnings, strings.Clone(text))
	}
	return a, parts[2].Kind() == codec.KindList
}

// Facts are what a PHP says of itself.
type Facts struct {
	PHP        string // PHP_VERSION
	IntBits    int
	SizeBits   int // of C's size_t, found by asking at which length unserialize() wraps around
	OS         string
	Machine    string
	SAPI       string
	Extensions []string
	// Behaviours that differ between versions, found by asking.
	WeakReference  bool // there are weak references to objects
	Enums          bool
	ExtraDataWarns bool // unserialize() warns about bytes behind the value
	OctalInts      bool // unserialize() takes i:010; for 8
}

// Facts asks PHP what it is.
func (c *Client) Facts(ctx context.Context) (Facts, error) {
	v, err := c.CallFunction(ctx, helperHello)
	if err != nil {
		return Facts{}, err
	}
	r := reader{v: v}
	f := Facts{
		PHP: r.text("php"), IntBits: 8 * int(r.number("int_size")), SizeBits: int(r.number("size_t_bits")),
		OS: r.text("os"), Machine: r.text("machine"), SAPI: r.text("sapi"),
		WeakReference: r.bool("weak_reference"), Enums: r.bool("enums"), ExtraDataWarns: r.bool("extra_data_warns"),
		OctalInts: r.bool("octal_ints"),
	}
	for _, e := range r.get("extensions").Elements() {
		name, _ := e.Text()
		f.Extensions = append(f.Extensions, name)
	}
	return f, r.err
}

// reader reads the members of an array and keeps the first error.
type reader struct {
	v   codec.Value
	err error
}

func (r *reader) get(name string) codec.Value {
	v, ok := r.v.Get(codec.StringKey(name))
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%s did not say %q", helperHello, name)
	}
	return v
}

func (r *reader) wrong(name string, ok bool) {
	if !ok && r.err == nil {
		r.err = errors.New(helperHello + ": " + name + " has the wrong type")
	}
}

func (r *reader) text(name string) string {
	s, ok := r.get(name).Text()
	r.wrong(name, ok)
	return s
}

func (r *reader) number(name string) int64 {
	n, ok := r.get(name).Int()
	r.wrong(name, ok)
	return n
}

func (r *reader) bool(name string) bool {
	b, ok := r.get(name).Bool()
	r.wrong(name, ok)
	return b
}
