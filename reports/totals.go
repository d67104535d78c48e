package reports

// Bad is how many cases fail the run: wrong answers, crashes, hangs, garbage,
// and known failures that pass.
func (c Counts) Bad() int64 { return c.Failed + c.Crashed + c.Hung + c.Garbage + c.Fixed }

// Plus adds two counts.
func (c Counts) Plus(d Counts) Counts {
	return Counts{
		Cases:   c.Cases + d.Cases,
		Passed:  c.Passed + d.Passed,
		Failed:  c.Failed + d.Failed,
		Crashed: c.Crashed + d.Crashed,
		Hung:    c.Hung + d.Hung,
		Garbage: c.Garbage + d.Garbage,
		Known:   c.Known + d.Known,
		Fixed:   c.Fixed + d.Fixed,
		Skipped: c.Skipped + d.Skipped,
	}
}

// sum is what Cases must be.
func (c Counts) sum() int64 { return c.Passed + c.Bad() + c.Known + c.Skipped }

// Totals adds up all cells.
func (r *Run) Totals() Counts {
	var t Counts
	for i := range r.Cells {
		t = t.Plus(r.Cells[i].Counts)
	}
	return t
}

// Passed says whether the run is a success: it came to its end, asked at
// least one case, and no case is bad.
func (r *Run) Passed() bool {
	t := r.Totals()
	return r.Aborted == "" && t.Cases > t.Skipped && t.Bad() == 0
}

// Night is the run in a line, for the history of the next ones.
func (r *Run) Night() Night {
	n := Night{Started: r.Started, Version: r.Version, Counts: r.Totals(), Seconds: r.Seconds}
	for _, f := range r.Facts {
		if f.IsNews() {
			n.NewFacts++
		}
	}
	return n
}
