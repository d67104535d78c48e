package childtest

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/oracle"
	"phpwire/reports"
)

// Subject is a child under test: a worker on a PHP, or any program.
type Subject struct {
	Name     string // unique, as reports show it
	Version  string
	Kind     reports.ColumnKind
	Started  string // the command that starts it
	Platform string
	Launch   func(context.Context) (*oracle.Wire, error)
}

// Worker is our worker on a PHP.
func Worker(r oracle.Runtime) Subject {
	kind := reports.ColumnNative
	if r.Kind == oracle.Wasm {
		kind = reports.ColumnWASM
	}
	return Subject{Name: "PHP " + r.Name(), Version: r.Version, Kind: kind, Platform: r.Source,
		Launch: func(ctx context.Context) (*oracle.Wire, error) { return oracle.Launch(ctx, r, nil) }}
}

// Program is any program that takes the address of the socket as its last
// argument; the command is one of the shell.
func Program(command string) Subject {
	return Subject{Name: command, Kind: reports.ColumnPort, Started: command + " unix://SOCKET",
		Launch: func(ctx context.Context) (*oracle.Wire, error) { return oracle.LaunchCommand(ctx, command) }}
}

// Options say what to run.
type Options struct {
	Subjects []Subject
	Cases    []Case
	// Limit is how long a case may take before its child counts as hanging.
	Limit time.Duration
	// Parallel is how many subjects are tested at a time.
	Parallel int
	// Progress, where there is one, is told after each case how many of how many
	// are done. It is called by several goroutines.
	Progress func(done Result)
}

// DefaultLimit is long, since a slow machine is no fault of the child.
const DefaultLimit = 60 * time.Second

// Result is what became of a case.
type Result struct {
	Case    *Case
	Subject string
	// Outcome is empty where the child does what it must.
	Outcome reports.Outcome
	// Fault says what it does instead.
	Fault string
	// NotApplicable is why the case means nothing for this child; it was not run.
	NotApplicable string
	Transcript    []Line
	Sent          []byte // the first bytes that the host sent
	Took          time.Duration
}

// Run runs the cases against each subject and gives the results, those of one
// subject after those of another. The error is for what keeps the suite from
// running: a child that does not start at all.
func Run(ctx context.Context, o Options) ([]Result, error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	results := make([][]Result, len(o.Subjects))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(o.Parallel, 1))
	for i, s := range o.Subjects {
		g.Go(func() error {
			var err error
			results[i], err = runSubject(ctx, s, o)
			if err != nil {
				err = fmt.Errorf("%s: %w", s.Name, err)
			}
			return err
		})
	}
	err := g.Wait()
	var all []Result
	for _, r := range results {
		all = append(all, r...)
	}
	return all, err
}

func runSubject(ctx context.Context, s Subject, o Options) ([]Result, error) {
	version, known := versionID(s.Version)
	if !known {
		var err error
		if version, err = versionOf(ctx, s, o.Limit); err != nil {
			return nil, err
		}
	}
	var results []Result
	var h *Host
	defer func() {
		if h != nil {
			h.wire.End(0)
		}
	}()
	for i := range o.Cases {
		c := &o.Cases[i]
		r := Result{Case: c, Subject: s.Name, NotApplicable: c.needs.unmet(version)}
		if r.NotApplicable == "" {
			if h != nil && (c.child == fresh || c.child == single) {
				h.wire.End(0)
				h = nil
			}
			if h == nil {
				w, err := s.Launch(ctx)
				if err != nil {
					return results, err
				}
				h = &Host{wire: w}
			}
			lives := h.conduct(ctx, c, o.Limit, &r)
			if !lives {
				if !h.ended {
					h.wire.End(0)
				}
				h = nil
			}
			if err := ctx.Err(); err != nil {
				return results, err
			}
		}
		results = append(results, r)
		if o.Progress != nil {
			o.Progress(r)
		}
	}
	return results, nil
}

// conduct runs one case and tells whether its child can serve the next.
func (h *Host) conduct(ctx context.Context, c *Case, limit time.Duration, r *Result) (lives bool) {
	began := time.Now()
	h.begin(limit)
	stop := context.AfterFunc(ctx, func() { _ = h.wire.Conn().SetDeadline(time.Unix(1, 0)) })
	defer func() {
		stop()
		if p := recover(); p != nil {
			f, ok := p.(fault)
			if !ok {
				panic(p)
			}
			r.Outcome, r.Fault, lives = f.outcome, f.text, false
			if r.Outcome != reports.Crashed && !h.ended { // how it ends may say why
				h.ended = true
				h.ending = h.wire.End(100 * time.Millisecond)
				h.note("the child is ended: %s", describeEnding(h.ending))
			}
		}
		r.Transcript, r.Sent, r.Took = h.lines, h.first, time.Since(began)
	}()
	c.run(h)
	if c.Ends() {
		return false
	}
	h.note("the case is done: the child must be in order")
	h.alive()
	return true
}

// newest is a version for which every case applies.
const newest = 99999

// versionID is a version like 8.2.36 as PHP_VERSION_ID tells it.
func versionID(version string) (id int64, ok bool) {
	var major, minor, patch int64
	n, _ := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch) // what follows, like -dev, does not matter
	return major*10000 + minor*100 + patch, n == 3
}

// versionOf asks a child for PHP_VERSION_ID.
func versionOf(ctx context.Context, s Subject, limit time.Duration) (version int64, err error) {
	w, err := s.Launch(ctx)
	if err != nil {
		return 0, err
	}
	h := &Host{wire: w}
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(fault); !ok {
				panic(p)
			}
			version = newest // the cases say more about a child that does not even answer this
		}
		if !h.ended {
			w.End(0)
		}
	}()
	h.begin(limit)
	version, _ = h.ask("constant", str("PHP_VERSION_ID")).Int()
	return version, nil
}
