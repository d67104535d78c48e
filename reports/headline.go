package reports

import (
	"fmt"
	"strings"
)

// Headline is the outcome in a word, "passed", "failed" or "incomplete", and
// in a sentence: "124 of 3,360,000 cases fail, in 1 of 5 suites, on 3 of 3 PHPs".
func (r *Run) Headline() (word, sentence string) {
	t := r.Totals()
	switch {
	case t.Bad() > 0 && t.Bad() == t.Fixed:
		word = "failed"
		sentence = fmt.Sprintf("%s %s although known as %s: the file of known failures is out of date",
			some(t.Fixed, "case"), either(t.Fixed, "passes", "pass"), either(t.Fixed, "a failure", "failures"))
	case t.Bad() > 0:
		suites, columns := make(map[string]bool), make(map[string]bool)
		for _, c := range r.Cells {
			if c.Bad() > 0 {
				suites[c.Suite], columns[c.Column] = true, true
			}
		}
		word = "failed"
		sentence = fmt.Sprintf("%s of %s %s, in %d of %s, on %d of %s", number(t.Bad()), some(t.Cases, "case"), either(t.Bad(), "fails", "fail"),
			len(suites), some(int64(len(r.Suites)), "suite"), len(columns), r.columns())
	case r.Aborted != "":
		word, sentence = "incomplete", "What was checked holds, but the run did not come to its end"
	case t.Cases == 0:
		word, sentence = "incomplete", "No case was run"
	case t.Cases == t.Skipped:
		word, sentence = "incomplete", "Every case was skipped"
	default:
		word = "passed"
		sentence = fmt.Sprintf("%s %s, in %s, on %s", some(t.Passed, "case"), either(t.Passed, "holds", "hold"), some(int64(len(r.Suites)), "suite"), r.columns())
	}
	return word, sentence
}

// either is the verb for one or for many.
func either(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// columns says how many of what were judged: "3 PHPs", "10 ports".
func (r *Run) columns() string {
	ports := 0
	for _, c := range r.Columns {
		if c.Kind == ColumnPort {
			ports++
		}
	}
	switch n := int64(len(r.Columns)); ports {
	case 0:
		return some(n, "PHP")
	case len(r.Columns):
		return some(n, "port")
	default:
		return some(n, "column")
	}
}

// heading is the run's subject.
func (r *Run) heading() string {
	if r.Title != "" {
		return line(r.Title)
	}
	subject := map[Kind]string{
		KindRun:       "Reference codec against ",
		KindCheck:     "Check of ",
		KindNightly:   "Nightly run over ",
		KindChild:     "PHP child protocol on ",
		KindToolChild: "Tool-child protocol on ",
	}[r.Kind]
	if len(r.Columns) == 1 {
		return subject + line(r.Columns[0].Name)
	}
	return subject + r.columns()
}

// found says in words what a cell's cases came to, worst first:
// "41 failed, 3 crashed", "16 skipped".
func (c Counts) found() string {
	var parts []string
	for _, p := range []struct {
		n    int64
		word string
	}{
		{c.Failed, "failed"}, {c.Crashed, "crashed"}, {c.Hung, "hung"}, {c.Garbage, "garbage"},
		{c.Fixed, "unexpectedly passed"}, {c.Known, "known"}, {c.Skipped, "skipped"},
	} {
		if p.n > 0 {
			parts = append(parts, number(p.n)+" "+p.word)
		}
	}
	return strings.Join(parts, ", ")
}

// cellText says a cell in words, for every document alike. A nil cell is one
// that was not run.
func cellText(c *Cell) (mark, text, note string) {
	switch {
	case c == nil:
		return "", "not run", ""
	case c.NotApplicable != "":
		return "", "n/a", line(c.NotApplicable)
	case c.Cases == 0:
		return "", "no cases", ""
	case c.Bad() > 0:
		note = "of " + number(c.Cases)
		if c.Bad() != c.Failed {
			note = c.found() + ", " + note
		} else if c.Known+c.Skipped > 0 {
			note += ", " + Counts{Known: c.Known, Skipped: c.Skipped}.found()
		}
		return "✗", number(c.Bad()), note
	case c.Cases == c.Skipped:
		return "–", c.found(), ""
	default:
		return "✓", number(c.Passed), c.found()
	}
}
