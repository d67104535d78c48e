package bench

import (
	"slices"
	"time"
)

// Report is all that was measured.
type Report struct {
	Version string    `json:"version"`
	Date    time.Time `json:"date"`
	Took    float64   `json:"seconds"`
	Command string    `json:"command"`
	Machine Machine   `json:"machine"`
	// AtLeast is how long each round of each one is, in seconds.
	AtLeast  float64   `json:"round_seconds"`
	Rounds   int       `json:"rounds"`
	Sections []Section `json:"sections"`
	Growth   []Growth  `json:"growth,omitempty"`
	Targets  []Target  `json:"targets"`
}

// Section is a part of a report.
type Section struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"` // of amounts and rates
	Rows  []Row  `json:"rows"`
}

// Row is one comparison. The first score is the reference's.
type Row struct {
	Name   string  `json:"name"`
	Amount float64 `json:"amount"` // of the section's unit in one run
	// MostObjects is how many a run may allocate, where there is a bound.
	MostObjects int     `json:"most_objects,omitempty"`
	Scores      []Score `json:"scores"`
}

// Score is how one did.
type Score struct {
	Who  string  `json:"who"`
	Rate float64 `json:"rate"` // units a second in the fastest round
	// Seconds is what one run took, by round.
	Seconds []float64   `json:"seconds"`
	Alloc   *Allocation `json:"allocated,omitempty"` // where Go counts
	// Ratio is how many times as fast the reference is.
	Ratio *Ratio `json:"ratio,omitempty"`
	Wrong string `json:"wrong,omitempty"` // what is wrong with the result
	Error string `json:"error,omitempty"` // why there is no result
}

// Allocation is what one run allocates.
type Allocation struct {
	Objects float64 `json:"objects"`
	Bytes   float64 `json:"bytes"`
}

// Ratio is the ratio of the fastest rounds, and between what half of the ratios
// within a round are.
type Ratio struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Inverse turns "how many times as fast" into "how many times the time".
func (r Ratio) Inverse() Ratio { return Ratio{1 / r.Value, 1 / r.High, 1 / r.Low} }

// ratio compares the speed of a with that of b.
func ratio(a, b []float64) Ratio {
	within := make([]float64, len(a))
	for i := range a {
		within[i] = b[i] / a[i]
	}
	slices.Sort(within)
	quarter := (len(within) - 1) / 4
	return Ratio{slices.Min(b) / slices.Min(a), within[quarter], within[len(within)-1-quarter]}
}

// Score returns the score of one in the row.
func (r *Row) Score(who string) *Score {
	for i := range r.Scores {
		if r.Scores[i].Who == who {
			return &r.Scores[i]
		}
	}
	return nil
}

// Section returns a section, or an empty one.
func (r *Report) Section(name string) Section {
	for _, s := range r.Sections {
		if s.Name == name {
			return s
		}
	}
	return Section{Name: name}
}

// Row returns a row, or nil.
func (s Section) Row(name string) *Row {
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return &s.Rows[i]
		}
	}
	return nil
}
