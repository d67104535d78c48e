package nightly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/frames/toolchild/peer"
	"phpwire/oracle"
	"phpwire/reports"
)

// Options say what a night does.
type Options struct {
	PHPs  []oracle.Runtime
	Suite string // patterns of parts, as in suites.Match, separated by commas; "" is all
	Cases int    // codec cases of a round, for each PHP
	Seed  int64
	// Rounds is how many rounds are done; 0 as many as there is time for.
	Rounds int
	// Budget is how long the night may work, pauses not counted; 0 for ever.
	Budget time.Duration
	// Of Shards shards, which number their units together, this is number Shard,
	// counted from 1.
	Shard, Shards int

	Dir    string // for the checkpoint, the findings, the history and the report
	Resume bool   // go on with the checkpoint in Dir, if there is one
	// Last is the report of the night before, if there is one. A night that is
	// resumed goes on with the one that it began with.
	Last *reports.Run

	Program, Command, Version string
	// Progress, where there is one, is told after each unit how far the night is.
	// It is called by one goroutine at a time.
	Progress func(Progress)
}

// Progress says how far a night is.
type Progress struct {
	Round   int // counted from 1
	Units   int // done, of this shard
	Of      int // units in all; 0 where only the budget ends the night
	Cases   int64
	Failed  int64
	Seconds float64
}

// listedPerCell is how many failures are listed for a suite and a PHP.
const listedPerCell = 20

// mostPoints is how many points of the throughput are kept.
const mostPoints = 1000

// night is a night under way.
type night struct {
	Options
	plan    *plan
	columns []reports.Column
	carried []carried
	began   time.Time
	before  float64 // seconds of work before a pause

	mu    sync.Mutex
	state *state
	round int
	late  bool // the budget ended the night
}

// Run does a night, or a part of it, and returns its report, which is written into
// Dir as well. What does not hold is in the report; an error means that the night
// could not go on, the context's that it was told to end. The report is there in
// both cases, unless nothing could begin.
func Run(ctx context.Context, o Options) (*reports.Run, error) {
	n, err := begin(o)
	if err != nil {
		return nil, err
	}
	command, remove, err := n.installPeer()
	if err != nil {
		return nil, err
	}
	defer remove()
	workers := make([]*worker, runtime.NumCPU())
	for i := range workers {
		workers[i] = newWorker(&n.Options, command)
		defer workers[i].children.Close()
	}
	if err := again(ctx, func() (err error) { n.columns, err = workers[0].children.Columns(ctx); return err }); err != nil {
		return nil, err
	}
	if err := again(ctx, func() error { return n.askAgain(ctx, workers[0]) }); err != nil {
		return nil, err
	}
	if err = n.work(ctx, workers); ctx.Err() != nil {
		err = ctx.Err() // whatever it looked like to those at work
	}
	report := n.report(err)
	return report, errors.Join(err, n.write(report))
}

// mostTries is how often something is tried that cannot be done: a child that does
// not start on a busy machine is no reason to end a night.
const mostTries = 3

// again does something until it succeeds, or was tried often enough.
func again(ctx context.Context, do func() error) error {
	var err error
	for range mostTries {
		if err = do(); err == nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

// installPeer puts the tool-child peer into a folder of its own, where the night has
// a use for it, and returns its command, and what removes it.
func (n *night) installPeer() (command []string, remove func(), err error) {
	if !slices.ContainsFunc(n.plan.parts, func(p *part) bool { return p.name == toolchild }) {
		return nil, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "phpwire-peer-")
	if err != nil {
		return nil, nil, err
	}
	if command, err = peer.Install(dir); err != nil {
		os.RemoveAll(dir)
		return nil, nil, fmt.Errorf("%s: %w; --suite can leave it out", toolchild, err)
	}
	return command, func() { os.RemoveAll(dir) }, nil
}

func begin(o Options) (*night, error) {
	o.Shards = max(o.Shards, 1)
	o.Shard = max(o.Shard, 1)
	n := &night{Options: o, began: time.Now()}
	var err error
	if n.plan, err = newPlan(len(o.PHPs), o.Cases, o.Suite); err != nil {
		return nil, err
	}
	if len(n.plan.parts) == 0 {
		return nil, fmt.Errorf("--suite %q names nothing that a night does", o.Suite)
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	of := identity{
		Version: o.Version, Seed: o.Seed, Suite: o.Suite, Cases: o.Cases, Shard: o.Shard, Shards: o.Shards,
		Units: []int{len(n.plan.rounds[0]), len(n.plan.rounds[1])},
	}
	for _, p := range o.PHPs {
		of.PHPs = append(of.PHPs, p.Name())
	}
	if o.Resume {
		n.state, err = readCheckpoint(o.Dir)
		if err == nil {
			n.before = n.state.Seconds
			return n, n.state.Of.fits(of, o.Dir+"/"+checkpointFile)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	n.state = &state{Of: of, Started: n.began, Run: n.empty()}
	if o.Last != nil {
		n.state.Last = &reports.Run{Started: o.Last.Started, Version: o.Last.Version, Columns: o.Last.Columns, Facts: o.Last.Facts}
		n.state.Last.History = append(slices.Clone(o.Last.History), o.Last.Night())
	}
	return n, n.state.write(o.Dir)
}

// empty is a report without cases.
func (n *night) empty() *reports.Run {
	return &reports.Run{Tool: "phpwire", Version: n.Version, Kind: reports.KindNightly, Seed: n.Seed, ListedPerCell: listedPerCell}
}

// work does the units that are left.
func (n *night) work(ctx context.Context, workers []*worker) error {
	units := make(chan int)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(units)
		for own := 0; n.wanted(own); own++ {
			if n.isDone(own) {
				continue
			}
			if n.Budget > 0 && n.seconds() >= n.Budget.Seconds() {
				n.late = true
				return nil
			}
			select {
			case units <- own:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for _, w := range workers {
		g.Go(func() error {
			for own := range units {
				u, round, _ := n.plan.unit(n.number(own))
				var found *reports.Run
				err := again(ctx, func() (err error) { found, err = u.part.do(ctx, w, u); return err })
				if err != nil {
					return fmt.Errorf("%s, cases %d to %d: %w", u.part.name, u.span.first, u.span.first+u.span.n-1, err)
				}
				if err := n.add(own, round, found); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// number is the number of this shard's unit in the whole night.
func (n *night) number(own int) int { return own*n.Shards + n.Shard - 1 }

// wanted tells whether the night has that unit.
func (n *night) wanted(own int) bool {
	_, round, ok := n.plan.unit(n.number(own))
	return ok && round < cmp.Or(n.Rounds, roundsAtAll)
}

func (n *night) isDone(own int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state.done(own)
}

// seconds is how long the night has worked.
func (n *night) seconds() float64 { return n.before + time.Since(n.began).Seconds() }

// add adds what a unit found, and writes the checkpoint.
func (n *night) add(own, round int, found *reports.Run) error {
	found.Tool, found.Version, found.Kind, found.Seed = "phpwire", n.Version, reports.KindNightly, n.Seed
	found.Command, found.Title, found.Throughput, found.Seconds, found.Started = "", "", nil, 0, time.Time{}
	found.Columns = n.columns // those of the night say more
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := File(n.Dir, n.Program, found.Failures); err != nil {
		return err
	}
	points := n.state.Run.Throughput
	merged, err := reports.Merge(n.state.Run, found)
	if err != nil {
		return err
	}
	merged.Started = time.Time{}
	n.state.Run = merged
	n.state.Seconds = n.seconds()
	n.state.finish(own)
	cases := merged.Totals().Cases
	merged.Throughput = thinned(append(points, reports.Point{Seconds: n.state.Seconds, Cases: cases}))
	n.round = max(n.round, round)
	if n.Progress != nil {
		p := Progress{Round: n.round + 1, Units: n.state.Next + len(n.state.Ahead), Cases: cases, Failed: merged.Totals().Bad(), Seconds: n.state.Seconds}
		if all := n.all(); all > 0 {
			p.Of = all
		}
		n.Progress(p)
	}
	return n.state.write(n.Dir)
}

// all is how many units this shard has, 0 where the rounds have no end.
func (n *night) all() int {
	rounds := n.Rounds
	if len(n.plan.rounds[1]) == 0 {
		rounds = 1
	}
	if rounds == 0 {
		return 0
	}
	return n.share(n.plan.units(rounds))
}

// share is how many of the first units of the whole night are this shard's.
func (n *night) share(units int) int { return (units - n.Shard + n.Shards) / n.Shards }

func thinned(points []reports.Point) []reports.Point {
	if len(points) <= mostPoints {
		return points
	}
	var kept []reports.Point
	for i := 1; i < len(points); i += 2 {
		kept = append(kept, points[i])
	}
	return kept
}
