package port

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

func TestGoTypesStandForValues(t *testing.T) {
	for _, v := range []codec.Value{
		codec.Null(), codec.Bool(true), codec.Int(-5), codec.Float(0.5), codec.String("\xff"), codec.List(), codec.List(codec.Int(1), codec.List(codec.Null())),
		codec.Array(codec.Entry{Key: codec.IntKey(7), Value: codec.String("x")}), codec.Array(codec.Entry{Key: codec.StringKey("k"), Value: codec.Null()}),
	} {
		native, err := ToNative(v)
		require.NoError(t, err, v.String())
		if m, ok := native.(map[int64]any); ok {
			native = map[any]any{int64(7): m[7]}
		}
		back, err := FromNative(native)
		require.NoError(t, err, v.String())
		assert.True(t, back.Equal(v), "%v came back as %v", v, back)
	}
	two := codec.Array(codec.Entry{Key: codec.IntKey(7)}, codec.Entry{Key: codec.IntKey(5)})
	_, err := ToNative(two)
	assert.Equal(t, noOrder, err)
	for _, native := range []any{map[any]any{1: nil, 2: nil}, map[any]any{true: nil}, struct{}{}, uint64(1) << 63, []any{struct{}{}}} {
		_, err := FromNative(native)
		assert.ErrorAs(t, err, new(Unable), "%T", native)
	}
	_, err = ToNative(codec.PhpClass("A"))
	assert.ErrorAs(t, err, new(Unable))
}
