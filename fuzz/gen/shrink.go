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
