package nightly

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"phpwire/fuzz/suites"
	"phpwire/reports"
)

// report is what the night found so far; err is what ended it.
func (n *night) report(err error) *reports.Run {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.state
	r := *s.Run
	r.Started, r.Seconds, r.Command = s.Started, s.Seconds, n.Command
	r.Columns = n.columns
	r.Suites = nil
	r.Cells = slices.Clone(s.Run.Cells)
	for _, p := range n.plan.parts {
		r.Suites = append(r.Suites, p.rows...)
		for _, row := range p.rows {
			for _, c := range n.columns[1:] {
				if p.asks == nobody {
					r.Cell(row.Name, c.Name).NotApplicable = suites.JudgedOnce
				}
			}
		}
	}
	r.Facts = n.resolved(s.Run.Facts)
	if s.Last != nil {
		// What matters of the last night is its facts; it stands in the history already.
		last := *s.Last
		last.History = nil
		r.Since(&last)
		r.History = s.Last.History
	}
	switch {
	case errors.Is(err, context.Canceled):
		r.Aborted = "interrupted"
	case err != nil:
		r.Aborted = err.Error()
	case n.late && n.Rounds > 0:
		r.Aborted = fmt.Sprintf("the budget of %v ended before %d rounds were done", n.Budget, n.Rounds)
	case n.late && s.Next < n.share(len(n.plan.rounds[0])):
		r.Aborted = fmt.Sprintf("the budget of %v ended before everything had its turn", n.Budget)
	}
	return &r
}
