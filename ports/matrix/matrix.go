// Package matrix judges all ports that are here, and tells what each does, area by
// area. What it claims of a library it shows with the library's own public call.
package matrix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/ports"
	"phpwire/ports/adapter"
	"phpwire/reports"
)

// listedPerKind is how many failures of a suite, kind and port the report tells in
// full, those with the shortest input.
const listedPerKind = 3

// Options say what Judge does.
type Options struct {
	Adapters []adapter.Adapter
	// Each has what is the same for all ports; Command is set for each. Its Patience
	// is also how long a call must take to hang.
	Each ports.Options
	// Progress, where there is one, is told what is done.
	Progress func(what string, done, total int64)
}

// Matrix is what became of all ports.
type Matrix struct {
	Run    *reports.Run
	Ports  []*Port
	Claims []*Claim // by port, then by suite and kind
}

// Port is what became of one.
type Port struct {
	Adapter *adapter.Adapter
	Column  reports.Column
	Counts  reports.Counts
}

// Claim is that a library fails a sort of cases.
type Claim struct {
	Port     *Port
	Failure  *reports.Failure // that with the shortest input
	Cases    int64            // that fail so
	Replayed *adapter.Replayed
}

// Judge judges ports one after the other, and puts what it claims of each to the
// library alone.
func Judge(ctx context.Context, o Options) (*Matrix, error) {
	m := &Matrix{}
	// Those that set the measure come first.
	adapters := slices.SortedStableFunc(slices.Values(o.Adapters), func(a, b adapter.Adapter) int {
		return cmp.Compare(btoi(a.Call != nil), btoi(b.Call != nil))
	})
	for i := range adapters {
		a := &adapters[i]
		r, err := judge(ctx, o, a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Folder, err)
		}
		p := &Port{Adapter: a, Column: r.Columns[0], Counts: r.Totals()}
		if slices.ContainsFunc(m.Ports, func(q *Port) bool { return q.Column.Name == p.Column.Name }) {
			return nil, fmt.Errorf("%s: another port is called %s too", a.Folder, p.Column.Name)
		}
		m.Ports = append(m.Ports, p)
		m.claim(p, r)
		if r.Failures = thinned(r.Failures); m.Run == nil {
			m.Run = r
		} else if m.Run, err = reports.Merge(m.Run, r); err != nil {
			return nil, err
		}
	}
	m.Run.Title = fmt.Sprintf("%d ports against PHP", len(m.Ports))
	m.Run.Command = o.Each.Line
	return m, m.replay(ctx, o)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func judge(ctx context.Context, o Options, a *adapter.Adapter) (*reports.Run, error) {
	if missing := a.Missing(); missing != "" {
		return nil, errors.New(missing)
	}
	each := o.Each
	each.Command = a.Start()
	if o.Progress != nil {
		each.Progress = func(done, total int64) { o.Progress(a.Folder, done, total) }
	}
	r, err := ports.Check(ctx, each)
	if r == nil && a.Install != "" {
		err = fmt.Errorf("%w\nto install it: %s", err, a.Installation())
	}
	if err != nil {
		return nil, err
	}
	for i := range r.Failures {
		r.Failures[i].Call = a.LineOf(&r.Failures[i])
	}
	return r, nil
}

// sort is failures of one sort.
type sort struct{ suite, column, kind string }

// bySize orders failures by what is shown of them.
func bySize(a, b reports.Failure) int {
	return cmp.Or(cmp.Compare(len(a.Input), len(b.Input)), cmp.Compare(len(a.Value), len(b.Value)), cmp.Compare(a.Case, b.Case))
}

func thinned(all []reports.Failure) []reports.Failure {
	slices.SortStableFunc(all, bySize)
	seen := map[sort]int{}
	return slices.DeleteFunc(all, func(f reports.Failure) bool {
		s := sort{f.Suite, f.Column, f.Kind}
		seen[s]++
		return seen[s] > listedPerKind
	})
}

// claim notes the smallest failure of each sort, one with a call if there is.
func (m *Matrix) claim(p *Port, r *reports.Run) {
	smallest := map[sort]*Claim{}
	for _, f := range slices.SortedStableFunc(slices.Values(r.Failures), bySize) {
		s := sort{f.Suite, f.Column, f.Kind}
		c := smallest[s]
		if c == nil {
			c = &Claim{Port: p, Failure: &f}
			smallest[s] = c
			m.Claims = append(m.Claims, c)
		} else if c.Failure.Call == "" && f.Call != "" {
			c.Failure = &f
		}
		c.Cases++
	}
}

// replay puts every claim of a library that can be called to that library.
func (m *Matrix) replay(ctx context.Context, o Options) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	var done atomic.Int64
	for _, c := range m.Claims {
		if c.Failure.Call == "" {
			continue
		}
		g.Go(func() error {
			var err error
			if c.Replayed, err = c.Port.Adapter.Replay(ctx, c.Failure, max(o.Each.Limit, o.Each.Patience, time.Second)); err != nil {
				return fmt.Errorf("%s: %w", c.Failure.Call, err)
			}
			if o.Progress != nil {
				o.Progress("replayed", done.Add(1), int64(len(m.Claims)))
			}
			return nil
		})
	}
	return g.Wait()
}

// Shown tells how many of how many claims were shown by the library itself, and
// which were not. Claims without a call are in none of the numbers.
func (m *Matrix) Shown() (shown, of int, not []*Claim) {
	for _, c := range m.Claims {
		if c.Replayed == nil {
			continue
		}
		of++
		if c.Replayed.Shown {
			shown++
		} else {
			not = append(not, c)
		}
	}
	return shown, of, not
}
