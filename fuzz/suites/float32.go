package suites

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"phpwire/floatfmt"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// float32s is the suite of all doubles that a single-precision float can hold:
// case number n is the one with the bits n. A range that does not come out as it
// must is judged double by double.
type float32s struct {
	about
	judge *suite[judge.Float]
}

func exhaustiveFloat32() Suite {
	a := about{
		name: "exhaustive/float32", title: "every single-precision value as a double: the text that PHP writes, and reads back",
		clauses: []string{"D-1", "D-2", "D-3"}, fixed: 1 << 32, size: 20_000,
	}
	return &float32s{a, doubles(a, nil).(*suite[judge.Float])}
}

func (f *float32s) run(ctx context.Context, r *run, worker, first, n int) error {
	fs := make([]float64, n)
	cases := make([]judge.Float, n)
	for i := range fs {
		fs[i] = float64(math.Float32frombits(uint32(first + i)))
		cases[i] = shortest(math.Float64bits(fs[i]))
	}
	ours := serializedList(fs)
	for _, p := range r.phps {
		began := time.Now()
		var findings []*judge.Finding
		var seen judge.Visits
		same, err := f.agree(ctx, p.clients[worker], fs, ours)
		if err != nil {
			return err
		}
		if same {
			seen.Floats(cases)
		} else if findings, err = f.judge.judged(ctx, p, worker, cases, &seen); err != nil {
			return err
		} else if !slices.ContainsFunc(findings, func(f *judge.Finding) bool { return f != nil }) {
			findings[0] = &judge.Finding{Invariant: "P2", Clause: "D-1", Kind: "a list of doubles differs", Offset: -1,
				Title: fmt.Sprintf("The list of the %d doubles from this one on differs, each of them alone does not", n)}
		}
		for i, finding := range findings {
			if finding != nil {
				if err := f.judge.report(ctx, r, p, worker, cases[i], finding); err != nil {
					return err
				}
			}
		}
		r.count(f, p, n, findings, &seen, time.Since(began))
	}
	return nil
}

// serializedList is the payload of a list of doubles.
func serializedList(fs []float64) []byte {
	b := strconv.AppendInt([]byte("a:"), int64(len(fs)), 10)
	b = append(b, ":{"...)
	for i, f := range fs {
		b = strconv.AppendInt(append(b, "i:"...), int64(i), 10)
		b = floatfmt.AppendFloat(append(b, ";d:"...), f, -1)
		b = append(b, ';')
	}
	return append(b, '}')
}

// agree tells whether PHP writes the doubles as we do, and whether both read from
// that what was written.
func (f *float32s) agree(ctx context.Context, c *oracle.Client, fs []float64, ours []byte) (bool, error) {
	bounded, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	theirs, err := c.FloatList(bounded, fs, -1)
	if err == nil && theirs == string(ours) {
		var read []float64
		if read, err = c.ParseFloatList(bounded, ours, len(fs)); err == nil {
			return sameFloats(fs, read) && readsBack(ours, fs), nil
		}
	}
	var fatal *oracle.FatalError
	if errors.As(err, &fatal) && ctx.Err() == nil {
		return false, nil // to be looked for one by one
	}
	return false, err
}

func sameFloats(fs, read []float64) bool {
	for i, f := range fs {
		if math.Float64bits(f) != math.Float64bits(read[i]) && (f == f || math.Float64bits(read[i]) != quietNaN) {
			return false
		}
	}
	return true
}

// quietNaN are the bits of the one NaN that the wire has (clause V-10).
const quietNaN = 0x7ff8000000000000

// readsBack has the reference read the list that it wrote.
func readsBack(list []byte, fs []float64) bool {
	read := make([]float64, 0, len(fs))
	for at := 0; at < len(list); {
		if list[at] != 'd' {
			at++
			continue
		}
		f, n, err := floatfmt.ParsePrefix(list[at+2:])
		if err != nil {
			return false
		}
		read = append(read, f)
		at += 2 + n
	}
	return len(read) == len(fs) && sameFloats(fs, read)
}
