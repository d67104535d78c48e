package main

import (
	"math/rand"
	"slices"

	"phpwire/corpus"
	"phpwire/fuzz/mutants/active"
)

// seeker looks for inputs that tell mutants from the reference.
type seeker struct {
	*judge
	candidates []corpus.Case
	reach      *reach
	chosen     []*corpus.Case
}

// newSeeker draws candidates and notes what the reference makes of each.
func newSeeker(j *judge, kind string, n int, seed int64) *seeker {
	s := &seeker{judge: j}
	draw := candidates[kind]
	known := map[string]bool{}
	r := rand.New(rand.NewSource(seed))
	all := certain(kind)
	for range n {
		all = append(all, draw(r, j.cases))
	}
	for _, q := range all {
		key := string(q.Op) + q.From + string(q.Input)
		if known[key] {
			continue
		}
		known[key] = true
		c, err := corpus.New(q)
		if err == nil {
			s.candidates = append(s.candidates, *c)
		}
	}
	slices.SortStableFunc(s.candidates, func(a, b corpus.Case) int { return len(a.Input.B64) - len(b.Input.B64) })
	s.reach = reachOf(s.candidates, false)
	for _, some := range s.reach.By {
		slices.Sort(some) // the shortest first
	}
	return s
}

// seek says which input, if any, tells mutant n from the reference. Those that
// were found for others come first, so that few do for many.
func (s *seeker) seek(n int, _ string) {
	active.Set(n)
	v, c := s.first(n)
	s.now.Store(nil)
	active.Set(0)
	if c != nil && !slices.Contains(s.chosen, c) {
		s.chosen = append(s.chosen, c)
	}
	s.say(v)
}

func (s *seeker) first(n int) (Verdict, *corpus.Case) {
	tells := func(c *corpus.Case) (Verdict, bool) {
		s.now.Store(&running{n, c.ID, cpuTime()})
		what := check(c)
		return Verdict{Number: n, Caught: what != "", Case: c.ID, What: what, Question: &question{c.Op, c.Clause, c.Input.B64, c.From, c.Chunks}}, what != ""
	}
	for _, c := range s.chosen {
		if v, ok := tells(c); ok {
			return v, c
		}
	}
	for _, i := range s.reach.of(n) {
		if v, ok := tells(&s.candidates[i]); ok {
			return v, &s.candidates[i]
		}
	}
	return Verdict{Number: n}, nil
}
