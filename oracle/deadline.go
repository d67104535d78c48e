package oracle

import (
	"context"
	"sync"
	"time"
)

// deadline ends what set is for when ctx does, until the function that it returns
// is called.
func deadline(ctx context.Context, set func(time.Time) error) (clear func()) {
	if ctx.Done() == nil {
		return nothing
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

// watch is a deadline that is kept from one call to the next where both have the
// same context, as calls one after another do: to register with the context and to
// leave it again costs more than the frames of a call.
type watch struct {
	done <-chan struct{} // of the context
	set  func(time.Time) error
	stop func() bool

	mu    sync.Mutex
	open  bool // a call is
	ended bool // the context has
}

func newWatch(ctx context.Context, set func(time.Time) error) *watch {
	w := &watch{done: ctx.Done(), set: set}
	w.stop = context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ended = true
		if w.open {
			_ = set(time.Unix(1, 0))
		}
	})
	return w
}

// begin makes a call end with the context, until end. No deadline stays: what is
// sent between two calls has its own.
func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = true
	if w.ended {
		_ = w.set(time.Unix(1, 0))
	}
}

func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = false
	if w.ended {
		_ = w.set(time.Time{})
	}
}

// deadline makes a call end with ctx, until the function that it returns is called.
// A call inside of another one has its deadline beside that one's.
func (c *child) deadline(ctx context.Context, outermost bool) (clear func()) {
	w := c.watched
	known := w != nil && w.done == ctx.Done()
	switch {
	case outermost && known:
	case outermost:
		c.unwatch()
		if ctx.Done() == nil {
			return nothing
		}
		w = newWatch(ctx, c.process.conn.SetDeadline)
		c.watched = w
	case known:
		return nothing
	default:
		return deadline(ctx, c.process.conn.SetDeadline)
	}
	w.begin()
	return w.end
}

// unwatch forgets the context of the last call. Only who has the turn may call it.
func (c *child) unwatch() {
	if c.watched != nil {
		c.watched.stop()
		c.watched = nil
	}
}

func nothing() {}
