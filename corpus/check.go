package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/google/go-cmp/cmp"

	"phpwire/codec"
	"phpwire/frames"
)

// Check holds a case against the reference and says what differs: nothing where
// the reference does what the case says.
func (c *Case) Check() []string {
	now := Case{Op: c.Op, Input: c.Input, From: c.From, Chunks: c.Chunks}
	if err := now.Observe(); err != nil {
		return []string{err.Error()}
	}
	var d differences
	d.compare("expect.plugin", string(c.Expect.Plugin), string(now.Expect.Plugin))
	d.compare("expect.canonical", string(c.Expect.Canonical), string(now.Expect.Canonical))
	d.compare("value", string(c.Value), string(now.Value))
	d.compare("canonical", c.Canonical, now.Canonical)
	d.compare("refused", c.Refused, now.Refused)
	d.compare("frames", plainFrames(c.Frames), plainFrames(now.Frames))
	d.list = append(d.list, c.otherWays()...)
	return d.list
}

type differences struct{ list []string }

func (d *differences) compare(what string, recorded, now any) {
	if !cmp.Equal(recorded, now) {
		d.list = append(d.list, fmt.Sprintf("%s: recorded %s, now %s", what, inWords(recorded), inWords(now)))
	}
}

func inWords(v any) string {
	text, ok := v.(string)
	if !ok {
		b, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		text = string(b)
	}
	const most = 300
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}

func plainFrames(fs []Frame) []string {
	texts := make([]string, len(fs))
	for i, f := range fs {
		texts[i] = f.Tag + " " + f.ID + " " + string(f.Fields)
	}
	return texts
}

// CheckMemory says whether the reference allocates out of proportion to the input
// (clause L-2): nothing where it does not. No other goroutine may allocate.
func (c *Case) CheckMemory() string {
	const fixed, perByte = 256 << 10, 64 // a reader of frames has a buffer of its own
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	now := Case{Op: c.Op, Input: c.Input, From: c.From, Chunks: c.Chunks}
	if err := now.Observe(); err != nil {
		return err.Error()
	}
	runtime.ReadMemStats(&after)
	if took, most := after.TotalAlloc-before.TotalAlloc, uint64(fixed+perByte*len(c.Input.B64)); took > most {
		return fmt.Sprintf("it allocates %d bytes for an input of %d, and not at most %d", took, len(c.Input.B64), most)
	}
	return ""
}

// otherWays holds the reference's other entries against what Observe used.
func (c *Case) otherWays() []string {
	switch c.Op {
	case Decode:
		return c.otherDecodes()
	case Encode:
		return c.otherEncodes()
	case Float:
		return c.otherFloats()
	case Read:
		return c.otherReads()
	case Write:
		return c.otherWrites()
	case Tagged:
		if what := c.otherTagged(); what != "" {
			return []string{what}
		}
	}
	return nil
}

// otherTagged has the text read by each way there is.
func (c *Case) otherTagged() string {
	if v, err := codec.ParseTagged(c.Input.B64); err == nil {
		return derivedTagged(v)
	}
	if len(c.Input.B64) > longestDerived {
		return ""
	}
	return mistakenTagged(c.Input.B64)
}

// otherWrites has a writer write the frame behind another. Where it is refused,
// nothing is written, and the error says where in the stream that is.
func (c *Case) otherWrites() []string {
	f, err := frameOf(c.Input.B64)
	if err != nil {
		return []string{err.Error()}
	}
	var stream bytes.Buffer
	w := frames.NewWriter(&stream)
	if err := w.Write(frames.Return{ID: 1}); err != nil {
		return []string{err.Error()}
	}
	before := stream.Len()
	err = w.Write(f)
	var e *frames.Error
	switch written := stream.Bytes()[before:]; {
	case err != nil && (!errors.As(err, &e) || e.Offset != int64(before)):
		return []string{fmt.Sprintf("behind a frame of %d bytes the writer says %v", before, err)}
	case !bytes.Equal(written, c.Written()):
		return []string{fmt.Sprintf("the writer writes %q", written)}
	}
	return nil
}

// otherFloats has the texts appended to something.
func (c *Case) otherFloats() []string {
	f, precision, how, err := c.FloatInput()
	if err != nil {
		return []string{err.Error()}
	}
	const before = "before"
	text, ok := floatText([]byte(before), f, precision, how)
	if rest, kept := bytes.CutPrefix(text, []byte(before)); !kept || !bytes.Equal(rest, c.Written()) {
		return []string{fmt.Sprintf("behind %q it writes %q", before, text)}
	}
	if isNumber := !math.IsInf(f, 0) && !math.IsNaN(f); ok != (isNumber || how != "json_encode") {
		return []string{fmt.Sprintf("it says %v to whether there is a text", ok)}
	}
	return nil
}

func (c *Case) otherDecodes() []string {
	v, err := codec.Decode(c.Input.B64, codec.Plugin)
	shared, sharedErr := codec.DecodeShared(c.Input.B64, codec.Plugin)
	if (err == nil) != (sharedErr == nil) || !shared.Equal(v) {
		return []string{"DecodeShared reads something else than Decode"}
	}
	if what := c.otherTokens(v, err); what != nil || err != nil {
		return what
	}
	if what := otherValues(v); what != nil {
		return what
	}
	if back, err := codec.ParseTagged(codec.AppendTagged(nil, v)); err != nil || !back.Equal(v) {
		return []string{"the value's tagged JSON is another value"}
	}
	b, err := codec.Encode(v)
	if err != nil {
		return []string{"the value cannot be encoded: " + err.Error()}
	}
	if what := roundTrip(b, v); what != nil {
		return what
	}
	if what := derivedTagged(v); what != "" {
		return []string{what}
	}
	return c.derivedDecodes(v)
}

func roundTrip(payload []byte, v codec.Value) []string {
	for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
		if back, err := codec.Decode(payload, p); err != nil || !back.Equal(v) {
			return []string{fmt.Sprintf("%v does not read the encoder's bytes as the value", p)}
		}
	}
	return nil
}

func (c *Case) otherEncodes() []string {
	v, err := codec.ParseTagged(c.Input.B64)
	if err != nil {
		return []string{err.Error()}
	}
	const before = "before"
	b, err := codec.AppendValue([]byte(before), v)
	if !bytes.HasPrefix(b, []byte(before)) || err != nil && string(b) != before {
		return []string{"AppendValue changes what stands before the value"}
	}
	if what := otherValues(v); what != nil || err != nil {
		return what
	}
	if what := derivedTagged(v); what != "" {
		return []string{what}
	}
	return roundTrip(b[len(before):], v.Landed())
}

// otherReads reads the stream in chunks (clause F-16).
func (c *Case) otherReads() []string {
	side, err := c.side()
	if err != nil {
		return []string{err.Error()}
	}
	stream := c.Input.B64
	want, wantEnd := readAll(stream, []int{len(stream) + 1}, side)
	plans := [][]int{{1}, {8, 1}, {17}, {1, 0}}
	if len(stream) > largeInput {
		plans = [][]int{{4096}, append([]int{4096}, make([]int, 30)...)}
	}
	if len(c.Chunks) > 0 {
		plans = append(plans, c.Chunks)
	}
	for _, plan := range plans {
		got, end := readAll(stream, plan, side)
		if !cmp.Equal(got, want) || end.Error() != wantEnd.Error() {
			return []string{fmt.Sprintf("in chunks of %v the stream has %d frames and ends with %v, in one piece it has %d and ends with %v",
				plan, len(got), end, len(want), wantEnd)}
		}
	}
	if got, end := readRaw(stream, plans[0], side); !cmp.Equal(got, want) || end.Error() != wantEnd.Error() {
		return []string{fmt.Sprintf("as raw frames the stream has %d and ends with %v, typed it has %d and ends with %v", len(got), end, len(want), wantEnd)}
	}
	if what := readShared(stream, plans[len(plans)-1], side, want, wantEnd); what != "" {
		return []string{what}
	}
	if got, end := readFrom(&chunked{rest: stream, sizes: []int{1000}, early: true}, side); !cmp.Equal(got, want) || end.Error() != wantEnd.Error() {
		return []string{fmt.Sprintf("where the end comes with the last byte the stream has %d frames and ends with %v, else it has %d and ends with %v", len(got), end, len(want), wantEnd)}
	}
	if what := stalled(stream, side, wantEnd); what != "" {
		return []string{what}
	}
	if wantEnd != io.EOF {
		return nil
	}
	var again bytes.Buffer
	w := frames.NewWriter(&again)
	for _, f := range want {
		if err := w.Write(f); err != nil {
			return []string{err.Error()}
		}
	}
	if back, end := readAll(again.Bytes(), []int{again.Len() + 1}, side); end != io.EOF || !cmp.Equal(back, want) {
		return []string{"what the writer writes is read as other frames"}
	}
	return copied(stream, side)
}

// readShared reads the stream by ReadShared, whose frames last until the next
// call.
func readShared(stream []byte, chunks []int, side frames.Side, want []frames.Frame, wantEnd error) string {
	r := frames.NewReader(&chunked{rest: stream, sizes: chunks}, side)
	for i := 0; ; i++ {
		f, err := r.ReadShared()
		if err != nil {
			if i != len(want) || err.Error() != wantEnd.Error() {
				return fmt.Sprintf("ReadShared gives %d frames and ends with %v", i, err)
			}
			return ""
		}
		if i >= len(want) || !cmp.Equal(f, want[i]) {
			return fmt.Sprintf("ReadShared gives another frame as number %d", i)
		}
	}
}

// stalled has the stream give no bytes for a while before its last one: a reader
// gives up, unless it found a fault before.
func stalled(stream []byte, side frames.Side, wantEnd error) string {
	if len(stream) < 2 {
		return ""
	}
	_, end := readAll(stream, append([]int{len(stream) - 1}, make([]int, 1000)...), side)
	var e *frames.Error
	found := errors.As(wantEnd, &e) && e.Kind != frames.Truncated && end.Error() == wantEnd.Error()
	if found || errors.Is(end, io.ErrNoProgress) {
		return ""
	}
	return fmt.Sprintf("where the stream stalls it ends with %v", end)
}

// copied has the stream's frames written as they came.
func copied(stream []byte, side frames.Side) []string {
	r := frames.NewReader(bytes.NewReader(stream), side)
	var copied bytes.Buffer
	w := frames.NewWriter(&copied)
	for {
		raw, err := r.ReadRaw()
		if err != nil {
			break
		}
		if err := w.WriteRaw(raw); err != nil {
			return []string{err.Error()}
		}
	}
	if !bytes.Equal(copied.Bytes(), stream) {
		return []string{"written as they came, the frames are another stream"}
	}
	return nil
}
