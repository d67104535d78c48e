package gen

import (
	"cmp"
	"math/bits"
	"slices"
)

// The bounds of one round of candidates.
const (
	mostCandidates = 2000
	mostBytes      = 32 << 20 // of candidates, or as much as leastTimes
	leastTimes     = 6        // times what is to shrink: its halves and its quarters
	mostTexts      = 4000     // ways to make a single number or text simpler are looked at
)

// budget is how many bytes of candidates a round makes of something so large.
func budget(size int) int { return max(mostBytes, leastTimes*size) }

// class is a way to make things smaller. Each has its share of a round, so that
// many bold candidates leave room for others.
type class uint8

const (
	hoisted    class = iota // a part in the place of the whole
	lifted                  // a part in the place of one around it
	plain                   // null, 0, nothing in the place of a part
	elements                // elements left out
	uniform                 // all elements or keys of an array made simple
	cut                     // tokens or ranges of bytes left out
	together                // texts that stand in several places
	simplified              // numbers, texts, keys
	classCount
)

var shares = [classCount]int{hoisted: 256, lifted: 256, plain: 256, elements: 500, uniform: 150, cut: 900, together: 400, simplified: mostTexts}

// change is a candidate that was not made yet.
type change[T any] struct {
	saves int              // bytes, about
	make  func() (T, bool) // false: there is no such candidate after all
}

// round collects what may be offered.
type round[T any] struct{ changes [classCount][]change[T] }

func (r *round[T]) offer(c class, saves int, make func() (T, bool)) {
	r.changes[c] = append(r.changes[c], change[T]{saves, make})
}

// chosen returns the share of each class, the boldest changes first.
func (r *round[T]) chosen() []change[T] {
	bolder := func(a, b change[T]) int { return cmp.Compare(b.saves, a.saves) }
	var all []change[T]
	for c, changes := range r.changes {
		slices.SortStableFunc(changes, bolder)
		sampled(len(changes), shares[c], func(i int) { all = append(all, changes[i]) })
	}
	slices.SortStableFunc(all, bolder)
	return all
}

// sampled calls take with at most the given number of the indexes 0 to n-1,
// evenly spread, both ends among them.
func sampled(n, most int, take func(i int)) {
	if n <= most {
		most = n
	}
	for i := range most {
		if n == most {
			take(i)
		} else {
			take(i * (n - 1) / (most - 1))
		}
	}
}

// sampledBySize is sampled for things of the given sizes. Those of about the same
// size share what is taken, so that the few large ones are not lost among many
// small ones.
func sampledBySize(sizes []int, most int, take func(i int)) {
	if len(sizes) <= most {
		sampled(len(sizes), most, take)
		return
	}
	var groups [65][]int
	used := 0
	for i, size := range sizes {
		g := bits.Len(uint(size))
		if groups[g] == nil {
			used++
		}
		groups[g] = append(groups[g], i)
	}
	for _, group := range groups {
		sampled(len(group), max(most/used, 2), func(i int) { take(group[i]) })
	}
}

// ranges calls offer with the ranges of n things that a round leaves out: all,
// the halves, the quarters, down to single ones, of at most the given number.
func ranges(n, most int, offer func(from, to int)) {
	offered := 0
	for size := n; size > 0; size /= 2 {
		for from := 0; from < n; from += size {
			if offered++; offered > most {
				return
			}
			offer(from, min(from+size, n))
		}
	}
}
