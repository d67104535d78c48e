package gen

import "math/rand"

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
