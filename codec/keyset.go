package codec

import (
	"hash/maphash"
	"math/bits"
)

// smallSet is the number of entries up to which a linear search is used.
const smallSet = 8

// The seeds are drawn when the program starts, so nobody can prepare keys that
// collide and make the search quadratic.
var (
	textSeed = maphash.MakeSeed()
	intSeeds = [4]uint64{drawn("first"), drawn("first factor") | 1, drawn("second"), drawn("second factor") | 1}
)

func drawn(name string) uint64 { return maphash.String(textSeed, name) }

func hashKey(k Key) uint64 {
	if k.s != nil {
		return maphash.String(textSeed, k.text())
	}
	// Once is not enough: keys that differ in a few bits only, such as multiples of
	// 256, fall together for some factors.
	return mix(mix(uint64(k.n)^intSeeds[0], intSeeds[1])^intSeeds[2], intSeeds[3])
}

func mix(n, factor uint64) uint64 {
	hi, lo := bits.Mul64(n, factor)
	return hi ^ lo
}

// keySet finds repeated keys among the entries of one array in constant time
// per key. It holds positions, not keys: the entries stay with the caller.
type keySet struct {
	slots []uint32 // 1 + position, 0 is free; a power of two long
	held  int
}

// reset makes the set empty and keeps its memory.
func (s *keySet) reset() {
	s.slots = s.slots[:0]
	s.held = 0
}

// find returns where k stands in entries. Where it does not, the set takes it
// as the next position, len(entries), and the caller must append it.
func (s *keySet) find(entries []Entry, k Key) (at int, repeated bool) {
	if len(entries) < smallSet {
		for i := range entries {
			if entries[i].Key.Equal(k) {
				return i, true
			}
		}
		return len(entries), false
	}
	if s.held != len(entries) || 4*(s.held+1) > 3*len(s.slots) {
		s.rebuild(entries)
	}
	mask := uint64(len(s.slots) - 1)
	for h := hashKey(k) & mask; ; h = (h + 1) & mask {
		slot := s.slots[h]
		if slot == 0 {
			s.slots[h] = uint32(len(entries) + 1)
			s.held++
			return len(entries), false
		}
		if entries[slot-1].Key.Equal(k) {
			return int(slot - 1), true
		}
	}
}

// repeats tells whether a key occurs twice in entries. The set must be empty.
func (s *keySet) repeats(entries []Entry) bool {
	for i := range entries {
		if _, repeated := s.find(entries[:i], entries[i].Key); repeated {
			return true
		}
	}
	return false
}

// rebuild takes in entries that were found by linear search so far, or grows.
func (s *keySet) rebuild(entries []Entry) {
	size := max(4*smallSet, 2*len(s.slots))
	for 2*size < 4*(len(entries)+1) {
		size *= 2
	}
	if cap(s.slots) >= size {
		s.slots = s.slots[:size]
		clear(s.slots)
	} else {
		s.slots = make([]uint32, size)
	}
	mask := uint64(size - 1)
	for i := range entries {
		h := hashKey(entries[i].Key) & mask
		for s.slots[h] != 0 {
			h = (h + 1) & mask
		}
		s.slots[h] = uint32(i + 1)
	}
	s.held = len(entries)
}
