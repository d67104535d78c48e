package reports

import "slices"

// historyNights is how many nights a history keeps.
const historyNights = 366

// Since compares the run with the last one of the same work: History becomes
// the last one's with that run added, and each of Facts gets its Change.
//
// A fact is new when the last run did not have it, and changed when a column
// that both runs have does something else, or any column does what none did:
// so a new PHP is news only where it behaves like no PHP before. A fact of the
// last run is added as gone when columns of this run still should show it.
func (r *Run) Since(last *Run) {
	history := append(slices.Clone(last.History), last.Night())
	r.History = history[max(0, len(history)-historyNights):]

	here := make(map[string]bool)
	for _, c := range r.Columns {
		here[c.Name] = true
	}
	before := make(map[string]Fact)
	for _, f := range last.Facts {
		if f.Change != Gone {
			before[f.ID] = f
		}
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		old, ok := before[f.ID]
		delete(before, f.ID)
		switch {
		case f.Change == Gone:
		case !ok:
			f.Change = New
		case f.differs(old):
			f.Change = Changed
		default:
			f.Change = Unchanged
		}
	}
	for _, f := range last.Facts {
		if _, ok := before[f.ID]; !ok {
			continue
		}
		answers := 0
		for _, a := range f.Answers {
			if slices.ContainsFunc(a.Columns, func(c string) bool { return here[c] }) {
				answers++
			}
		}
		if answers > 1 {
			f.Change = Gone
			r.Facts = append(r.Facts, f)
		}
	}
}

// differs says whether a fact says something that the old one does not.
func (f *Fact) differs(old Fact) bool {
	said := make(map[string]string)
	answers := make(map[string]bool)
	for _, a := range old.Answers {
		answers[a.Answer] = true
		for _, c := range a.Columns {
			said[c] = a.Answer
		}
	}
	for _, a := range f.Answers {
		for _, c := range a.Columns {
			if was, ok := said[c]; ok && was != a.Answer || !answers[a.Answer] {
				return true
			}
		}
	}
	return false
}
