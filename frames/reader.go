package frames

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"phpwire/codec"
)

// bufferBytes is what a Reader reads at a time.
const bufferBytes = 128 << 10

// sharedBytes is the largest frame that ReadShared keeps memory for.
const sharedBytes = 1 << 20

// Reader reads frames from a stream, however it is cut into chunks (P5). It is
// not safe for concurrent use.
type Reader struct {
	r      io.Reader
	from   Side
	buf    []byte // buf[start:end] was read and not used yet
	start  int
	end    int
	offset int64 // of buf[start] in the stream
	fields fields
	err    error
}

// NewReader returns a reader of the frames that the given side writes to r.
func NewReader(r io.Reader, from Side) *Reader {
	return &Reader{r: r, from: from, buf: make([]byte, bufferBytes)}
}

// Read returns the next frame. It returns io.EOF where the stream ends between
// two frames, else an [*Error]; after an error every call returns it again. The
// memory it takes is never more than a small constant times the bytes that
// came.
func (r *Reader) Read() (Frame, error) { return r.read(false) }

// ReadShared is Read without a copy of the payload: the strings of the frame are
// valid until the next call. It is what to read with where frames are large, or
// many, and nothing of them is kept.
func (r *Reader) ReadShared() (Frame, error) { return r.read(true) }

func (r *Reader) read(shared bool) (Frame, error) {
	at := r.offset
	raw, own, err := r.next(shared)
	if err != nil {
		return nil, err
	}
	decode := codec.Decode
	if shared || own {
		decode = codec.DecodeShared
	}
	frame, err := r.fields.parse(raw, r.from, decode)
	r.fields = fields{} // it must not keep the payload alive
	if err != nil {
		return nil, r.fail(err, at)
	}
	return frame, nil
}

// ReadRaw returns the next frame with its tag, direction and id checked and its
// payload untouched. The payload is valid until the next call.
func (r *Reader) ReadRaw() (Raw, error) {
	at := r.offset
	raw, _, err := r.next(false)
	if err != nil {
		return Raw{}, err
	}
	if err := checkHead(raw, r.from); err != nil {
		return Raw{}, r.fail(err, at)
	}
	return raw, nil
}

func (r *Reader) fail(err error, at int64) error {
	var e *Error
	if errors.As(err, &e) {
		e.Offset = at
	}
	r.err = err
	return err
}

// next reads one frame, into the buffer if it has room for it, or shared is set.
// Own tells that nobody else will use its payload's memory.
func (r *Reader) next(shared bool) (raw Raw, own bool, err error) {
	if r.err != nil {
		return Raw{}, false, r.err
	}
	at := r.offset
	if err := r.fill(lengthBytes); err != nil {
		if err == io.EOF && r.end == r.start {
			r.err = io.EOF
			return Raw{}, false, io.EOF
		}
		return Raw{}, false, r.broken(err, at, lengthBytes, r.end-r.start)
	}
	length := binary.LittleEndian.Uint64(r.buf[r.start:])
	if length < MinLength || length > MaxLength {
		kind, want := TooShort, "at least "+itoa(MinLength)
		if length > MaxLength {
			kind, want = TooLong, "at most "+itoa(MaxLength)
		}
		return Raw{}, false, r.fail(&Error{Kind: kind, Found: "a length of " + strconv.FormatUint(length, 10), Want: want}, at)
	}
	if err := r.fill(headerBytes); err != nil {
		return Raw{}, false, r.broken(err, at, headerBytes, r.end-r.start)
	}
	head := r.buf[r.start:]
	raw = Raw{Tag: Tag(head[lengthBytes]), ID: binary.LittleEndian.Uint64(head[lengthBytes+1:])}
	size := int(length) + lengthBytes
	if size <= len(r.buf) || shared && size <= sharedBytes {
		if err := r.fill(size); err != nil {
			return Raw{}, false, r.broken(err, at, size, r.end-r.start)
		}
		raw.Payload = r.buf[r.start+headerBytes : r.start+size : r.start+size]
		r.advance(size)
		return raw, false, nil
	}
	r.advance(headerBytes)
	raw.Payload, err = r.large(int(length) - MinLength)
	if err != nil {
		return Raw{}, false, r.broken(err, at, size, headerBytes+len(raw.Payload))
	}
	return raw, true, nil
}

func (r *Reader) advance(n int) {
	r.start += n
	r.offset += int64(n)
	if r.start == r.end {
		r.start, r.end = 0, 0
	}
}

// fill reads until n bytes stand in the buffer. Where they do not fit, it grows
// with the bytes that come.
func (r *Reader) fill(n int) error {
	if r.end-r.start >= n {
		return nil
	}
	if r.start+n > len(r.buf) {
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.start = 0
	}
	for empty := 0; r.end-r.start < n; {
		if r.end == len(r.buf) {
			r.buf = append(r.buf, make([]byte, min(len(r.buf), n-len(r.buf)))...)
		}
		got, err := r.r.Read(r.buf[r.end:])
		r.end += got
		if r.end-r.start >= n {
			return nil
		}
		if err != nil {
			return err
		}
		if got > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			return io.ErrNoProgress
		}
	}
	return nil
}

// firstBytes is what is taken for a large payload before any of it came.
const firstBytes = 64 << 10

// large reads a payload that does not fit the buffer, into memory that grows
// with the bytes that come and not with the length that was claimed.
func (r *Reader) large(n int) ([]byte, error) {
	payload := make([]byte, 0, min(n, firstBytes))
	got := min(n, r.end-r.start)
	payload = append(payload, r.buf[r.start:r.start+got]...)
	r.advance(got)
	for empty := 0; len(payload) < n; {
		if len(payload) == cap(payload) {
			grown := make([]byte, len(payload), min(n, 4*cap(payload)))
			copy(grown, payload)
			payload = grown
		}
		got, err := r.r.Read(payload[len(payload):min(n, cap(payload))])
		payload = payload[:len(payload)+got]
		r.offset += int64(got)
		if len(payload) == n {
			break
		}
		if err != nil {
			return payload, err
		}
		if got > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			return payload, io.ErrNoProgress
		}
	}
	return payload, nil
}

// broken is the error for a stream that ends, or fails, inside a frame.
func (r *Reader) broken(err error, at int64, want, got int) error {
	e := &Error{Kind: Stream, Err: err}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		e = &Error{Kind: Truncated, Found: "the end of the stream after " + itoa(got) + " bytes", Want: itoa(want) + " bytes"}
	}
	return r.fail(e, at)
}
