package codec

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a quick reader takes, the reader of every spelling takes to be the same,
// and canonical.
func checkQuick(t *testing.T, in []byte) {
	for _, b := range [][]byte{in, append([]byte("i:"), in...), append([]byte("s:"), in...)} {
		if n, next := quickInt(b, 0); next > 0 {
			text := append(bytes.Clone(b[:next]), ';')
			same, end, canonical, err := scanInt(text, 0)
			require.Nil(t, err, "%q", b)
			require.True(t, canonical, "%q", b)
			require.Equal(t, n, same, "%q", b)
			require.Equal(t, next+1, end, "%q", b)
			require.Less(t, next, len(b), "%q", b)
		}
		if from, to := quickText(b, 0); to > 0 {
			f, e, _, canonical, err := scanString(b, 2)
			require.Nil(t, err, "%q", b)
			require.True(t, canonical, "%q", b)
			require.Equal(t, [2]int{from, to}, [2]int{f, e}, "%q", b)
		}
	}
}

func FuzzQuick(f *testing.F) {
	for _, s := range []string{"0;        ", "-0;       ", "05;       ", "12345678;        ", "-123456789;       ", "999999999999999999;       ",
		"1000000000000000000;       ", "-999999999999999999;       ",
		"9223372036854775808;       ", "-9223372036854775809;       ", `0:"";    `, `1:"a";  `, `01:"a";  `, `10:"0123456789";`, `999999999:"a";  `, `1:"ab;  `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) { checkQuick(t, in) })
}

// The quick readers take what they are for: all that PHP writes, where enough
// follows, but ints of 19 digits.
func TestQuickTakes(t *testing.T) {
	after := strings.Repeat("}", 24)
	for _, n := range []int64{0, 1, -1, 9, 10, 12345678, 123456789, -12345678, 1e15, 1e16, 1e17, 99999999999999999, -99999999999999999, 999999999999999999} {
		got, next := quickInt([]byte(strconv.FormatInt(n, 10)+";"+after), 0)
		assert.Equal(t, n, got)
		assert.NotZero(t, next)
	}
	for _, size := range []int{0, 1, 9, 10, 99, 100, 12345} {
		_, to := quickText([]byte("s:"+itoa(size)+`:"`+strings.Repeat("x", size)+`";`+after), 0)
		assert.NotZero(t, to, size)
	}
}

func TestCounter(t *testing.T) {
	c := firstIndex
	after := strings.Repeat(" ", 16)
	check := func(n int) {
		text := "i:" + strconv.Itoa(n) + ";"
		require.Equal(t, len(text), c.size)
		require.Equal(t, len(text), c.match([]byte(text+after), 0), text)
		for at := range text { // no other byte will do, and none may be missing
			wrong := []byte(text + after)
			wrong[at] ^= 1
			require.Zero(t, c.match(wrong, 0), "%q", wrong)
			require.Zero(t, c.match([]byte(text[:at]), 0))
		}
	}
	for n := range 1_000_002 {
		if n < 200 || n%997 == 0 || n%1000 == 999 || n%1000 == 0 {
			check(n)
		}
		c.increment()
	}
	// On to where the text needs both words in full use.
	for _, n := range []int{99_999_998, 999_999_998, MaxLength - 3} {
		var text [16]byte
		c = counter{size: copy(text[:], "i:"+strconv.Itoa(n)+";")}
		c.lo, c.hi = littleEndian(text[:8]), littleEndian(text[8:])
		for range 3 {
			check(n)
			c.increment()
			n++
		}
	}
}

func littleEndian(b []byte) (word uint64) {
	for i, c := range b {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// What the quick reader of tagged JSON takes, the reader of every spelling takes
// to be the same.
func FuzzTaggedQuick(f *testing.F) {
	for _, s := range []string{`{"t":"null"}`, `{"t":"bool","v":true}`, `{"t":"int","v":"-9223372036854775808"}`, `{"t":"float","bits":"3FF8000000000000"}`,
		`{"t":"string","b64":"AP8+"}`, `{"t":"string","b64":"YR=="}`, `{"t":"string","b64":"A*=="}`, `{"t":"string","b64":"****"}`,
		`{"t":"string","b64":"AAAA****"}`, `{"t":"string","b64":"A==="}`, `{"t":"float","bits":"3ff800000000000g"}`, `{"t":"string","b64":"AP8+AP8+YWI="}`, `{"t":"list","v":[{"t":"null"},{"t":"list","v":[]}]}`,
		`{"t":"array","v":[[{"int":"5"},{"t":"null"}],[{"b64":"NQ=="},{"t":"null"}]]}`, `{"t":"object","v":[[{"b64":"YQ=="},{"t":"null"}],[{"b64":"YQ=="},{"t":"null"}]]}`,
		`{"t":"pclass","class":"QQ=="}`, `{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1","snapshot":[[{"b64":"YQ=="},{"t":"int","v":"1"}]]}`,
		`{"t":"phandle","phandle":"8","class":"QQ==","implements":["SQ==","Sg=="]}`, `{"t":"rhandle","rhandle":"-1","class":"","epoch":"0"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, anyKey := range []bool{false, true} {
			quick, ok := quickTagged(text, anyKey)
			if !ok {
				continue
			}
			v, err := parseAnySpelling(text, anyKey)
			require.NoError(t, err, "%s", text)
			require.True(t, quick.Equal(v), "%s: %v and %v", text, quick, v)
		}
	})
}

// The quick reader takes all that AppendTagged writes.
func TestTaggedQuickTakes(t *testing.T) {
	snapshot := List(Bool(true))
	v := List(Null(), Bool(false), Int(1<<62), Int(-5), Float(0.1), String("a\xff"), String(strings.Repeat("long", 9999)), List(),
		Array(Entry{StringKey("k"), List(Int(1))}, Entry{IntKey(-7), Null()}), Object(Entry{StringKey("a"), Null()}),
		NewRustHandle(RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: &snapshot}), NewRustHandle(RustHandle{}),
		NewPhpHandle(PhpHandle{ID: 8, Class: "B", Implements: []string{"I", "J"}}), NewPhpHandle(PhpHandle{}), PhpClass("C"))
	text := AppendTagged(nil, v)
	quick, ok := quickTagged(text, false)
	require.True(t, ok)
	assert.True(t, quick.Equal(v), "%v", quick)
	for cut := range text[:600] {
		_, ok := quickTagged(text[:cut], false)
		require.False(t, ok, cut)
	}
	deep := List()
	for range deepestQuick + 10 {
		deep = List(deep)
	}
	back, err := ParseTagged(AppendTagged(nil, deep))
	require.NoError(t, err)
	assert.True(t, back.Equal(deep))
}
