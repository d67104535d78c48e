package gen

import "fmt"

// batchSize is how many candidates a judge gets at a time.
const batchSize = 256

// Shrink makes start smaller for as long as it still shows its fault. Each round
// offers the candidates that smaller lists, in batches of at most 256, to still,
// which returns the index of the first that still shows the fault, or -1; that one
// starts the next round. It ends where no candidate does, or after the given
// number of rounds. The error is that of still, or of an index that it made up;
// the value is the smallest found until then.
func Shrink[T any](start T, smaller func(T) []T, still func([]T) (int, error), rounds int) (T, error) {
	for range rounds {
		next, found, err := firstThatShows(smaller(start), still)
		if err != nil || !found {
			return start, err
		}
		start = next
	}
	return start, nil
}

func firstThatShows[T any](candidates []T, still func([]T) (int, error)) (first T, found bool, err error) {
	for len(candidates) > 0 {
		batch := candidates[:min(batchSize, len(candidates))]
		i, err := still(batch)
		switch {
		case err != nil:
			return first, false, err
		case i >= len(batch):
			return first, false, fmt.Errorf("the judge names candidate %d of %d", i, len(batch))
		case i >= 0:
			return batch[i], true, nil
		}
		candidates = candidates[len(batch):]
	}
	return first, false, nil
}

// ShrinkCostly is [Shrink] for a fault that costs something each time it shows, as
// a crash or a hang does: whoever judges cannot tell which of some candidates shows
// it, only whether any does. Candidates are tried in groups, which grow for as long
// as none does; a group that does is halved until one candidate is left. It ends
// after so many times that shows was true.
func ShrinkCostly[T any](start T, smaller func(T) []T, shows func([]T) (bool, error), times int) (T, error) {
	c := costly[T]{shows: shows, left: times}
	small, err := Shrink(start, func(v T) []T {
		first, found, err := c.first(smaller(v))
		if c.err = err; !found {
			return nil
		}
		return []T{first}
	}, func([]T) (int, error) { return 0, nil }, times)
	if err == nil {
		err = c.err
	}
	return small, err
}

type costly[T any] struct {
	shows func([]T) (bool, error)
	left  int
	err   error
}

// any tells whether a candidate shows the fault, as long as that may be asked.
func (c *costly[T]) any(candidates []T) (bool, error) {
	if c.left == 0 {
		return false, nil
	}
	shown, err := c.shows(candidates)
	if shown {
		c.left--
	}
	return shown, err
}

// firstGroup is how many candidates are tried first: one of the boldest often does.
const firstGroup = 4

func (c *costly[T]) first(candidates []T) (first T, found bool, err error) {
	for size := firstGroup; len(candidates) > 0 && c.left > 0; size *= 2 {
		group := candidates[:min(size, len(candidates))]
		candidates = candidates[len(group):]
		if found, err = c.any(group); err != nil || !found {
			if err != nil {
				return first, false, err
			}
			continue
		}
		for len(group) > 1 {
			half := group[:len(group)/2]
			shown, err := c.any(half)
			switch {
			case err != nil || c.left == 0 && !shown:
				return first, false, err
			case shown:
				group = half
			default:
				group = group[len(half):]
			}
		}
		return group[0], true, nil
	}
	return first, false, nil
}
