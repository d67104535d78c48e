package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"phpwire/codec"
	"phpwire/floatfmt"
	"phpwire/frames"
)

// Observe fills in what the reference makes of the input. An error means that
// the input is none of the operation's.
func (c *Case) Observe() error {
	c.Expect.Plugin, c.Expect.Canonical = MustReject, ""
	c.Value, c.Canonical, c.Frames, c.Refused = nil, nil, nil, nil
	switch c.Op {
	case Decode:
		c.observeDecode()
	case Encode:
		return c.observeEncode()
	case Tagged:
		c.observeTagged()
	case Float:
		return c.observeFloat()
	case Read:
		return c.observeRead()
	case Write:
		return c.observeWrite()
	default:
		return fmt.Errorf("there is no operation %q", c.Op)
	}
	return nil
}

func (c *Case) refuse(plugin, canonical *Fault) {
	if plugin != nil && canonical != nil && *plugin == *canonical {
		canonical = nil
	}
	if plugin != nil || canonical != nil {
		c.Refused = &Refused{plugin, canonical}
	}
}

func (c *Case) observeDecode() {
	v, err := codec.Decode(c.Input.B64, codec.Plugin)
	_, canonicalErr := codec.Decode(c.Input.B64, codec.Canonical)
	c.refuse(faultOf(err), faultOf(canonicalErr))
	c.Expect.Plugin, c.Expect.Canonical = required(err == nil), required(canonicalErr == nil)
	if err == nil {
		c.Value = shown(v)
		c.setWritten(encoded(v))
	}
}

func (c *Case) observeEncode() error {
	v, err := codec.ParseTagged(c.Input.B64)
	if err != nil {
		return err
	}
	b, err := codec.Encode(v)
	c.Expect.Plugin = required(err == nil)
	c.Expect.Canonical = c.Expect.Plugin
	c.refuse(faultOf(err), nil)
	if err == nil {
		c.Value = shown(v.Landed())
		c.setWritten(b)
	}
	return nil
}

func (c *Case) observeTagged() {
	v, err := codec.ParseTagged(c.Input.B64)
	c.Expect.Plugin = required(err == nil)
	c.Expect.Canonical, c.Expect.PHP = c.Expect.Plugin, c.Expect.Plugin
	if err != nil {
		c.refuse(taggedFault(err), nil)
		return
	}
	c.Value = shown(v)
}

// floatInput is the input of a Float case.
type floatInput struct {
	Bits      string `json:"bits"`
	Precision int    `json:"precision"`
	How       string `json:"how"`
}

// FloatInput reads the input of a Float case.
func (c *Case) FloatInput() (f float64, precision int, how string, err error) {
	var in floatInput
	if err := json.Unmarshal(c.Input.B64, &in); err != nil {
		return 0, 0, "", err
	}
	f, err = floatOf(in.Bits)
	return f, in.Precision, in.How, err
}

func (c *Case) observeFloat() error {
	f, precision, how, err := c.FloatInput()
	if err != nil {
		return err
	}
	c.Expect = Expect{May, May, May}
	switch how {
	case "serialize", "var_export", "json_encode":
	default:
		return fmt.Errorf("there is no way %q to write a double", how)
	}
	text, ok := floatText(nil, f, precision, how)
	if ok {
		c.setWritten(text)
	}
	return nil
}

// floatText appends a double's text, which ok says is there.
func floatText(dst []byte, f float64, precision int, how string) (text []byte, ok bool) {
	switch how {
	case "json_encode":
		return floatfmt.AppendJSON(dst, f, precision)
	case "var_export":
		return floatfmt.AppendVarExport(dst, f, precision), true
	}
	return floatfmt.AppendFloat(dst, f, precision), true
}

func (c *Case) side() (frames.Side, error) { return SideOf(c.From) }

// SideOf returns the side that is called host, php or anyone.
func SideOf(name string) (frames.Side, error) {
	for _, s := range []frames.Side{frames.FromHost, frames.FromPHP, frames.FromAnyone} {
		if SideName(s) == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("a stream comes from host, php or anyone, not from %q", name)
}

// SideName is the name of a side in cases.
func SideName(s frames.Side) string {
	switch s {
	case frames.FromHost:
		return "host"
	case frames.FromPHP:
		return "php"
	}
	return "anyone"
}

func (c *Case) observeRead() error {
	side, err := c.side()
	if err != nil {
		return err
	}
	read, end := readAll(c.Input.B64, []int{len(c.Input.B64) + 1}, side)
	c.Expect.Plugin = required(end == io.EOF)
	if end != io.EOF {
		c.refuse(frameFault(end), nil)
	}
	var again []byte
	for _, f := range read {
		frame, b, err := newFrame(f)
		if err != nil {
			return err
		}
		c.Frames = append(c.Frames, frame)
		again = append(again, b...)
	}
	if len(read) > 0 {
		c.setWritten(again)
	}
	return nil
}

// readAll reads frames that come in chunks of the given sizes, over and over.
func readAll(stream []byte, chunks []int, side frames.Side) (read []frames.Frame, end error) {
	return readFrom(&chunked{rest: stream, sizes: chunks}, side)
}

func readFrom(from io.Reader, side frames.Side) (read []frames.Frame, end error) {
	r := frames.NewReader(from, side)
	for {
		f, err := r.Read()
		if err != nil {
			if _, again := r.Read(); again != err {
				err = fmt.Errorf("after %w the next call says %w", err, again)
			}
			return read, err
		}
		read = append(read, f)
	}
}

// readRaw is readAll by way of raw frames.
func readRaw(stream []byte, chunks []int, side frames.Side) (read []frames.Frame, end error) {
	r := frames.NewReader(&chunked{rest: stream, sizes: chunks}, side)
	for at := int64(0); ; {
		raw, err := r.ReadRaw()
		if err != nil {
			if _, again := r.ReadRaw(); again != err {
				err = fmt.Errorf("after %w the next call says %w", err, again)
			}
			return read, err
		}
		f, err := frames.Parse(raw, side)
		if err != nil {
			var e *frames.Error
			if errors.As(err, &e) {
				e.Offset = at
			}
			return read, err
		}
		read = append(read, f)
		at += int64(len(frames.AppendRaw(nil, raw)))
	}
}

// chunked gives a stream in chunks of the given sizes, over and over; 0 is a
// chunk without a byte.
type chunked struct {
	rest  []byte
	sizes []int
	next  int
	early bool // the end comes with the last byte, and not after it
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.sizes[c.next%len(c.sizes)])], c.rest)
	c.rest, c.next = c.rest[n:], c.next+1
	if c.early && len(c.rest) == 0 {
		return n, io.EOF
	}
	return n, nil
}

func newFrame(f frames.Frame) (Frame, []byte, error) {
	b, err := frames.Append(nil, f)
	if err != nil {
		return Frame{}, nil, fmt.Errorf("a frame that was read cannot be written: %w", err)
	}
	const header = 17
	fields, err := codec.Decode(b[header:], codec.Plugin)
	if err != nil {
		return Frame{}, nil, fmt.Errorf("a frame that was written cannot be read: %w", err)
	}
	return Frame{Tag: f.Tag().String(), ID: strconv.FormatUint(f.CorrID(), 10), Fields: shown(fields)}, b, nil
}

func (c *Case) observeWrite() error {
	f, err := frameOf(c.Input.B64)
	if err != nil {
		return err
	}
	b, err := frames.Append([]byte("before"), f)
	b = bytes.TrimPrefix(b, []byte("before"))
	c.Expect.Plugin = required(err == nil)
	if err != nil {
		c.refuse(frameFault(err), nil)
		return nil
	}
	c.setWritten(b)
	return nil
}

func required(accepted bool) Requirement {
	if accepted {
		return MustAccept
	}
	return MustReject
}

func encoded(v codec.Value) []byte {
	b, err := codec.Encode(v)
	if err != nil {
		return nil
	}
	return b
}

func shown(v codec.Value) json.RawMessage { return ShownValue(codec.AppendTagged(nil, v)) }

// ShownValue is a value's tagged JSON as cases show it: nil where it is too deep.
func ShownValue(tagged []byte) json.RawMessage {
	if deepest(tagged, "[{", "]}") > 3*MaxShownDepth {
		return nil
	}
	return tagged
}

func faultOf(err error) *Fault {
	if err == nil {
		return nil
	}
	var e *codec.Error
	if !errors.As(err, &e) {
		return &Fault{Kind: "unknown", Offset: -1, Text: err.Error()}
	}
	return &Fault{Kind: e.Kind.String(), Offset: int64(e.Offset), Text: e.Error()}
}

func taggedFault(err error) *Fault {
	var e *codec.TaggedError
	if errors.As(err, &e) {
		return &Fault{Kind: "tagged JSON", Field: e.Path, Offset: -1, Text: e.Error()}
	}
	return &Fault{Kind: "unknown", Offset: -1, Text: err.Error()}
}

func frameFault(err error) *Fault {
	var e *frames.Error
	if !errors.As(err, &e) {
		return &Fault{Kind: "unknown", Offset: -1, Text: err.Error()}
	}
	f := &Fault{Kind: e.Kind.String(), Offset: e.Offset, Field: e.Field, Text: e.Error()}
	if e.HasTag {
		f.Tag = e.Tag.String()
	}
	if e.Kind == frames.BadPayload {
		f.Payload = faultOf(e.Err)
	}
	return f
}
