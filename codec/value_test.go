package codec_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

func TestArrayAssignsLikePHP(t *testing.T) {
	a := codec.Array(
		entry(key("b"), codec.Int(1)), entry(key("a"), codec.Int(2)), entry(key("b"), codec.Int(3)))
	assert.Equal(t, `{"b": 3, "a": 2}`, a.String())
	list := codec.Array(entry(key("0"), codec.Int(1)), entry(key("1"), codec.Int(2)), entry(key("0"), codec.Int(3)))
	assert.Equal(t, codec.KindList, list.Kind())
	assert.Equal(t, `[3, 2]`, list.String())

	// Many keys, each twice: the set behind it must not lose one.
	var es []codec.Entry
	for round := range 2 {
		for i := range 1000 {
			es = append(es, entry(codec.IntKey(int64(i*7919)), codec.Int(int64(round))),
				entry(key(string(rune('a'+i))), codec.Int(int64(round))))
		}
	}
	merged := codec.Array(es...)
	require.Len(t, merged.Entries(), 2000)
	for i, e := range merged.Entries() {
		assert.True(t, e.Key.Equal(es[i].Key))
		n, _ := e.Value.Int()
		assert.EqualValues(t, 1, n)
	}
	b, err := codec.Encode(merged)
	require.NoError(t, err)
	back, err := codec.Decode(b, codec.Canonical)
	require.NoError(t, err)
	assert.True(t, back.Equal(merged))
}

func TestObjectLandsAsArray(t *testing.T) {
	o := codec.Object(entry(key("a"), codec.Int(1)), entry(key("5"), codec.Float(math.NaN())))
	b, err := codec.Encode(o)
	require.NoError(t, err)
	assert.Equal(t, `a:2:{s:1:"a";i:1;i:5;d:NAN;}`, string(b))
	back, err := codec.Decode(b, codec.Canonical)
	require.NoError(t, err)
	assert.True(t, back.Equal(o.Landed()), "%v", back)
	assert.False(t, back.Equal(o))
	empty, err := codec.Encode(codec.Object())
	require.NoError(t, err)
	assert.Equal(t, `a:0:{}`, string(empty))
}

func TestEqual(t *testing.T) {
	nan, negative := math.Float64frombits(0x7ff8000000000000), math.Float64frombits(0xfff8000000000000)
	assert.True(t, codec.Float(nan).Equal(codec.Float(nan)))
	assert.False(t, codec.Float(nan).Equal(codec.Float(negative)))
	assert.False(t, codec.Float(0).Equal(codec.Float(math.Copysign(0, -1))))
	assert.False(t, codec.Int(1).Equal(codec.Float(1)))
	assert.False(t, codec.Int(1).Equal(codec.Bool(true)))
	assert.False(t, codec.String("A").Equal(codec.PhpClass("A")))
	assert.False(t, codec.List().Equal(codec.Object()))
	for i, a := range accepted {
		for j, b := range accepted {
			if i == j {
				assert.True(t, a.value.Equal(b.value), a.payload)
			} else if a.canonical && b.canonical {
				assert.False(t, a.value.Equal(b.value), "%s %s", a.payload, b.payload)
			}
		}
	}
}

func TestDifferencesNameThePlace(t *testing.T) {
	a := codec.List(codec.Int(1), codec.Array(entry(key("k"), codec.String("x")), entry(codec.IntKey(7), codec.Null())))
	b := codec.List(codec.Int(1), codec.Array(entry(key("k"), codec.Float(1)), entry(codec.IntKey(8), codec.Null())), codec.Int(3))
	var got []string
	for _, d := range codec.Differences(a, b, 10) {
		got = append(got, d.String())
	}
	assert.Equal(t, []string{
		`$[1]["k"]: string "x" ≠ float 1.0`,
		`$[1], key 2: 7 ≠ 8`,
		`$[2]: nothing ≠ int 3`,
	}, got)
	assert.Len(t, codec.Differences(a, b, 1), 1)
	assert.Empty(t, codec.Differences(a, a, 10))
	assert.Contains(t, cmp.Diff(a, b), `{"k": "x", 7: null}`, "go-cmp prints values readably")
	assert.Empty(t, cmp.Diff(a, a))
}

func TestString(t *testing.T) {
	snapshot := codec.List(codec.Bool(false))
	for want, v := range map[string]codec.Value{
		`null`: codec.Null(), `1.0`: codec.Float(1), `1.0E+25`: codec.Float(1e25), `-INF`: codec.Float(math.Inf(-1)), `NAN`: codec.Float(math.Float64frombits(0x7ff8000000000000)),
		`NAN(0xfff8000000000000)`:        codec.Float(math.Float64frombits(0xfff8000000000000)),
		`"\xff\x00\u00e9"`:               codec.String("\xff\x00é"),
		`object{}`:                       codec.Object(),
		`pclass("A")`:                    codec.PhpClass("A"),
		`rhandle(1 "A" epoch 2 [false])`: codec.NewRustHandle(codec.RustHandle{ID: 1, Class: "A", Epoch: 2, Snapshot: &snapshot}),
		`phandle(1 "A" implements "I")`:  codec.NewPhpHandle(codec.PhpHandle{ID: 1, Class: "A", Implements: []string{"I"}}),
	} {
		assert.Equal(t, want, v.String())
	}
	huge := codec.String(string(make([]byte, 1<<20)))
	assert.Less(t, len(codec.List(huge, huge, huge).String()), 100_000)
}
