package oracle

import (
	"context"
	"sync"

	"phpwire/codec"
)

// Client keeps one child of a PHP: it starts it when it is needed, and a new one
// after it died. It is safe for concurrent use: sessions take turns.
type Client struct {
	runtime    Runtime
	dispatcher Dispatcher
	start      func(context.Context) (*child, error)
	turn       chan struct{} // holds a token while nobody has a session

	mu     sync.Mutex
	child  *child
	closed bool
}

// NewClient returns a client of r, which is not started yet. Calls of PHP to the
// host go to d; without one, nil, they are answered with a Throw.
func NewClient(r Runtime, d Dispatcher) *Client {
	return newClient(r, d, func(ctx context.Context) (*child, error) { return start(ctx, r, nil) })
}

func newClient(r Runtime, d Dispatcher, start func(context.Context) (*child, error)) *Client {
	c := &Client{runtime: r, dispatcher: d, start: start, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// Runtime returns the PHP that c talks to.
func (c *Client) Runtime() Runtime { return c.runtime }

// Begin waits until no other session is open, then opens one. It starts the child
// where there is none. The caller must end the session.
func (c *Client) Begin(ctx context.Context) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-c.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	child, err := c.living(ctx)
	if err != nil {
		c.turn <- struct{}{}
		return nil, err
	}
	return &Session{client: c, child: child}, nil
}

// living returns the child, a new one where it is gone.
func (c *Client) living(ctx context.Context) (*child, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if c.child != nil && !c.child.dead() {
		return c.child, nil
	}
	if c.child != nil {
		c.child.process.end(0)
		c.child.unwatch()
		c.child = nil
		c.gone()
	}
	child, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	c.child = child
	return child, nil
}

// Close ends the child. It does not wait for an open session, whose calls fail.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	child := c.child
	c.child = nil
	c.mu.Unlock()
	if child != nil {
		child.process.end(endTimeout)
		select {
		case <-c.turn:
			child.unwatch()
			c.turn <- struct{}{}
		default: // a session is open, whose call may be at it
		}
		c.gone()
	}
}

// gone tells the dispatcher that a child has ended.
func (c *Client) gone() {
	if o, ok := c.dispatcher.(Observer); ok {
		o.ChildGone()
	}
}

// CallFunction calls a PHP function, or a helper of the worker, in a session of
// its own. The error is a [*Throw], a [*FatalError], or the context's while
// another session is open.
func (c *Client) CallFunction(ctx context.Context, name string, args ...codec.Value) (codec.Value, error) {
	s, err := c.Begin(ctx)
	if err != nil {
		return codec.Value{}, err
	}
	defer s.End()
	r, err := s.CallFunction(ctx, Call{Name: name, Args: args})
	return r.Value, err
}

// CallStaticMethod calls a static method of a PHP class, like [Client.CallFunction].
func (c *Client) CallStaticMethod(ctx context.Context, class, method string, args ...codec.Value) (codec.Value, error) {
	s, err := c.Begin(ctx)
	if err != nil {
		return codec.Value{}, err
	}
	defer s.End()
	r, err := s.CallStaticMethod(ctx, class, Call{Name: method, Args: args})
	return r.Value, err
}
