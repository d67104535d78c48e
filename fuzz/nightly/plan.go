package nightly

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"phpwire/corpus"
	"phpwire/fuzz/suites"
	"phpwire/oracle/childtest"
	"phpwire/reports"
)

// unit is a piece of the work.
type unit struct {
	part *part
	php  int // whose column it fills; everybody for those of all PHPs
	span span
}

// everybody stands for all PHPs together.
const everybody = -1

// span is n cases from number first on.
type span struct{ first, n int }

// part is what units are cut from.
type part struct {
	name string // what --suite matches
	rows []reports.Suite
	// asks tells of which PHPs there are units.
	asks asking
	// of lists what a round, counted from 0, has of it. All rounds but the first
	// have the same number of spans.
	of func(round int) []span
	do func(ctx context.Context, w *worker, u unit) (*reports.Run, error)
}

type asking int

const (
	each     asking = iota // of each PHP
	together               // of all PHPs, which are asked the same
	nobody                 // it asks no PHP, and stands in the first column
)

// The sizes of units, which take seconds.
const (
	corpusUnit  = 1000 // cases, before all PHPs
	childUnit   = 10   // cases, before one PHP: many start a child anew
	drawnUnit   = 1000 // payloads, before all PHPs
	suiteUnit   = 100  // batches of a suite, before one PHP
	drawnShare  = 25   // of so many codec cases, one is drawn to see what PHPs do
	leastDrawn  = 200
	roundsAtAll = 1 << 30
)

// plan is all that a night could do.
type plan struct {
	parts  []*part
	phps   int
	rounds [2][]unit // the first round's, and those of a later one, whose spans are of round 1
}

// newPlan plans rounds of so many codec cases for each PHP, of the parts that one of
// the patterns matches, which are separated by commas.
func newPlan(phps, cases int, pattern string) (*plan, error) {
	p := &plan{phps: phps}
	for _, candidate := range allParts(cases) {
		matched := false
		for _, word := range strings.Split(pattern, ",") {
			ok, err := suites.Matches(word, candidate.name)
			if err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", word, err)
			}
			matched = matched || ok
		}
		if matched {
			p.parts = append(p.parts, candidate)
		}
	}
	for round := range p.rounds {
		p.rounds[round] = p.round(round)
	}
	return p, nil
}

func allParts(cases int) []*part {
	parts := []*part{recordedPart()}
	for _, s := range suites.All() {
		parts = append(parts, suitePart(s, cases))
	}
	return append(parts, childPart(), toolchildPart(), drawnPart(cases))
}

// Names lists what a night does, for --suite.
func Names() []string {
	var names []string
	for _, p := range allParts(1) {
		names = append(names, fmt.Sprintf("%-22s %s", p.name, p.rows[0].Title))
	}
	return names
}

func (p *plan) round(round int) (units []unit) {
	for _, part := range p.parts {
		for _, s := range part.of(round) {
			switch part.asks {
			case each:
				for php := range p.phps {
					units = append(units, unit{part, php, s})
				}
			case together:
				units = append(units, unit{part, everybody, s})
			case nobody:
				units = append(units, unit{part, 0, s})
			}
		}
	}
	return units
}

// unit returns the unit of that number, and in which round it is. There is none
// where the plan has no later rounds.
func (p *plan) unit(number int) (u unit, round int, ok bool) {
	if number < len(p.rounds[0]) {
		return p.rounds[0][number], 0, true
	}
	number -= len(p.rounds[0])
	later := len(p.rounds[1])
	if later == 0 {
		return unit{}, 0, false
	}
	round = 1 + number/later
	u = p.rounds[1][number%later]
	// The spans of a part follow one another from round to round.
	spans, before := u.part.of(round), u.part.of(1)
	u.span = spans[slices.Index(before, u.span)]
	return u, round, true
}

// units is how many units so many rounds have.
func (p *plan) units(rounds int) int {
	return len(p.rounds[0]) + (rounds-1)*len(p.rounds[1])
}

// once is the spans of a part that only the first round has.
func once(total, size int) func(int) []span {
	return func(round int) []span {
		if round > 0 {
			return nil
		}
		return cut(0, total, size)
	}
}

// everyRound is the spans of a part that every round has so many new cases of.
func everyRound(perRound, size int) func(int) []span {
	return func(round int) []span { return cut(round*perRound, perRound, size) }
}

func cut(first, n, size int) (spans []span) {
	for at := 0; at < n; at += size {
		spans = append(spans, span{first + at, min(size, n-at)})
	}
	return spans
}

func recordedPart() *part {
	return &part{
		name: corpusRow, asks: together, of: once(len(corpus.Cases()), corpusUnit), do: verifyCorpus,
		rows: []reports.Suite{{Name: corpusRow, Title: "the regression corpus: every PHP does what is recorded for it", Clauses: []string{"P-2", "P-3", "T-1"}}},
	}
}

// suitePart is one of the suites of `phpwire run`.
func suitePart(s suites.Suite, cases int) *part {
	p := &part{name: s.Name(), rows: []reports.Suite{{Name: s.Name(), Title: s.Title(), Clauses: s.Clauses()}}, do: runSuite(s)}
	if !s.Live() {
		p.asks = nobody
	}
	size := s.Batch() * suiteUnit
	if s.Fixed() {
		p.of = once(s.Total(cases), size)
	} else {
		batches := (s.Total(cases) + s.Batch() - 1) / s.Batch()
		p.of = everyRound(batches*s.Batch(), size)
	}
	return p
}

func childPart() *part {
	p := &part{name: "child", asks: each, of: once(len(childtest.All()), childUnit), do: testChild}
	for _, c := range childtest.All() {
		row := childRow(c.ID)
		i := slices.IndexFunc(p.rows, func(s reports.Suite) bool { return s.Name == row })
		if i < 0 {
			i = len(p.rows)
			p.rows = append(p.rows, reports.Suite{Name: row, Title: "the worker's protocol, clause by clause: " + c.Area()})
		}
		if !slices.Contains(p.rows[i].Clauses, c.Clause) {
			p.rows[i].Clauses = append(p.rows[i].Clauses, c.Clause)
		}
	}
	return p
}

const toolchild = "toolchild"

func toolchildPart() *part {
	p := &part{name: toolchild, asks: nobody, of: once(len(toolchildAreas()), 1), do: testToolchild}
	for _, area := range toolchildAreas() {
		p.rows = append(p.rows, reports.Suite{Name: toolchild + "/" + area, Title: "the tool-child protocol, clause by clause: " + area})
	}
	return p
}

func drawnPart(cases int) *part {
	return &part{
		name: "php/drawn", asks: together, of: everyRound(max(cases/drawnShare, leastDrawn), drawnUnit), do: askDrawn,
		rows: []reports.Suite{{Name: "php/drawn", Title: "drawn payloads, for what the PHPs do: where they differ is a fact, not a failure", Clauses: []string{"P-2"}}},
	}
}
