package codec

import (
	"encoding/binary"
	"strconv"
)

// AppendTagged appends v as tagged JSON, the exchange form in which every value
// keeps its kind and its bits (clause T-1). Members stand in a fixed order and
// nothing is optional but a handle's snapshot, so equal values have equal texts.
func AppendTagged(dst []byte, v Value) []byte {
	switch v.k {
	case KindBool:
		dst = append(dst, `{"t":"bool","v":`...)
		return append(strconv.AppendBool(dst, v.n != 0), '}')
	case KindInt:
		dst = append(dst, `{"t":"int","v":"`...)
		return append(appendDecimal(dst, int64(v.n)), '"', '}')
	case KindFloat:
		dst = append(dst, `{"t":"float","bits":"`...)
		dst = appendHex(dst, v.n)
		return append(dst, `"}`...)
	case KindString:
		dst = append(dst, `{"t":"string","b64":`...)
		return append(appendBase64(dst, v.text()), '}')
	case KindPhpClass:
		dst = append(dst, `{"t":"pclass","class":`...)
		return append(appendBase64(dst, v.text()), '}')
	case KindList:
		dst = append(dst, `{"t":"list","v":[`...)
		for i, e := range v.elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendTagged(dst, e)
		}
		return append(dst, "]}"...)
	case KindArray, KindObject:
		dst = append(dst, `{"t":"`...)
		dst = append(dst, v.k.String()...)
		dst = append(dst, `","v":`...)
		return append(appendTaggedPairs(dst, v), '}')
	case KindRustHandle:
		h := v.rustHandle()
		dst = append(dst, `{"t":"rhandle","rhandle":"`...)
		dst = strconv.AppendInt(dst, h.ID, 10)
		dst = append(dst, `","class":`...)
		dst = appendBase64(dst, h.Class)
		dst = append(dst, `,"epoch":"`...)
		dst = strconv.AppendInt(dst, h.Epoch, 10)
		dst = append(dst, '"')
		if h.Snapshot != nil {
			dst = append(dst, `,"snapshot":`...)
			dst = appendTaggedPairs(dst, *h.Snapshot)
		}
		return append(dst, '}')
	case KindPhpHandle:
		h := v.phpHandle()
		dst = append(dst, `{"t":"phandle","phandle":"`...)
		dst = strconv.AppendInt(dst, h.ID, 10)
		dst = append(dst, `","class":`...)
		dst = appendBase64(dst, h.Class)
		dst = append(dst, `,"implements":[`...)
		for i, name := range h.Implements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendBase64(dst, name)
		}
		return append(dst, "]}"...)
	}
	return append(dst, `{"t":"null"}`...)
}

func appendTaggedPairs(dst []byte, v Value) []byte {
	dst = append(dst, '[')
	for i, e := range v.elements() {
		dst = appendTaggedPair(dst, i, IntKey(int64(i)), e)
	}
	for i, e := range v.entries() {
		dst = appendTaggedPair(dst, i, e.Key, e.Value)
	}
	return append(dst, ']')
}

func appendTaggedPair(dst []byte, i int, k Key, v Value) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	dst = append(appendTaggedKey(append(dst, '['), k), ',')
	return append(AppendTagged(dst, v), ']')
}

func appendTaggedKey(dst []byte, k Key) []byte {
	if k.s == nil {
		dst = append(dst, `{"int":"`...)
		return append(appendDecimal(dst, k.n), '"', '}')
	}
	dst = append(dst, `{"b64":`...)
	return append(appendBase64(dst, k.text()), '}')
}

// appendHex appends the 16 hex digits of bits.
func appendHex(dst []byte, bits uint64) []byte {
	dst = binary.BigEndian.AppendUint64(dst, eightHexDigits(bits>>32))
	return binary.BigEndian.AppendUint64(dst, eightHexDigits(bits&0xffffffff))
}

// eightHexDigits returns the digits of n < 1<<32, the first in the highest byte.
func eightHexDigits(n uint64) uint64 {
	const ones = 0x0101010101010101
	n = (n | n<<16) & 0x0000FFFF0000FFFF
	n = (n | n<<8) & 0x00FF00FF00FF00FF
	n = (n | n<<4) & 0x0F0F0F0F0F0F0F0F
	letters := (n + 6*ones) >> 4 & ones
	return n + '0'*ones + letters*('a'-'0'-10)
}

// Plain returns v with every handle as the reserved array that stands for it on
// the wire, which is what PHP, knowing no handles, sees.
func (v Value) Plain() Value {
	text := func(s string) Key { return stringKey(s) }
	switch v.k {
	case KindList:
		vs := make([]Value, v.Len())
		for i, e := range v.elements() {
			vs[i] = e.Plain()
		}
		return listValue(vs)
	case KindArray, KindObject:
		es := make([]Entry, len(v.entries()))
		for i, e := range v.entries() {
			es[i] = Entry{Key: e.Key, Value: e.Value.Plain()}
		}
		return entriesValue(v.k, es)
	case KindPhpClass:
		return entriesValue(KindArray, []Entry{{text(keyPclass), String(v.text())}})
	case KindRustHandle:
		h := v.rustHandle()
		es := []Entry{{text(keyRhandle), Int(h.ID)}, {text(keyClass), String(h.Class)}, {text(keyEpoch), Int(h.Epoch)}}
		if h.Snapshot != nil {
			es = append(es, Entry{text(keySnapshot), h.Snapshot.Plain()})
		}
		return entriesValue(KindArray, es)
	case KindPhpHandle:
		h := v.phpHandle()
		names := make([]Value, len(h.Implements))
		for i, name := range h.Implements {
			names[i] = String(name)
		}
		return entriesValue(KindArray, []Entry{{text(keyPhandle), Int(h.ID)}, {text(keyClass), String(h.Class)}, {text(keyImplements), List(names...)}})
	}
	return v
}
