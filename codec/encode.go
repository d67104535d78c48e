package codec

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"phpwire/floatfmt"
)

// Encode returns the payload that PHP's serialize() writes for v under
// serialize_precision=-1. See [AppendValue] for the errors.
func Encode(v Value) ([]byte, error) {
	if len(v.text()) >= longText {
		return AppendValue(nil, v)
	}
	// A payload that grows in a buffer that has grown before is copied once.
	buffer := takeBuffer()
	defer keepBuffer(buffer)
	b, err := AppendValue((*buffer)[:0], v)
	if err != nil {
		return nil, err
	}
	*buffer = b
	return bytes.Clone(b), nil
}

// keptBuffer is one buffer that outlives the garbage collector, which empties
// buffers: a large payload has it run often.
var (
	keptBuffer atomic.Pointer[[]byte]
	buffers    = sync.Pool{New: func() any { return new([]byte) }}
)

const largestKept = 2 << 20

func takeBuffer() *[]byte {
	if buffer := keptBuffer.Swap(nil); buffer != nil {
		return buffer
	}
	return buffers.Get().(*[]byte)
}

func keepBuffer(buffer *[]byte) {
	if cap(*buffer) > largestKept || !keptBuffer.CompareAndSwap(nil, buffer) {
		buffers.Put(buffer)
	}
}

// longText is the length from which on a string is not worth another copy.
const longText = 4096

// AppendValue appends the payload of v to dst. The error is an [*Error] with the
// offset -1: containers more than [MaxDepth] inside one another (Depth), an
// array or object with a key that is reserved for handles (Reserved), a handle
// with a number below 0 or a snapshot that is no array (Invalid), a string or
// count above [MaxLength] (TooLarge). On an error dst is returned as it was.
//
// Like any append it may write to the spare capacity of dst, here also to some
// bytes behind those that it returns.
func AppendValue(dst []byte, v Value) ([]byte, error) { return AppendNested(dst, v, 0) }

// AppendNested is [AppendValue] for a value that will stand inside of the given
// number of containers, which count towards [MaxDepth].
func AppendNested(dst []byte, v Value, containers int) ([]byte, error) {
	out, err := appendValue(dst, &v, containers)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// appendValue recurses at most MaxDepth deep: depth counts the containers
// around v.
func appendValue(dst []byte, v *Value, depth int) ([]byte, *Error) {
	switch v.k {
	case KindNull:
		return append(dst, 'N', ';'), nil
	case KindBool:
		return append(dst, 'b', ':', '0'+byte(v.n), ';'), nil
	case KindInt:
		return appendInt(dst, int64(v.n)), nil
	case KindFloat:
		dst = append(dst, 'd', ':')
		dst = floatfmt.AppendFloat(dst, math.Float64frombits(v.n), -1)
		return append(dst, ';'), nil
	case KindString:
		return appendText(dst, v.text())
	}
	if depth >= MaxDepth {
		return nil, tooDeep()
	}
	depth++
	switch v.k {
	case KindList:
		return appendList(dst, v.elements(), depth)
	case KindArray, KindObject:
		return appendEntries(dst, v.entries(), depth)
	case KindRustHandle:
		return appendRustHandle(dst, v.rustHandle(), depth)
	case KindPhpHandle:
		return appendPhpHandle(dst, v.phpHandle(), depth)
	case KindPhpClass:
		dst = append(dst, `a:1:{s:8:"__pclass";`...)
		dst, err := appendText(dst, v.text())
		return append(dst, '}'), err
	}
	return nil, &Error{Kind: Invalid, Offset: -1, Found: "kind " + itoa(int(v.k)), Want: "a plugin value"}
}

// room returns dst with n bytes behind its end, which is at.
func room(dst []byte, n int) (b []byte, at int) {
	at = len(dst)
	if cap(dst)-at < n {
		dst = slices.Grow(dst, n)
	}
	return dst[:at+n], at
}

// intRoom is what putInt needs.
const intRoom = len("i:-9223372036854775808;")

func appendInt(dst []byte, i int64) []byte {
	b, at := room(dst, intRoom)
	return b[:putInt(b, at, i)]
}

// putInt writes the int i to b[at:], which has intRoom bytes, and returns where it
// ends.
func putInt(b []byte, at int, i int64) int {
	b[at], b[at+1] = 'i', ':'
	at += 2
	if i < 0 {
		b[at] = '-'
		at++
		i = -i
	}
	at = putDecimal(b, at, uint64(i))
	b[at] = ';'
	return at + 1
}

// fits tells whether a string may have n bytes, or an array n elements.
func fits(n int) bool { return n <= MaxLength }

func appendText(dst []byte, s string) ([]byte, *Error) {
	if !fits(len(s)) {
		return nil, &Error{Kind: TooLarge, Offset: -1, Found: "a string of " + itoa(len(s)) + " bytes",
			Want: "at most " + itoa(MaxLength)}
	}
	needed := len(s) + 24
	if len(s) >= longText {
		needed = 24 // and append makes the rest, without clearing it first
	}
	b, at := room(dst, needed)
	if n := len(s); n < len(textStarts) {
		binary.LittleEndian.PutUint64(b[at:], textStarts[n])
		at += len(`s:0:"`)
		if n >= 10 {
			at++
		}
	} else {
		b[at], b[at+1] = 's', ':'
		at = putDecimal(b, at+2, uint64(len(s)))
		b[at], b[at+1] = ':', '"'
		at += 2
	}
	if len(s) >= longText {
		return append(append(b[:at], s...), '"', ';'), nil
	}
	at += copy(b[at:], s)
	b[at], b[at+1] = '"', ';'
	return b[:at+2], nil
}

// textStarts holds what stands before the bytes of a string of less than 100.
var textStarts = func() (starts [100]uint64) {
	for n := range starts {
		var text [8]byte
		copy(text[:], "s:"+itoa(n)+`:"`)
		starts[n] = binary.LittleEndian.Uint64(text[:])
	}
	return
}()

// appendCount opens an array of n elements.
func appendCount(dst []byte, n int) ([]byte, *Error) {
	if !fits(n) {
		return nil, &Error{Kind: TooLarge, Offset: -1, Found: "an array of " + itoa(n) + " elements",
			Want: "at most " + itoa(MaxLength)}
	}
	b, at := room(dst, 24)
	b[at], b[at+1] = 'a', ':'
	at = putDecimal(b, at+2, uint64(n))
	b[at], b[at+1] = ':', '{'
	return b[:at+2], nil
}

func appendList(dst []byte, vs []Value, depth int) (_ []byte, err *Error) {
	key := firstIndex
	if n := len(vs); n > 9 || n == 0 {
		dst, err = appendCount(dst, n)
	} else { // with the first key, in one piece
		b, at := room(dst, 16)
		binary.LittleEndian.PutUint64(b[at:], shortList+uint64(n)<<16)
		b[at+8] = ';'
		if dst, err = appendValue(b[:at+9], &vs[0], depth); err != nil {
			return nil, err
		}
		vs, key = vs[1:], secondIndex
	}
	for i := 0; i < len(vs) && err == nil; i++ {
		b, at := room(dst, key.size+intRoom)
		binary.LittleEndian.PutUint64(b[at:], key.lo)
		binary.LittleEndian.PutUint64(b[at+8:], key.hi)
		at += key.size
		if v := &vs[i]; v.k == KindInt {
			dst = b[:putInt(b, at, int64(v.n))]
		} else {
			dst, err = appendValue(b[:at], v, depth)
		}
		key.increment()
	}
	return append(dst, '}'), err
}

// shortList is how a list begins, but for the number of its elements, which is one
// digit, and a ";".
const shortList = 'a' | ':'<<8 | '0'<<16 | ':'<<24 | '{'<<32 | 'i'<<40 | ':'<<48 | '0'<<56

func appendEntries(dst []byte, es []Entry, depth int) ([]byte, *Error) {
	if found := reservedIn(es); found != 0 {
		return nil, &Error{Kind: Reserved, Offset: -1, Found: "an array with the key " + found.name(),
			Want: "a handle, which that key is reserved for"}
	}
	dst, err := appendCount(dst, len(es))
	for i := 0; i < len(es) && err == nil; i++ {
		e := &es[i]
		if e.Key.s == nil {
			dst = appendInt(dst, e.Key.n)
		} else if dst, err = appendText(dst, e.Key.text()); err != nil {
			return nil, err
		}
		dst, err = appendValue(dst, &e.Value, depth)
	}
	return append(dst, '}'), err
}

func appendRustHandle(dst []byte, h *RustHandle, depth int) ([]byte, *Error) {
	if h.ID < 0 || h.Epoch < 0 {
		return nil, &Error{Kind: Invalid, Offset: -1, Found: "handle " + strconv.FormatInt(h.ID, 10) + " of epoch " +
			strconv.FormatInt(h.Epoch, 10), Want: "numbers of 0 or more"}
	}
	if h.Snapshot == nil {
		dst = append(dst, "a:3:{"...)
	} else {
		dst = append(dst, "a:4:{"...)
	}
	dst = append(dst, `s:9:"__rhandle";`...)
	dst = appendInt(dst, h.ID)
	dst = append(dst, `s:7:"__class";`...)
	dst, err := appendText(dst, h.Class)
	if err != nil {
		return nil, err
	}
	dst = append(dst, `s:7:"__epoch";`...)
	dst = appendInt(dst, h.Epoch)
	if h.Snapshot != nil {
		if k := h.Snapshot.k; k != KindList && k != KindArray {
			return nil, &Error{Kind: Invalid, Offset: -1, Found: "a snapshot that is " + brief(*h.Snapshot), Want: "an array"}
		}
		dst = append(dst, `s:10:"__snapshot";`...)
		if dst, err = appendValue(dst, h.Snapshot, depth); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func appendPhpHandle(dst []byte, h *PhpHandle, depth int) ([]byte, *Error) {
	if h.ID < 0 {
		return nil, &Error{Kind: Invalid, Offset: -1, Found: "handle " + strconv.FormatInt(h.ID, 10), Want: "a number of 0 or more"}
	}
	dst = append(dst, `a:3:{s:9:"__phandle";`...)
	dst = appendInt(dst, h.ID)
	dst = append(dst, `s:7:"__class";`...)
	dst, err := appendText(dst, h.Class)
	if err != nil {
		return nil, err
	}
	dst = append(dst, `s:12:"__implements";`...)
	if depth >= MaxDepth {
		return nil, tooDeep()
	}
	if dst, err = appendCount(dst, len(h.Implements)); err != nil {
		return nil, err
	}
	for i, name := range h.Implements {
		if dst, err = appendText(appendInt(dst, int64(i)), name); err != nil {
			return nil, err
		}
	}
	return append(dst, '}', '}'), nil
}

func tooDeep() *Error {
	return &Error{Kind: Depth, Offset: -1, Found: "an array inside " + itoa(MaxDepth) + " others",
		Want: "at most " + itoa(MaxDepth) + " inside one another"}
}
