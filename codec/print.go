package codec

import (
	"math"
	"strconv"

	"phpwire/floatfmt"
)

// printLimit is the length in bytes from which on String leaves things out.
const printLimit = 4000

// String writes v for people to read: [1, 2.5, "a\xff"] for a list,
// {5: true, "k": null} for an array, object{…}, rhandle(3 "Class" epoch 1),
// phandle(8 "Class"), pclass("Class"). Very long values are cut off with "…".
func (v Value) String() string { return string(v.print(nil)) }

func (v Value) print(dst []byte) []byte {
	switch v.k {
	case KindNull:
		return append(dst, "null"...)
	case KindBool:
		return strconv.AppendBool(dst, v.n != 0)
	case KindInt:
		return strconv.AppendInt(dst, int64(v.n), 10)
	case KindFloat:
		return printFloat(dst, v.n)
	case KindString:
		return printText(dst, v.text())
	case KindPhpClass:
		dst = append(dst, "pclass("...)
		return append(printText(dst, v.text()), ')')
	case KindList:
		dst = append(dst, '[')
		for i, e := range v.elements() {
			var room bool
			if dst, room = printComma(dst, i); !room {
				break
			}
			dst = e.print(dst)
		}
		return append(dst, ']')
	case KindArray:
		return printEntries(dst, v.entries())
	case KindObject:
		return printEntries(append(dst, "object"...), v.entries())
	case KindRustHandle:
		h := v.rustHandle()
		dst = append(dst, "rhandle("...)
		dst = strconv.AppendInt(dst, h.ID, 10)
		dst = append(dst, ' ')
		dst = printText(dst, h.Class)
		dst = append(dst, " epoch "...)
		dst = strconv.AppendInt(dst, h.Epoch, 10)
		if h.Snapshot != nil {
			dst = append(dst, ' ')
			dst = h.Snapshot.print(dst)
		}
		return append(dst, ')')
	default: // KindPhpHandle
		h := v.phpHandle()
		dst = append(dst, "phandle("...)
		dst = strconv.AppendInt(dst, h.ID, 10)
		dst = append(dst, ' ')
		dst = printText(dst, h.Class)
		for _, name := range h.Implements {
			if len(dst) > printLimit {
				dst = append(dst, " …"...)
				break
			}
			dst = append(dst, " implements "...)
			dst = printText(dst, name)
		}
		return append(dst, ')')
	}
}

func printEntries(dst []byte, es []Entry) []byte {
	dst = append(dst, '{')
	for i, e := range es {
		var room bool
		if dst, room = printComma(dst, i); !room {
			break
		}
		dst = append(append(dst, e.Key.String()...), ": "...)
		dst = e.Value.print(dst)
	}
	return append(dst, '}')
}

// printComma writes what stands before element i, and tells whether there is room
// for it; else "…" stands for it and all that follow.
func printComma(dst []byte, i int) ([]byte, bool) {
	if i > 0 {
		dst = append(dst, ", "...)
	}
	if len(dst) > printLimit {
		return append(dst, "…"...), false
	}
	return dst, true
}

// printFloat writes a float so that it cannot be taken for an int, and a NaN
// with its bits, since they are all that tells two of them apart.
func printFloat(dst []byte, bits uint64) []byte {
	f := math.Float64frombits(bits)
	if math.IsNaN(f) && bits != nanBits {
		dst = append(dst, "NAN(0x"...)
		dst = strconv.AppendUint(dst, bits, 16)
		return append(dst, ')')
	}
	start := len(dst)
	dst = floatfmt.AppendFloat(dst, f, -1)
	for _, c := range dst[start:] {
		if c == '.' || c == 'N' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

func printText(dst []byte, s string) []byte {
	if len(s) > printLimit {
		return append(strconv.AppendQuoteToASCII(dst, s[:printLimit]), "…"...)
	}
	return strconv.AppendQuoteToASCII(dst, s)
}

// described is String with the kind, where the text alone does not show it.
func (v Value) described() string {
	switch v.k {
	case KindInt, KindFloat, KindString:
		return v.k.String() + " " + v.String()
	}
	return v.String()
}

// String writes an int key as a number and a string key in quotes.
func (k Key) String() string {
	if k.s == nil {
		return strconv.FormatInt(k.n, 10)
	}
	return string(printText(nil, k.text()))
}

func (k Key) path() string { return "[" + k.String() + "]" }
