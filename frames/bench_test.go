package frames_test

import (
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"phpwire/codec"
	"phpwire/frames"
)

// smallFrames are frames as they come and go by the million.
var smallFrames = []frames.Frame{
	frames.CallFunction{ID: 1, Function: "strlen", Args: []codec.Value{codec.String("abc")}},
	frames.Return{ID: 1, Value: codec.Int(3)},
	frames.ReleasePhpHandle{Handle: 7},
	frames.EpochBump{Handle: 7, Epoch: 2},
}

func BenchmarkWriteSmall(b *testing.B) {
	w := frames.NewWriter(io.Discard)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := w.Write(smallFrames[i%len(smallFrames)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadSmall reads typed frames; BenchmarkReadRawSmall leaves payloads
// untouched.
func BenchmarkReadSmall(b *testing.B) {
	benchmarkSmall(b, func(r *frames.Reader) error { _, err := r.Read(); return err })
}

func BenchmarkReadSharedSmall(b *testing.B) {
	benchmarkSmall(b, func(r *frames.Reader) error { _, err := r.ReadShared(); return err })
}

func BenchmarkReadRawSmall(b *testing.B) {
	benchmarkSmall(b, func(r *frames.Reader) error { _, err := r.ReadRaw(); return err })
}

func benchmarkSmall(b *testing.B, read func(*frames.Reader) error) {
	var stream []byte
	for len(stream) < 64<<10 {
		for _, f := range smallFrames {
			stream, _ = frames.Append(stream, f)
		}
	}
	r := frames.NewReader(&endless{all: stream}, frames.FromAnyone)
	b.ReportAllocs()
	for b.Loop() {
		if err := read(r); err != nil {
			b.Fatal(err)
		}
	}
}

// endless is a stream that begins again where it ends.
type endless struct {
	all []byte
	at  int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.all[e.at:])
	e.at = (e.at + n) % len(e.all)
	return n, nil
}

// A frame of 64 KiB in all.
var large = frames.Return{ID: 1, Value: codec.String(strings.Repeat("x", 64<<10-60))}

const framesPerTurn = 512

// BenchmarkStream sends frames of 64 KiB through a socket and through a pipe,
// from a Writer to a Reader, and as many bytes in pieces of that size as a plain
// copy. It shows how much of the plain copy's speed is reached with typed frames,
// and with payloads that nobody looks at.
func BenchmarkStream(b *testing.B) {
	whole, err := frames.Append(nil, large)
	if err != nil {
		b.Fatal(err)
	}
	raw := frames.Raw{Tag: large.Tag(), ID: large.ID, Payload: whole[8+9:]}
	for _, through := range []struct {
		name string
		open func(*testing.B) (io.ReadCloser, io.WriteCloser)
	}{{"socket", socket}, {"pipe", pipe}} {
		b.Run(through.name, func(b *testing.B) {
			var plain, typed, shared, untouched time.Duration
			b.SetBytes(framesPerTurn * int64(len(whole)))
			for b.Loop() {
				b.StopTimer()
				shorten(&plain, transfer(b, through.open, func(w io.Writer) error {
					return repeat(framesPerTurn, func() error { _, err := w.Write(whole); return err })
				}, func(r io.Reader) error {
					piece := make([]byte, len(whole))
					for left := framesPerTurn * len(whole); left > 0; {
						n, err := r.Read(piece)
						if left -= n; err != nil {
							return err
						}
					}
					return nil
				}))
				shorten(&untouched, transfer(b, through.open, func(w io.Writer) error {
					writer := frames.NewWriter(w)
					return repeat(framesPerTurn, func() error { return writer.WriteRaw(raw) })
				}, func(r io.Reader) error {
					reader := frames.NewReader(r, frames.FromPHP)
					return repeat(framesPerTurn, func() error { _, err := reader.ReadRaw(); return err })
				}))
				readTyped := func(read func(*frames.Reader) (frames.Frame, error)) func(io.Reader) error {
					return func(r io.Reader) error {
						reader := frames.NewReader(r, frames.FromPHP)
						return repeat(framesPerTurn, func() error { _, err := read(reader); return err })
					}
				}
				write := func(w io.Writer) error {
					writer := frames.NewWriter(w)
					return repeat(framesPerTurn, func() error { return writer.Write(large) })
				}
				shorten(&shared, transfer(b, through.open, write, readTyped((*frames.Reader).ReadShared)))
				b.StartTimer()
				shorten(&typed, transfer(b, through.open, write, readTyped((*frames.Reader).Read)))
			}
			b.ReportMetric(float64(framesPerTurn*len(whole))/plain.Seconds()/1e6, "plain-MB/s")
			b.ReportMetric(float64(plain)/float64(typed), "typed/plain")
			b.ReportMetric(float64(plain)/float64(shared), "shared/plain")
			b.ReportMetric(float64(plain)/float64(untouched), "raw/plain")
		})
	}
}

func shorten(best *time.Duration, d time.Duration) {
	if *best == 0 || d < *best {
		*best = d
	}
}

func repeat(n int, do func() error) error {
	for range n {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// transfer returns how long it takes until all is read that is written.
func transfer(b *testing.B, open func(*testing.B) (io.ReadCloser, io.WriteCloser), write func(io.Writer) error, read func(io.Reader) error) time.Duration {
	r, w := open(b)
	defer r.Close()
	defer w.Close()
	written := make(chan error, 1)
	began := time.Now()
	go func() { written <- write(w) }()
	if err := read(r); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	if err := <-written; err != nil {
		b.Fatal(err)
	}
	return took
}

func pipe(b *testing.B) (io.ReadCloser, io.WriteCloser) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	return r, w
}

// socket is a Unix socket, as a child's stream is.
func socket(b *testing.B) (io.ReadCloser, io.WriteCloser) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		b.Fatal(err)
	}
	var ends [2]net.Conn
	for i, fd := range pair {
		f := os.NewFile(uintptr(fd), "socket")
		if ends[i], err = net.FileConn(f); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
	return ends[0], ends[1]
}
