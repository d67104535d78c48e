package ports

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// After so many hangs in a suite, or in all, the rest of it is not asked: each
// costs the whole time that an answer may take.
const (
	mostHangsInSuite = 5
	mostHangs        = 60
)

// runner has copies of a port answer cases.
type runner struct {
	port   Hello
	copies []*copyOf
	stop   chan struct{}

	mu    sync.Mutex
	hangs map[string]int // by suite; "" for all
}

// newRunner starts a port.
func newRunner(ctx context.Context, command string, copies int, limit time.Duration, memory int64) (*runner, error) {
	r := &runner{stop: make(chan struct{}), hangs: map[string]int{}}
	for range copies {
		r.copies = append(r.copies, &copyOf{command: command, limit: limit})
	}
	h, err := r.copies[0].start(ctx)
	if err != nil {
		r.copies[0].end()
		return nil, err
	}
	r.port = *h
	go watchMemory(r.copies, memory, r.stop)
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
				v, err := r.judgeOne(ctx, c, &cases[i])
				if err != nil {
					return err
				}
				verdicts[i] = v
			}
		})
	}
	return verdicts, g.Wait()
}

func (r *runner) judgeOne(ctx context.Context, by *copyOf, c *Case) (Verdict, error) {
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
	if ctx.Err() != nil {
		return Verdict{}, ctx.Err()
	}
	answer, err := by.Ask(ctx, c.ask())
	if err != nil && !isBroken(err) {
		return Verdict{}, err
	}
	v := c.judge(&r.port, answer, err)
	if v.Outcome == Hang {
		r.mu.Lock()
		r.hangs[c.Suite]++
		r.hangs[""]++
		r.mu.Unlock()
	}
	return v, nil
}

// givenUp tells why a case of a suite is not asked any more, "" where it is.
func (r *runner) givenUp(suite string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.hangs[""] >= mostHangs:
		return fmt.Sprintf("not asked: the port gave no answer in time for %d cases before", mostHangs)
	case r.hangs[suite] >= mostHangsInSuite:
		return fmt.Sprintf("not asked: the port gave no answer in time for %d cases of the suite before", mostHangsInSuite)
	}
	return ""
}
