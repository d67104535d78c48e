package frames

import "io"

// keptBytes is the largest memory that a Writer keeps for its next frame.
const keptBytes = 256 << 10

// Writer writes frames to a stream, each with a single Write. It is not safe for
// concurrent use.
type Writer struct {
	w      io.Writer
	buf    []byte
	offset int64
}

// NewWriter returns a writer of frames to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes one frame. The error is an [*Error]; unless its kind is Stream,
// nothing was written and the stream can go on.
func (w *Writer) Write(f Frame) error {
	buf, err := Append(w.buf[:0], f)
	if err != nil {
		err.(*Error).Offset = w.offset
		return err
	}
	return w.send(buf)
}

// WriteRaw writes a raw frame as it is.
func (w *Writer) WriteRaw(raw Raw) error { return w.send(AppendRaw(w.buf[:0], raw)) }

func (w *Writer) send(buf []byte) error {
	if cap(buf) <= keptBytes {
		w.buf = buf
	}
	n, err := w.w.Write(buf)
	at := w.offset
	w.offset += int64(n)
	if err != nil {
		return &Error{Kind: Stream, Offset: at, Err: err}
	}
	return nil
}
