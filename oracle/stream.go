package oracle

import (
	"net"
	"sync"
	"syscall"
	"time"

	"phpwire/frames"
)

// stream is the host's end of a child's stream. A child sends while the host does,
// when it lets go of stubs: if both only wrote, each would wait for the other. So
// a write that does not go through at once takes in meanwhile what comes.
type stream struct {
	conn *net.UnixConn
	raw  syscall.RawConn

	// A write that is tried: made once, since each new function would be an
	// allocation for each frame.
	try     func(fd uintptr) bool
	trying  []byte
	written int
	refused error

	reading sync.Mutex
	early   []byte // came during a write, and was not read yet
}

func newStream(conn *net.UnixConn, raw syscall.RawConn) *stream {
	s := &stream{conn: conn, raw: raw}
	s.try = func(fd uintptr) bool {
		s.written, s.refused = syscall.Write(int(fd), s.trying)
		return true
	}
	return s
}

// mostEarly bounds what is kept from a child that sends without end; then it waits.
const mostEarly = frames.MaxLength

// pause is how often a write that waits looks for what came.
const pause = time.Millisecond

// Read reads what came early, else from the child.
func (s *stream) Read(p []byte) (int, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if len(s.early) > 0 {
		n := copy(p, s.early)
		if s.early = s.early[n:]; len(s.early) == 0 {
			s.early = nil
		}
		return n, nil
	}
	return s.conn.Read(p)
}

// Write writes all of p, or gives an error.
func (s *stream) Write(p []byte) (int, error) {
	n, err := s.writeSome(p)
	if err != nil || n == len(p) {
		return n, err
	}
	var rest int
	done := make(chan error, 1)
	go func() {
		var err error
		rest, err = s.conn.Write(p[n:])
		done <- err
	}()
	err = s.takeIn(done)
	return n + rest, err
}

// writeSome writes what the child's buffer has room for.
func (s *stream) writeSome(p []byte) (int, error) {
	s.trying = p
	err := s.raw.Write(s.try)
	s.trying = nil
	switch {
	case err != nil:
		return 0, err
	case s.refused == syscall.EAGAIN || s.refused == syscall.EINTR:
		return 0, nil
	}
	return max(s.written, 0), s.refused
}

// takeIn keeps what comes until done tells the end of a write. While somebody
// reads anyway there is nothing to do.
func (s *stream) takeIn(done <-chan error) error {
	if !s.reading.TryLock() {
		return <-done
	}
	defer s.reading.Unlock()
	buf := make([]byte, 64<<10)
	for len(s.early) < mostEarly {
		n := 0
		err := s.raw.Read(func(fd uintptr) bool {
			n, _ = syscall.Read(int(fd), buf)
			return true
		})
		if err == nil && n > 0 {
			s.early = append(s.early, buf[:n]...)
			continue
		}
		select {
		case err := <-done:
			return err
		case <-time.After(pause):
		}
	}
	return <-done
}
