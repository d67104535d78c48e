package suites

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
	"phpwire/reports"
)

// Children are the children of some PHPs, for one run after another. Each is
// started when it is first asked.
type Children struct{ phps []*php }

// NewChildren returns so many children of each PHP. The caller must close them.
func NewChildren(phps []oracle.Runtime, each int) *Children {
	c := new(Children)
	for _, rt := range phps {
		p := &php{runtime: rt}
		for range each {
			p.clients = append(p.clients, oracle.NewClient(rt, nil))
		}
		c.phps = append(c.phps, p)
	}
	return c
}

// of returns the children of a PHP, which must be one of those given to
// NewChildren.
func (c *Children) of(rt oracle.Runtime) *php {
	for _, p := range c.phps {
		if p.runtime == rt {
			return p
		}
	}
	panic("suites: no children of PHP " + rt.Name())
}

// Client returns the first child of a PHP.
func (c *Children) Client(rt oracle.Runtime) *oracle.Client { return c.of(rt).clients[0] }

// Columns starts a child of every PHP, asks it what it is, and returns the
// columns of a report about them.
func (c *Children) Columns(ctx context.Context) ([]reports.Column, error) {
	if err := meet(ctx, c.phps); err != nil {
		return nil, err
	}
	var columns []reports.Column
	for _, p := range c.phps {
		columns = append(columns, p.column())
	}
	return columns, nil
}

// Close ends the children.
func (c *Children) Close() {
	var g errgroup.Group
	for _, p := range c.phps {
		for _, client := range p.clients {
			g.Go(func() error { client.Close(); return nil })
		}
	}
	_ = g.Wait()
}

// php is a PHP under test, with a client for each worker.
type php struct {
	runtime oracle.Runtime
	facts   oracle.Facts
	met     bool // facts are there
	clients []*oracle.Client
}

func (p *php) name() string { return ColumnName(p.runtime) }

// ColumnName is the name of a PHP's column in reports.
func ColumnName(rt oracle.Runtime) string { return "PHP " + rt.Name() }

func (p *php) behaviour() judge.Behaviour {
	return judge.BehaviourOf(p.facts)
}

// column is the PHP's column in a report, without its platform as long as nobody
// asked for it.
func (p *php) column() reports.Column {
	c := reports.Column{Name: p.name(), Version: p.runtime.Version, Kind: reports.ColumnNative, Started: p.runtime.Source}
	if p.runtime.Kind == oracle.Wasm {
		c.Kind = reports.ColumnWASM
	}
	if p.met {
		c.Platform = fmt.Sprintf("%s/%s, %d-bit int, %d-bit size_t", p.facts.OS, p.facts.Machine, p.facts.IntBits, p.facts.SizeBits)
	}
	return c
}

// meet starts a child of every PHP that nobody has asked yet what it is, and asks.
func meet(ctx context.Context, phps []*php) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for _, p := range phps {
		if p.met {
			continue
		}
		g.Go(func() (err error) {
			p.facts, err = p.clients[0].Facts(ctx)
			p.met = err == nil
			return err
		})
	}
	return g.Wait()
}
