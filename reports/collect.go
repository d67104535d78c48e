package reports

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
)

// Cell finds the cell of a suite and a column, or makes it. The pointer is
// good until the next call that makes one.
func (r *Run) Cell(suite, column string) *Cell {
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Suite == suite && c.Column == column {
			return c
		}
	}
	r.Cells = append(r.Cells, Cell{Suite: suite, Column: column})
	return &r.Cells[len(r.Cells)-1]
}

// Tallied counts n more of a name.
func Tallied(t []Tally, name string, n int64) []Tally {
	for i := range t {
		if t[i].Name == name {
			t[i].Count += n
			return t
		}
	}
	return append(t, Tally{Name: name, Count: n})
}

// Add lists a failure; counting it in its cell is the caller's. The list is
// cut from time to time, so that a run with millions of failures holds only
// about ListedPerCell for each suite and column: the ones with the shortest
// input, whatever the order in which they came.
func (r *Run) Add(f Failure) {
	if f.ID == "" {
		f.ID = f.fingerprint()
	}
	r.Failures = append(r.Failures, f)
	if len(r.Failures)%1024 == 0 {
		r.cut()
	}
}

// fingerprint is an id made from what the failure is.
func (f *Failure) fingerprint() string {
	h := sha256.New()
	for _, s := range []string{f.Suite, f.Column, f.Invariant, f.Kind, f.Case, string(f.Value)} {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	h.Write(f.Input)
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// cut sorts the failures by suite, column and size, drops repeated ids, and
// keeps ListedPerCell of each cell.
func (r *Run) cut() {
	suites := make(map[string]int, len(r.Suites))
	for i, s := range r.Suites {
		suites[s.Name] = i
	}
	columns := make(map[string]int, len(r.Columns))
	for i, c := range r.Columns {
		columns[c.Name] = i
	}
	slices.SortStableFunc(r.Failures, func(a, b Failure) int {
		return cmp.Or(
			cmp.Compare(suites[a.Suite], suites[b.Suite]),
			cmp.Compare(columns[a.Column], columns[b.Column]),
			cmp.Compare(len(a.Input), len(b.Input)),
			cmp.Compare(len(a.Value), len(b.Value)),
			bytes.Compare(a.Input, b.Input),
			cmp.Compare(a.ID, b.ID),
		)
	})
	type place struct{ suite, column string }
	listed := make(map[place]int)
	seen := make(map[string]bool, len(r.Failures))
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool {
		at := place{f.Suite, f.Column}
		if seen[f.ID] || r.ListedPerCell > 0 && listed[at] >= r.ListedPerCell {
			return true
		}
		seen[f.ID] = true
		listed[at]++
		return false
	})
}
