package oracle

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Pool has several clients of one PHP, one for each core.
type Pool struct {
	clients []*Client
}

// NewPool returns a pool of n children of r, or one for each core where n is 0.
func NewPool(r Runtime, n int) *Pool {
	if n == 0 {
		n = runtime.NumCPU()
	}
	p := new(Pool)
	for range n {
		p.clients = append(p.clients, NewClient(r, nil))
	}
	return p
}

// Size returns the number of clients.
func (p *Pool) Size() int { return len(p.clients) }

// Client returns one of the clients, for questions that come one at a time.
func (p *Pool) Client() *Client { return p.clients[0] }

// Clients returns all clients.
func (p *Pool) Clients() []*Client { return p.clients }

// Each runs f for every client at the same time and returns the first error,
// which also cancels the context of the others.
func (p *Pool) Each(ctx context.Context, f func(context.Context, *Client) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, c := range p.clients {
		g.Go(func() error { return f(ctx, c) })
	}
	return g.Wait()
}

// Close ends all children.
func (p *Pool) Close() {
	var g errgroup.Group
	for _, c := range p.clients {
		g.Go(func() error { c.Close(); return nil })
	}
	_ = g.Wait()
}
