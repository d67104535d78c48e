package bench

import (
	"fmt"
	"strings"
	"time"

	"phpwire/codec/payloads"
)

// Table is a table of words, for whoever prints it.
type Table struct {
	Title  string
	About  string // a sentence that says how to read it
	Words  int    // the columns at the left that are no figures, besides the first
	Header []string
	Rows   [][]string
	Notes  []string // on what the table marks with !
}

// Tables are the report's tables, the targets first.
func (r *Report) Tables() []Table {
	tables := []Table{r.targetsTable()}
	for _, s := range r.Sections {
		switch s.Name {
		case "codec":
			tables = append(tables, s.codecTable())
		case "doubles":
			tables = append(tables, s.timesTable("double"))
		case "calls":
			tables = append(tables, s.timesTable("call"))
		case "small":
			tables = append(tables, s.smallTable())
		default:
			tables = append(tables, s.ratesTable())
		}
	}
	if len(r.Growth) > 0 {
		tables = append(tables, r.growthTable())
	}
	return tables
}

func (r *Report) targetsTable() Table {
	t := Table{Title: "Targets", Header: []string{"target", "must be", "is", "half of the rounds", "", "the worst of several"}}
	for _, g := range r.Targets {
		must := "at least "
		if g.Most {
			must = "at most "
		}
		met := "not met"
		if g.Met {
			met = "met"
		}
		spread := ""
		if g.High > 0 {
			spread = fmt.Sprintf("%.2f, %.2f", g.Low, g.High)
		}
		t.Rows = append(t.Rows, []string{g.Name, must + fmt.Sprintf("%.4g%s", g.Bound, g.unit), fmt.Sprintf("%.2f%s", g.Figure, g.unit), spread, met, g.Of})
	}
	return t
}

func (s Section) codecTable() Table {
	t := Table{
		Title: s.Title,
		About: "MB/s, and how many times that speed the reference's is. Objects and bytes are what the reference allocates. " +
			"\"shared\" decodes without copying the strings. \"encode\" makes new memory for each result, as the other Go codecs do, " +
			"and its target is beside them; \"append\" encodes into memory that is there, as PHP does, which frees each result " +
			"and gets the same memory for the next, and that target is beside PHP. " +
			"The payloads:" + payloadTitles() + ".",
		Header: []string{"", "MB", "reference", "objects", "allocated"},
	}
	if len(s.Rows) == 0 {
		return t
	}
	var others []string // the first row has all of them
	for _, other := range s.Rows[0].Scores[1:] {
		others = append(others, other.Who)
		t.Header = append(t.Header, other.Who, "×")
	}
	for _, op := range []string{"decode", "shared", "encode", "append"} {
		for _, row := range s.Rows {
			if strings.HasPrefix(row.Name, op+" ") {
				t.Rows = append(t.Rows, codecLine(row, others))
			}
		}
		if op != "shared" {
			line := []string{op + ", geometric mean", "", "", "", ""}
			means := Means(s.Rows, op)
			for _, who := range others {
				mean := ""
				for _, m := range means {
					if m.Who == who {
						mean = beside(m.Who, &m.Ratio)
					}
				}
				line = append(line, "", mean)
			}
			t.Rows = append(t.Rows, line)
		}
	}
	t.Notes = s.faults()
	return t
}

func payloadTitles() string {
	var b strings.Builder
	for i, p := range payloads.All() {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, " %s, %s", p.Name, p.Title)
	}
	return b.String()
}

func codecLine(row Row, others []string) []string {
	own := row.Scores[0]
	line := []string{row.Name, fmt.Sprintf("%.3g", row.Amount), rate(own.Rate), grouped(own.Alloc.Objects), grouped(own.Alloc.Bytes)}
	for _, who := range others {
		mark := ""
		switch other := row.Score(who); {
		case other == nil:
			line = append(line, "", "")
		case other.Error != "":
			line = append(line, "fails !", "")
		default:
			if other.Wrong != "" {
				mark = " !"
			}
			line = append(line, rate(other.Rate)+mark, beside(who, other.Ratio))
		}
	}
	return line
}

// beside writes the ratio to one of several, with its spread where that counts most.
func beside(who string, r *Ratio) string {
	if who == php {
		return times(r)
	}
	return factor(r.Value)
}

// faults says where others gave a wrong result, or none.
func (s Section) faults() []string {
	var notes []string
	for _, row := range s.Rows {
		op, name, _ := strings.Cut(row.Name, " ")
		if op != "decode" && op != "encode" {
			continue // the same others once more
		}
		for _, other := range row.Scores[1:] {
			if what := other.Wrong + other.Error; what != "" {
				notes = append(notes, fmt.Sprintf("%s, %s of %s: %s", other.Who, op, name, what))
			}
		}
	}
	return notes
}

// timesTable has the time of one, in the unit that suits it.
func (s Section) timesTable(one string) Table {
	t := Table{Title: s.Title, About: "The time of one " + one + "."}
	if len(s.Rows) == 0 {
		return t
	}
	t.Header = []string{"", "reference", s.Rows[0].Scores[1].Who, "× its time"}
	for _, row := range s.Rows {
		other := row.Scores[1]
		inverse := other.Ratio.Inverse()
		t.Rows = append(t.Rows, []string{row.Name, each(row.Scores[0].Rate), each(other.Rate), times(&inverse)})
	}
	return t
}

func (s Section) smallTable() Table {
	t := Table{Title: s.Title, About: "The time of one frame, and the objects allocated for it.", Header: []string{"", "time", "objects", "bytes"}}
	for _, row := range s.Rows {
		own := row.Scores[0]
		t.Rows = append(t.Rows, []string{row.Name, each(own.Rate), fmt.Sprintf("%.2f", own.Alloc.Objects/row.Amount), fmt.Sprintf("%.0f", own.Alloc.Bytes/row.Amount)})
	}
	return t
}

// ratesTable has a line for each pair that is compared.
func (s Section) ratesTable() Table {
	t := Table{Title: s.Title, About: strings.ToUpper(s.Unit[:1]) + s.Unit[1:] + " a second.", Words: 1, Header: []string{"", "", "a second", "beside", "a second", "×"}}
	for _, row := range s.Rows {
		own := row.Scores[0]
		for _, other := range row.Scores[1:] {
			line := []string{row.Name, own.Who, rate(own.Rate), other.Who, rate(other.Rate), times(other.Ratio)}
			if other.Error != "" {
				line[4] = other.Error
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

func (r *Report) growthTable() Table {
	t := Table{
		Title: "Twice the input",
		About: "The time at sizes that double, the largest factors by which time and memory grow for twice the bytes of input, and the factor of the time on average. " +
			"One string is copied, and little else is done with it; the plain copy, by bytes.Clone, grows by more than twice itself " +
			"where the memory is no longer what a cache holds. There the factor of the others is divided by half of the copy's, and what that " +
			"leaves, under \"judged\", is what the target is about. All other rows are judged as they are.",
		Header: []string{"", "of", "from", "to", "time", "", "", "", "", "time ×", "average ×", "judged ×", "memory ×"},
	}
	for _, g := range r.Growth {
		first, last := g.Points[0], g.Points[len(g.Points)-1]
		line := []string{g.Name, g.Of, grouped(float64(first.Size)), grouped(float64(last.Size))}
		for _, p := range g.Points {
			line = append(line, each(1/p.Seconds))
		}
		judged := fmt.Sprintf("%.2f", g.Judged)
		if g.Yardstick {
			judged = ""
		}
		t.Rows = append(t.Rows, append(line, fmt.Sprintf("%.2f", g.Time), fmt.Sprintf("%.2f", g.Mean), judged, fmt.Sprintf("%.2f", g.Memory)))
	}
	return t
}

// times writes a ratio with its spread, and nothing where there is none.
func times(r *Ratio) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s (%s, %s)", factor(r.Value), factor(r.Low), factor(r.High))
}

func factor(f float64) string {
	if f < 100 {
		return fmt.Sprintf("%.2f", f)
	}
	return grouped(f)
}

// rate writes so many a second.
func rate(perSecond float64) string {
	if perSecond < 100 {
		return fmt.Sprintf("%.1f", perSecond)
	}
	return grouped(perSecond)
}

// each writes the time of one.
func each(perSecond float64) string {
	d := 1e9 / perSecond
	switch {
	case d < 1e3:
		return fmt.Sprintf("%.3g ns", d)
	case d < 1e6:
		return fmt.Sprintf("%.3g µs", d/1e3)
	}
	return fmt.Sprintf("%.3g ms", d/float64(time.Millisecond))
}

// grouped writes 1234567 as 1,234,567.
func grouped(f float64) string {
	s := fmt.Sprintf("%.0f", f)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
