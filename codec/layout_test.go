package codec_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

// draws makes values of arbitrary bytes, and beside each value what must be seen
// in it, of Go's own types.
type draws struct{ in []byte }

func (d *draws) byte() byte {
	if len(d.in) == 0 {
		return 0
	}
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

func (d *draws) word() (word uint64) {
	for range 8 {
		word = word<<8 | uint64(d.byte())
	}
	return word
}

// text is cut out of the middle of the input or stands at its end, where a wrong
// length reads what is not its own.
func (d *draws) text() string {
	n := min(int(d.byte())%40, len(d.in))
	s := string(d.in)[:n]
	d.in = d.in[n:]
	return strings.Clone(s)
}

func (d *draws) key() (codec.Key, any) {
	if d.byte()%2 == 0 {
		n := int64(d.word())
		return codec.IntKey(n), n
	}
	s := d.text()
	k := codec.StringKey(s)
	if n, ok := k.Int(); ok {
		return k, n
	}
	return k, s
}

// pair is a key and what its value must be; check is what a value must be.
type (
	pair  struct{ key, value any }
	check struct {
		kind codec.Kind
		held any
	}
)

func (d *draws) value(depth int) (codec.Value, check) {
	kind := codec.Kind(d.byte() % 11)
	if depth > 6 {
		kind %= codec.KindList
	}
	c := check{kind: kind}
	switch kind {
	case codec.KindBool:
		b := d.byte()%2 == 1
		c.held = b
		return codec.Bool(b), c
	case codec.KindInt:
		n := int64(d.word())
		c.held = n
		return codec.Int(n), c
	case codec.KindFloat:
		bits := d.word()
		c.held = bits
		return codec.Float(math.Float64frombits(bits)), c
	case codec.KindString:
		s := d.text()
		c.held = s
		return codec.String(s), c
	case codec.KindPhpClass:
		s := d.text()
		c.held = s
		return codec.PhpClass(s), c
	case codec.KindList:
		var vs []codec.Value
		checks := []check{}
		for range d.byte() % 12 {
			v, c := d.value(depth + 1)
			vs, checks = append(vs, v), append(checks, c)
		}
		c.held = checks
		return codec.List(vs...), c
	case codec.KindArray, codec.KindObject:
		return d.array(kind, depth)
	case codec.KindRustHandle:
		h := codec.RustHandle{ID: int64(d.word() >> 1), Class: d.text(), Epoch: int64(d.word() >> 1)}
		inner := check{}
		if d.byte()%2 == 0 {
			v, c := d.array(codec.KindArray, depth)
			h.Snapshot, inner = &v, c
		}
		c.held = [2]any{h, inner}
		return codec.NewRustHandle(h), c
	case codec.KindPhpHandle:
		h := codec.PhpHandle{ID: int64(d.word() >> 1), Class: d.text()}
		for range d.byte() % 4 {
			h.Implements = append(h.Implements, d.text())
		}
		c.held = h
		return codec.NewPhpHandle(h), c
	}
	return codec.Null(), c
}

func (d *draws) array(kind codec.Kind, depth int) (codec.Value, check) {
	var es []codec.Entry
	pairs := []pair{}
	for range d.byte() % 12 {
		k, seen := d.key()
		v, c := d.value(depth + 1)
		es = append(es, codec.Entry{Key: k, Value: v})
		at := len(pairs)
		for i := range pairs {
			if pairs[i].key == seen {
				at = i
			}
		}
		if at == len(pairs) {
			pairs = append(pairs, pair{key: seen})
		}
		pairs[at].value = c
	}
	if kind == codec.KindObject {
		return codec.Object(es...), check{kind, pairs}
	}
	list := []check{}
	for i, p := range pairs {
		if p.key != int64(i) {
			return codec.Array(es...), check{kind, pairs}
		}
		list = append(list, p.value.(check))
	}
	return codec.Array(es...), check{codec.KindList, list}
}

func (c check) sees(t *testing.T, v codec.Value) {
	require.Equal(t, c.kind, v.Kind())
	n, isInt := v.Int()
	f, isFloat := v.Float()
	b, isBool := v.Bool()
	s, isText := v.Text()
	require.Equal(t, c.kind == codec.KindInt, isInt)
	require.Equal(t, c.kind == codec.KindFloat, isFloat)
	require.Equal(t, c.kind == codec.KindBool, isBool)
	require.Equal(t, c.kind == codec.KindString || c.kind == codec.KindPhpClass, isText)
	rust, isRust := v.RustHandle()
	php, isPhp := v.PhpHandle()
	require.Equal(t, c.kind == codec.KindRustHandle, isRust)
	require.Equal(t, c.kind == codec.KindPhpHandle, isPhp)
	elements, entries := v.Elements(), v.Entries()
	switch held := c.held.(type) {
	case int64:
		require.Equal(t, held, n)
	case uint64:
		require.Equal(t, held, math.Float64bits(f))
	case bool:
		require.Equal(t, held, b)
	case string:
		require.Equal(t, held, s)
	case []check:
		require.Len(t, elements, len(held))
		for i := range held {
			held[i].sees(t, elements[i])
		}
		elements = nil
	case []pair:
		require.Len(t, entries, len(held))
		for i, p := range held {
			if text, isText := entries[i].Key.Text(); isText {
				require.Equal(t, p.key, text)
			} else {
				n, _ := entries[i].Key.Int()
				require.Equal(t, p.key, n)
			}
			p.value.(check).sees(t, entries[i].Value)
		}
		entries = nil
	case [2]any:
		want := held[0].(codec.RustHandle)
		require.Equal(t, want.Snapshot == nil, rust.Snapshot == nil)
		if rust.Snapshot != nil {
			held[1].(check).sees(t, *rust.Snapshot)
		}
		want.Snapshot, rust.Snapshot = nil, nil
		require.Equal(t, want, rust)
	case codec.PhpHandle:
		require.Equal(t, held.ID, php.ID)
		require.Equal(t, held.Class, php.Class)
		require.Equal(t, len(held.Implements), len(php.Implements))
		for i := range held.Implements {
			require.Equal(t, held.Implements[i], php.Implements[i])
		}
	}
	require.Empty(t, elements)
	require.Empty(t, entries)
}

// FuzzLayout drives what layout.go does with pointers: every value shows what
// was put into it, before and after the garbage collector ran, whoever made it.
// Run it with -race, which also checks each conversion of a pointer.
func FuzzLayout(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x06\x05\x04\x03abc\x05\x02\x07\x02\x01\x01a\x04\x02xy\x08\x09\x0a"))
	f.Add([]byte("\x06\x0b" + strings.Repeat("\x04\x27phpwire phpwire phpwire phpwire phpwire", 4)))
	f.Add([]byte("\x07\x05\x01\x00\x04\x00\x01\x01z\x08\x00\x00\x00\x00\x00\x00\x00\x01\x01A\x00\x00\x00\x00\x00\x00\x00\x02\x00\x06\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		d := draws{in}
		v, c := d.value(0)
		c.sees(t, v)
		tagged := codec.AppendTagged(nil, v)
		read, err := codec.ParseTagged(tagged)
		require.NoError(t, err)
		c.sees(t, read)
		payload, err := codec.Encode(v)
		var decoded, shared codec.Value
		if err == nil {
			decoded, err = codec.Decode(payload, codec.Canonical)
			require.NoError(t, err)
			shared, err = codec.DecodeShared(payload, codec.Plugin)
			require.NoError(t, err)
		}
		landed := v.Landed()
		clear(tagged)
		runtime.GC()
		c.sees(t, v)
		c.sees(t, read)
		if payload != nil {
			require.True(t, decoded.Equal(landed), "%v and %v", decoded, landed)
			require.True(t, shared.Equal(landed), "%v and %v", shared, landed)
			clear(payload)
			require.True(t, decoded.Equal(landed), "the value shares the payload's memory")
		}
	})
}
