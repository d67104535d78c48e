package codec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
)

func TestString(t *testing.T) {
	snapshot := codec.List(codec.Bool(false))
	nan := func(bits uint64) codec.Value { return codec.Float(math.Float64frombits(bits)) }
	for want, v := range map[string]codec.Value{
		`null`: codec.Null(), `false`: codec.Bool(false), `true`: codec.Bool(true),
		`-123456789`: codec.Int(-123456789),
		`1.0`:        codec.Float(1), `-1.5`: codec.Float(-1.5), `1.0E+25`: codec.Float(1e25), `0.30000000000000004`: codec.Float(0.30000000000000004),
		`INF`: codec.Float(math.Inf(1)), `-INF`: codec.Float(math.Inf(-1)), `NAN`: nan(0x7ff8000000000000),
		`NAN(0xfff8000000000000)`: nan(0xfff8000000000000), `NAN(0x7ffabcdef0123456)`: nan(0x7ffabcdef0123456),
		`"\xff\x00\u00e9\""`: codec.String("\xff\x00é\""),
		`[]`:                 codec.List(), `[1, 2, [null]]`: codec.List(codec.Int(1), codec.Int(2), codec.List(codec.Null())),
		`{5: true, "k": null, -123: 0}`:                codec.Array(entry(codec.IntKey(5), codec.Bool(true)), entry(key("k"), codec.Null()), entry(key("-123"), codec.Int(0))),
		`object{}`:                                     codec.Object(),
		`object{"p": {"k": 1}, "q": 2}`:                codec.Object(entry(key("p"), codec.Array(entry(key("k"), codec.Int(1)))), entry(key("q"), codec.Int(2))),
		`pclass("A")`:                                  codec.PhpClass("A"),
		`rhandle(123456 "A" epoch 654321)`:             codec.NewRustHandle(codec.RustHandle{ID: 123456, Class: "A", Epoch: 654321}),
		`rhandle(1 "A" epoch 2 [false])`:               codec.NewRustHandle(codec.RustHandle{ID: 1, Class: "A", Epoch: 2, Snapshot: &snapshot}),
		`phandle(123456 "A")`:                          codec.NewPhpHandle(codec.PhpHandle{ID: 123456, Class: "A"}),
		`phandle(1 "A" implements "I" implements "J")`: codec.NewPhpHandle(codec.PhpHandle{ID: 1, Class: "A", Implements: []string{"I", "J"}}),
	} {
		assert.Equal(t, want, v.String())
	}
}

// From 4000 bytes on, texts are cut, and "…" stands for elements.
func TestLongValuesAreCut(t *testing.T) {
	of := func(n int) string { return strings.Repeat("x", n) }
	two := func(n int) []codec.Value { return []codec.Value{codec.String(of(n)), codec.Int(7)} }
	array := func(n int) codec.Value { return codec.Array(entry(key("a"), two(n)[0]), entry(key("b"), codec.Int(7))) }
	names := func(n int) codec.Value {
		return codec.NewPhpHandle(codec.PhpHandle{ID: 1, Class: of(n), Implements: []string{"I", "J"}})
	}
	for _, c := range []struct {
		value codec.Value
		want  string
	}{
		{codec.String(of(4000)), `"` + of(4000) + `"`},
		{codec.String(of(4001)), `"` + of(4000) + `"…`},
		{codec.List(two(3995)...), `["` + of(3995) + `", 7]`}, // 4000 bytes before the 7
		{codec.List(two(3996)...), `["` + of(3996) + `", …]`},
		{array(3990), `{"a": "` + of(3990) + `", "b": 7}`},
		{array(3991), `{"a": "` + of(3991) + `", …}`},
		{codec.List(codec.List(two(9999)...), codec.Int(7)), `[["` + of(4000) + `"…, …], …]`},
		{names(3988), `phandle(1 "` + of(3988) + `" implements "I" …)`}, // 4000 bytes before the first name
		{names(3989), `phandle(1 "` + of(3989) + `" …)`},
	} {
		assert.Equal(t, c.want, c.value.String())
	}
	huge := codec.String(string(make([]byte, 1<<20)))
	snapshot := codec.List(huge, huge)
	for _, v := range []codec.Value{
		codec.List(huge, huge, huge),
		codec.NewRustHandle(codec.RustHandle{Class: string(make([]byte, 1<<20)), Snapshot: &snapshot}),
		codec.NewPhpHandle(codec.PhpHandle{Implements: strings.Fields(strings.Repeat("a ", 1<<20))}),
	} {
		assert.Less(t, len(v.String()), 50_000)
	}
}
