package oracle

import (
	"context"
	"fmt"
	"time"

	"phpwire/frames"
)

// child is a process with its frames.
type child struct {
	process *process
	reader  *frames.Reader
	writer  *frames.Writer
	lastID  uint64
}

func newChild(p *process) *child {
	return &child{process: p, reader: frames.NewReader(p.conn, frames.FromPHP), writer: frames.NewWriter(p.conn)}
}

// nextID returns the ids of the host's calls: 1, 3, 5 …
func (c *child) nextID() uint64 {
	c.lastID += 2
	return c.lastID - 1
}

func (c *child) dead() bool {
	select {
	case <-c.process.exited:
		return true
	default:
		return false
	}
}

// deadline makes reads and writes end with ctx, until the function that it
// returns is called.
func (c *child) deadline(ctx context.Context) (clear func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	conn := c.process.conn
	fired := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = conn.SetDeadline(time.Unix(1, 0))
		close(fired)
	})
	return func() {
		if !stop() {
			<-fired
			_ = conn.SetDeadline(time.Time{})
		}
	}
}

// greet waits until the worker answers, the first time. On an error the child is
// ended.
func (c *child) greet(ctx context.Context) error {
	const op = "start"
	defer c.deadline(ctx)()
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
