package codec

// slabs hands out the memory of small arrays in pieces of larger blocks, so that
// a million small arrays are not a million objects. The pieces of one payload
// keep each other alive. The capacity of a piece is exactly what was asked for.
type slabs struct {
	freeValues  []Value
	freeEntries []Entry
	taken       int
}

// Blocks grow with what was asked for before: a small payload must not pay for
// a large block.
const (
	smallest = 8
	largest  = 512
)

func (s *slabs) block(n int) int {
	s.taken += n
	return min(max(s.taken, smallest), largest)
}

func (s *slabs) values(n int) []Value {
	if n > largest/4 {
		return make([]Value, 0, n)
	}
	if len(s.freeValues) < n {
		s.freeValues = make([]Value, max(n, s.block(n)))
	}
	piece := s.freeValues[:0:n]
	s.freeValues = s.freeValues[n:]
	return piece
}

func (s *slabs) entries(n int) []Entry {
	if n > largest/4 {
		return make([]Entry, 0, n)
	}
	if len(s.freeEntries) < n {
		s.freeEntries = make([]Entry, max(n, s.block(n)))
	}
	piece := s.freeEntries[:0:n]
	s.freeEntries = s.freeEntries[n:]
	return piece
}
