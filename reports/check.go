package reports

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Check says what in the run does not fit together: names that are empty,
// unknown or there twice, counts that do not add up, tokens or offsets
// outside their payload, values that are no JSON. It returns nil if all fits.
func (r *Run) Check() error {
	var errs []error
	bad := func(format string, args ...any) {
		if len(errs) < 20 {
			errs = append(errs, fmt.Errorf("reports: "+format, args...))
		}
	}

	columns := make(map[string]bool)
	for _, c := range r.Columns {
		if c.Name == "" || columns[c.Name] {
			bad("column %q is unnamed or there twice", c.Name)
		}
		columns[c.Name] = true
	}
	suites := make(map[string]bool)
	for _, s := range r.Suites {
		if s.Name == "" || suites[s.Name] {
			bad("suite %q is unnamed or there twice", s.Name)
		}
		suites[s.Name] = true
	}
	known := func(what, suite, column string) {
		if !suites[suite] {
			bad("%s names suite %q, which the run does not have", what, suite)
		}
		if !columns[column] {
			bad("%s names column %q, which the run does not have", what, column)
		}
	}

	cells := make(map[[2]string]bool)
	for _, c := range r.Cells {
		what := fmt.Sprintf("cell %s, %s", c.Suite, c.Column)
		known(what, c.Suite, c.Column)
		if at := [2]string{c.Suite, c.Column}; cells[at] {
			bad("%s is there twice", what)
		} else {
			cells[at] = true
		}
		if c.Cases != c.sum() {
			bad("%s has %d cases, its counts add up to %d", what, c.Cases, c.sum())
		}
		if n := total(c.Skips); n != c.Skipped {
			bad("%s skips %d cases, the reasons add up to %d", what, c.Skipped, n)
		}
		if c.NotApplicable != "" && c.Cases != 0 {
			bad("%s is not applicable, yet has %d cases", what, c.Cases)
		}
	}

	ids := make(map[string]bool)
	for i := range r.Failures {
		f := &r.Failures[i]
		what := "failure " + f.ID
		known(what, f.Suite, f.Column)
		if f.ID != "" && ids[f.ID] {
			bad("%s is there twice", what)
		}
		ids[f.ID] = true
		if err := f.check(); err != nil {
			bad("%s: %w", what, err)
		}
	}
	facts := make(map[string]bool)
	for _, f := range r.Facts {
		if f.ID == "" || facts[f.ID] {
			bad("fact %q is unnamed or there twice", f.ID)
		}
		facts[f.ID] = true
		if err := checkTokens(f.Tokens, len(f.Input)); err != nil {
			bad("fact %s: %w", f.ID, err)
		}
	}
	for _, k := range r.Known {
		if k.State == NowPasses && r.Totals().Fixed == 0 {
			bad("known failure %s passes, yet no cell counts it as fixed", k.Case)
			break
		}
	}
	return errors.Join(errs...)
}

func total(ts []Tally) int64 {
	var n int64
	for _, t := range ts {
		n += t.Count
	}
	return n
}

func (f *Failure) check() error {
	if err := checkTokens(f.Tokens, len(f.Input)); err != nil {
		return err
	}
	if err := checkOffset(f.Offset, len(f.Input)); err != nil {
		return err
	}
	if len(f.Value) > 0 && !json.Valid(f.Value) {
		return errors.New("its value is not JSON")
	}
	for i := range f.Sides {
		s := &f.Sides[i]
		if err := checkTokens(s.Tokens, len(s.Bytes)); err != nil {
			return fmt.Errorf("side %s: %w", s.Name, err)
		}
		if len(s.Value) > 0 && !json.Valid(s.Value) {
			return fmt.Errorf("side %s: its value is not JSON", s.Name)
		}
	}
	return nil
}

func checkTokens(ts []Token, size int) error {
	at := 0
	for _, t := range ts {
		if t.Offset < at || t.End < t.Offset || t.End > size {
			return fmt.Errorf("token %d to %d does not follow %d within %d bytes", t.Offset, t.End, at, size)
		}
		at = t.End
	}
	return nil
}

// checkOffset allows the offset just behind the payload: an end too early.
func checkOffset(o *int, size int) error {
	if o != nil && (*o < 0 || *o > size) {
		return fmt.Errorf("offset %d is outside its %d bytes", *o, size)
	}
	return nil
}
