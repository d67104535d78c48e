package codec

// slab hands out the memory of small arrays in pieces of larger blocks, so that
// a million small arrays are not a million objects. The pieces of one payload
// keep each other alive.
type slab[T any] struct {
	free  []T
	taken int
}

// Blocks grow with what was asked for before: a small payload must not pay for
// a large block.
const (
	smallestBlock = 8
	largestBlock  = 512
)

// take returns n zeroes.
func (s *slab[T]) take(n int) []T {
	if n > largestBlock/4 {
		return make([]T, n)
	}
	if len(s.free) < n {
		s.taken += n
		s.free = make([]T, max(n, min(max(s.taken, smallestBlock), largestBlock)))
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}
