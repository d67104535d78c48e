package codec_test

import (
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

func key(s string) codec.Key    { return codec.StringKey(s) }
func text(s string) codec.Value { return codec.String(s) }

func entry(k codec.Key, v codec.Value) codec.Entry { return codec.Entry{Key: k, Value: v} }

// What each payload decodes to under Plugin, and whether PHP writes it so.
var accepted = []struct {
	payload   string
	value     codec.Value
	canonical bool
}{
	{`N;`, codec.Null(), true},
	{`b:0;`, codec.Bool(false), true},
	{`b:1;`, codec.Bool(true), true},
	{`i:0;`, codec.Int(0), true},
	{`i:-5;`, codec.Int(-5), true},
	{`i:+5;`, codec.Int(5), false},
	{`i:-0;`, codec.Int(0), false},
	{`i:05;`, codec.Int(5), false},
	{`i:9223372036854775807;`, codec.Int(math.MaxInt64), true},
	{`i:-9223372036854775808;`, codec.Int(math.MinInt64), true},
	{`i:000000000000000000000000000000009223372036854775807;`, codec.Int(math.MaxInt64), false},
	{`d:0.5;`, codec.Float(0.5), true},
	{`d:.5;`, codec.Float(0.5), false},
	{`d:5;`, codec.Float(5), true},
	{`d:-0;`, codec.Float(math.Copysign(0, -1)), true},
	{`d:1e5;`, codec.Float(1e5), false},
	{`d:INF;`, codec.Float(math.Inf(1)), true},
	{`d:-INF;`, codec.Float(math.Inf(-1)), true},
	{`d:NAN;`, codec.Float(math.Float64frombits(0x7ff8000000000000)), true},
	{`s:0:"";`, text(""), true},
	{`s:3:"";}";`, text(`";}`), true},
	{`s:01:"a";`, text("a"), false},
	{"s:2:\"\xff\x00\";", text("\xff\x00"), true},
	{`a:0:{}`, codec.List(), true},
	{`a:00:{}`, codec.List(), false},
	{`a:2:{i:0;N;i:1;b:1;}`, codec.List(codec.Null(), codec.Bool(true)), true},
	{`a:1:{i:1;N;}`, codec.Array(entry(codec.IntKey(1), codec.Null())), true},
	{`a:2:{i:1;N;i:0;N;}`, codec.Array(entry(codec.IntKey(1), codec.Null()), entry(codec.IntKey(0), codec.Null())), true},
	{`a:1:{s:1:"5";i:1;}`, codec.Array(entry(codec.IntKey(5), codec.Int(1))), false},
	{`a:1:{s:1:"0";i:1;}`, codec.List(codec.Int(1)), false},
	{`a:1:{s:2:"05";i:1;}`, codec.Array(entry(key("05"), codec.Int(1))), true},
	{`a:1:{s:2:"-0";i:1;}`, codec.Array(entry(key("-0"), codec.Int(1))), true},
	{`a:1:{s:2:"-5";i:1;}`, codec.Array(entry(codec.IntKey(-5), codec.Int(1))), false},
	{`a:1:{s:19:"9223372036854775808";i:1;}`, codec.Array(entry(key("9223372036854775808"), codec.Int(1))), true},
	{`a:1:{s:20:"-9223372036854775808";i:1;}`, codec.Array(entry(codec.IntKey(math.MinInt64), codec.Int(1))), false},
	{`a:1:{s:0:"";i:1;}`, codec.Array(entry(key(""), codec.Int(1))), true},
	// Repeated keys: the first place, the last value; also back to a list.
	{`a:3:{s:1:"a";i:1;s:1:"b";i:2;s:1:"a";i:3;}`, codec.Array(entry(key("a"), codec.Int(3)), entry(key("b"), codec.Int(2))), false},
	{`a:3:{i:0;i:1;i:1;i:2;i:0;i:3;}`, codec.List(codec.Int(3), codec.Int(2)), false},
	{`a:2:{i:0;a:1:{i:0;N;}s:1:"0";a:1:{i:0;b:1;}}`, codec.List(codec.List(codec.Bool(true))), false},
	// __pclass with other keys, and reserved names that mark nothing.
	{`a:2:{s:8:"__pclass";s:1:"A";i:0;N;}`, codec.Array(entry(key("__pclass"), text("A")), entry(codec.IntKey(0), codec.Null())), true},
	{`a:1:{s:7:"__class";s:1:"A";}`, codec.Array(entry(key("__class"), text("A"))), true},
	// Handles.
	{`a:1:{s:8:"__pclass";s:1:"A";}`, codec.PhpClass("A"), true},
	{`a:3:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`,
		codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1}), true},
	{`a:3:{s:7:"__epoch";i:1;s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";}`,
		codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1}), false},
	{`a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{s:1:"n";i:7;}}`,
		codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: ptr(codec.Array(entry(key("n"), codec.Int(7))))}), true},
	{`a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;s:1:"I";}}`,
		codec.NewPhpHandle(codec.PhpHandle{ID: 8, Class: "A", Implements: []string{"I"}}), true},
	{`a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:0:{}}`,
		codec.NewPhpHandle(codec.PhpHandle{ID: 8, Class: "A"}), true},
}

func ptr[T any](v T) *T { return &v }

func TestDecodeAccepts(t *testing.T) {
	for _, c := range accepted {
		t.Run(c.payload, func(t *testing.T) {
			v, err := codec.Decode([]byte(c.payload), codec.Plugin)
			require.NoError(t, err)
			assert.True(t, v.Equal(c.value), "got %v, want %v", v, c.value)
			_, err = codec.Decode([]byte(c.payload), codec.Canonical)
			assert.Equal(t, c.canonical, err == nil, "Canonical says %v", err)
			shared, err := codec.DecodeShared([]byte(c.payload), codec.Plugin)
			require.NoError(t, err)
			assert.True(t, shared.Equal(c.value), "shared: got %v", shared)
			if c.canonical {
				b, err := codec.Encode(c.value)
				require.NoError(t, err)
				assert.Equal(t, c.payload, string(b))
			}
		})
	}
}

// What stands before an array, at the same depth, is nothing to it: the decoder
// remembers the keys of the one before.
func TestSiblingsDoNotMatter(t *testing.T) {
	arrays := []string{
		`a:0:{}`, `a:1:{i:0;N;}`, `a:2:{i:0;N;i:1;i:7;}`,
		`a:2:{s:1:"a";i:1;s:1:"b";i:2;}`, `a:2:{s:1:"a";i:1;s:1:"c";i:2;}`, `a:2:{s:1:"b";i:1;s:1:"a";i:2;}`,
		`a:3:{s:1:"a";i:1;s:1:"b";i:2;s:1:"a";i:3;}`, `a:3:{s:1:"a";i:1;s:1:"b";i:2;s:1:"c";i:3;}`, `a:2:{s:1:"a";i:1;s:1:"a";i:2;}`,
		`a:2:{s:1:"a";a:1:{s:1:"a";i:1;}s:1:"b";a:1:{s:1:"b";i:1;}}`, `a:2:{s:01:"a";i:1;s:1:"b";i:2;}`,
		`a:2:{i:5;i:1;i:7;i:2;}`, `a:3:{i:5;i:1;i:7;i:2;i:5;i:3;}`, `a:3:{i:7;N;i:5;N;i:20;N;}`, `a:4:{i:7;N;i:5;N;i:20;N;i:20;N;}`,
		`a:2:{s:1:"5";i:1;i:7;i:2;}`, `a:2:{i:0;i:1;s:1:"a";i:2;}`,
		`a:1:{s:8:"__pclass";s:1:"A";}`, `a:2:{s:8:"__pclass";s:1:"A";s:1:"a";N;}`, `a:1:{s:9:"__rhandle";i:5;}`, `a:2:{i:0;N;s:9:"__rhandle";i:5;}`,
	}
	for _, first := range arrays {
		for _, second := range arrays {
			for _, third := range arrays {
				payload := []byte("a:3:{i:0;" + first + "i:1;" + second + "i:2;" + third + "}")
				for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
					var want []codec.Value
					fault, at := -1, len("a:3:{i:0;")
					for _, one := range []string{first, second, third} {
						v, err := codec.Decode([]byte(one), p)
						var e *codec.Error
						if err == nil {
							want = append(want, v)
						} else if errors.As(err, &e) && fault < 0 {
							fault = at + e.Offset
						}
						at += len(one) + len("i:0;")
					}
					got, err := codec.Decode(payload, p)
					var e *codec.Error
					if errors.As(err, &e) {
						require.Equal(t, fault, e.Offset, "%s: %v", payload, err)
					}
					require.Equal(t, len(want) == 3, err == nil, "%s: %v", payload, err)
					if err == nil {
						require.True(t, got.Equal(codec.List(want...)), "%s: got %v", payload, got)
					}
				}
			}
		}
	}
}

var refused = []struct {
	payload string
	kind    codec.ErrorKind
	offset  int
}{
	{``, codec.Truncated, 0},
	{`N`, codec.Truncated, 1},
	{`n;`, codec.Syntax, 0},
	{`N:`, codec.Syntax, 1},
	{`i:5`, codec.Truncated, 3},
	{`i:;`, codec.Syntax, 2},
	{`i:+-5;`, codec.Syntax, 3},
	{`i:0x5;`, codec.Syntax, 3},
	{`i:9223372036854775808;`, codec.Range, 2},
	{`i:-9223372036854775809;`, codec.Range, 2},
	{`i:18446744073709551617;`, codec.Range, 2},
	{`b:2;`, codec.Syntax, 2},
	{`b:01;`, codec.Syntax, 3},
	{`d:;`, codec.Syntax, 2},
	{`d:.;`, codec.Syntax, 3},
	{`d:1`, codec.Truncated, 3},
	{`s:1:a;`, codec.Syntax, 4},
	{`s:+1:"a";`, codec.Syntax, 2},
	{`s:2:"a";`, codec.Syntax, 7},
	{`s:9:"a";`, codec.Truncated, 2},
	{`s:1:"a"`, codec.Truncated, 7},
	{`s:1:"ab";`, codec.Syntax, 6},
	{`s:2147483648:"a";`, codec.TooLarge, 2},
	{`s:18446744073709551617:"a";`, codec.TooLarge, 2},
	{`a:1:{}`, codec.Truncated, 0},
	{`a:1:{i:0;N;`, codec.Truncated, 0},
	{`a:0:{i:0;N;}`, codec.Syntax, 5},
	{`a:1:{N;i:1;}`, codec.BadKey, 5},
	{`a:1:{d:1;i:1;}`, codec.BadKey, 5},
	{`a:4294967295:{`, codec.TooLarge, 2},
	{`a:2147483647:{`, codec.Truncated, 0},
	{`a:2:{i:0;N;i:1;}}`, codec.Truncated, 0},
	{`a:2:{i:0;N;i:1;};`, codec.Truncated, 0},
	{`a:2:{i:0;N;i:1;};;`, codec.Syntax, 15},
	{`a:2:{i:0;N;}N;N;N;`, codec.Syntax, 11},
	{`i:5;x`, codec.TrailingData, 4},
	{`a:0:{}}`, codec.TrailingData, 6},
	{`O:8:"stdClass":0:{}`, codec.Unsupported, 0},
	{`S:1:"a";`, codec.Unsupported, 0},
	{`a:2:{i:0;i:1;i:1;R:2;}`, codec.Unsupported, 17},
	{`a:1:{S:1:"a";i:1;}`, codec.Unsupported, 5},
	{`a:1:{s:8:"__pclass";i:5;}`, codec.Reserved, 0},
	{`a:1:{s:9:"__rhandle";i:5;}`, codec.Reserved, 0},
	{`a:2:{i:0;N;s:9:"__phandle";i:5;}`, codec.Reserved, 0},
	{`a:3:{s:9:"__rhandle";i:-1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`, codec.Reserved, 0},
	{`a:3:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";d:1;}`, codec.Reserved, 0},
	{`a:4:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:1:"x";N;}`, codec.Reserved, 0},
	{`a:4:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";N;}`, codec.Reserved, 0},
	{`a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:1;s:1:"I";}}`, codec.Reserved, 0},
	{`a:2:{s:9:"__phandle";i:8;s:9:"__rhandle";i:8;}`, codec.Reserved, 0},
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range refused {
		t.Run(c.payload, func(t *testing.T) {
			for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
				v, err := codec.Decode([]byte(c.payload), p)
				var e *codec.Error
				require.True(t, errors.As(err, &e), "%v: accepted as %v", p, v)
				assert.Equal(t, c.kind, e.Kind, "%v", err)
				assert.Equal(t, c.offset, e.Offset, "%v", err)
				assert.NotEmpty(t, e.Found)
				assert.NotEmpty(t, e.Want)
			}
		})
	}
}

func TestProfilesHaveNames(t *testing.T) {
	assert.Equal(t, "plugin", codec.Plugin.String())
	assert.Equal(t, "canonical", codec.Canonical.String())
}

func TestCanonicalSaysWhere(t *testing.T) {
	for payload, offset := range map[string]int{
		`a:1:{s:1:"5";i:1;}`:         5,
		`a:2:{i:0;N;i:0;N;}`:         11,
		`a:1:{i:0;d:1.0;}`:           9,
		`a:1:{i:0;a:01:{i:0;N;}}`:    9,
		`a:1:{i:0;s:01:"a";}`:        9,
		`a:2:{i:0;N;i:+1;s:01:"a";}`: 11,
	} {
		_, err := codec.Decode([]byte(payload), codec.Canonical)
		var e *codec.Error
		require.True(t, errors.As(err, &e), payload)
		assert.Equal(t, codec.NotCanonical, e.Kind, "%s: %v", payload, err)
		assert.Equal(t, offset, e.Offset, "%s: %v", payload, err)
	}
}

func nested(depth int) string {
	return strings.Repeat(`a:1:{i:0;`, depth-1) + `a:0:{}` + strings.Repeat(`}`, depth-1)
}

func TestDepth(t *testing.T) {
	v, err := codec.Decode([]byte(nested(codec.MaxDepth)), codec.Canonical)
	require.NoError(t, err)
	b, err := codec.Encode(v)
	require.NoError(t, err)
	assert.Equal(t, nested(codec.MaxDepth), string(b))

	_, err = codec.Decode([]byte(nested(codec.MaxDepth+1)), codec.Plugin)
	var e *codec.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, codec.Depth, e.Kind)
	assert.Equal(t, 9*codec.MaxDepth, e.Offset)

	b, err = codec.AppendValue([]byte("kept"), codec.List(v))
	require.ErrorAs(t, err, &e)
	assert.Equal(t, codec.Depth, e.Kind)
	assert.Equal(t, "kept", string(b))

	_, err = codec.Decode([]byte(strings.Repeat(`a:1:{i:0;`, 100_000)), codec.Plugin)
	require.Error(t, err)
}

func TestEncodeRefuses(t *testing.T) {
	bad := codec.Int(-1)
	for _, v := range []codec.Value{
		codec.Array(entry(key("__rhandle"), codec.Int(1))),
		codec.Array(entry(key("__phandle"), codec.Int(1)), entry(key("x"), codec.Int(1))),
		codec.Array(entry(key("__pclass"), codec.Int(1))),
		codec.Object(entry(key("__pclass"), codec.Int(1))),
		codec.NewRustHandle(codec.RustHandle{ID: -1}),
		codec.NewRustHandle(codec.RustHandle{Epoch: -1}),
		codec.NewRustHandle(codec.RustHandle{Snapshot: &bad}),
		codec.NewPhpHandle(codec.PhpHandle{ID: -1}),
	} {
		b, err := codec.AppendValue([]byte("kept"), codec.List(codec.Int(1), v))
		var e *codec.Error
		require.ErrorAs(t, err, &e, "%v", v)
		assert.Equal(t, -1, e.Offset)
		assert.Equal(t, "kept", string(b))
	}
}

func TestEncodeSaysWhatIsWrongWithAHandle(t *testing.T) {
	for found, v := range map[string]codec.Value{
		"handle -12 of epoch 34": codec.NewRustHandle(codec.RustHandle{ID: -12, Epoch: 34}),
		"handle 12 of epoch -34": codec.NewRustHandle(codec.RustHandle{ID: 12, Epoch: -34}),
		"handle -12":             codec.NewPhpHandle(codec.PhpHandle{ID: -12}),
	} {
		_, err := codec.Encode(v)
		var e *codec.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, found, e.Found)
	}
}

// The text of a long list's keys is counted up, digit by digit, in two words.
func TestLongLists(t *testing.T) {
	const n = 100_021
	payload := listOf(n, func(i int) string { return "i:" + strconv.Itoa(i) + ";" })
	v := repeated(n, func(i int) codec.Value { return codec.Int(int64(i)) })
	b, err := codec.Encode(v)
	require.NoError(t, err)
	require.True(t, payload == string(b))
	for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
		back, err := codec.Decode(b, p)
		require.NoError(t, err)
		require.True(t, back.Equal(v))
	}
}

// A claim allocates nothing: memory follows the bytes that are there.
func TestMemoryFollowsTheInput(t *testing.T) {
	for _, payload := range []string{
		`a:2147483647:{i:0;i:1;`, `s:2147483647:"abc`, `a:4294967295:{`, `s:9999999999:"`,
		strings.Repeat(`a:2147483647:{i:0;`, 400),
		strings.Repeat(`a:1000:{i:0;`, 500) + strings.Repeat(`i:0;i:0;`, 1000),
		strings.Repeat(`a:1000:{s:1:"a";`, 500) + strings.Repeat(`i:0;i:0;`, 1000),
	} {
		in := []byte(payload)
		_, err := codec.Decode(in, codec.Plugin)
		require.Error(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = codec.Decode(in, codec.Plugin)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16*len(in)+8192), "%.40s…", payload)
	}
}
