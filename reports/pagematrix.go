package reports

import (
	"cmp"
	"slices"

	"phpwire/corpus/printable"
)

// areaView is a group of rows of the matrix, the suites of one area.
type areaView struct {
	Name  string
	Sum   []cellView
	Suite []suiteView
}

// Alone says that the area is but one suite, whose row says all.
func (a areaView) Alone() bool { return len(a.Suite) == 1 }

type suiteView struct {
	Suite
	Cells []cellView
}

// cellView is a cell of the matrix. Suite and Column choose the failures that
// it leads to; they are set where there are any.
type cellView struct {
	Mark, Text, Note string
	Heat             string // the class of its colour
	Suite, Column    string
	Title            string
	Bad              bool
}

// foldFrom is the number of suites from which areas start folded.
const foldFrom = 24

func (v *pageView) matrix() {
	cells := v.grid()
	columns := v.Columns
	sums := make([]Cell, len(columns))
	index := make(map[string]int)
	var areaSums [][]Cell
	for _, s := range v.Suites {
		name := area(s.Name)
		i, ok := index[name]
		if !ok {
			i = len(v.Areas)
			index[name] = i
			v.Areas = append(v.Areas, areaView{Name: name})
			areaSums = append(areaSums, make([]Cell, len(columns)))
		}
		row := suiteView{Suite: s}
		for j, column := range columns {
			c := cells[[2]string{s.Name, column.Name}]
			row.Cells = append(row.Cells, viewCell(c, s.Name, column.Name))
			if c != nil {
				areaSums[i][j].Counts = areaSums[i][j].Plus(c.Counts)
				sums[j].Counts = sums[j].Plus(c.Counts)
			}
		}
		v.Areas[i].Suite = append(v.Areas[i].Suite, row)
	}
	for i := range v.Areas {
		for j := range columns {
			v.Areas[i].Sum = append(v.Areas[i].Sum, viewCell(&areaSums[i][j], v.Areas[i].Name+"/", columns[j].Name))
		}
	}
	for j := range columns {
		v.Sum = append(v.Sum, viewCell(&sums[j], "", columns[j].Name))
	}
	v.FoldAreas = len(v.Suites) >= foldFrom
}

// gapView is a reason why something was not judged, and where.
type gapView struct {
	Reason string
	Cases  int64 // 0 where a suite is not applicable
	Where  []string
}

// gaps lists what was not judged: a skip is counted and told, never hidden.
func (r *Run) gaps() []gapView {
	var out []gapView
	index := make(map[[2]string]int)
	note := func(sort, reason string, n int64, c *Cell) {
		key := [2]string{sort, reason}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, gapView{Reason: line(reason)})
		}
		out[i].Cases += n
		out[i].Where = append(out[i].Where, line(c.Suite)+" on "+line(c.Column))
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.NotApplicable != "" {
			note("n/a", c.NotApplicable, 0, c)
		}
		for _, s := range c.Skips {
			note("skip", s.Name, s.Count, c)
		}
	}
	return out
}

func viewCell(c *Cell, suite, column string) cellView {
	var v cellView
	v.Mark, v.Text, v.Note = cellText(c)
	v.Heat = heat(c)
	if c != nil && c.NotApplicable != "" {
		v.Note = "" // it stands below the matrix
	}
	if c != nil && c.Bad() > 0 {
		v.Bad, v.Suite, v.Column = true, line(suite), line(column)
	}
	if c != nil {
		v.Title = line(c.NotApplicable)
		for _, t := range slices.Concat(c.Kinds, c.Skips) {
			v.Title += number(t.Count) + ": " + line(t.Name) + "\n"
		}
	}
	return v
}

// heat is a class from "h1" (one case in a thousand fails) to "h5" (every
// other one), "ok", "part" (only a part could be judged) or "none".
func heat(c *Cell) string {
	if c == nil || c.Cases == c.Skipped {
		return "none"
	}
	if c.Bad() == 0 {
		if c.Skipped+c.Known > 0 {
			return "part"
		}
		return "ok"
	}
	share := float64(c.Bad()) / float64(c.Cases-c.Skipped)
	for i, limit := range []float64{0.001, 0.01, 0.1, 0.5} {
		if share < limit {
			return []string{"h1", "h2", "h3", "h4"}[i]
		}
	}
	return "h5"
}

// kindView is what fails most in one column.
type kindView struct {
	Column string
	Rows   []kindRow
	Others int // kinds that are not listed
}

type kindRow struct {
	Kind  string
	Cases int64
	// Listed says that no cell counts this kind: Cases has the listed ones only.
	Listed bool
	// Example is the failure with the shortest input, if one is listed.
	Example *Failure
	Preview string
}

// kindsListed is how many kinds are listed for a column.
const kindsListed = 5

// kinds lists for every column its worst kinds of failures.
func (r *Run) kinds() []kindView {
	type key struct{ column, kind string }
	example := make(map[key]*Failure)
	listed := make(map[key]int64)
	for i := range r.Failures {
		f := &r.Failures[i]
		k := key{f.Column, f.Kind}
		listed[k]++
		if e := example[k]; e == nil || len(f.Input) < len(e.Input) {
			example[k] = f
		}
	}
	counts := make(map[key]int64)
	for _, c := range r.Cells {
		for _, t := range c.Kinds {
			counts[key{c.Column, t.Name}] += t.Count
		}
	}
	byColumn := make(map[string][]kindRow)
	for k, n := range listed {
		if counts[k] == 0 {
			byColumn[k.column] = append(byColumn[k.column], kindRow{Kind: line(k.kind), Cases: n, Listed: true, Example: example[k], Preview: preview(example[k].Input)})
		}
	}
	for k, n := range counts {
		row := kindRow{Kind: line(k.kind), Cases: n, Example: example[k]}
		if row.Example != nil {
			row.Preview = preview(row.Example.Input)
		}
		byColumn[k.column] = append(byColumn[k.column], row)
	}
	var out []kindView
	for _, c := range r.Columns {
		rows := byColumn[c.Name]
		if len(rows) == 0 {
			continue
		}
		slices.SortFunc(rows, func(a, b kindRow) int {
			return cmp.Or(cmp.Compare(b.Cases, a.Cases), cmp.Compare(a.Kind, b.Kind))
		})
		n := min(len(rows), kindsListed)
		out = append(out, kindView{Column: c.Name, Rows: rows[:n], Others: len(rows) - n})
	}
	return out
}

// previewBytes is how much of a payload is shown on one line.
const previewBytes = 64

func preview(b []byte) string {
	if len(b) > previewBytes {
		return printable.Bytes(b[:previewBytes]) + "…"
	}
	return printable.Bytes(b)
}

// factView is a fact as the page shows it.
type factView struct {
	Fact
	Preview string
}

// weight is 0 for news, which stand first, then 1 for what was only found now.
func (f *factView) weight() int {
	switch {
	case f.IsNews():
		return 0
	case f.Change == Found:
		return 1
	}
	return 2
}

func (v *pageView) facts() {
	for _, f := range v.Run.Facts {
		if f.IsNews() {
			v.News++
		}
		v.Facts = append(v.Facts, factView{Fact: f, Preview: preview(f.Input)})
	}
	// News first.
	slices.SortStableFunc(v.Facts, func(a, b factView) int {
		return cmp.Compare(a.weight(), b.weight())
	})
}

// clauseView is a clause with a bar of 0 to 100.
type clauseView struct {
	ClauseVisits
	Bar int
}

func (v *pageView) clauses() {
	var most int64 = 1
	for _, c := range v.Run.Clauses {
		most = max(most, c.Visits)
	}
	for _, c := range v.Run.Clauses {
		if c.Visits > 0 {
			v.Visited++
		}
		v.Clauses = append(v.Clauses, clauseView{ClauseVisits: c, Bar: logBar(c.Visits, most)})
	}
}
