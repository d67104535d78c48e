package toolchild

import (
	"encoding/binary"
	"fmt"
)

const headerBytes = 4

// Append appends the message's frame to dst. A body above [FrameBytes] is an
// *[Error] of code [Oversize].
func Append(dst []byte, m Message) ([]byte, error) { return AppendBody(dst, m.body) }

// AppendBody appends a frame with any body of at most [FrameBytes] to dst: the
// guard is not asked.
func AppendBody(dst, body []byte) ([]byte, error) {
	if len(body) > FrameBytes {
		return nil, oversize(0, uint64(len(body)))
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	return append(dst, body...), nil
}

func oversize(at int64, length uint64) error {
	return &Error{Oversize, at, fmt.Sprintf("a body of %d bytes", length), fmt.Sprintf("at most %d", FrameBytes)}
}

// A Decoder takes the bytes of a channel in any chunks and yields its messages.
// However the bytes are cut, the messages and the error are the same.
//
// A claim allocates nothing: the buffer grows with the bytes that came.
type Decoder struct {
	from   Direction
	at     int64 // where the current frame begins
	header []byte
	body   []byte
	err    error
}

// NewDecoder returns a decoder of the messages that come from one side:
// [ServerToChild], [ChildToServer], or [Either] to take both.
func NewDecoder(from Direction) *Decoder {
	return &Decoder{from: from, header: make([]byte, 0, headerBytes)}
}

// Push takes the next bytes and returns the messages that they complete. After
// an error, an *[Error], the decoder stays failed: it returns the messages that
// stood before it once, and the same error on every later call.
func (d *Decoder) Push(chunk []byte) ([]Message, error) {
	var messages []Message
	for d.err == nil {
		if missing := headerBytes - len(d.header); missing > 0 {
			n := min(missing, len(chunk))
			d.header = append(d.header, chunk[:n]...)
			chunk = chunk[n:]
			if n < missing {
				break
			}
		}
		length := binary.BigEndian.Uint32(d.header)
		if length > FrameBytes {
			d.err = oversize(d.at, uint64(length))
			break
		}
		n := min(int(length)-len(d.body), len(chunk))
		d.body = append(d.body, chunk[:n]...)
		chunk = chunk[n:]
		if len(d.body) < int(length) {
			break
		}
		message, err := d.take()
		if err != nil {
			d.err = err
			break
		}
		messages = append(messages, message)
	}
	return messages, d.err
}

// take judges the body that is complete and makes room for the next frame. The
// message keeps the body's bytes.
func (d *Decoder) take() (Message, error) {
	message, err := Parse(d.body)
	if err != nil {
		failed := err.(*Error)
		failed.Offset += d.at + headerBytes
		return Message{}, failed
	}
	if message.Direction()&d.from == 0 {
		return Message{}, &Error{
			WrongDirection, d.at + headerBytes,
			string(message.Type), fmt.Sprintf("a message that goes %s", d.from),
		}
	}
	d.at += headerBytes + int64(len(d.body))
	d.header, d.body = d.header[:0], nil
	return message, nil
}

// Finish says that no more bytes come. Inside a frame that is an *[Error] of
// code [Truncated], and the decoder has failed.
func (d *Decoder) Finish() error {
	if d.err == nil && len(d.header) > 0 {
		got := fmt.Sprintf("%d bytes", len(d.header)+len(d.body))
		want := "a header of 4 bytes"
		if len(d.header) == headerBytes {
			want = fmt.Sprintf("%d bytes", headerBytes+binary.BigEndian.Uint32(d.header))
		}
		d.err = &Error{Truncated, d.at, got, want}
	}
	return d.err
}
