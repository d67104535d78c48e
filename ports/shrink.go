package ports

import (
	"context"
	"time"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// shrinkTime is how long a failing case is made smaller.
const shrinkTime = 3 * time.Second

// shrink makes a generated case smaller for as long as the port fails it in the
// same way. Cases that hang stay as they are: each try would cost the whole time of
// an answer.
func (c *checker) shrink(ctx context.Context, s *sort, k Case, v Verdict) (Case, Verdict, error) {
	if v.Outcome == Hang {
		return k, v, nil
	}
	end := time.Now().Add(shrinkTime)
	smaller := gen.SmallerPayloads
	if s.op == Encode {
		smaller = smallerValues
	}
	_, err := gen.Shrink(k.Input, smaller, func(candidates [][]byte) (int, error) {
		for at := 0; at < len(candidates) && time.Now().Before(end); at += shrinkBatch {
			some := candidates[at:min(at+shrinkBatch, len(candidates))]
			cases, err := c.panel.cases(ctx, s, some)
			if err != nil {
				return -1, err
			}
			verdicts, err := c.runner.judge(ctx, cases)
			if err != nil {
				return -1, err
			}
			for i := range cases {
				if verdicts[i].Outcome == v.Outcome && verdicts[i].Kind == v.Kind {
					k, v = cases[i], verdicts[i]
					return at + i, nil
				}
			}
		}
		return -1, nil
	}, 1000)
	return k, v, err
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
