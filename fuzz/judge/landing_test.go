package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// What is not looked at once it has landed stays as it is.
func TestOnlyWhatChangesIsLanded(t *testing.T) {
	r := gen.NewRand(1)
	same := 0
	for range 5000 {
		v := gen.RandomValue(r, gen.Options{MaxNodes: 12})
		if !changes(v) {
			same++
			assert.True(t, v.Landed().Equal(v), "%v", v)
		}
	}
	assert.Greater(t, same, 2000)
	assert.True(t, changes(codec.List(codec.Array(codec.Entry{Key: codec.StringKey("a"), Value: codec.Object()}))))
}
