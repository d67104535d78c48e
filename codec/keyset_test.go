package codec

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Keys built to collide, in this set and in those of others, take few steps to
// find: where they go depends on seeds that nobody outside knows.
func TestKeysBuiltToCollideDoNot(t *testing.T) {
	const n = 32_000
	families := map[string]func(i int) Key{
		"one after another": func(i int) Key { return IntKey(int64(i)) },
		"random":            func(int) Key { return IntKey(int64(rand.Uint64())) },
		"texts":             func(i int) Key { return stringKey(fmt.Sprint("key", i)) },
		"equal in PHP's hash": func(i int) Key {
			s := make([]byte, 0, 32)
			for bit := range 16 {
				s = append(s, [2]string{"Ez", "FY"}[i>>bit&1]...)
			}
			return stringKey(string(s))
		},
		"one byte apart": func(i int) Key { return stringKey(fmt.Sprintf("%016b", i)) },
	}
	for shift := 1; shift < 50; shift++ { // equal in as many low bits
		families[fmt.Sprint("multiples of 2^", shift)] = func(i int) Key { return IntKey(int64(i) << shift) }
	}
	// What would collide if the seeds were 0 and 1.
	families["without a seed"] = func(i int) Key { return IntKey(int64(i) * -0x61c8864680b583eb << 15) }
	for name, key := range families {
		entries := make([]Entry, 0, n)
		var set keySet
		for i := range n {
			k := key(i)
			if _, repeated := set.find(entries, k); !repeated {
				entries = append(entries, Entry{Key: k})
			}
		}
		steps, longest := 0, 0
		mask := uint64(len(set.slots) - 1)
		for i := range entries {
			h, s := hashKey(entries[i].Key)&mask, 1
			for set.slots[h] != uint32(i+1) {
				require.Less(t, s, len(set.slots), "%s: the set does not hold a key", name)
				h, s = (h+1)&mask, s+1
			}
			steps += s
			longest = max(longest, s)
		}
		// Three quarters full at most, a search takes 2.5 steps if the places are
		// random.
		assert.Less(t, float64(steps)/float64(len(entries)), 4.0, name)
		assert.Less(t, longest, 500, name)
	}
}
