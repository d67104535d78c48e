package codec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Blocks are filled to the last place, and each is as large as all before it
// together.
func TestSlabBlocks(t *testing.T) {
	var s slab[int]
	want := []int{10, 10, 20, 40, 80, 160, 320, 511, 511}
	for _, size := range want {
		for i := range size {
			piece := s.take(1)
			require.Len(t, s.block, size)
			require.Same(t, &s.block[i], &piece[0])
			require.Equal(t, 1, cap(piece))
		}
	}
	s = slab[int]{}
	assert.Len(t, s.take(127), 127, "a quarter of the largest block")
	assert.Equal(t, 127, s.used)
	assert.Len(t, s.take(128), 128, "more than that has memory of its own")
	assert.Equal(t, 127, s.used)
}

func TestSlabGivesBackTheLast(t *testing.T) {
	var s slab[int]
	s.giveBack(nil)
	s.giveBack(make([]int, 1))
	first := s.take(2)
	for range 2 { // again and again the same place, which is zero again
		first[0], first[1] = 1, 2
		s.giveBack(first)
		again := s.take(2)
		require.Same(t, &first[0], &again[0])
		require.Equal(t, []int{0, 0}, again)
	}
	second := s.take(3)
	for _, other := range [][]int{first, nil, make([]int, 3), make([]int, 200)} {
		s.giveBack(other)
		require.Equal(t, 5, s.used, "only the last piece")
	}
	s.giveBack(second)
	assert.Equal(t, 2, s.used)
	one := s.take(1)
	s.giveBack(one)
	assert.Equal(t, 2, s.used)
}
