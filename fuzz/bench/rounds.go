package bench

import (
	"context"
	"slices"
	"time"

	"phpwire/fuzz/bench/timing"
)

// contestant takes part in a comparison.
type contestant struct {
	who   string
	round func(context.Context) (timing.Sample, error)
	inGo  bool   // its allocations are counted
	wrong string // what is wrong with its results
	fails string // why it cannot take part
}

// series is what one did, round by round.
type series struct {
	contestant
	samples []timing.Sample
}

// rounds has everybody take turns.
func (b *bench) rounds(ctx context.Context, all []contestant) ([]series, error) {
	results := make([]series, len(all))
	for i, c := range all {
		results[i].contestant = c
	}
	for range b.options.Rounds {
		for i := range results {
			r := &results[i]
			if r.fails != "" {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, err := r.round(ctx)
			if err != nil {
				return nil, err
			}
			r.samples = append(r.samples, s)
		}
	}
	return results, nil
}

// newRow compares the first with the rest. Amount is how many units a run is.
func newRow(name string, amount float64, all ...series) Row {
	row := Row{Name: name, Amount: amount}
	for i, s := range all {
		score := s.score(amount)
		if i > 0 && score.Error == "" {
			r := ratio(row.Scores[0].Seconds, score.Seconds)
			score.Ratio = &r
		}
		row.Scores = append(row.Scores, score)
	}
	return row
}

func (s *series) score(amount float64) Score {
	score := Score{Who: s.who, Wrong: s.wrong, Error: s.fails}
	if s.fails != "" {
		return score
	}
	for i, sample := range s.samples {
		score.Seconds = append(score.Seconds, sample.Each())
		if !s.inGo {
			continue
		}
		runs := float64(sample.Runs)
		a := Allocation{float64(sample.Objects) / runs, float64(sample.Bytes) / runs}
		if i == 0 {
			score.Alloc = &a
		}
		// The least: whatever else the program did meanwhile is not the work's.
		score.Alloc.Objects, score.Alloc.Bytes = min(score.Alloc.Objects, a.Objects), min(score.Alloc.Bytes, a.Bytes)
	}
	score.Rate = amount / slices.Min(score.Seconds)
	return score
}

// here is a contestant that works in this program.
func (b *bench) here(who string, work func()) contestant {
	return contestant{who: who, inGo: true, round: func(context.Context) (timing.Sample, error) {
		return timing.Time(b.options.AtLeast, work), nil
	}}
}

// fallible is one whose work can fail.
func (b *bench) fallible(who string, work func(context.Context) error) contestant {
	return contestant{who: who, inGo: true, round: func(ctx context.Context) (timing.Sample, error) {
		var failed error
		s := timing.Time(b.options.AtLeast, func() {
			if err := work(ctx); err != nil {
				failed = err
			}
		})
		return s, failed
	}}
}

// enough adapts how many runs a round has where the work is timed elsewhere: run
// does so many and tells the seconds.
func (b *bench) enough(run func(ctx context.Context, runs int) (float64, error)) func(context.Context) (timing.Sample, error) {
	runs := 1
	return func(ctx context.Context) (timing.Sample, error) {
		for {
			seconds, err := run(ctx, runs)
			if err != nil {
				return timing.Sample{}, err
			}
			if enough := b.options.AtLeast.Seconds() / 2; seconds >= enough || runs >= mostRuns {
				return timing.Sample{Runs: runs, Seconds: seconds}, nil
			}
			each := max(seconds/float64(runs), float64(time.Nanosecond)/float64(time.Second))
			runs = min(max(int(b.options.AtLeast.Seconds()/each), 2*runs), mostRuns)
		}
	}
}

// mostRuns bounds a round of something that takes no time.
const mostRuns = 1 << 30
