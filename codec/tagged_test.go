package codec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

var taggedTexts = []struct {
	value codec.Value
	text  string
}{
	{codec.Null(), `{"t":"null"}`},
	{codec.Bool(true), `{"t":"bool","v":true}`},
	{codec.Int(math.MinInt64), `{"t":"int","v":"-9223372036854775808"}`},
	{codec.Float(1.5), `{"t":"float","bits":"3ff8000000000000"}`},
	{codec.Float(math.Copysign(0, -1)), `{"t":"float","bits":"8000000000000000"}`},
	{codec.Float(math.Float64frombits(0xfff8000000000001)), `{"t":"float","bits":"fff8000000000001"}`},
	{codec.String("\x00\xff>"), `{"t":"string","b64":"AP8+"}`},
	{codec.List(codec.Null(), codec.List()), `{"t":"list","v":[{"t":"null"},{"t":"list","v":[]}]}`},
	{codec.Array(entry(codec.IntKey(5), codec.Null()), entry(key("a"), codec.Null())),
		`{"t":"array","v":[[{"int":"5"},{"t":"null"}],[{"b64":"YQ=="},{"t":"null"}]]}`},
	{codec.Object(entry(key("a"), codec.Null())), `{"t":"object","v":[[{"b64":"YQ=="},{"t":"null"}]]}`},
	{codec.PhpClass("A"), `{"t":"pclass","class":"QQ=="}`},
	{codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1}), `{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1"}`},
	{codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: ptr(codec.Array(entry(key("a"), codec.Int(1))))}),
		`{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1","snapshot":[[{"b64":"YQ=="},{"t":"int","v":"1"}]]}`},
	{codec.NewPhpHandle(codec.PhpHandle{ID: 8, Class: "A", Implements: []string{"I", "J"}}),
		`{"t":"phandle","phandle":"8","class":"QQ==","implements":["SQ==","Sg=="]}`},
}

func TestTagged(t *testing.T) {
	for _, c := range taggedTexts {
		assert.Equal(t, c.text, string(codec.AppendTagged(nil, c.value)))
		v, err := codec.ParseTagged([]byte(c.text))
		require.NoError(t, err, c.text)
		assert.True(t, v.Equal(c.value), "%s: got %v", c.text, v)
	}
	// Members in any order, a float's reading aid, a list written as an array.
	for text, want := range map[string]codec.Value{
		`{"v":[{"b64":"","t":"string"}],"t":"list"}`:        codec.List(codec.String("")),
		`{"t":"float","bits":"3ff8000000000000","v":"1.5"}`: codec.Float(1.5),
		`{"t":"array","v":[[{"int":"0"},{"t":"null"}]]}`:    codec.List(codec.Null()),
		`{"t":"array","v":[]}`:                              codec.List(),
	} {
		v, err := codec.ParseTagged([]byte(text))
		require.NoError(t, err, text)
		assert.True(t, v.Equal(want), "%s: got %v", text, v)
	}
}

func TestTaggedRefuses(t *testing.T) {
	for text, path := range map[string]string{
		``:                                      "$",
		`[]`:                                    "$",
		`{"t":"null"} x`:                        "$",
		`{}`:                                    "$.t",
		`{"t":"resource"}`:                      "$.t",
		`{"t":"null","v":null}`:                 "$",
		`{"t":"bool","v":1}`:                    "$.v",
		`{"t":"int","v":5}`:                     "$.v",
		`{"t":"int","v":"+5"}`:                  "$.v",
		`{"t":"int","v":"05"}`:                  "$.v",
		`{"t":"int","v":"9223372036854775808"}`: "$.v",
		`{"t":"float","bits":"0"}`:              "$.bits",
		`{"t":"float","v":"1.5"}`:               "$",
		`{"t":"string","b64":"YQ"}`:             "$.b64",
		`{"t":"string","b64":"YR=="}`:           "$.b64",
		`{"t":"list","v":{}}`:                   "$.v",
		`{"t":"list","v":[{"t":"null"},{"t":"bool","v":0}]}`:                     "$[1].v",
		`{"t":"array","v":[[{"int":"1"}]]}`:                                      "$[0]",
		`{"t":"array","v":[["a",{"t":"null"}]]}`:                                 "$[0]",
		`{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}]]}`:                      "$[0]", // "5" is an int key to PHP
		`{"t":"rhandle","rhandle":"-1","class":"","epoch":"0"}`:                  "$.rhandle",
		`{"t":"rhandle","rhandle":"1","class":"","epoch":"0","snapshot":"x"}`:    "$.snapshot",
		`{"t":"phandle","phandle":"1","class":"","implements":[{"t":"string"}]}`: "$.implements",
	} {
		v, err := codec.ParseTagged([]byte(text))
		var e *codec.TaggedError
		require.ErrorAs(t, err, &e, "%s: %v", text, v)
		assert.Equal(t, path, e.Path, "%v", err)
	}
	deep := strings.Repeat(`{"t":"list","v":[`, 100_000)
	_, err := codec.ParseTagged([]byte(deep))
	require.Error(t, err)
}

// PHP knows no handles: it sees the reserved arrays.
func TestPlain(t *testing.T) {
	for _, c := range taggedTexts {
		plain := string(codec.AppendTagged(nil, codec.List(c.value).Plain()))
		assert.NotContains(t, plain, "handle\"")
		assert.NotContains(t, plain, `"pclass"`)
	}
	h := codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: ptr(codec.List(codec.PhpClass("B")))})
	assert.Equal(t, `{"__rhandle": 3, "__class": "A", "__epoch": 1, "__snapshot": [{"__pclass": "B"}]}`, h.Plain().String())
}
