package ports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"phpwire/ports/port"
)

// startLimit is how long a port may take until it answers hello.
const startLimit = 30 * time.Second

// startTries is how often a port is started in vain before the run gives up.
const startTries = 3

// copyOf is one copy of a port: a process, and a new one after that is gone. It
// belongs to one goroutine.
type copyOf struct {
	command string
	lastID  int64

	mu      sync.Mutex
	process *process
}

// running returns the process, or nil; any goroutine may ask.
func (c *copyOf) running() *process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.process
}

func (c *copyOf) set(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.process = p
}

// start starts the port, and returns what it says of itself.
func (c *copyOf) start(ctx context.Context) (*Hello, error) {
	var err error
	for range startTries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var h *Hello
		if h, err = c.startOnce(ctx); err == nil {
			return h, nil
		}
	}
	return nil, fmt.Errorf("the port does not start: %v", err) // not %w: it is no answer to a case
}

// Greet starts a port, asks it what it is, and ends it.
func Greet(ctx context.Context, command string) (*Hello, error) {
	c := &copyOf{command: command}
	defer c.end()
	return c.startOnce(ctx)
}

func (c *copyOf) startOnce(ctx context.Context) (*Hello, error) {
	p, err := startProcess(c.command)
	if err != nil {
		return nil, err
	}
	c.set(p)
	c.lastID = 0
	r, err := c.askRunning(ctx, port.Request{Op: port.AskHello}, startLimit)
	if err != nil {
		return nil, fmt.Errorf("asked hello: %w", err)
	}
	if r.Hello == nil || !*r.OK {
		c.end()
		return nil, errors.New("asked hello: it does not say what it is")
	}
	if err := r.Hello.Check(); err != nil {
		c.end()
		return nil, err
	}
	return r.Hello, nil
}

// end ends the process, if there is one.
func (c *copyOf) end() {
	if p := c.running(); p != nil {
		p.end()
		c.set(nil)
	}
}

// broken is why a port gave no answer. It is not running any more.
type broken struct {
	kind error // errNoise, errTimeout, errDied
	text string
}

func (b *broken) Error() string { return b.text }

// askRunning asks the running process. The error is a [*broken], or the context's.
func (c *copyOf) askRunning(ctx context.Context, q port.Request, limit time.Duration) (*port.Response, error) {
	c.lastID++
	q.ID = c.lastID
	line, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	p := c.running()
	stop := context.AfterFunc(ctx, func() { p.kill("interrupted") })
	defer stop()
	line, err = p.roundTrip(append(line, '\n'), time.Now().Add(limit))
	var r *port.Response
	if err == nil {
		if r, err = port.ParseResponse(line, q.ID, q.Op); err == nil {
			return r, nil
		}
		err = fmt.Errorf("%w: %w", errNoise, err)
	}
	b := &broken{errDied, ""}
	switch {
	case errors.Is(err, errNoise):
		b.kind, b.text = errNoise, err.Error()
		p.kill("ended, for it wrote garbage")
	case errors.Is(err, errTimeout):
		b.kind, b.text = errTimeout, fmt.Sprintf("%v (%v)", err, limit)
		p.kill("ended, for it did not answer")
	}
	p.end()
	c.set(nil)
	if b.kind == errDied {
		b.text = p.death()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, b
}

func (c *copyOf) ask(ctx context.Context, q port.Request, limit time.Duration) (*port.Response, error) {
	if c.running() == nil {
		if _, err := c.start(ctx); err != nil {
			return nil, err
		}
	}
	return c.askRunning(ctx, q, limit)
}

// isBroken tells whether an error is that of a port which gave no answer.
func isBroken(err error) bool {
	var b *broken
	return errors.As(err, &b)
}
