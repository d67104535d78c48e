package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// HistoryNights is how many nights a history keeps.
const HistoryNights = 366

// Since compares the run with the last one of the same work: History becomes
// the last one's with that run added, and each of Facts gets its Change and its
// News.
//
// A fact is new when the last run did not have it; one that only drawn cases show
// is new where a column that is new, or of another build, does something else than
// its neighbour among those that stayed, and else it is only found. A fact is changed
// when a column does something else than it did. A column that the last run did not
// have is held against its neighbour there: the same version or series, or else the
// next older one, of the same kind where there is one. So a new PHP is news only
// where it behaves unlike its neighbour; a column without a neighbour only where it
// does what none did. A fact of the last run is added as gone when columns of this
// run, or their neighbours, should still show it.
func (r *Run) Since(last *Run) {
	history := append(slices.Clone(last.History), last.Night())
	r.History = history[max(0, len(history)-HistoryNights):]

	// A column that is new stands for its neighbour.
	neighbours := r.neighbours(last)
	here := make(map[string]bool)
	for _, c := range r.Columns {
		here[c.Name] = true
		if !slices.ContainsFunc(last.Columns, func(d Column) bool { return d.Name == c.Name }) {
			here[neighbours[c.Name]] = true
		}
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
			f.Change, f.News = New, nil
			if f.Drawn && !r.madeByNewPHP(f, last) {
				f.Change = Found
			}
		default:
			f.Change, f.News = Unchanged, f.unlike(old, neighbours)
			if len(f.News) > 0 {
				f.Change = Changed
			}
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
			f.Change, f.News = Gone, []string{"the PHPs do the same now"}
			r.Facts = append(r.Facts, f)
		}
	}
}

// madeByNewPHP tells whether a column that the last run did not have, or had of
// another build, is unlike its neighbour among the others.
func (r *Run) madeByNewPHP(f *Fact, last *Run) bool {
	said := make(map[string]string)
	for _, a := range f.Answers {
		for _, c := range a.Columns {
			said[c] = a.Answer
		}
	}
	stayed := new(Run)
	var fresh []Column
	for _, c := range r.Columns {
		if slices.ContainsFunc(last.Columns, func(d Column) bool { return d.Name == c.Name && d.Started == c.Started }) {
			stayed.Columns = append(stayed.Columns, c)
		} else {
			fresh = append(fresh, c)
		}
	}
	neighbours := r.neighbours(stayed)
	return slices.ContainsFunc(fresh, func(c Column) bool {
		neighbour, ok := neighbours[c.Name]
		return !ok || said[neighbour] != said[c.Name]
	})
}

// unlike says which columns do something else than they, or their neighbours,
// did in the old fact.
func (f *Fact) unlike(old Fact, neighbours map[string]string) (news []string) {
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
			was, ok := said[c]
			neighbour, hasOne := neighbours[c]
			beside, there := said[neighbour]
			switch {
			case ok && was != a.Answer:
				news = append(news, fmt.Sprintf("%s: %s; last night: %s", c, a.Answer, was))
			case ok:
			case hasOne && there && beside != a.Answer:
				news = append(news, fmt.Sprintf("%s: %s; its neighbour %s last night: %s", c, a.Answer, neighbour, beside))
			case !(hasOne && there) && !answers[a.Answer]:
				news = append(news, fmt.Sprintf("%s: %s, which none did last night", c, a.Answer))
			}
		}
	}
	return news
}

// neighbours finds for each column that the last run did not have the one that
// it is held against.
func (r *Run) neighbours(last *Run) map[string]string {
	found := make(map[string]string)
	for _, c := range r.Columns {
		var best *Column
		for i := range last.Columns {
			if d := &last.Columns[i]; d.nearer(best, &c) {
				best = d
			}
		}
		if best != nil {
			found[c.Name] = best.Name
		}
	}
	return found
}

// nearer tells whether d is a better neighbour of c than the one found so far.
func (d *Column) nearer(best, c *Column) bool {
	distance, ok := d.distance(c)
	if !ok {
		return false
	}
	if best == nil {
		return true
	}
	other, _ := best.distance(c)
	return slices.Compare(distance, other) < 0
}

// distance is how far the column's version is from that of c: first by the series,
// then by the kind, then by the patch. Later versions are no neighbours, but for
// those of the same series.
func (d *Column) distance(c *Column) ([]int, bool) {
	mine, yours := d.numbers(), c.numbers()
	if mine == nil || yours == nil {
		return nil, false
	}
	series := (yours[0]-mine[0])*1000 + yours[1] - mine[1]
	otherKind := 0
	if d.Kind != c.Kind {
		otherKind = 1
	}
	return []int{series, otherKind, max(yours[2]-mine[2], mine[2]-yours[2])}, series >= 0
}

// numbers are the three numbers of a PHP's version, nil where it has none.
func (d *Column) numbers() []int {
	parts := strings.SplitN(d.Version, ".", 3)
	if len(parts) < 3 || d.Kind == ColumnPort {
		return nil
	}
	numbers := make([]int, len(parts))
	for i, p := range parts {
		digits := p[:len(p)-len(strings.TrimLeft(p, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil
		}
		numbers[i] = n
	}
	return numbers
}
