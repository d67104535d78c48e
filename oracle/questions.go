package oracle

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"phpwire/codec"
)

// The worker's helpers.
const (
	helperHello       = "__phpwire_hello"
	helperReserialize = "__phpwire_reserialize_batch"
	helperDescribe    = "__phpwire_describe_batch"
	helperBuild       = "__phpwire_build_batch"
	helperFloats      = "__phpwire_floats"
	helperFloatTexts  = "__phpwire_float_texts"
	helperParseFloats = "__phpwire_parse_floats"
)

// The largest batch that travels in one frame; what a caller asks beyond it is
// cut into several. A description is up to 20 times as long as its payload, and
// a WebAssembly PHP has 1 GB in all.
const (
	batchCases = 10_000
	batchBytes = 1 << 20
)

// Answer is what PHP says to one question.
type Answer struct {
	Accepted bool
	// Bytes is the result: re-serialized bytes, tagged JSON, or serialized bytes;
	// nil where PHP refused.
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
	answers := make([]Answer, 0, len(cases))
	for len(cases) > 0 {
		n, size := 0, 0
		for n < len(cases) && n < batchCases && (n == 0 || size+len(cases[n]) <= batchBytes) {
			size += len(cases[n])
			n++
		}
		args := make([]codec.Value, n)
		for i, b := range cases[:n] {
			args[i] = codec.Bytes(b)
		}
		v, err := c.CallFunction(ctx, helper, codec.List(args...))
		if err != nil {
			return nil, err
		}
		if answers, err = appendAnswers(answers, helper, v, cases[:n]); err != nil {
			return nil, err
		}
		cases = cases[n:]
	}
	return answers, nil
}

// appendAnswers reads the worker's short forms: true for "as it came", a string
// for a clean result, a list of verdict, result and warnings for the rest.
func appendAnswers(answers []Answer, helper string, v codec.Value, cases [][]byte) ([]Answer, error) {
	list := v.Elements()
	if v.Kind() != codec.KindList || len(list) != len(cases) {
		return nil, fmt.Errorf("%s answered %d questions with %.60s", helper, len(cases), v)
	}
	for i, e := range list {
		if same, ok := e.Bool(); ok && same {
			answers = append(answers, Answer{Accepted: true, Bytes: cases[i]})
			continue
		}
		if text, ok := e.Text(); ok {
			answers = append(answers, Answer{Accepted: true, Bytes: []byte(text)})
			continue
		}
		a, ok := fullAnswer(e)
		if !ok {
			return nil, fmt.Errorf("%s: answer %d is %.60s", helper, i, e)
		}
		answers = append(answers, a)
	}
	return answers, nil
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
		a.Warnings = append(a.Warnings, text)
	}
	return a, parts[2].Kind() == codec.KindList
}

// Floats asks PHP to serialize the list of fs under the given
// serialize_precision and returns the text of each.
func (c *Client) Floats(ctx context.Context, fs []float64, precision int) ([][]byte, error) {
	list, err := c.FloatList(ctx, fs, precision)
	if err != nil {
		return nil, err
	}
	return cutFloats([]byte(list), len(fs))
}

// FloatList is [Client.Floats] for many at once: the serialized list as it came.
func (c *Client) FloatList(ctx context.Context, fs []float64, precision int) (string, error) {
	v, err := c.CallFunction(ctx, helperFloats, codec.Bytes(packFloats(fs)), codec.Int(int64(precision)))
	if err != nil {
		return "", err
	}
	list, ok := v.Text()
	if !ok {
		return "", fmt.Errorf("%s answered with %.60s", helperFloats, v)
	}
	return list, nil
}

// cutFloats takes the texts out of a serialized list of n floats.
func cutFloats(b []byte, n int) ([][]byte, error) {
	rest, ok := bytes.CutPrefix(b, fmt.Appendf(nil, "a:%d:{", n))
	texts := make([][]byte, 0, n)
	for range n {
		if !ok {
			break
		}
		var text []byte
		_, rest, ok = bytes.Cut(rest, []byte(";d:"))
		if ok {
			text, _, ok = bytes.Cut(rest, []byte(";"))
			texts = append(texts, text)
		}
	}
	if !ok {
		return nil, fmt.Errorf("%s: %d floats came as %.60q", helperFloats, n, b)
	}
	return texts, nil
}

func packFloats(fs []float64) []byte {
	packed := make([]byte, 0, 8*len(fs))
	for _, f := range fs {
		packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(f))
	}
	return packed
}

// ParseFloats asks PHP to unserialize each text as a float. All must be right:
// for one that is not, the answer is an error.
func (c *Client) ParseFloats(ctx context.Context, texts [][]byte) ([]float64, error) {
	var payload []byte
	payload = fmt.Appendf(payload, "a:%d:{", len(texts))
	for i, t := range texts {
		payload = fmt.Appendf(payload, "i:%d;d:%s;", i, t)
	}
	return c.ParseFloatList(ctx, append(payload, '}'), len(texts))
}

// ParseFloatList asks PHP to unserialize a list of n floats, for many at once.
func (c *Client) ParseFloatList(ctx context.Context, payload []byte, n int) ([]float64, error) {
	v, err := c.CallFunction(ctx, helperParseFloats, codec.Bytes(payload))
	if err != nil {
		return nil, err
	}
	packed, ok := v.Text()
	if !ok || len(packed) != 8*n {
		return nil, fmt.Errorf("%s: %d texts were answered with %.60s", helperParseFloats, n, v)
	}
	fs := make([]float64, n)
	for i := range fs {
		fs[i] = math.Float64frombits(binary.LittleEndian.Uint64([]byte(packed[8*i : 8*i+8])))
	}
	return fs, nil
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
