package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// table counts the mutants by package.
type table struct {
	rows       []*count
	survivors  []string // told, with where they stand
	wrong      []string // said to be equivalent, and caught
	equivalent []group
	unseen     []group
}

// group are the mutants of one reason.
type group struct {
	why     string
	mutants []*mutant
}

type count struct {
	name                        string
	mutants, broken, equivalent int
	unseen, unseenCaught        int
	shown, corpus, run, left    int
}

func newTable(all []*mutant, fates map[*mutant]*fate) *table {
	t := &table{}
	rows := map[string]*count{}
	total := &count{name: "all"}
	for _, m := range all {
		f := fates[m]
		folder := filepath.Dir(m.File)
		row := rows[folder]
		if row == nil {
			row = &count{name: folder}
			rows[folder] = row
			t.rows = append(t.rows, row)
		}
		row.add(f)
		total.add(f)
		switch where := fmt.Sprintf("%s:%d  %s", m.File, m.Line, m.ID); {
		case !f.Builds:
		case f.Equivalent != nil:
			t.equivalent = grouped(t.equivalent, f.Equivalent.why, m)
			if f.caught() {
				t.wrong = append(t.wrong, fmt.Sprintf("%s  [%s: %s]", where, f.Case, f.What))
			}
		case f.Unseen != nil:
			t.unseen = grouped(t.unseen, f.Unseen.why, m)
			if !f.caught() {
				t.survivors = append(t.survivors, where)
			}
		case !f.caught():
			if f.Unreached {
				where += "  (the corpus does not get there)"
			}
			t.survivors = append(t.survivors, where)
		}
	}
	t.rows = append(t.rows, total)
	return t
}

func grouped(groups []group, why string, m *mutant) []group {
	for i := range groups {
		if groups[i].why == why {
			groups[i].mutants = append(groups[i].mutants, m)
			return groups
		}
	}
	return append(groups, group{why, []*mutant{m}})
}

func (c *count) add(f *fate) {
	c.mutants++
	switch {
	case !f.Builds:
		c.broken++
	case f.Equivalent != nil:
		c.equivalent++
	case f.Unseen != nil:
		c.unseen++
		if f.caught() {
			c.unseenCaught++
		}
	default:
		c.shown++
		switch {
		case f.Corpus:
			c.corpus++
		case f.Run:
			c.run++
		default:
			c.left++
		}
	}
}

// share is n of m, in per cent.
func share(n, m int) string {
	if m == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, m, 100*float64(n)/float64(m))
}

var heads = []string{"package", "mutants", "no program", "equivalent", "caught by the corpus", "with a run", "unseen: caught by tests", "left"}

func (c *count) cells() []string {
	return []string{c.name, fmt.Sprint(c.mutants), fmt.Sprint(c.broken), fmt.Sprint(c.equivalent),
		share(c.corpus, c.shown), share(c.corpus+c.run, c.shown), share(c.unseenCaught, c.unseen), fmt.Sprint(c.left + c.unseen - c.unseenCaught)}
}

func (t *table) print(w io.Writer) {
	lines := [][]string{heads}
	for _, r := range t.rows {
		lines = append(lines, r.cells())
	}
	widths := make([]int, len(heads))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, line := range lines {
		for i, cell := range line {
			fmt.Fprintf(w, "%-*s  ", widths[i], cell)
		}
		fmt.Fprintln(w)
	}
	for _, s := range t.survivors {
		fmt.Fprintln(w, "survives:", s)
	}
	for _, s := range t.wrong {
		fmt.Fprintln(w, "not equivalent:", s)
	}
}

// verdict is an error where something survives, or is caught that should not be.
func (t *table) verdict() error {
	var all []error
	if n := len(t.survivors); n > 0 {
		all = append(all, fmt.Errorf("%d survive", n))
	}
	if n := len(t.wrong); n > 0 {
		all = append(all, fmt.Errorf("%d are caught and said to be equivalent", n))
	}
	return errors.Join(all...)
}

const page = `# What the suite catches

The reference, broken in small ways, one at a time, and who notices. Made by ` + "`make mutants`" + `; [fuzzing.md](fuzzing.md) says how.

- *no program*: the compiler refuses it
- *equivalent*: nobody can see a difference; the reasons are below
- *caught by the corpus*: of all others that bytes or errors of the wire show, the corpus alone, without any PHP, catches so many
- *with a run*: so many, where ` + "`phpwire run`" + ` with its default number of cases and one native PHP is asked about the rest
- *unseen*: it is in what no byte of the wire shows, for the reasons below, and the package's own tests are asked

`

// write makes a Markdown page of the table.
func (t *table) write(path string) error {
	var b strings.Builder
	b.WriteString(page)
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n")
	for _, r := range t.rows {
		b.WriteString("| " + strings.Join(r.cells(), " | ") + " |\n")
	}
	if len(t.survivors) > 0 {
		b.WriteString("\n## Left\n\n")
		for _, s := range t.survivors {
			b.WriteString("- " + code(s) + "\n")
		}
	}
	for _, part := range []struct {
		title  string
		groups []group
	}{{"Equivalent", t.equivalent}, {"Unseen", t.unseen}} {
		if len(part.groups) == 0 {
			continue
		}
		b.WriteString("\n## " + part.title + "\n")
		for _, g := range part.groups {
			fmt.Fprintf(&b, "\n%s (%d)\n\n", g.why, len(g.mutants))
			for _, m := range g.mutants {
				b.WriteString("- " + code(m.ID) + "\n")
			}
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func code(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }
