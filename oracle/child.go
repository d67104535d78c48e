package oracle

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"phpwire/frames"
)

// child is a process with its frames.
type child struct {
	process *process
	reader  *frames.Reader
	lastID  uint64

	mu     sync.Mutex // held for one frame: one-way frames may come from any goroutine
	writer *frames.Writer

	watched  *watch    // the context of the last outermost call, if it can end
	answered time.Time // when a call last returned
	raw      syscall.RawConn
	peek     func(fd uintptr) bool
	closed   bool // what peek saw
}

// fresh is how long a child of which a call returned is taken for alive without a
// look at its stream, which short calls one after another would pay for.
const fresh = time.Millisecond

func newChild(p *process) (*child, error) {
	raw, err := p.conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := newStream(p.conn, raw)
	c := &child{process: p, reader: frames.NewReader(s, frames.FromPHP), writer: frames.NewWriter(s), raw: raw}
	one := make([]byte, 1)
	c.peek = func(fd uintptr) bool {
		n, _, err := syscall.Recvfrom(int(fd), one, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		c.closed = n <= 0 && err != syscall.EAGAIN && err != syscall.EINTR
		return true
	}
	return c, nil
}

// nextID returns the ids of the host's calls: 1, 3, 5 …
func (c *child) nextID() uint64 {
	c.lastID += 2
	return c.lastID - 1
}

func (c *child) write(f frames.Frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writer.Write(f)
}

// dead tells whether an idle child has ended, or has closed its stream, which
// the kernel does before it tells that the process has ended.
func (c *child) dead() bool {
	select {
	case <-c.process.exited:
		return true
	default:
	}
	return time.Since(c.answered) > fresh && (c.raw.Read(c.peek) != nil || c.closed)
}

// greet waits until the worker answers, the first time. On an error the child is
// ended.
func (c *child) greet(ctx context.Context) error {
	const op = "start"
	defer deadline(ctx, c.process.conn.SetDeadline)()
	id := c.nextID()
	err := c.writer.Write(frames.CallFunction{ID: id, Function: helperHello})
	if err == nil {
		var f frames.Frame
		if f, err = c.reader.Read(); err == nil {
			if r, ok := f.(frames.Return); ok && r.ID == id {
				return nil
			}
			err = fmt.Errorf("it greets with %v", f.Tag())
		}
	}
	return c.process.failed(ctx, op, err)
}
