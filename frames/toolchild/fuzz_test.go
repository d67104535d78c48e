package toolchild_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

// decoded is all that a decoder makes of a stream.
type decoded struct {
	Bodies []string
	Err    string
}

// decode pushes a stream in chunks: the plan's bytes are their sizes, in turn.
func decode(from toolchild.Direction, stream, plan []byte) decoded {
	var out decoded
	d := toolchild.NewDecoder(from)
	push := func(chunk []byte) bool {
		messages, err := d.Push(chunk)
		for _, m := range messages {
			out.Bodies = append(out.Bodies, string(m.Body()))
		}
		return err == nil
	}
	for i := 0; len(stream) > 0; i++ {
		size := len(stream)
		if len(plan) > 0 {
			size = min(size, int(plan[i%len(plan)])+1)
		}
		if !push(stream[:size]) {
			break
		}
		stream = stream[size:]
	}
	if err := d.Finish(); err != nil {
		out.Err = err.Error()
		// A decoder that has failed stays so.
		if messages, again := d.Push([]byte("\x00\x00\x00\x13{\"type\":\"shutdown\"}")); len(messages) > 0 || again == nil || again.Error() != out.Err {
			out.Err = "the decoder went on after: " + out.Err
		}
	}
	return out
}

// FuzzDecoder: a stream is the same however it is cut.
func FuzzDecoder(f *testing.F) {
	for _, v := range toolchild.FrameVectors() {
		f.Add(v.Stream, []byte{0})
		f.Add(v.Stream, []byte{2, 0, 6})
	}
	f.Fuzz(func(t *testing.T, stream, plan []byte) {
		whole := decode(toolchild.Either, stream, nil)
		if diff := cmp.Diff(whole, decode(toolchild.Either, stream, plan)); diff != "" {
			t.Fatalf("cut by %v, the stream is another (-whole +cut):\n%s", plan, diff)
		}
		// What was taken is written as it was read.
		var again []byte
		for _, body := range whole.Bodies {
			message, err := toolchild.Parse([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			if again, err = toolchild.Append(again, message); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(whole.Bodies, decode(toolchild.Either, again, plan).Bodies); diff != "" {
			t.Fatalf("written and read again it is another:\n%s", diff)
		}
	})
}

// FuzzGuard: both guards say the same.
func FuzzGuard(f *testing.F) {
	for _, v := range toolchild.GuardVectors() {
		if len(v.Text) < 1000 {
			f.Add(v.Text)
		}
	}
	p := startPeer(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		assert.Equal(t, peerVerdicts(t, p, [][]byte{text})[0], verdict(text), "%q", text)
	})
}

func TestFrameVectors(t *testing.T) {
	for _, v := range toolchild.FrameVectors() {
		for _, plan := range [][]byte{nil, {0}, {1}, {3, 0}, {200}} {
			got := decode(v.From, v.Stream, plan)
			types := []toolchild.Type{}
			for _, body := range got.Bodies {
				message, err := toolchild.Parse([]byte(body))
				assert.NoError(t, err, v.ID)
				types = append(types, message.Type)
			}
			assert.ElementsMatch(t, v.Want, types, v.ID)
			if v.Code == "" {
				assert.Empty(t, got.Err, v.ID)
				continue
			}
			d := toolchild.NewDecoder(v.From)
			_, err := d.Push(v.Stream)
			if err == nil {
				err = d.Finish()
			}
			failure := new(toolchild.Error)
			if assert.ErrorAs(t, err, &failure, v.ID) {
				assert.Equal(t, v.Code, failure.Code, v.ID)
				assert.Equal(t, v.Offset, failure.Offset, v.ID)
			}
		}
	}
}

// A claim of 16 MiB with a few bytes behind it takes the memory of a few bytes.
func TestDecoderAllocatesNoClaim(t *testing.T) {
	const times = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		messages, err := toolchild.NewDecoder(toolchild.Either).Push([]byte("\x01\x00\x00\x00{"))
		require.NoError(t, err)
		require.Empty(t, messages)
	}
	runtime.ReadMemStats(&after)
	assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/times, uint64(4096))
}

// A frame of the largest size is read byte by byte in linear time, and one that
// is a byte larger is refused before its body.
func TestDecoderAtTheLimit(t *testing.T) {
	body := append([]byte(`{"type":"cancel","jobId":"`), bytes.Repeat([]byte("j"), toolchild.FrameBytes-28)...)
	body = append(body, `"}`...)
	frame, err := toolchild.AppendBody(nil, body)
	assert.NoError(t, err)
	began := time.Now()
	got := decode(toolchild.ServerToChild, frame, []byte{0})
	assert.Empty(t, got.Err)
	assert.Len(t, got.Bodies, 1)
	assert.Less(t, time.Since(began), 20*time.Second)

	_, err = toolchild.AppendBody(nil, append(body, ' '))
	assert.EqualError(t, err, "toolchild: oversize at offset 0: got a body of 16777217 bytes, want at most 16777216")
	_, err = toolchild.NewDecoder(toolchild.Either).Push([]byte("\x01\x00\x00\x01"))
	assert.EqualError(t, err, "toolchild: oversize at offset 0: got a body of 16777217 bytes, want at most 16777216")
}
