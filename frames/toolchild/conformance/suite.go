// Package conformance judges a tool-child peer, in either role, clause by
// clause of docs/toolchild.md. The peer is any program that speaks the protocol
// on its stdin and stdout and knows the test service.
package conformance

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/frames/toolchild/peer"
)

// A Case is one check of one clause against a peer in one role.
type Case struct {
	ID          string    `json:"id"` // ROLE/…
	Clause      string    `json:"clause"`
	Requirement string    `json:"requirement"`
	Role        peer.Role `json:"role"`
	run         func(*session)
}

// A Result is what came of a case.
type Result struct {
	Case
	Passed  bool          `json:"passed"`
	Failure string        `json:"failure,omitempty"` // what was seen and what was expected
	Frames  []string      `json:"frames"`            // what was sent (">") and seen ("<"), cut to a readable length
	Elapsed time.Duration `json:"elapsedNs"`
}

// Options configure a run.
type Options struct {
	Command []string // the peer's program and first arguments
	Only    string   // a glob over the ids, in which * matches anything; empty for all
	Faults  []string // faults to plant, for a peer that knows --fault
	// Timeout bounds the waiting for one answer; 0 means 10 seconds.
	Timeout time.Duration
	// Report gets every result as it comes, in no order, one at a time, and how
	// many of how many cases are done. It may be nil.
	Report func(result Result, done, total int)
}

// Cases lists every case: first those for a child, then those for a server.
func Cases() []Case {
	var cases []Case
	for _, role := range []peer.Role{peer.Child, peer.Server} {
		l := &list{role: role}
		frameCases(l)
		guardCases(l)
		sessionCases(l)
		budgetCases(l)
		refCases(l)
		cases = append(cases, l.cases...)
	}
	return cases
}

// A list collects the cases of a role.
type list struct {
	role  peer.Role
	cases []Case
}

func (l *list) add(id, clause string, run func(*session)) {
	requirement, ok := requirements[clause]
	if !ok {
		panic("no clause " + clause)
	}
	l.cases = append(l.cases, Case{string(l.role) + "/" + id, clause, requirement, l.role, run})
}

// child adds a case for a peer that plays the child.
func (l *list) child(id, clause string, run func(*session)) {
	if l.role == peer.Child {
		l.add(id, clause, run)
	}
}

// server adds a case for a peer that plays the server.
func (l *list) server(id, clause string, run func(*session)) {
	if l.role == peer.Server {
		l.add(id, clause, run)
	}
}

// Run runs the cases, several at a time, and returns their results in the order
// of [Cases]. The error is the context's, or says that a peer could not even be
// started, or that no case matches.
func Run(ctx context.Context, options Options) ([]Result, error) {
	if options.Timeout == 0 {
		options.Timeout = 10 * time.Second
	}
	var cases []Case
	only := glob(options.Only)
	for _, c := range Cases() {
		if only.MatchString(c.ID) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no case matches %q", options.Only)
	}
	results := make([]Result, len(cases))
	var reporting sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range cases {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			result, err := runCase(c, options)
			if err != nil {
				return err
			}
			results[i] = result
			reporting.Lock()
			defer reporting.Unlock()
			done++
			if options.Report != nil {
				options.Report(result, done, len(cases))
			}
			return nil
		})
	}
	return results, group.Wait()
}

// glob compiles a pattern in which * matches anything.
func glob(pattern string) *regexp.Regexp {
	if pattern == "" {
		pattern = "*"
	}
	return regexp.MustCompile(`\A` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `\z`)
}

// A StartError is a peer that could not be started.
type StartError struct {
	Command []string
	Err     error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("starting the peer %q: %v", strings.Join(e.Command, " "), e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }

func runCase(c Case, options Options) (result Result, err error) {
	root, err := os.MkdirTemp("", "phpwire-toolchild-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(root)
	s := &session{options: options, role: c.Role, root: root}
	began := time.Now()
	defer func() {
		s.end()
		switch end := recover().(type) {
		case nil:
			result = Result{Case: c, Passed: true}
		case failure:
			result = Result{Case: c, Failure: string(end)}
		case *StartError:
			err = end
		default:
			panic(end)
		}
		result.Frames, result.Elapsed = s.frames, time.Since(began)
	}()
	c.run(s)
	return
}
