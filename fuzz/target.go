package fuzz

import (
	"context"
	"hash/fnv"
	"hash/maphash"
	"math/rand"
	"sync"
	"time"

	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
)

// T is whom a target tells of a failure: a *testing.T, or what stands for it
// under libFuzzer. Fatal does not return.
type T interface {
	Helper()
	Fatal(args ...any)
}

// target judges cases of one type.
type target[C any] struct {
	name string
	// judge has a finding, or nil, for each case.
	judge   func(context.Context, []C) ([]*judge.Finding, error)
	smaller func(C) []C
	// ready has the child running that judge asks, where it asks one.
	ready func(context.Context) error
	// explain tells what each side makes of a case, and the commands that replay
	// and keep it.
	explain func(context.Context, C) explanation
}

func init() { judge.CollectSeldom() }

// check judges the cases, and fails with the smallest case that shows the first
// finding.
func (g *target[C]) check(t T, cases []C) {
	t.Helper()
	ctx := context.Background()
	findings, err := judge.FirstSurviving(ctx, cases, batchTimeout, g.judge)
	if err != nil {
		t.Fatal(g.name + ": " + err.Error())
	}
	stats.add(g.name, len(cases))
	for i, f := range findings {
		if f != nil {
			t.Fatal(g.failure(ctx, cases[i], f))
		}
	}
}

// shrinkTime is how long a failure may be made smaller: the engine gives up on an
// input after ten seconds.
const shrinkTime = 4 * time.Second

// told are the failures of this process by target, invariant and kind: the
// engine has the same failure told again and again while it makes its own input
// smaller.
var told sync.Map

func (g *target[C]) failure(ctx context.Context, c C, f *judge.Finding) string {
	key := g.name + f.Invariant + f.Kind
	if text, ok := told.Load(key); ok {
		return text.(string)
	}
	size := len(g.explain(ctx, c).input)
	shrinker := judge.Shrinker[C]{Smaller: g.smaller, Judge: g.judge, Ready: g.ready, Limit: batchTimeout, Time: shrinkTime}
	small, f, err := shrinker.Shrink(ctx, c, f)
	text := g.explain(ctx, small).text(f, size)
	if err != nil {
		text += "\n  (shrinking ended early: " + err.Error() + ")"
	}
	told.Store(key, text)
	return text
}

// source returns the random numbers that an input stands for.
func source(input []byte) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write(input)
	return gen.NewRand(int64(h.Sum64()))
}

// The bounds of a batch.
const (
	batchCases = 1000
	batchBytes = 128 << 10
	mostInput  = 64 << 10 // of an input, that a batch is made of
)

// mutants returns the input and a batch of what mutate makes of it: mostly one
// change away, sometimes more, and no case twice.
func mutants(input []byte, most int, mutate func(*rand.Rand, []byte) []byte) [][]byte {
	if len(input) > mostInput {
		return [][]byte{input}
	}
	r := source(input)
	batch := make([][]byte, 1, most)
	batch[0] = input
	had := make(seen, most)
	had.before(input)
	size := len(input)
	second := input // a mutant that is mutated for a while
	for draws := mostDraws * most; len(batch) < most && size < batchBytes && draws > 0; draws-- {
		from := input
		switch r.Intn(32) {
		case 0:
			if c := batch[r.Intn(len(batch))]; len(c) <= mostSecond {
				second = c
			}
			fallthrough
		case 1, 2, 3, 4, 5, 6, 7:
			from = second
		}
		mutant := mutate(r, from)
		if len(mutant) > mostInput || had.before(mutant) {
			continue
		}
		batch = append(batch, mutant)
		size += len(mutant) + 16
	}
	return batch
}

// mostSecond is how long a mutant may be that is mutated again: many of a long one
// would fill the batch.
const mostSecond = 4 << 10

// mostDraws is how many mutants are drawn for each of a batch: a third of those of
// a small input were drawn before.
const mostDraws = 3

// seen tells which cases a batch has, by a hash of them: that two collide costs
// one case.
type seen map[uint64]struct{}

var hashSeed = maphash.MakeSeed()

// before tells whether the case was asked about before.
func (s seen) before(c []byte) bool {
	h := maphash.Bytes(hashSeed, c)
	_, was := s[h]
	s[h] = struct{}{}
	return was
}
