package suites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/docs"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
	"phpwire/reports"
)

// Options say what to run.
type Options struct {
	PHPs   []oracle.Runtime
	Suites []Suite
	Cases  int // codec cases for each PHP, and ten times as many doubles
	Seed   int64
	// Program is how a user calls phpwire; it stands in the commands that repeat
	// a run or a case.
	Program string
	Command string
	Version string
	// Progress, where there is one, is told now and then how many cases of how
	// many were judged. It is called by one goroutine at a time.
	Progress func(done, total int64)
	// From and To bound the cases of every suite: number From up to, without, To,
	// where To is not 0. From is a multiple of each suite's Batch, unless the suites
	// are exhaustive.
	From, To int
	// Checkpoint, where it is set, has exhaustive suites go on where they were.
	Checkpoint *Checkpoint
	// FailFast ends the run at the first failure: Run returns ErrFirstFailure.
	FailFast bool
	// Seen, where it is set, gets the clauses that the cases exercised, and the mix
	// of verdicts.
	Seen *judge.Visits
	// Workers is how many batches are judged at a time; 0 stands for one a core. With
	// one of them, the same failures are listed every time.
	Workers int
	// Children, where they are set, are the children that are asked; they live on.
	// There are Workers of each PHP.
	Children *Children
}

// The numbers of failures that are shrunk and listed.
const (
	listedPerKind = 3 // of one kind, of one suite and PHP
	listedPerCell = 20
)

// How long a batch may take before PHP counts as hanging.
const batchTimeout = 2 * time.Minute

// run is a run under way.
type run struct {
	Options
	phps  []*php
	total int64

	mu     sync.Mutex
	done   int64
	report *reports.Run
	seen   *judge.Visits
	kinds  map[[3]string]int  // failures by suite, PHP and kind
	listed map[[3]string]bool // failures by suite, PHP and input
	failed map[string]int64   // failures by clause
}

// Run runs suites. A failure is in the report; an error means that the run could
// not go on.
func Run(ctx context.Context, o Options) (*reports.Run, error) {
	defer judge.CollectSeldom()()
	workers := cmp.Or(o.Workers, runtime.NumCPU())
	children := o.Children
	if children == nil {
		children = NewChildren(o.PHPs, workers)
		defer children.Close()
	}
	r := &run{Options: o, kinds: map[[3]string]int{}, listed: map[[3]string]bool{}, failed: map[string]int64{}, seen: o.Seen}
	if r.seen == nil {
		r.seen = new(judge.Visits)
	}
	for _, rt := range o.PHPs {
		r.phps = append(r.phps, children.of(rt))
	}
	r.begin()
	// What asks no PHP comes first: where the reference is so broken that it
	// cannot speak to PHP, that much is told.
	err := r.suites(ctx, workers, slices.DeleteFunc(slices.Clone(o.Suites), Suite.Live))
	if err == nil {
		err = r.meet(ctx)
	}
	if err == nil {
		err = r.suites(ctx, workers, slices.DeleteFunc(slices.Clone(o.Suites), func(s Suite) bool { return !s.Live() }))
	}
	err = errors.Join(err, r.Checkpoint.save())
	r.report.Seconds = time.Since(r.report.Started).Seconds()
	r.report.Clauses = r.clauses()
	if err != nil {
		r.report.Aborted = err.Error()
	}
	return r.report, err
}

// suites runs some of the suites, several batches at a time.
func (r *run) suites(ctx context.Context, workers int, some []Suite) error {
	type task struct {
		suite    Suite
		first, n int
	}
	tasks := make(chan task)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(tasks)
		for _, s := range some {
			for first, end := r.span(s); first < end; first += s.Batch() {
				select {
				case tasks <- task{s, first, min(s.Batch(), end-first)}:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return nil
	})
	for w := range workers {
		g.Go(func() error {
			for t := range tasks {
				if err := t.suite.run(ctx, r, w, t.first, t.n); err != nil {
					return fmt.Errorf("%s: %w", t.suite.Name(), err)
				}
				if r.FailFast && r.anyFailure() {
					return ErrFirstFailure
				}
				if t.suite.Exhaustive() {
					if err := r.Checkpoint.done(t.suite.Name(), t.first, t.n, r.failures(t.suite)); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// span returns the numbers of the first case of a suite, and of the one behind
// the last.
func (r *run) span(s Suite) (first, end int) {
	end = s.Total(r.Cases)
	if r.To > 0 {
		end = min(end, r.To)
	}
	if !s.Exhaustive() {
		return r.From, end
	}
	return max(r.From, r.Checkpoint.next(s.Name())), end
}

// ErrFirstFailure says that a run ended at its first failure, as it was told to.
var ErrFirstFailure = errors.New("ended at the first failure")

func (r *run) anyFailure() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.kinds) > 0
}

// failures counts the failed cases of a suite.
func (r *run) failures(s Suite) (n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.report.Cells {
		if c.Suite == s.Name() {
			n += c.Failed
		}
	}
	return n
}

// clauses tells how often each clause was exercised.
func (r *run) clauses() []reports.ClauseVisits {
	var all []reports.ClauseVisits
	for _, c := range docs.Clauses() {
		all = append(all, reports.ClauseVisits{ID: c.ID, Title: c.Title, Visits: r.seen.Of(c.ID), Failed: r.failed[c.ID]})
	}
	return all
}

// meet starts a child of every PHP and asks it what it is.
func (r *run) meet(ctx context.Context) error {
	err := meet(ctx, r.phps)
	for i, p := range r.phps {
		r.report.Columns[i] = p.column()
	}
	return err
}

// begin makes the empty report.
func (r *run) begin() {
	r.report = &reports.Run{
		Tool: "phpwire", Version: r.Version, Kind: reports.KindRun, Command: r.Command, Seed: r.Seed,
		Started: time.Now(), ListedPerCell: listedPerCell,
	}
	for _, p := range r.phps {
		r.report.Columns = append(r.report.Columns, p.column())
	}
	for _, s := range r.Suites {
		r.report.Suites = append(r.report.Suites, reports.Suite{Name: s.Name(), Title: s.Title(), Clauses: s.Clauses()})
		columns := r.columns(s)
		first, end := r.span(s)
		r.total += int64(len(columns)) * int64(max(0, end-first))
		for _, p := range r.phps[len(columns):] {
			r.report.Cell(s.Name(), p.name()).NotApplicable = JudgedOnce
		}
	}
}

// JudgedOnce is why a suite that asks no PHP has nothing in the other columns.
const JudgedOnce = "asks no PHP: it is judged once, in the first column"

// columns are the PHPs that a suite asks.
func (r *run) columns(s Suite) []*php {
	if s.Live() {
		return r.phps
	}
	return r.phps[:1]
}

// count adds a judged batch to the report.
func (r *run) count(s Suite, p *php, cases int, findings []*judge.Finding, seen *judge.Visits, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	cell := r.report.Cell(s.Name(), p.name())
	cell.Cases += int64(cases)
	for _, f := range findings {
		if f != nil {
			cell.Failed++
			cell.Kinds = reports.Tallied(cell.Kinds, f.Kind, 1)
			r.failed[f.Clause]++
		}
	}
	cell.Passed = cell.Cases - cell.Failed
	r.seen.Merge(seen)
	cell.Seconds += took.Seconds()
	r.done += int64(cases)
	r.point()
	if r.Progress != nil {
		r.Progress(r.done, r.total)
	}
}

// point notes the throughput, at most four times a second.
func (r *run) point() {
	now := time.Since(r.report.Started).Seconds()
	points := r.report.Throughput
	if n := len(points); n > 0 && now-points[n-1].Seconds < 0.25 && r.done < r.total {
		return
	}
	r.report.Throughput = append(points, reports.Point{Seconds: now, Cases: r.done})
}
