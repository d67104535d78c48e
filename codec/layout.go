package codec

// This file holds every use of package unsafe in the codec: a Value is 24 bytes
// and a Key 16 (16 and 12 where pointers have 32 bits), so that a list of a
// million values is one block of memory and not a million. One pointer word
// carries a string's bytes, a list's elements, an array's entries or a handle; the
// kind says which, the number word says how many. The garbage collector follows
// the pointer in each case, since it points into a block that Go allocated with
// its own type.
//
// The rules that keep this safe: only the constructors below set the pointer,
// each accessor checks the kind first, and a pointer is never advanced. Nothing
// depends on the size of a pointer. FuzzLayout drives all of it.

import "unsafe"

// Value is one value of the wire: the sources' PluginValue. Values are
// immutable and cheap to copy; the zero Value is null. Construct one with
// [Null], [Bool], [Int], [Float], [String], [Bytes], [List], [Array], [Object],
// [NewRustHandle], [NewPhpHandle] or [PhpClass].
type Value struct {
	p unsafe.Pointer
	n uint64
	k Kind
}

// Key is an array key: an int, or a byte string that is not the decimal text of
// an int64 (PHP turns such a string into the int; so do [StringKey] and the
// decoder). The zero Key is the int key 0.
type Key struct {
	s *byte // nil: an int key
	n int64 // the int, or the length of the string
}

// emptyString is what an empty string key points to: its pointer word must not
// be nil, which would make it an int key.
var emptyString = new(byte)

func bytesValue(k Kind, s string) Value {
	return Value{p: unsafe.Pointer(unsafe.StringData(s)), n: uint64(len(s)), k: k}
}

func listValue(vs []Value) Value {
	return Value{p: unsafe.Pointer(unsafe.SliceData(vs)), n: uint64(len(vs)), k: KindList}
}

func entriesValue(k Kind, es []Entry) Value {
	return Value{p: unsafe.Pointer(unsafe.SliceData(es)), n: uint64(len(es)), k: k}
}

func rustHandleValue(h *RustHandle) Value { return Value{p: unsafe.Pointer(h), k: KindRustHandle} }
func phpHandleValue(h *PhpHandle) Value   { return Value{p: unsafe.Pointer(h), k: KindPhpHandle} }

func (v Value) text() string {
	if v.k != KindString && v.k != KindPhpClass {
		return ""
	}
	return unsafe.String((*byte)(v.p), int(v.n))
}

func (v Value) elements() []Value {
	if v.k != KindList {
		return nil
	}
	return unsafe.Slice((*Value)(v.p), int(v.n))
}

func (v Value) entries() []Entry {
	if v.k != KindArray && v.k != KindObject {
		return nil
	}
	return unsafe.Slice((*Entry)(v.p), int(v.n))
}

func (v Value) rustHandle() *RustHandle {
	if v.k != KindRustHandle {
		return nil
	}
	return (*RustHandle)(v.p)
}

func (v Value) phpHandle() *PhpHandle {
	if v.k != KindPhpHandle {
		return nil
	}
	return (*PhpHandle)(v.p)
}

func stringKey(s string) Key {
	if s == "" {
		return Key{s: emptyString}
	}
	return Key{s: unsafe.StringData(s), n: int64(len(s))}
}

func (k Key) text() string {
	if k.s == nil {
		return ""
	}
	return unsafe.String(k.s, int(k.n))
}

// share returns a string over the bytes of b without copying them; they must not
// be written any more.
func share(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
