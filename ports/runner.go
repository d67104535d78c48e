package ports

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/ports/port"
)

// After so many cases of a suite, or of all, that were not answered in time, the rest
// is not asked: each costs the whole time that an answer may take, and where the port is
// slow and does not hang, what was waited beyond that.
const (
	mostLateInSuite = 5
	mostLate        = 60
)

// longInput is from how many bytes on a port may well be slow, and not hang.
const longInput = 1000

// runner has copies of a port answer cases.
type runner struct {
	port     Hello
	limit    time.Duration // for an answer
	patience time.Duration // as in Options
	copies   []answerer
	stop     chan struct{}

	mu    sync.Mutex
	late  map[string]int  // cases not answered in time, by suite; "" for all
	hangs map[string]bool // whether one was not answered at all, by suite
}

// answerer is one copy of a port. It belongs to one goroutine.
type answerer interface {
	start(context.Context) (*Hello, error)
	// ask asks a port that may have to be started first. Where there is no answer the
	// error is a [*broken]; any other says that the run cannot go on.
	ask(context.Context, port.Request, time.Duration) (*port.Response, error)
	end()
}

// newRunner starts a port.
func newRunner(ctx context.Context, o *Options) (*runner, error) {
	r := &runner{limit: o.Limit, patience: o.Patience, stop: make(chan struct{}), late: map[string]int{}, hangs: map[string]bool{}}
	var processes []*copyOf
	for range o.Copies {
		if o.Codec != nil {
			r.copies = append(r.copies, &inside{codec: o.Codec})
			continue
		}
		processes = append(processes, &copyOf{command: o.Command})
		r.copies = append(r.copies, processes[len(processes)-1])
	}
	h, err := r.copies[0].start(ctx)
	if err != nil {
		r.copies[0].end()
		return nil, err
	}
	r.port = *h
	go watchMemory(processes, o.Memory, r.stop)
	return r, nil
}

func (r *runner) close() {
	close(r.stop)
	for _, c := range r.copies {
		c.end()
	}
}

// judge asks all cases, and returns a verdict for each. An error means that the
// port cannot be started again, or that ctx is done.
func (r *runner) judge(ctx context.Context, cases []Case) ([]Verdict, error) {
	return r.judgeBy(ctx, cases, r.judgeOne)
}

func (r *runner) judgeBy(ctx context.Context, cases []Case, one func(context.Context, answerer, *Case) (Verdict, error)) ([]Verdict, error) {
	verdicts := make([]Verdict, len(cases))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for _, c := range r.copies {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(cases) {
					return nil
				}
				v, err := one(ctx, c, &cases[i])
				if err != nil {
					return err
				}
				verdicts[i] = v
			}
		})
	}
	return verdicts, g.Wait()
}

func (r *runner) judgeOne(ctx context.Context, by answerer, c *Case) (Verdict, error) {
	skip := c.Skip
	switch {
	case skip != "":
	case !r.port.Has(c.Op):
		skip = "the port does not have the operation " + string(c.Op)
	default:
		skip = r.givenUp(c.Suite)
	}
	if skip != "" {
		return Verdict{Outcome: Skip, Kind: skip}, nil
	}
	v, err := r.try(ctx, by, c, r.limit)
	if err != nil || v.Outcome != Hang {
		return v, err
	}
	if r.patience > 0 && (len(c.Input) >= longInput || !r.hung(c.Suite)) {
		v, err = r.try(ctx, by, c, r.patience)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late[c.Suite]++
	r.late[""]++
	r.hangs[c.Suite] = r.hangs[c.Suite] || err == nil && v.Outcome == Hang
	return v, err
}

// try asks a case, whatever it costs: nothing is counted.
func (r *runner) try(ctx context.Context, by answerer, c *Case, limit time.Duration) (Verdict, error) {
	if ctx.Err() != nil {
		return Verdict{}, ctx.Err()
	}
	answer, err := by.ask(ctx, c.ask(), limit)
	if err != nil && !isBroken(err) {
		return Verdict{}, err
	}
	return c.judge(&r.port, answer, err), nil
}

// hung tells whether a case of a suite had no answer in time.
func (r *runner) hung(suite string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hangs[suite]
}

// exhausted tells whether the port was late so often that it is not asked any more.
func (r *runner) exhausted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.late[""] >= mostLate
}

// givenUp tells why a case of a suite is not asked any more, "" where it is.
func (r *runner) givenUp(suite string) string {
	if r.exhausted() {
		return fmt.Sprintf("not asked: the port gave no answer in time for %d cases before", mostLate)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late[suite] >= mostLateInSuite {
		return fmt.Sprintf("not asked: the port gave no answer in time for %d cases of the suite before", mostLateInSuite)
	}
	return ""
}
