package nightly

import (
	"context"
	"fmt"
	"strings"
	"time"

	"phpwire/oracle/childtest"
	"phpwire/reports"
)

func childRow(id string) string {
	area, _, _ := strings.Cut(id, "/")
	return "child/" + area
}

// patience is how long an answer may take before it counts as none: a slow
// machine is no fault of the child.
const patience = time.Minute

// testChild plays the host against the worker of one PHP.
func testChild(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	o := childtest.Options{
		Subjects: []childtest.Subject{childtest.Worker(w.PHPs[u.php])}, Cases: childtest.All()[u.span.first : u.span.first+u.span.n], Limit: patience,
	}
	results, err := childtest.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	all := childtest.Report(o, results, func(r *childtest.Result) string {
		return fmt.Sprintf("%s child --php '%s' --only '%s' --show", w.Program, w.PHPs[u.php].Name(), r.Case.ID)
	})
	// The report has a row for each case; a night has one for each area.
	r := w.run(u.part.rows)
	r.Clauses = all.Clauses
	for _, c := range all.Cells {
		if c.NotApplicable != "" {
			c.Cases, c.Skipped = 1, 1
			c.Skips = []reports.Tally{{Name: c.NotApplicable, Count: 1}}
		}
		cell := r.Cell(childRow(c.Suite), c.Column)
		cell.Counts = cell.Plus(c.Counts)
		cell.Seconds += c.Seconds
		for _, t := range c.Skips {
			cell.Skips = reports.Tallied(cell.Skips, t.Name, t.Count)
		}
		for _, t := range c.Kinds {
			cell.Kinds = reports.Tallied(cell.Kinds, t.Name, t.Count)
		}
	}
	for _, f := range all.Failures {
		f.Suite = childRow(f.Suite)
		r.Add(f)
	}
	return r, nil
}
