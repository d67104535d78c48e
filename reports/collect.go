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
// cut from time to time, so that a run with millions of failures holds at most
// twice ListedPerCell for each suite and column, and a thousand more: those
// with the shortest input, whatever the order in which they came. Columns and
// Suites are to be set before.
func (r *Run) Add(f Failure) {
	if f.ID == "" {
		f.ID = f.fingerprint()
	}
	r.Failures = append(r.Failures, f)
	if r.ListedPerCell > 0 && len(r.Failures) > 1000+2*r.ListedPerCell*len(r.Suites)*len(r.Columns) {
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

// places tells where the suites and the columns of a run stand.
type places struct{ suites, columns map[string]int }

func (r *Run) places() places {
	p := places{make(map[string]int, len(r.Suites)), make(map[string]int, len(r.Columns))}
	for i, s := range r.Suites {
		p.suites[s.Name] = i
	}
	for i, c := range r.Columns {
		p.columns[c.Name] = i
	}
	return p
}

func (p places) compare(suiteA, columnA, suiteB, columnB string) int {
	return cmp.Or(
		cmp.Compare(p.suites[suiteA], p.suites[suiteB]),
		cmp.Compare(p.columns[columnA], p.columns[columnB]),
	)
}

// cut sorts the failures by suite, column and size, drops repeated ids, and
// keeps ListedPerCell of each cell.
func (r *Run) cut() {
	at := r.places()
	slices.SortStableFunc(r.Failures, func(a, b Failure) int {
		return cmp.Or(
			at.compare(a.Suite, a.Column, b.Suite, b.Column),
			cmp.Compare(len(a.Input), len(b.Input)),
			cmp.Compare(len(a.Value), len(b.Value)),
			bytes.Compare(a.Input, b.Input),
			cmp.Compare(a.ID, b.ID),
			// Found twice, it was shrunk from one input or another.
			cmp.Compare(a.ShrunkFrom, b.ShrunkFrom),
			cmp.Compare(a.Title, b.Title),
		)
	})
	listed := make(map[[2]string]int)
	seen := make(map[string]bool, len(r.Failures))
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool {
		cell := [2]string{f.Suite, f.Column}
		if seen[f.ID] || r.ListedPerCell > 0 && listed[cell] >= r.ListedPerCell {
			return true
		}
		seen[f.ID] = true
		listed[cell]++
		return false
	})
}
