package codec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A buffer of up to 2 MiB waits where the garbage collector does not get it, one
// at a time; others wait in the pool; and nobody is given one that another has.
func TestBuffersAreKept(t *testing.T) {
	keptBuffer.Store(nil)
	largest, tooLarge := make([]byte, 0, 2<<20), make([]byte, 0, 2<<20+1)
	keepBuffer(&tooLarge)
	require.Nil(t, keptBuffer.Load())
	keepBuffer(&largest)
	require.Same(t, &largest, keptBuffer.Load())
	pooled := false
	for range 100 { // the pool may lose some
		one, other := new([]byte), new([]byte)
		keptBuffer.Store(nil)
		keepBuffer(one)
		require.Same(t, one, takeBuffer())
		require.NotSame(t, one, takeBuffer())
		keepBuffer(one)
		keepBuffer(other)
		require.Same(t, one, takeBuffer())
		pooled = pooled || takeBuffer() == other
	}
	assert.True(t, pooled)
}

func TestEncodeRefusesWhatIsNoValue(t *testing.T) {
	_, err := Encode(Value{k: KindPhpClass + 1})
	assert.Equal(t, &Error{Kind: Invalid, Offset: -1, Found: "kind 11", Want: "a plugin value"}, err)
}
