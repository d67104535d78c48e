package codec_test

import (
	"math"
	"testing"

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

// Each value answers to its own kind only.
func TestAccessors(t *testing.T) {
	snapshot := codec.List(codec.Int(1))
	rust, php := codec.RustHandle{ID: 3, Class: "A", Epoch: 4, Snapshot: &snapshot}, codec.PhpHandle{ID: 5, Class: "B", Implements: []string{"I", "J"}}
	type answers struct {
		null, boolean, isBool  bool
		integer                int64
		isInt                  bool
		float                  float64
		isFloat                bool
		text                   string
		isText                 bool
		length                 int
		elements, entries, all int
		isRust, isPhp          bool
	}
	for _, c := range []struct {
		value codec.Value
		kind  string
		want  answers
	}{
		{codec.Null(), "null", answers{null: true}},
		{codec.Bool(false), "bool", answers{isBool: true}},
		{codec.Bool(true), "bool", answers{boolean: true, isBool: true}},
		{codec.Int(-7), "int", answers{integer: -7, isInt: true}},
		{codec.Float(2.5), "float", answers{float: 2.5, isFloat: true}},
		{codec.String("abc"), "string", answers{text: "abc", isText: true, length: 3}},
		{codec.Bytes([]byte("\xff")), "string", answers{text: "\xff", isText: true, length: 1}},
		{codec.PhpClass("AB"), "pclass", answers{text: "AB", isText: true}},
		{codec.List(codec.Int(1), codec.Null()), "list", answers{length: 2, elements: 2, all: 2}},
		{codec.Array(entry(key("a"), codec.Int(1)), entry(key("b"), codec.Int(2)), entry(key("c"), codec.Int(3))), "array", answers{length: 3, entries: 3, all: 3}},
		{codec.Object(entry(key("a"), codec.Int(1))), "object", answers{length: 1, entries: 1, all: 1}},
		{codec.NewRustHandle(rust), "rhandle", answers{isRust: true}},
		{codec.NewPhpHandle(php), "phandle", answers{isPhp: true}},
	} {
		var got answers
		got.null = c.value.IsNull()
		got.boolean, got.isBool = c.value.Bool()
		got.integer, got.isInt = c.value.Int()
		got.float, got.isFloat = c.value.Float()
		got.text, got.isText = c.value.Text()
		got.length, got.elements, got.entries = c.value.Len(), len(c.value.Elements()), len(c.value.Entries())
		for k, e := range c.value.All() {
			same, there := c.value.Get(k)
			assert.True(t, there && same.Equal(e), "%v of %v", k, c.value)
			got.all++
		}
		r, isRust := c.value.RustHandle()
		p, isPhp := c.value.PhpHandle()
		got.isRust, got.isPhp = isRust, isPhp
		assert.Equal(t, c.want, got, "%v", c.value)
		assert.Equal(t, c.kind, c.value.Kind().String())
		if isRust {
			assert.True(t, codec.NewRustHandle(r).Equal(codec.NewRustHandle(rust)), "%v", r)
		} else {
			assert.Zero(t, r)
		}
		if isPhp {
			assert.Equal(t, php, p)
		} else {
			assert.Zero(t, p)
		}
	}
	assert.Equal(t, "invalid", (codec.KindPhpClass + 1).String())
	assert.Equal(t, "invalid", codec.Kind(255).String())
}

func TestGet(t *testing.T) {
	list := codec.List(codec.Int(10), codec.Int(11))
	array := codec.Array(entry(codec.IntKey(1), codec.Int(20)), entry(key("a"), codec.Int(21)))
	for _, c := range []struct {
		in   codec.Value
		key  codec.Key
		want int64 // 0 where there is none
	}{
		{list, codec.IntKey(0), 10}, {list, codec.IntKey(1), 11}, {list, codec.IntKey(2), 0}, {list, codec.IntKey(-1), 0}, {list, key("a"), 0},
		{array, codec.IntKey(1), 20}, {array, key("a"), 21}, {array, codec.IntKey(0), 0}, {array, key("b"), 0},
		{codec.Object(entry(key("p"), codec.Int(30))), key("p"), 30}, {codec.String("a"), codec.IntKey(0), 0},
	} {
		v, there := c.in.Get(c.key)
		n, _ := v.Int()
		assert.Equal(t, c.want, n, "%v of %v", c.key, c.in)
		assert.Equal(t, c.want != 0, there, "%v of %v", c.key, c.in)
	}
}

// A loop over elements may end early.
func TestAllEnds(t *testing.T) {
	for _, v := range []codec.Value{
		codec.List(codec.Int(1), codec.Int(2), codec.Int(3)),
		codec.Array(entry(key("a"), codec.Int(1)), entry(key("b"), codec.Int(2)), entry(key("c"), codec.Int(3))),
	} {
		n := 0
		for range v.All() {
			if n++; n == 2 {
				break
			}
		}
		assert.Equal(t, 2, n)
	}
}

// Values are immutable: what a handle was made of may change, and what it gives.
func TestHandlesKeepTheirOwn(t *testing.T) {
	snapshot, names := codec.Int(1), []string{"I"}
	rust := codec.NewRustHandle(codec.RustHandle{Snapshot: &snapshot})
	php := codec.NewPhpHandle(codec.PhpHandle{Implements: names})
	change := func() {
		snapshot, names[0] = codec.Int(2), "J"
		r, _ := rust.RustHandle()
		*r.Snapshot = codec.Int(3)
		p, _ := php.PhpHandle()
		p.Implements[0] = "K"
	}
	change()
	assert.Equal(t, `rhandle(0 "" epoch 0 1)`, rust.String())
	assert.Equal(t, `phandle(0 "" implements "I")`, php.String())
}
