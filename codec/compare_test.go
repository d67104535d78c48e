package codec_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"

	"phpwire/codec"
)

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
	handle := func(id int64, snapshot ...codec.Value) codec.Value {
		h := codec.RustHandle{ID: id, Class: "A"}
		for _, s := range snapshot {
			h.Snapshot = &s
		}
		return codec.NewRustHandle(h)
	}
	one := codec.List(codec.Int(1))
	for _, c := range []struct {
		a, b codec.Value
		want []string
	}{
		{codec.Null(), codec.Bool(false), []string{`$: null ≠ false`}},
		{codec.Int(1), codec.Float(1), []string{`$: int 1 ≠ float 1.0`}},
		{codec.String("A"), codec.PhpClass("A"), []string{`$: string "A" ≠ pclass("A")`}},
		{one, codec.Int(1), []string{`$: [1] ≠ int 1`}},
		{codec.Int(1), one, []string{`$: int 1 ≠ [1]`}},
		{one, codec.List(codec.Int(1), codec.Int(2), codec.String("b")), []string{`$[1]: nothing ≠ int 2`, `$[2]: nothing ≠ string "b"`}},
		{codec.List(codec.Int(1), codec.List()), one, []string{`$[1]: [] ≠ nothing`}},
		{codec.Array(entry(key("a"), codec.Int(1))), codec.Array(), []string{`$: array ≠ list`, `$["a"]: int 1 ≠ nothing`}},
		{codec.Array(entry(key("a"), codec.Int(1))), codec.Object(entry(key("a"), codec.Int(1))), []string{`$: array ≠ object`}},
		{codec.Object(entry(key("a"), codec.Int(1))), codec.Object(entry(key("a"), codec.Int(2))), []string{`$["a"]: int 1 ≠ int 2`}},
		{codec.Object(entry(key("0"), codec.Int(1))), codec.List(codec.Int(2)), []string{`$: object ≠ list`, `$[0]: int 1 ≠ int 2`}},
		{codec.List(codec.Int(1), codec.Array(entry(key("k"), codec.String("x")), entry(codec.IntKey(7), codec.Null()))),
			codec.List(codec.Int(1), codec.Array(entry(key("k"), codec.Float(1)), entry(codec.IntKey(8), codec.Null())), codec.Int(3)),
			[]string{`$[1]["k"]: string "x" ≠ float 1.0`, `$[1], key 2: 7 ≠ 8`, `$[2]: nothing ≠ int 3`}},
		{handle(1, codec.List(codec.Int(5))), handle(1, codec.List(codec.Int(6))), []string{`$.snapshot[0]: int 5 ≠ int 6`}},
		{handle(1, codec.List(codec.Int(5))), handle(2, codec.List(codec.Int(6))),
			[]string{`$.snapshot[0]: int 5 ≠ int 6`, `$: rhandle(1 "A" epoch 0) ≠ rhandle(2 "A" epoch 0)`}},
		{handle(1, one), handle(2, one), []string{`$: rhandle(1 "A" epoch 0) ≠ rhandle(2 "A" epoch 0)`}},
		{handle(1, one), handle(1), []string{`$: rhandle(1 "A" epoch 0 [1]) ≠ rhandle(1 "A" epoch 0)`}},
		{handle(1), handle(1, one), []string{`$: rhandle(1 "A" epoch 0) ≠ rhandle(1 "A" epoch 0 [1])`}},
		{handle(1, one), codec.Int(1), []string{`$: rhandle(1 "A" epoch 0 [1]) ≠ int 1`}},
		{codec.Int(1), handle(1, one), []string{`$: int 1 ≠ rhandle(1 "A" epoch 0 [1])`}},
		{one, handle(1, one), []string{`$: [1] ≠ rhandle(1 "A" epoch 0 [1])`}},
		{one, one, nil},
	} {
		for most := range len(c.want) + 3 {
			var got []string
			for _, d := range codec.Differences(c.a, c.b, most) {
				got = append(got, d.String())
			}
			assert.ElementsMatch(t, c.want[:min(most, len(c.want))], got, "%v, %v, %d", c.a, c.b, most)
		}
	}
}

func TestCmpPrintsValues(t *testing.T) {
	a, b := codec.Array(entry(key("k"), codec.String("x"))), codec.Array(entry(key("k"), codec.String("y")))
	assert.Contains(t, cmp.Diff(a, b), `{"k": "x"}`, "go-cmp prints values readably")
	assert.Empty(t, cmp.Diff(a, a))
}

func TestLanded(t *testing.T) {
	other := math.Float64frombits(0xfff8000000000001)
	nan := codec.Object(entry(key("n"), codec.Float(other)), entry(key("x"), codec.Float(1)))
	for want, v := range map[string]codec.Value{
		`1.0`:                         codec.Float(1),
		`[NAN, 1]`:                    codec.List(codec.Float(other), codec.Int(1)),
		`{"n": NAN, "x": 1.0}`:        nan,
		`{"k": {"n": NAN, "x": 1.0}}`: codec.Array(entry(key("k"), nan)),
		`[2]`:                         codec.Object(entry(key("0"), codec.Int(2))),
		`rhandle(1 "" epoch 0 {"n": NAN, "x": 1.0})`: codec.NewRustHandle(codec.RustHandle{ID: 1, Snapshot: &nan}),
		`rhandle(1 "" epoch 0)`:                      codec.NewRustHandle(codec.RustHandle{ID: 1}),
	} {
		assert.Equal(t, want, v.Landed().String())
	}
	assert.Equal(t, `object{"n": NAN(0xfff8000000000001), "x": 1.0}`, nan.String(), "what lands is another value")
}
