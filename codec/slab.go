package codec

// slab hands out the memory of small arrays in pieces of larger blocks, so that
// a million small arrays are not a million objects. The pieces of one payload
// keep each other alive.
type slab[T any] struct {
	block []T
	used  int // of block; the count moves, not a pointer, which spares a write barrier
	made  int // the places in all blocks
}

// A block is as large as all before it together: a small payload must not pay for
// a large block.
const (
	smallestBlock = 10  // of values, so that this and its doubles just fit the allocator's size classes
	largestBlock  = 511 // of values and of entries, with a header, likewise
)

// take returns n zeroes.
func (s *slab[T]) take(n int) []T {
	if n > largestBlock/4 {
		return make([]T, n)
	}
	if len(s.block)-s.used < n {
		s.block, s.used = make([]T, max(n, min(max(s.made, smallestBlock), largestBlock))), 0
		s.made += len(s.block)
	}
	from := s.used
	s.used += n
	return s.block[from:s.used:s.used]
}

// giveBack takes piece back, if it is the last that was taken: nobody may hold it
// any more.
func (s *slab[T]) giveBack(piece []T) {
	if from := s.used - len(piece); len(piece) > 0 && from >= 0 && &s.block[from] == &piece[0] {
		clear(piece)
		s.used = from
	}
}
