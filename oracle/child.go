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
}

func newChild(p *process) *child {
	s := &stream{conn: p.conn}
	return &child{process: p, reader: frames.NewReader(s, frames.FromPHP), writer: frames.NewWriter(s)}
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
	raw, err := c.process.conn.SyscallConn()
	if err != nil {
		return true
	}
	closed := false
	err = raw.Read(func(fd uintptr) bool {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		closed = n <= 0 && err != syscall.EAGAIN && err != syscall.EINTR
		return true
	})
	return closed || err != nil
}

// deadline makes what set sets a deadline for end with ctx, until the function
// that it returns is called.
func (c *child) deadline(ctx context.Context, set func(time.Time) error) (clear func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	fired := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = set(time.Unix(1, 0))
		close(fired)
	})
	return func() {
		if !stop() {
			<-fired
			_ = set(time.Time{})
		}
	}
}

// greet waits until the worker answers, the first time. On an error the child is
// ended.
func (c *child) greet(ctx context.Context) error {
	const op = "start"
	defer c.deadline(ctx, c.process.conn.SetDeadline)()
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
