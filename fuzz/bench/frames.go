package bench

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

const (
	plainCopy  = "plain copy"
	perRun     = 64      // frames through the pipe
	frameBytes = 1 << 16 // in one of them
	// ownMemory is how frames are read that the caller keeps. Their bytes are copied
	// once more than a plain copy does, into new memory: it is measured, and no target
	// is about it.
	ownMemory = "read, typed: "
)

// frames sends frames through a pipe. One end is the reference, typed or raw, the
// other end plain; a plain copy is plain at both.
func (b *bench) frames(ctx context.Context) ([]Row, error) {
	var rows []Row
	for _, size := range []struct {
		name  string
		bytes int // of the whole frame
	}{{"64 KiB in all", frameBytes}, {"64 KiB and a head", frameBytes + len(frameWith(0))}} {
		some, err := b.framesOf(ctx, size.name, size.bytes)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, nil
}

// frameWith is a frame with a string of so many bytes.
func frameWith(text int) []byte {
	whole, _ := frames.Append(nil, returning(text)) // it is no error to return a string
	return whole
}

func returning(text int) frames.Return {
	return frames.Return{ID: 1, Value: codec.String(strings.Repeat("x", text))}
}

func (b *bench) framesOf(ctx context.Context, name string, size int) ([]Row, error) {
	text := size - len(frameWith(10_000)) + 10_000
	text -= len(frameWith(text)) - size // the length's own digits
	whole, typed := frameWith(text), frames.Frame(returning(text))
	if len(whole) != size {
		return nil, wrong("a frame of %d bytes has %d", size, len(whole))
	}
	if err := carries(typed, whole); err != nil {
		return nil, err
	}
	raw, err := frames.NewReader(bytes.NewReader(whole), frames.FromPHP).ReadRaw()
	if err != nil {
		return nil, err
	}
	raw.Payload = bytes.Clone(raw.Payload)
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	defer to.Close()

	writer, reader, sharing := frames.NewWriter(to), frames.NewReader(from, frames.FromPHP), frames.NewReader(from, frames.FromPHP)
	plainWrite := func() error { _, err := to.Write(whole); return err }
	buf := make([]byte, len(whole))
	plainRead := func() error { _, err := io.ReadFull(from, buf); return err }
	lines := []struct {
		name        string
		write, read func() error
	}{
		{"write, typed: ", func() error { return writer.Write(typed) }, plainRead},
		{"write, raw: ", func() error { return writer.WriteRaw(raw) }, plainRead},
		{ownMemory, plainWrite, func() error { _, err := reader.Read(); return err }},
		{"read, shared: ", plainWrite, func() error { _, err := sharing.ReadShared(); return err }},
		{"read, raw: ", plainWrite, func() error { _, err := reader.ReadRaw(); return err }},
	}
	through := func(write, read func() error) func(context.Context) error {
		return func(context.Context) error {
			written := make(chan error, 1)
			go func() { written <- repeat(perRun, write) }()
			if err := repeat(perRun, read); err != nil {
				from.Close() // or the writer waits for ever
				<-written
				return err
			}
			return <-written
		}
	}
	all := []contestant{b.fallible(plainCopy, through(plainWrite, plainRead))}
	for _, l := range lines {
		all = append(all, b.fallible(reference, through(l.write, l.read)))
	}
	results, err := b.rounds(ctx, all)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i, l := range lines {
		rows = append(rows, newRow(l.name+name, float64(perRun*size)/1e6, results[i+1], results[0]))
	}
	return rows, nil
}

// carries makes sure that the writer writes these bytes, and that the reader reads
// them as the same frame.
func carries(f frames.Frame, whole []byte) error {
	var written bytes.Buffer
	if err := frames.NewWriter(&written).Write(f); err != nil || !bytes.Equal(written.Bytes(), whole) {
		return wrong("%v: the frame writer writes other bytes than Append (%v)", f.Tag(), err)
	}
	read, err := frames.NewReader(&written, frames.FromAnyone).Read()
	if err != nil {
		return wrong("%v: the frame reader refuses a frame of the frame writer: %v", f.Tag(), err)
	}
	if again, err := frames.Append(nil, read); err != nil || !bytes.Equal(again, whole) {
		return wrong("%v: the frame reader reads another frame than was written (%v)", f.Tag(), err)
	}
	return nil
}

func repeat(n int, f func() error) error {
	for range n {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// smallPerRun is how many small frames one run writes or reads.
const smallPerRun = 1024

// smallFrames measures what one small frame costs, without anything in between.
func (b *bench) smallFrames(ctx context.Context) ([]Row, error) {
	var rows []Row
	for _, f := range []struct {
		name  string
		frame frames.Frame
		from  frames.Side
	}{
		{"Return of an int", frames.Return{ID: 1, Value: codec.Int(5)}, frames.FromPHP},
		{"CallFunction with a string", frames.CallFunction{ID: 1, Function: "strlen", Args: []codec.Value{codec.String("text")}}, frames.FromHost},
		{"EpochBump", frames.EpochBump{Handle: 3, Epoch: 4}, frames.FromHost},
	} {
		whole, err := frames.Append(nil, f.frame)
		if err == nil {
			err = carries(f.frame, whole)
		}
		if err != nil {
			return nil, err
		}
		writer := frames.NewWriter(io.Discard)
		typed, raw := frames.NewReader(&endless{bytes: whole}, f.from), frames.NewReader(&endless{bytes: whole}, f.from)
		for _, w := range []struct {
			name string
			work func() error
		}{
			{"write, typed: ", func() error { return writer.Write(f.frame) }},
			{"read, typed: ", func() error { _, err := typed.Read(); return err }},
			{"read, raw: ", func() error { _, err := raw.ReadRaw(); return err }},
		} {
			results, err := b.rounds(ctx, []contestant{b.fallible(reference, func(context.Context) error { return repeat(smallPerRun, w.work) })})
			if err != nil {
				return nil, err
			}
			rows = append(rows, newRow(w.name+f.name, smallPerRun, results...))
		}
	}
	return rows, nil
}

// endless reads the same bytes again and again.
type endless struct {
	bytes []byte
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		some := copy(p[n:], e.bytes[e.at:])
		n += some
		e.at = (e.at + some) % len(e.bytes)
	}
	return n, nil
}
