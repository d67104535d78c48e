package codec

import "encoding/binary"

// counter is the key of a list's next element as it stands on the wire, "i:0;"
// and so on: the key of a list is known before it is read, and written without
// being computed.
type counter struct {
	lo, hi uint64 // the text, its first byte the lowest
	size   int    // its length, at most 13: a count has 31 bits
}

var (
	firstIndex  = counter{lo: 'i' | ':'<<8 | '0'<<16 | ';'<<24, size: 4}
	secondIndex = counter{lo: 'i' | ':'<<8 | '1'<<16 | ';'<<24, size: 4}
)

// match returns where in goes on after the key, or 0 where it does not stand at
// pos, or too close to the end.
func (c *counter) match(in []byte, pos int) (next int) {
	next = pos + c.size
	if c.size <= 8 {
		if len(in)-pos < 8 || (binary.LittleEndian.Uint64(in[pos:])^c.lo)<<(64-8*c.size) != 0 {
			return 0
		}
	} else if len(in)-pos < 16 || binary.LittleEndian.Uint64(in[pos:]) != c.lo ||
		(binary.LittleEndian.Uint64(in[pos+8:])^c.hi)<<(128-8*c.size) != 0 {
		return 0
	}
	return next
}

// increment goes to the next key.
func (c *counter) increment() {
	last := c.size - 2
	word := &c.lo
	if last >= 8 {
		word = &c.hi
	}
	if shift := last % 8 * 8; byte(*word>>shift) < '9' {
		*word += 1 << shift
		return
	}
	c.carry(last)
}

// carry is increment for a key with the digit 9 at last.
func (c *counter) carry(last int) {
	var text [16]byte
	binary.LittleEndian.PutUint64(text[:8], c.lo)
	binary.LittleEndian.PutUint64(text[8:], c.hi)
	for ; text[last] == '9'; last-- {
		text[last] = '0'
	}
	if text[last] == ':' { // all digits were 9
		text[last+1] = '1'
		text[c.size-1], text[c.size] = '0', ';'
		c.size++
	} else {
		text[last]++
	}
	c.lo, c.hi = binary.LittleEndian.Uint64(text[:8]), binary.LittleEndian.Uint64(text[8:])
}
