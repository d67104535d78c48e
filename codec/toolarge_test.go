//go:build !(386 || arm || mips || mipsle)

package codec

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A string of 2 GiB is refused before a byte of it is read, and so are as many
// elements. No memory of 32 bits holds either.
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
