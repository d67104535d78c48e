package codec

import (
	"syscall"
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

// A string of 2 GiB is refused before a byte of it is read, and so are as many
// elements.
func TestEncodeRefusesWhatIsTooLarge(t *testing.T) {
	memory, err := syscall.Mmap(-1, 0, MaxLength+1, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(memory)) }()
	b, err := AppendValue([]byte("kept"), List(String(share(memory))))
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, &Error{Kind: TooLarge, Offset: -1, Found: "a string of 2147483648 bytes", Want: "at most 2147483647"}, e)
	assert.Equal(t, "kept", string(b))

	_, e = appendCount(nil, MaxLength+1)
	assert.Equal(t, &Error{Kind: TooLarge, Offset: -1, Found: "an array of 2147483648 elements", Want: "at most 2147483647"}, e)
	b, e = appendCount(nil, MaxLength)
	assert.Nil(t, e)
	assert.Equal(t, "a:2147483647:{", string(b))
}

func TestEncodeRefusesWhatIsNoValue(t *testing.T) {
	_, err := Encode(Value{k: KindPhpClass + 1})
	assert.Equal(t, &Error{Kind: Invalid, Offset: -1, Found: "kind 11", Want: "a plugin value"}, err)
}
