package codec

import (
	"bytes"
	"math"
	"sync"
)

// quickTagged reads the one spelling that AppendTagged, and PHP, write: members
// in their order, no white space, no escapes. What it does not know, mistakes
// among it, is left to the parser of every spelling.
func quickTagged(text []byte, anyKey bool) (v Value, ok bool) {
	t := taggedReaders.Get().(*taggedReader)
	t.in, t.anyKey = text, anyKey
	v, end := t.value(0, 0)
	t.release()
	if end != len(text) {
		return Value{}, false
	}
	return v, true
}

var taggedReaders = sync.Pool{New: func() any { return new(taggedReader) }}

// taggedReader's methods read one production each, from pos on, and return where
// it ends, or none where something else stands there or pos is none already.
type taggedReader struct {
	in     []byte
	anyKey bool
	// The elements of the arrays that are open, until their number is known.
	openValues  []Value
	openEntries []Entry
	// What becomes of them.
	values  slab[Value]
	entries slab[Entry]
	texts   []byte // what is left of a block for strings
	set     keySet
}

const none = -1

func (t *taggedReader) release() {
	clear(t.openValues)
	clear(t.openEntries)
	t.in, t.openValues, t.openEntries = nil, t.openValues[:0], t.openEntries[:0]
	t.values, t.entries, t.texts = slab[Value]{}, slab[Entry]{}, nil
	taggedReaders.Put(t)
}

// deepestQuick is how deep values may stand in one another here; the parser of
// every spelling has a limit of its own.
const deepestQuick = 2 * MaxDepth

func (t *taggedReader) value(pos, depth int) (v Value, end int) {
	at := t.skip(pos, `{"t":"`)
	if at == none || at == len(t.in) || depth > deepestQuick {
		return Value{}, none
	}
	switch t.in[at] {
	case 'n':
		return Value{}, t.skip(at, `null"}`)
	case 'b':
		at = t.skip(at, `bool","v":`)
		if end = t.skip(at, `true}`); end != none {
			return Bool(true), end
		}
		return Bool(false), t.skip(at, `false}`)
	case 'i':
		n, at := t.int(t.skip(at, `int","v":"`))
		return Int(n), t.skip(at, `"}`)
	case 'f':
		bits, at := t.hex(t.skip(at, `float","bits":"`))
		return Float(math.Float64frombits(bits)), t.skip(at, `"}`)
	case 's':
		s, at := t.text(t.skip(at, `string","b64":`))
		return String(s), t.skip(at, `}`)
	case 'l':
		vs, at := t.list(t.skip(at, `list","v":[`), depth)
		return listValue(vs), t.skip(at, `}`)
	case 'a':
		es, at := t.pairs(t.skip(at, `array","v":[`), depth)
		return t.array(es), t.skip(at, `}`)
	case 'o':
		es, at := t.pairs(t.skip(at, `object","v":[`), depth)
		if t.set.reset(); t.set.repeats(es) {
			es = mergeRepeated(es)
		}
		return entriesValue(KindObject, es), t.skip(at, `}`)
	case 'r':
		return t.rustHandle(at, depth)
	}
	if at := t.skip(at, `pclass","class":`); at != none {
		name, at := t.text(at)
		return PhpClass(name), t.skip(at, `}`)
	}
	return t.phpHandle(at)
}

func (t *taggedReader) rustHandle(pos, depth int) (v Value, end int) {
	var h RustHandle
	h.ID, pos = t.id(t.skip(pos, `rhandle","rhandle":"`))
	h.Class, pos = t.text(t.skip(pos, `","class":`))
	h.Epoch, pos = t.id(t.skip(pos, `,"epoch":"`))
	if pos = t.skip(pos, `"`); pos == none {
		return Value{}, none
	}
	if at := t.skip(pos, `,"snapshot":[`); at != none {
		es, at := t.pairs(at, depth)
		snapshot := t.array(es)
		h.Snapshot, pos = &snapshot, at
	}
	return rustHandleValue(&h), t.skip(pos, `}`)
}

func (t *taggedReader) phpHandle(pos int) (v Value, end int) {
	var h PhpHandle
	h.ID, pos = t.id(t.skip(pos, `phandle","phandle":"`))
	h.Class, pos = t.text(t.skip(pos, `","class":`))
	pos = t.skip(pos, `,"implements":[`)
	for pos != none && t.skip(pos, `]`) == none {
		if len(h.Implements) > 0 {
			pos = t.skip(pos, `,`)
		}
		var name string
		name, pos = t.text(pos)
		h.Implements = append(h.Implements, name)
	}
	return phpHandleValue(&h), t.skip(pos, `]}`)
}

// array is Array for entries that nobody else holds.
func (t *taggedReader) array(es []Entry) Value {
	t.set.reset()
	if !isList(es) && !t.set.repeats(es) {
		return entriesValue(KindArray, es)
	}
	return Array(es...)
}

// list reads values with commas between them, and the "]".
func (t *taggedReader) list(pos, depth int) (vs []Value, end int) {
	if end = t.skip(pos, `]`); end != none {
		return nil, end
	}
	first := len(t.openValues)
	for pos != none {
		v, at := t.value(pos, depth+1)
		t.openValues = append(t.openValues, v)
		if end = t.skip(at, `]`); end != none {
			open := t.openValues[first:]
			vs = t.values.take(len(open))
			copy(vs, open)
			clear(open)
			t.openValues = t.openValues[:first]
			return vs, end
		}
		pos = t.skip(at, `,`)
	}
	return nil, none
}

// pairs reads pairs of key and value with commas between them, and the "]".
func (t *taggedReader) pairs(pos, depth int) (es []Entry, end int) {
	if end = t.skip(pos, `]`); end != none {
		return nil, end
	}
	first := len(t.openEntries)
	for pos != none {
		k, at := t.key(t.skip(pos, `[{"`))
		v, at := t.value(t.skip(at, `},`), depth+1)
		t.openEntries = append(t.openEntries, Entry{k, v})
		at = t.skip(at, `]`)
		if end = t.skip(at, `]`); end != none {
			open := t.openEntries[first:]
			es = t.entries.take(len(open))
			copy(es, open)
			clear(open)
			t.openEntries = t.openEntries[:first]
			return es, end
		}
		pos = t.skip(at, `,`)
	}
	return nil, none
}

func (t *taggedReader) key(pos int) (k Key, end int) {
	if at := t.skip(pos, `int":"`); at != none {
		n, at := t.int(at)
		return Key{n: n}, t.skip(at, `"`)
	}
	s, end := t.text(t.skip(pos, `b64":`))
	k = StringKey(s)
	if k.IsInt() && !t.anyKey {
		return Key{}, none
	}
	return k, end
}

// skip reads what must stand at pos.
func (t *taggedReader) skip(pos int, what string) (end int) {
	if end = pos + len(what); pos == none || end > len(t.in) || string(t.in[pos:end]) != what {
		return none
	}
	return end
}

func (t *taggedReader) int(pos int) (n int64, end int) {
	if pos == none {
		return 0, none
	}
	if n, end = quickInt(t.in, pos); end > 0 {
		return n, end
	}
	size := bytes.IndexByte(t.in[pos:], '"')
	if size < 0 || size > len("-9223372036854775808") {
		return 0, none
	}
	n, ok := canonicalInt(string(t.in[pos : pos+size]))
	if !ok {
		return 0, none
	}
	return n, pos + size
}

func (t *taggedReader) id(pos int) (n int64, end int) {
	if n, end = t.int(pos); n < 0 {
		return 0, none
	}
	return n, end
}

// hex reads 16 hex digits.
func (t *taggedReader) hex(pos int) (bits uint64, end int) {
	if pos == none || len(t.in)-pos < 16 {
		return 0, none
	}
	wrong := byte(0)
	for _, c := range t.in[pos : pos+16] {
		digit := hexDigits[c]
		wrong |= digit
		bits = bits<<4 | uint64(digit)
	}
	if wrong > 15 {
		return 0, none
	}
	return bits, pos + 16
}

// hexDigits gives the number of each digit, and noDigit for other bytes.
var hexDigits = func() (digits [256]byte) {
	for i := range digits {
		digits[i] = noDigit
	}
	for i := range byte(10) {
		digits['0'+i] = i
	}
	for i := range byte(6) {
		digits['a'+i], digits['A'+i] = 10+i, 10+i
	}
	return
}()

// text reads a string in base64 with its quotes.
func (t *taggedReader) text(pos int) (s string, end int) {
	pos = t.skip(pos, `"`)
	if pos == none {
		return "", none
	}
	size := bytes.IndexByte(t.in[pos:], '"')
	switch {
	case size < 0:
		return "", none
	case size == 0:
		return "", pos + 1
	}
	to := t.room(size / 4 * 3)
	n, ok := decodeBase64(to, t.in[pos:pos+size])
	if !ok {
		return "", none
	}
	return share(to[:n]), pos + size + 1
}

// room returns memory for n bytes.
func (t *taggedReader) room(n int) []byte {
	const block = 16 << 10
	if n > len(t.texts) {
		if n >= block/4 {
			return make([]byte, n)
		}
		t.texts = make([]byte, min(block, max(n, len(t.in)/4)))
	}
	piece := t.texts[:n:n]
	t.texts = t.texts[n:]
	return piece
}
