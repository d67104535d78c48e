package codec

// shape is the keys of the array that was last read at one depth: the next one
// there is likely to have the same, in the same order and in the same spelling.
// As long as it does, its keys need not be read, nor compared with one another.
type shape struct {
	before []Entry // that array
	keys   []span  // where its first keys stand in the payload
	// followed: all keys so far of the array being read are those of before.
	followed bool
}

type span struct{ from, to int }

// longestShape is how many keys are remembered.
const longestShape = 32

// begin starts an array.
func (s *shape) begin() { s.followed = true }

// match returns where in goes on after the key number at, or 0 where another
// one stands at pos, or none is known.
func (s *shape) match(in []byte, pos, at int) (next int) {
	if !s.followed || at >= len(s.keys) {
		return 0
	}
	k := s.keys[at]
	if next = pos + k.to - k.from; next > len(in) || string(in[pos:next]) != string(in[k.from:k.to]) {
		return 0
	}
	return next
}

// leave tells that the next key is not the one of before, and returns whether
// all keys so far were.
func (s *shape) leave() (followed bool) {
	followed, s.followed = s.followed, false
	return followed
}

// add takes in a new key, in[from:to].
func (s *shape) add(at, from, to int) {
	if at <= len(s.keys) && at < longestShape {
		s.keys = append(s.keys[:at], span{from, to})
	}
}

// end takes the place of before.
func (s *shape) end(entries []Entry) {
	s.before = entries
	s.keys = s.keys[:min(len(s.keys), len(entries))]
}

// forget lets go of before.
func (s *shape) forget() { s.before, s.keys, s.followed = nil, s.keys[:0], false }
