package fuzz

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// Whatever is drawn among few, some byte of the input draws it, whether the draw
// looks at the highest bits of a number or at the lowest.
func TestEveryOutcomeHasAByte(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 7, 8, 12, 16, 18, 32, 64, 128} {
		drawn := map[int]bool{}
		from := &byteSource{then: gen.NewRand(0)}
		r := rand.New(from)
		for b := range 256 {
			from.begin([]byte{byte(b)}, 0, 0)
			drawn[r.Intn(n)] = true
		}
		assert.Len(t, drawn, n, "of %d", n)
	}
}

// A batch is full of distinct values of every kind, however long its input is.
func TestBatchesOfValuesHaveEveryKind(t *testing.T) {
	r := gen.NewRand(1)
	for _, size := range []int{0, 1, 8, 60, 1000} {
		input := make([]byte, size)
		for i := range input {
			input[i] = byte(r.Intn(256))
		}
		values := drawValues(input)
		assert.Greater(t, len(values), batchCases*9/10, "%d bytes", size)
		kinds, tagged := map[codec.Kind]int{}, map[string]bool{}
		for _, v := range values {
			kinds[v.Value.Kind()]++
			tagged[string(v.Tagged)] = true
		}
		assert.Len(t, kinds, 11, "%d bytes", size)
		assert.Len(t, tagged, len(values))
	}
}
