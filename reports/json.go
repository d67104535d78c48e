package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// File names that [Write] uses.
const (
	JSONFile    = "report.json"
	JUnitFile   = "junit.xml"
	SummaryFile = "summary.md"
	PageFile    = "index.html"
)

// WriteJSON writes report.json.
func WriteJSON(w io.Writer, r *Run) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r.ready())
}

// ReadJSON reads what [WriteJSON] writes. Fields that it does not know are
// ignored; a report of a later [Format] or one that does not pass [Run.Check]
// is an error.
func ReadJSON(rd io.Reader) (*Run, error) {
	r := new(Run)
	if err := json.NewDecoder(rd).Decode(r); err != nil {
		return nil, err
	}
	if r.Format < 1 || r.Format > Format {
		return nil, fmt.Errorf("reports: format %d, this version reads 1 to %d", r.Format, Format)
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	for i := range r.Failures {
		r.Failures[i].compact()
	}
	return r, nil
}

// compact takes the white space out of the failure's values, which the
// indentation of report.json put there, and drops what is no JSON.
func (f *Failure) compact() {
	f.Value = compact(f.Value)
	for i := range f.Sides {
		f.Sides[i].Value = compact(f.Sides[i].Value)
	}
}

func compact(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return nil
	}
	return b.Bytes()
}

// Read reads a report.json, given by its own path or by its folder's.
func Read(path string) (*Run, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, JSONFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// clauseOrLast sorts facts by clause, those without one last.
func clauseOrLast(f Fact) string { return cmp.Or(f.Clause, "~") }

// ready is a copy of the run as it is written: its cells, failures and facts in
// order, its failures cut, lists never null, and without the tokens that do not fit their bytes
// and the values that are no JSON, which are not worth the loss of a report.
func (r *Run) ready() *Run {
	c := *r
	c.Format = Format
	c.Columns = append([]Column{}, r.Columns...)
	c.Suites = append([]Suite{}, r.Suites...)
	c.Cells = append([]Cell{}, r.Cells...)
	c.Failures = append([]Failure{}, r.Failures...)
	for i := range c.Failures {
		f := &c.Failures[i]
		if f.ID == "" {
			f.ID = f.fingerprint()
		}
		if f.Input == nil {
			f.Input = []byte{}
		}
		if checkTokens(f.Tokens, len(f.Input)) != nil {
			f.Tokens = nil
		}
		f.Sides = append([]Side{}, f.Sides...)
		f.compact()
		for j := range f.Sides {
			if s := &f.Sides[j]; checkTokens(s.Tokens, len(s.Bytes)) != nil {
				s.Tokens = nil
			}
		}
	}
	at := c.places()
	slices.SortStableFunc(c.Cells, func(a, b Cell) int { return at.compare(a.Suite, a.Column, b.Suite, b.Column) })
	c.Facts = slices.Clone(r.Facts)
	slices.SortStableFunc(c.Facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(clauseOrLast(a), clauseOrLast(b)), cmp.Compare(a.ID, b.ID))
	})
	for i := range c.Facts {
		if f := &c.Facts[i]; checkTokens(f.Tokens, len(f.Input)) != nil {
			f.Tokens = nil
		}
	}
	c.cut()
	return &c
}
