package bench

import (
	"bytes"
	"context"
	"math/rand"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/codec"
	"phpwire/fuzz/bench/timing"
	"phpwire/fuzz/gen"
	"phpwire/oracle"
)

const (
	casesPerBatch = 1000
	manyCases     = 20 * casesPerBatch
	oneChild      = "1 child"
	oneByOne      = "1 child, one batch at a time"
	twoChildren   = "2 children"
	alone         = "PHP alone"
	aloneTwice    = "two PHPs alone"
)

// batches has PHP re-serialize generated values, beside PHP that does the same in a
// loop with nobody to answer to. The client cuts what it is asked into batches; asked
// one batch at a time it has nothing to prepare while PHP works. The smaller the
// values, the more there is to do around them.
func (b *bench) batches(ctx context.Context) ([]Row, error) {
	pool := oracle.NewPool(b.options.PHP, 2)
	defer pool.Close()
	var rows []Row
	for _, sort := range []struct {
		name string
		gen.Options
	}{{"small values", gen.Options{MaxNodes: 3}}, {"values of any size", gen.Options{}}} {
		cases, err := encodedValues(sort.Options)
		if err != nil {
			return nil, err
		}
		some, err := b.batchesOf(ctx, sort.name, pool, cases)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, nil
}

func (b *bench) batchesOf(ctx context.Context, name string, pool *oracle.Pool, cases [][]byte) ([]Row, error) {
	var loops []*loop
	for range pool.Size() {
		l, err := b.newLoop(ctx, cases)
		if err != nil {
			return nil, err
		}
		defer endBare(l.Wire)
		loops = append(loops, l)
	}
	ask := func(ctx context.Context, c *oracle.Client, most int) error {
		for some := range slices.Chunk(cases, most) {
			answers, err := c.Reserialize(ctx, some)
			if err != nil {
				return err
			}
			for i, a := range answers {
				if !a.Clean() || !bytes.Equal(a.Bytes, some[i]) {
					return wrong("PHP re-serializes %q to %q: %v", some[i], a.Bytes, a.Warnings)
				}
			}
		}
		return nil
	}
	askAll := func(ctx context.Context, c *oracle.Client) error { return ask(ctx, c, manyCases) }
	// Both clients' children start before the time does.
	if err := pool.Each(ctx, askAll); err != nil {
		return nil, err
	}
	results, err := b.rounds(ctx, []contestant{
		b.fallible(oneChild, func(ctx context.Context) error { return askAll(ctx, pool.Client()) }),
		b.fallible(oneByOne, func(ctx context.Context) error { return ask(ctx, pool.Client(), casesPerBatch) }),
		{who: twoChildren, round: b.atOnce(pool.Size(), func(ctx context.Context, i, runs int) error {
			for range runs {
				if err := askAll(ctx, pool.Clients()[i]); err != nil {
					return err
				}
			}
			return nil
		})},
		{who: alone, round: b.enough(loops[0].run)},
		{who: aloneTwice, round: b.atOnce(pool.Size(), func(ctx context.Context, i, runs int) error {
			_, err := loops[i].run(ctx, runs)
			return err
		})},
	})
	if err != nil {
		return nil, err
	}
	one, stepwise, two, inLoop, both := results[0], results[1], results[2], results[3], results[4]
	return []Row{
		newRow(name, manyCases, one, inLoop),
		newRow(name, manyCases, stepwise, inLoop),
		newRow(name, manyCases, two, one, inLoop, both),
	}, nil
}

// atOnce measures n that do the same at the same time, each as often as the others: a
// round ends with the slowest.
func (b *bench) atOnce(n int, run func(ctx context.Context, i, runs int) error) func(context.Context) (timing.Sample, error) {
	each := b.enough(func(ctx context.Context, runs int) (float64, error) {
		began := time.Now()
		var g errgroup.Group
		for i := range n {
			g.Go(func() error { return run(ctx, i, runs) })
		}
		err := g.Wait()
		return time.Since(began).Seconds(), err
	})
	return func(ctx context.Context) (timing.Sample, error) {
		s, err := each(ctx)
		s.Runs *= n
		return s, err
	}
}

// encodedValues are values as the suites have them, encoded, the same every time.
func encodedValues(o gen.Options) ([][]byte, error) {
	r := rand.New(rand.NewSource(5))
	cases := make([][]byte, manyCases)
	for i := range cases {
		var err error
		if cases[i], err = codec.Encode(gen.RandomValue(r, o)); err != nil {
			return nil, wrong("the reference cannot encode a generated value: %v", err)
		}
	}
	return cases, nil
}
