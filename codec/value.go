package codec

import (
	"iter"
	"math"
	"slices"
)

// Kind tells what a [Value] is.
type Kind uint8

// The kinds of plugin values (docs/protocol.md, clause V-1).
const (
	KindNull Kind = iota
	KindBool
	KindInt
	KindFloat
	KindString
	KindList
	KindArray
	KindObject
	KindRustHandle
	KindPhpHandle
	KindPhpClass
)

var kindNames = [...]string{
	KindNull: "null", KindBool: "bool", KindInt: "int", KindFloat: "float",
	KindString: "string", KindList: "list", KindArray: "array", KindObject: "object",
	KindRustHandle: "rhandle", KindPhpHandle: "phandle", KindPhpClass: "pclass",
}

// String returns the kind's name in tagged JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Entry is one element of an array: a key and its value.
type Entry struct {
	Key   Key
	Value Value
}

// RustHandle describes an object that lives in the host
// (docs/protocol.md, clause H-2).
type RustHandle struct {
	ID    int64  // 0 to 2^63-1; 0 is the host's runtime service
	Class string // the class whose stub stands for it in PHP
	Epoch int64  // 0 to 2^63-1; raised whenever the host's state changed
	// Snapshot is the part of the object's state that travels with the handle:
	// a list or an array, or nil for none.
	Snapshot *Value
}

// PhpHandle describes an object that lives in the PHP child
// (docs/protocol.md, clause H-3).
type PhpHandle struct {
	ID         int64 // 0 to 2^63-1
	Class      string
	Implements []string // the interfaces of its class
}

// Null returns PHP's null.
func Null() Value { return Value{} }

// Bool returns a PHP bool.
func Bool(b bool) Value {
	if b {
		return Value{k: KindBool, n: 1}
	}
	return Value{k: KindBool}
}

// Int returns a PHP int, which has 64 bits.
func Int(i int64) Value { return Value{k: KindInt, n: uint64(i)} }

// Float returns a PHP float. Its bits are kept, also those of a NaN, although
// the wire carries only one NaN.
func Float(f float64) Value { return Value{k: KindFloat, n: math.Float64bits(f)} }

// String returns a PHP string. It shares the memory of s.
func String(s string) Value { return bytesValue(KindString, s) }

// Bytes returns a PHP string with a copy of b, which need not be UTF-8.
func Bytes(b []byte) Value { return bytesValue(KindString, string(b)) }

// List returns an array with the keys 0 to n-1. It keeps vs, which the caller
// must not change afterwards.
func List(vs ...Value) Value { return listValue(vs) }

// Array returns the array that PHP holds after the assignments a[Key] = Value,
// one after another: a repeated key keeps its first place and takes its last
// value. With the keys 0 to n-1 in order the result is a List (clause A-3).
// It keeps es where no key repeats.
func Array(es ...Entry) Value {
	if isList(es) {
		vs := make([]Value, len(es))
		for i, e := range es {
			vs[i] = e.Value
		}
		return listValue(vs)
	}
	var set keySet
	if set.repeats(es) {
		return arrayOf(mergeRepeated(es))
	}
	return entriesValue(KindArray, es)
}

// arrayOf is Array for entries without repeated keys.
func arrayOf(es []Entry) Value {
	if isList(es) {
		return Array(es...)
	}
	return entriesValue(KindArray, es)
}

func mergeRepeated(es []Entry) []Entry {
	var set keySet
	out := make([]Entry, 0, len(es))
	for _, e := range es {
		if at, repeated := set.find(out, e.Key); repeated {
			out[at].Value = e.Value
		} else {
			out = append(out, e)
		}
	}
	return out
}

func isList(es []Entry) bool {
	for i, e := range es {
		if e.Key.s != nil || e.Key.n != int64(i) {
			return false
		}
	}
	return true
}

// Object returns an object that is only ever encoded: the wire has no objects,
// so it lands as the array of its properties, in their order (clause V-9). A
// repeated name keeps its first place and takes its last value.
func Object(es ...Entry) Value { return entriesValue(KindObject, mergeRepeated(es)) }

// NewRustHandle returns the descriptor of an object that lives in the host.
func NewRustHandle(h RustHandle) Value {
	h = h.clone()
	return rustHandleValue(&h)
}

// clone keeps values immutable: nobody else holds the pointer to the snapshot.
func (h RustHandle) clone() RustHandle {
	if h.Snapshot != nil {
		snapshot := *h.Snapshot
		h.Snapshot = &snapshot
	}
	return h
}

// NewPhpHandle returns the descriptor of an object that lives in the child.
func NewPhpHandle(h PhpHandle) Value {
	h.Implements = slices.Clone(h.Implements)
	return phpHandleValue(&h)
}

// PhpClass returns the name of a PHP class as a value of its own kind.
func PhpClass(name string) Value { return bytesValue(KindPhpClass, name) }

// Kind tells what v is.
func (v Value) Kind() Kind { return v.k }

// IsNull tells whether v is null.
func (v Value) IsNull() bool { return v.k == KindNull }

// Bool returns the value of a bool, and whether v is one.
func (v Value) Bool() (value, ok bool) { return v.k == KindBool && v.n != 0, v.k == KindBool }

// Int returns the value of an int, and whether v is one.
func (v Value) Int() (int64, bool) {
	if v.k != KindInt {
		return 0, false
	}
	return int64(v.n), true
}

// Float returns the value of a float, and whether v is one.
func (v Value) Float() (float64, bool) {
	if v.k != KindFloat {
		return 0, false
	}
	return math.Float64frombits(v.n), true
}

// Text returns the bytes of a string, or the name of a PhpClass, and whether v
// is one of the two. It shares memory with v.
func (v Value) Text() (string, bool) {
	return v.text(), v.k == KindString || v.k == KindPhpClass
}

// Len returns the number of elements of a List, an Array or an Object, the
// length in bytes of a String, and 0 for every other kind.
func (v Value) Len() int {
	switch v.k {
	case KindList, KindArray, KindObject, KindString:
		return int(v.n)
	}
	return 0
}

// Elements returns the elements of a List, which must not be changed, and nil
// for every other kind.
func (v Value) Elements() []Value { return v.elements() }

// Entries returns the entries of an Array or an Object, which must not be
// changed, and nil for every other kind. [Value.All] serves lists too.
func (v Value) Entries() []Entry { return v.entries() }

// All yields the keys and values of a List, an Array or an Object in order.
func (v Value) All() iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		for i, e := range v.elements() {
			if !yield(IntKey(int64(i)), e) {
				return
			}
		}
		for _, e := range v.entries() {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// Get returns the element of a List, an Array or an Object with the given key.
// It takes time linear in the number of elements of an Array.
func (v Value) Get(k Key) (Value, bool) {
	if v.k == KindList {
		if i, ok := k.Int(); ok && i >= 0 && i < int64(v.n) {
			return v.elements()[i], true
		}
		return Value{}, false
	}
	for _, e := range v.entries() {
		if e.Key.Equal(k) {
			return e.Value, true
		}
	}
	return Value{}, false
}

// RustHandle returns the descriptor that v holds, and whether v is one.
func (v Value) RustHandle() (RustHandle, bool) {
	if h := v.rustHandle(); h != nil {
		return h.clone(), true
	}
	return RustHandle{}, false
}

// PhpHandle returns the descriptor that v holds, and whether v is one.
func (v Value) PhpHandle() (PhpHandle, bool) {
	if h := v.phpHandle(); h != nil {
		copied := *h
		copied.Implements = slices.Clone(h.Implements)
		return copied, true
	}
	return PhpHandle{}, false
}
