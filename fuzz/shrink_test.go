package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// Tagged JSON shrinks without the help of the reader that may be wrong.
func TestSmallerJSON(t *testing.T) {
	r := gen.NewRand(1)
	var es []codec.Entry
	for i := range int64(40) {
		es = append(es, codec.Entry{Key: codec.IntKey(7 * i), Value: gen.RandomValue(r, gen.Options{MaxNodes: 20, MaxDepth: 4})})
	}
	snapshot := codec.List(codec.String("text"), codec.Int(12345))
	es[20].Value = codec.List(codec.NewRustHandle(codec.RustHandle{ID: 77, Class: "Class", Epoch: 99, Snapshot: &snapshot}))
	text := codec.AppendTagged(nil, codec.Array(es...))
	small, err := gen.Shrink(text, smallerJSON, func(candidates [][]byte) (int, error) {
		for i, c := range candidates {
			if bytes.Contains(c, []byte(`"snapshot":[[{`)) {
				return i, nil
			}
		}
		return -1, nil
	}, 1000)
	require.NoError(t, err)
	t.Logf("%d bytes to %d: %s", len(text), len(small), small)
	assert.LessOrEqual(t, len(small), 20, "%s", small)
	assert.Nil(t, smallerJSON([]byte("{")))
}
