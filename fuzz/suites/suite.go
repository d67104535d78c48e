package suites

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand"
	"path"
	"strings"
	"time"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// Suite is a named group of cases.
type Suite interface {
	// Name has parts separated by slashes, the first being its area.
	Name() string
	Title() string
	// Clauses are the clauses of docs/protocol.md that it tests.
	Clauses() []string
	// Total is the number of cases when so many codec cases are asked for.
	Total(cases int) int
	// Live tells whether PHP is asked. Where it is not, one column is enough.
	Live() bool

	// Exhaustive tells whether the suite leaves nothing out of what it tests.
	Exhaustive() bool
	// Fixed tells whether the suite has the same cases whatever the seed, and so
	// many that Total says the same for any number.
	Fixed() bool
	// Batch is how many cases are made and judged together. Cases that are bounded
	// with Options.From begin at a multiple of it, but for exhaustive suites.
	Batch() int

	// run judges the n cases from number first on.
	run(ctx context.Context, r *run, worker, first, n int) error
}

// about is what a suite says of itself.
type about struct {
	name, title string
	clauses     []string
	// Of each 100 codec cases of a run so many are this suite's; or it has a
	// fixed number of cases.
	share int
	fixed int
	size  int // of a batch
	alone bool
}

func (a about) Name() string      { return a.name }
func (a about) Title() string     { return a.title }
func (a about) Clauses() []string { return a.clauses }
func (a about) Live() bool        { return !a.alone }
func (a about) Exhaustive() bool  { return strings.HasPrefix(a.name, exhaustiveArea+"/") }
func (a about) Fixed() bool       { return a.fixed > 0 }
func (a about) Batch() int        { return a.size }

func (a about) Total(cases int) int {
	if a.fixed > 0 {
		return a.fixed
	}
	return max(1, cases*a.share/100)
}

// suite is a suite of cases of one type.
type suite[T any] struct {
	about
	// make makes the n cases from number first on.
	make func(r *rand.Rand, first, n int) []T
	// judge has a finding, or nil, for each case, and counts in seen, unless it is
	// nil, what the cases exercised. A suite that is not live is given no client.
	judge func(ctx context.Context, p *php, c *oracle.Client, cases []T, seen *judge.Visits) ([]*judge.Finding, error)
	// smaller lists cases to try instead of one that failed.
	smaller func(T) []T
	show    func(T) shown
}

// shown is a case as a report shows it.
type shown struct {
	input  []byte // the payload, or the stream
	tagged []byte // the value, for a case that is one
	replay string // the arguments of phpwire replay
	file   string // the arguments of phpwire corpus add, "" where the corpus has no such cases
	// inCorpus: without arguments for replay, phpwire corpus verify shows it.
	inCorpus bool
}

// source returns the random numbers of a batch.
func source(seed int64, name string, batch int) *rand.Rand {
	h := fnv.New64a()
	for shift := 0; shift < 64; shift += 8 {
		h.Write([]byte{byte(seed >> shift), byte(batch >> min(shift, 56))})
	}
	h.Write([]byte(name))
	return rand.New(rand.NewSource(int64(h.Sum64())))
}

// Match returns the suites whose names match a pattern of path.Match, where "*"
// at its end also matches what follows a slash; "" matches all. Exhaustive suites
// must be named: by a pattern that starts with "exhaustive".
func Match(pattern string) ([]Suite, error) {
	all := All()
	if strings.HasPrefix(pattern, exhaustiveArea) {
		all = Exhaustive()
	}
	var matched []Suite
	for _, s := range all {
		ok, err := Matches(pattern, s.Name())
		if err != nil {
			return nil, err
		}
		if ok {
			matched = append(matched, s)
		}
	}
	return matched, nil
}

// Matches tells whether a suite of that name is one that [Match] returns for the
// pattern.
func Matches(pattern, name string) (bool, error) {
	if pattern == "" {
		return true, nil
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if ok, err := path.Match(pattern, at); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// run makes a batch and has it judged.
func (s *suite[T]) run(ctx context.Context, r *run, worker, first, n int) error {
	cases := s.make(source(r.Seed, s.name, first/s.size), first, n)
	for _, p := range r.columns(s) {
		began := time.Now()
		var seen judge.Visits
		findings, err := s.judged(ctx, p, worker, cases, &seen)
		if err != nil {
			return err
		}
		r.count(s, p, len(cases), findings, &seen, time.Since(began))
		deaths := 0
		for i, f := range findings {
			if f == nil {
				continue
			}
			if err := s.report(ctx, r, p, worker, cases[i], f); err != nil {
				return err
			}
			if f.Invariant == "P6" {
				deaths++
			}
		}
		if deaths > mostDeaths {
			return fmt.Errorf("%s did not survive %d cases of one batch: there is no use in going on", p.name(), deaths)
		}
	}
	return nil
}

// mostDeaths is how many cases of a batch may end the child before a run gives
// up: each costs a new child.
const mostDeaths = 20

// report shrinks a failed case and lists it, unless enough of its kind are.
func (s *suite[T]) report(ctx context.Context, r *run, p *php, worker int, c T, f *judge.Finding) error {
	if !r.wanted(s, p, f) {
		return nil
	}
	found := len(s.show(c).input)
	shrinker := judge.Shrinker[T]{
		Smaller: s.smaller, Limit: batchTimeout,
		Judge: func(ctx context.Context, some []T) ([]*judge.Finding, error) {
			return s.judge(ctx, p, s.client(p, worker), some, nil)
		},
	}
	if client := s.client(p, worker); client != nil {
		shrinker.Ready = func(ctx context.Context) error {
			_, err := client.Facts(ctx)
			return err
		}
	}
	small, f, err := shrinker.Shrink(ctx, c, f)
	if err != nil && ctx.Err() != nil {
		return err
	}
	return r.fail(ctx, s, p, worker, s.show(small), found, f)
}
