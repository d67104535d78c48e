package port

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"phpwire/codec"
)

// Codec is a port in Go.
type Codec struct {
	Hello // Ops may be empty: they follow from the functions that are there
	// Decode reads a payload. Encode writes a value. Either may be nil.
	Decode func(payload []byte) (codec.Value, error)
	Encode func(v codec.Value) ([]byte, error)
	// Reencode reads a payload and writes what it read. Where it is nil it is Encode
	// of what Decode returns; a library with values of its own writes those.
	Reencode func(payload []byte) ([]byte, error)
}

// Unable is the error of a [Codec] for what it does not claim to do: the case is
// skipped, with the reason.
type Unable string

func (u Unable) Error() string { return string(u) }

// Serve answers questions until r ends. The error is that of reading or writing.
func Serve(r io.Reader, w io.Writer, c Codec) error {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriter(w)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			answer, marshalErr := json.Marshal(c.answer(line))
			if marshalErr != nil {
				return marshalErr
			}
			if _, err := out.Write(append(answer, '\n')); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func (c *Codec) answer(line []byte) *Response {
	var q Request
	if err := json.Unmarshal(line, &q); err != nil {
		return failed(0, fmt.Errorf("not a question: %w", err))
	}
	return c.Answer(q)
}

// Answer answers one question.
func (c *Codec) Answer(q Request) *Response {
	r := &Response{ID: &q.ID, OK: new(true)}
	var v codec.Value
	var err error
	switch q.Op {
	case AskHello:
		r.Hello = new(c.hello())
		return r
	case Decode, Reencode:
		q.B64 = slices.Clip(q.B64) // nothing behind the payload is to be read
		if q.Op == Reencode && c.Reencode != nil {
			return written(q.ID, c.Reencode, q.B64)
		}
		if c.Decode == nil {
			return failed(q.ID, Unable("no decoder"))
		}
		v, err = c.Decode(q.B64)
	case Encode:
		v, err = codec.ParseTagged(q.Value)
	default:
		err = Unable("no such operation: " + string(q.Op))
	}
	if err != nil {
		return failed(q.ID, err)
	}
	if q.Op == Decode {
		r.Value = codec.AppendTagged(nil, v)
		return r
	}
	if c.Encode == nil {
		return failed(q.ID, Unable("no encoder"))
	}
	return written(q.ID, c.Encode, v)
}

// written is the answer of a function that writes a payload.
func written[T any](id int64, write func(T) ([]byte, error), what T) *Response {
	b, err := write(what)
	if err != nil {
		return failed(id, err)
	}
	if b == nil {
		b = []byte{}
	}
	return &Response{ID: &id, OK: new(true), B64: b}
}

func failed(id int64, err error) *Response {
	var unable Unable
	if errors.As(err, &unable) {
		return &Response{ID: &id, Skip: string(unable)}
	}
	return &Response{ID: &id, OK: new(false), Error: err.Error()}
}

func (c *Codec) hello() Hello {
	h := c.Hello
	if len(h.Ops) == 0 {
		if c.Decode != nil {
			h.Ops = append(h.Ops, Decode)
		}
		if c.Encode != nil {
			h.Ops = append(h.Ops, Encode)
		}
		if c.Reencode != nil || c.Decode != nil && c.Encode != nil {
			h.Ops = append(h.Ops, Reencode)
		}
	}
	return h
}
