package gen

import "math/rand"

// NewRand returns random numbers for a seed. Seeding it costs next to nothing; that
// of [rand.NewSource] takes longer than drawing and judging a small value.
func NewRand(seed int64) *rand.Rand { return rand.New((*splitMix)(&seed)) }

// splitMix is the generator of Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators" (2014): a counter, and a mixing of its bits.
type splitMix int64

func (s *splitMix) Seed(seed int64) { *s = splitMix(seed) }

func (s *splitMix) Int63() int64 { return int64(s.Uint64() >> 1) }

func (s *splitMix) Uint64() uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	next := uint64(*s) + golden
	*s = splitMix(next)
	z := next
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// pick draws one of the given things.
func pick[T any](r *rand.Rand, from []T) T { return from[r.Intn(len(from))] }

func oneIn(r *rand.Rand, n int) bool { return r.Intn(n) == 0 }

// coin is heads or tails.
func coin(r *rand.Rand) bool { return r.Int63()&1 == 0 }

// weighted draws an index with the chances that sums gives: running sums of
// weights, the last of which is their total.
func weighted(r *rand.Rand, sums []int) int {
	at := r.Intn(sums[len(sums)-1])
	for i, sum := range sums {
		if at < sum {
			return i
		}
	}
	return len(sums) - 1
}
