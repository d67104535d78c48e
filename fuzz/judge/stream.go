package judge

import (
	"fmt"
	"io"

	"github.com/google/go-cmp/cmp"

	"phpwire/frames"
)

// Stream is a stream of frames, the side that wrote it, and a way to cut it.
type Stream struct {
	Bytes  []byte
	From   frames.Side
	Chunks []int // the sizes of the chunks, over and over; empty for one byte at a time
}

// Outcome is what a reader makes of a stream.
type Outcome struct {
	Frames []frames.Frame
	Err    error // io.EOF where the stream ends between two frames
}

// ReadStream reads frames until the end or an error, in one piece or in chunks.
func ReadStream(s Stream, whole bool) Outcome {
	plan := s.Chunks
	if whole {
		plan = []int{len(s.Bytes) + 1}
	}
	r := frames.NewReader(&chunked{rest: s.Bytes, plan: plan}, s.From)
	var o Outcome
	for {
		f, err := r.Read()
		if err != nil {
			o.Err = err
			return o
		}
		o.Frames = append(o.Frames, f)
	}
}

// chunked hands out bytes in chunks of the planned sizes.
type chunked struct {
	rest []byte
	plan []int
	next int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(c.plan) > 0 {
		size = max(1, c.plan[c.next%len(c.plan)])
		c.next++
	}
	n := copy(p[:min(size, len(p))], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Chunking judges P5: the stream in one piece and in chunks.
func Chunking(s Stream) *Finding {
	whole, chunks := ReadStream(s, true), ReadStream(s, false)
	if d := cmp.Diff(errorText(whole.Err), errorText(chunks.Err)); d != "" {
		return &Finding{"P5", "F-16", "another error in chunks", "The stream ends otherwise in chunks", -1,
			[]string{fmt.Sprintf("whole: %v; in chunks: %v", whole.Err, chunks.Err)}}
	}
	if len(whole.Frames) != len(chunks.Frames) {
		return &Finding{"P5", "F-16", "another number of frames in chunks", "The stream has another number of frames in chunks", -1,
			[]string{fmt.Sprintf("whole: %d; in chunks: %d", len(whole.Frames), len(chunks.Frames))}}
	}
	for i, f := range whole.Frames {
		if !cmp.Equal(f, chunks.Frames[i]) {
			return &Finding{"P5", "F-16", "another frame in chunks", fmt.Sprintf("Frame %d is another one in chunks", i), -1,
				[]string{fmt.Sprintf("whole: %+v; in chunks: %+v", f, chunks.Frames[i])}}
		}
	}
	return nil
}

func errorText(err error) string { return fmt.Sprintf("%T %[1]v", err) }

// RoundTrip judges that a frame which is written and read is the same frame.
func RoundTrip(f frames.Frame, from frames.Side) *Finding {
	b, err := frames.Append(nil, f)
	if err != nil {
		return &Finding{"P5", "F-15", "a frame cannot be written", err.Error(), -1, nil}
	}
	o := ReadStream(Stream{Bytes: b, From: from}, true)
	if len(o.Frames) != 1 || o.Err != io.EOF {
		return &Finding{"P5", "F-15", "a written frame cannot be read", fmt.Sprintf("%v: %v", f.Tag(), o.Err), -1, nil}
	}
	again, err := frames.Append(nil, o.Frames[0])
	if err != nil || string(again) != string(b) {
		return &Finding{"P5", "F-15", "a frame comes back changed", fmt.Sprintf("%v is written as other bytes once it was read", f.Tag()), -1, nil}
	}
	return nil
}
