package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// table counts the mutants by package.
type table struct {
	rows      []*count
	survivors []string // told, with where they stand
	excused   []string // equivalent, with why
}

type count struct {
	folder                                   string
	mutants, broken, equivalent, judged      int
	corpus, corpusAsked, run, runAsked, both int
}

func newTable(all []mutant, fates map[string]fate, equivalent map[string]string) *table {
	t := &table{}
	rows := map[string]*count{}
	total := &count{folder: "all"}
	for i := range all {
		m := &all[i]
		f, known := fates[m.ID]
		if !known {
			continue
		}
		folder := filepath.Dir(m.File)
		row := rows[folder]
		if row == nil {
			row = &count{folder: folder}
			rows[folder] = row
			t.rows = append(t.rows, row)
		}
		why, excused := equivalent[m.ID]
		for _, r := range []*count{row, total} {
			r.add(f, excused)
		}
		if f.Builds && !caught(f.Corpus) && !caught(f.Run) {
			if excused {
				t.excused = append(t.excused, m.ID+": "+why)
			} else {
				t.survivors = append(t.survivors, fmt.Sprintf("%s:%d  %s", m.File, m.Line, m.ID))
			}
		}
	}
	t.rows = append(t.rows, total)
	return t
}

func (c *count) add(f fate, excused bool) {
	c.mutants++
	switch {
	case !f.Builds:
		c.broken++
		return
	case excused:
		c.equivalent++
		return
	}
	c.judged++
	if f.Corpus != nil {
		c.corpusAsked++
	}
	if f.Run != nil {
		c.runAsked++
	}
	if caught(f.Corpus) {
		c.corpus++
	}
	if caught(f.Run) {
		c.run++
	}
	if caught(f.Corpus) || caught(f.Run) {
		c.both++
	}
}

// share is n of m, in per cent; m counts only what was asked.
func share(n, m int) string {
	if m == 0 {
		return "not asked"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, m, 100*float64(n)/float64(m))
}

var heads = []string{"package", "mutants", "do not build", "equivalent", "caught by the corpus", "caught by a run", "caught by either"}

func (c *count) cells() []string {
	return []string{c.folder, fmt.Sprint(c.mutants), fmt.Sprint(c.broken), fmt.Sprint(c.equivalent),
		share(c.corpus, c.corpusAsked), share(c.run, c.runAsked), share(c.both, c.judged)}
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
}

// write makes a Markdown page of the table.
func (t *table) write(path string) error {
	var b strings.Builder
	b.WriteString("# What the suite catches\n\nThe reference, broken in small ways, one at a time, and who notices. Made by `go run ./fuzz/mutants`.\n\n")
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n")
	for _, r := range t.rows {
		b.WriteString("| " + strings.Join(r.cells(), " | ") + " |\n")
	}
	for title, lines := range map[string][]string{"Survivors": t.survivors, "Equivalent": t.excused} {
		if len(lines) == 0 {
			continue
		}
		b.WriteString("\n## " + title + "\n\n")
		for _, line := range lines {
			b.WriteString("- `" + strings.ReplaceAll(line, "`", "'") + "`\n")
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// told says in a line what became of a mutant.
func told(m *mutant, f fate, equivalent map[string]string) string {
	verdict := "SURVIVES"
	_, excused := equivalent[m.ID]
	switch {
	case !f.Builds:
		verdict = "does not build"
	case caught(f.Corpus) && caught(f.Run):
		verdict = "caught by both"
	case caught(f.Corpus):
		verdict = "caught by the corpus"
	case caught(f.Run):
		verdict = "caught by a run"
	case excused:
		verdict = "equivalent"
	}
	return fmt.Sprintf("%-20s  %5.1f s  %s:%d  %s", verdict, f.Seconds, m.File, m.Line, m.What)
}
