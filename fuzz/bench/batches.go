package bench

import (
	"bytes"
	"context"
	"math/rand"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/codec"
	"phpwire/fuzz/bench/timing"
	"phpwire/fuzz/gen"
	"phpwire/oracle"
)

const (
	casesPerBatch = 1000
	oneChild      = "1 child"
	alone         = "PHP alone"
	aloneTwice    = "PHP alone, twice"
)

// batches has PHP re-serialize generated values, 1,000 a batch, beside PHP that does
// the same in a loop with nobody to answer to.
func (b *bench) batches(ctx context.Context) ([]Row, error) {
	cases, err := encodedValues()
	if err != nil {
		return nil, err
	}
	pool := oracle.NewPool(b.options.PHP, 2)
	defer pool.Close()
	var loops []*loop
	for range pool.Size() {
		l, err := b.newLoop(ctx, cases)
		if err != nil {
			return nil, err
		}
		defer endBare(l.Wire)
		loops = append(loops, l)
	}
	batch := func(ctx context.Context, c *oracle.Client) error {
		answers, err := c.Reserialize(ctx, cases)
		if err != nil {
			return err
		}
		for i, a := range answers {
			if !a.Clean() || !bytes.Equal(a.Bytes, cases[i]) {
				return wrong("PHP re-serializes %q to %q: %v", cases[i], a.Bytes, a.Warnings)
			}
		}
		return nil
	}
	// Both clients' children start before the time does.
	if err := pool.Each(ctx, batch); err != nil {
		return nil, err
	}
	results, err := b.rounds(ctx, []contestant{
		b.fallible(oneChild, func(ctx context.Context) error { return batch(ctx, pool.Client()) }),
		{who: "2 children", round: func(ctx context.Context) (timing.Sample, error) {
			counts := make(chan int, pool.Size())
			began := time.Now()
			err := pool.Each(ctx, func(ctx context.Context, c *oracle.Client) error {
				n := 0
				for ; n == 0 || time.Since(began) < b.options.AtLeast; n++ {
					if err := batch(ctx, c); err != nil {
						return err
					}
				}
				counts <- n
				return nil
			})
			s := timing.Sample{Seconds: time.Since(began).Seconds()}
			for range pool.Size() {
				if err == nil {
					s.Runs += <-counts
				}
			}
			return s, err
		}},
		{who: alone, round: b.enough(loops[0].run)},
		{who: aloneTwice, round: b.enough(func(ctx context.Context, runs int) (float64, error) {
			began := time.Now()
			var g errgroup.Group
			for i, l := range loops {
				g.Go(func() error {
					_, err := l.run(ctx, (runs+i)/len(loops))
					return err
				})
			}
			err := g.Wait()
			return time.Since(began).Seconds(), err
		})},
	})
	if err != nil {
		return nil, err
	}
	one, two, single, double := results[0], results[1], results[2], results[3]
	return []Row{newRow(oneChild, casesPerBatch, one, single), newRow("2 children", casesPerBatch, two, one, single, double)}, nil
}

// encodedValues are values as the suites have them, encoded, the same every time.
func encodedValues() ([][]byte, error) {
	r := rand.New(rand.NewSource(5))
	cases := make([][]byte, casesPerBatch)
	for i := range cases {
		var err error
		if cases[i], err = codec.Encode(gen.RandomValue(r, gen.Options{})); err != nil {
			return nil, wrong("the reference cannot encode a generated value: %v", err)
		}
	}
	return cases, nil
}
