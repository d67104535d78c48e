package ports

import (
	"context"
	"time"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// How long a failing case is made smaller, at most: long enough that it mostly ends
// by itself, so that the same fault ends in the same case, also on a busy machine and
// where each trial costs a start of the port.
const (
	shrinkTime  = 20 * time.Second
	hangTrials  = 16 // hangs that may be waited for
	hangQuicker = 10 // how many times sooner a hang is believed in a trial
	leastHang   = 250 * time.Millisecond
)

// shrink makes a generated case smaller for as long as the port fails it in the
// same way. Where it hangs, a trial that does not answer in a tenth of the time is
// taken for one, and only the end is waited for in full.
func (c *checker) shrink(ctx context.Context, s *sort, k Case, v Verdict) (Case, Verdict, error) {
	limit, batch, end, waits := c.Limit, shrinkBatch, time.Now().Add(shrinkTime), 0
	if v.Outcome == Hang {
		limit, batch = max(c.Limit/hangQuicker, leastHang), c.Copies
	}
	steps := []Case{k}
	first := v
	smaller := gen.SmallerPayloads
	if s.op == Encode {
		smaller = smallerValues
	}
	_, err := gen.Shrink(k.Input, smaller, func(candidates [][]byte) (int, error) {
		for at := 0; at < len(candidates) && time.Now().Before(end) && waits < hangTrials; at += batch {
			some := candidates[at:min(at+batch, len(candidates))]
			cases, err := c.panel.cases(ctx, s, some)
			if err != nil {
				return -1, err
			}
			verdicts, err := c.runner.trials(ctx, cases, limit)
			if err != nil {
				return -1, err
			}
			for i := range cases {
				if verdicts[i].Outcome == v.Outcome && verdicts[i].Kind == v.Kind {
					if v.Outcome == Hang {
						waits++
					}
					k, v = cases[i], verdicts[i]
					steps = append(steps, k)
					return at + i, nil
				}
			}
		}
		return -1, nil
	}, 1000)
	if err != nil || v.Outcome != Hang {
		return k, v, err
	}
	// Where one did not hang, but was slow, that half as small is tried.
	for at := len(steps) - 1; at > 0; at /= 2 {
		verdicts, err := c.runner.trials(ctx, steps[at:at+1], c.Limit)
		if err != nil || verdicts[0].Outcome == Hang {
			return steps[at], verdicts[0], err
		}
	}
	return steps[0], first, nil
}

// trials judges cases as [runner.judge] does, but for what hangs: it is not counted,
// and limit is for each answer. Cases that are not asked are skipped.
func (r *runner) trials(ctx context.Context, cases []Case, limit time.Duration) ([]Verdict, error) {
	return r.judgeBy(ctx, cases, func(ctx context.Context, by answerer, c *Case) (Verdict, error) {
		if c.Skip != "" {
			return Verdict{Outcome: Skip, Kind: c.Skip}, nil
		}
		return r.try(ctx, by, c, limit)
	})
}

// shrinkBatch is how many candidates are tried at a time: the boldest come first,
// so that the first batch mostly has one.
const shrinkBatch = 16

// smallerValues is gen.SmallerValues for tagged JSON.
func smallerValues(tagged []byte) [][]byte {
	v, err := codec.ParseTagged(tagged)
	if err != nil {
		return nil
	}
	var all [][]byte
	for _, s := range gen.SmallerValues(v) {
		all = append(all, codec.AppendTagged(nil, s))
	}
	return all
}
