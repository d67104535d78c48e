package codec

import (
	"math"
	"strconv"
	"sync"

	"phpwire/floatfmt"
)

// MaxDepth is how many containers may stand inside one another; the outermost
// counts as 1 (clause L-1).
const MaxDepth = 512

// Profile is a set of rules for the decoder (clause P-1).
type Profile uint8

const (
	// Plugin accepts every spelling that PHP reads without a warning.
	Plugin Profile = iota
	// Canonical accepts only the spelling that PHP writes, so that decoding is
	// the exact inverse of encoding.
	Canonical
)

func (p Profile) String() string {
	if p == Canonical {
		return "canonical"
	}
	return "plugin"
}

// Decode reads a payload that holds exactly one value. The error is an [*Error].
//
// Memory: never more than a small constant times len(payload), whatever lengths
// and counts the payload claims, in at most one object for each array and each
// 16 KiB of the payload. The value does not refer to payload: its strings share
// one copy of it, and small arrays share blocks, which stay as long as any of
// what is in them.
func Decode(payload []byte, p Profile) (Value, error) { return decode(payload, p, false) }

// DecodeShared is [Decode] without that copy: the strings of the value are
// payload's own bytes. The caller must not change payload for as long as the
// value, or anything taken out of it, is in use.
func DecodeShared(payload []byte, p Profile) (Value, error) { return decode(payload, p, true) }

func decode(payload []byte, p Profile, shared bool) (Value, error) {
	d := decoders.Get().(*decoder)
	d.in, d.canonical = payload, p == Canonical
	if shared {
		d.text = share(payload)
	}
	err := d.run()
	v := d.root
	d.release()
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decoder writes each value where it belongs as soon as it is read. All places
// for values start out zero: a number then takes no write of its pointer word,
// which would cost a write barrier.
type decoder struct {
	in        []byte
	canonical bool
	// text holds the bytes of the strings: in[base:], copied when the first
	// string is met.
	text string
	base int
	root Value
	// need is the least number of bytes that the containers around the innermost
	// one still take.
	need    int
	open    []container
	depth   int     // how many of open are arrays of which not everything is read
	keyed   []keyed // beside open
	deepest int     // how many of keyed were used
	// What small arrays are cut from.
	values  slab[Value]
	entries slab[Entry]
}

func (d *decoder) release() {
	for i := range d.open[:d.depth] { // after an error
		d.open[i].into = nil
	}
	for i := range d.keyed[:d.deepest] {
		d.keyed[i].forget()
	}
	d.in, d.text, d.base, d.root, d.need, d.depth, d.deepest = nil, "", 0, Value{}, 0, 0, 0
	d.values, d.entries = slab[Value]{}, slab[Entry]{}
	decoders.Put(d)
}

// run reads the whole payload.
func (d *decoder) run() *Error {
	pos, err := d.read(&d.root, 0)
	for err == nil && d.depth > 0 {
		if d.open[d.depth-1].isList {
			pos, err = d.readList(pos)
		} else {
			pos, err = d.readEntries(pos)
		}
	}
	if err == nil && pos != len(d.in) {
		err = fault(TrailingData, d.in, pos, "the end of the payload")
	}
	return err
}

// read reads the value at pos into dst: a scalar whole, an array up to its "{"
// unless it is empty, and of a list the first element likewise. It knows the
// spellings that PHP writes and leaves all others to readSlowly.
func (d *decoder) read(dst *Value, pos int) (int, *Error) {
	in := d.in
	for len(in)-pos >= 4 {
		switch in[pos] {
		case 'i':
			if in[pos+1] == ':' {
				if n, next := quickInt(in, pos+2); next > 0 && in[next] == ';' {
					dst.k, dst.n = KindInt, uint64(n)
					return next + 1, nil
				}
			}
		case 's':
			if from, to := quickText(in, pos); to > 0 {
				*dst = String(d.slice(from, to))
				return to + 2, nil
			}
		case 'a':
			if in[pos+1] == ':' {
				first, next, err := d.push(dst, pos)
				if first == nil {
					return next, err
				}
				dst, pos = first, next
				continue
			}
		case 'd':
			if in[pos+1] == ':' {
				return d.readFloat(dst, pos)
			}
		case 'b':
			if in[pos+1] == ':' && in[pos+2]|1 == '1' && in[pos+3] == ';' {
				dst.k, dst.n = KindBool, uint64(in[pos+2]-'0')
				return pos + 4, nil
			}
		case 'N':
			if in[pos+1] == ';' {
				return pos + 2, nil
			}
		}
		break
	}
	return d.readSlowly(dst, pos)
}

func (d *decoder) readSlowly(dst *Value, pos int) (int, *Error) {
	in := d.in
	if pos >= len(in) {
		return 0, unexpected(in, pos, "a value")
	}
	tag := in[pos]
	switch tag {
	case 'i', 's', 'd', 'a', 'b':
		if pos+1 >= len(in) || in[pos+1] != ':' {
			return 0, unexpected(in, pos+1, `":"`)
		}
	case 'N':
		if pos+1 >= len(in) || in[pos+1] != ';' {
			return 0, unexpected(in, pos+1, `";"`)
		}
		return pos + 2, nil
	case 'O', 'C', 'E', 'r', 'R', 'S':
		return 0, fault(Unsupported, in, pos, "a plugin value (N b i d s a)")
	default:
		return 0, unexpected(in, pos, "a value (N b i d s a)")
	}
	body := pos + 2
	switch tag {
	case 'i':
		n, next, err := d.readInt(pos)
		*dst = Int(n)
		return next, err
	case 's':
		from, to, err := d.readText(pos)
		if err != nil {
			return 0, err
		}
		*dst = String(d.slice(from, to))
		return to + 2, nil
	case 'd':
		return d.readFloat(dst, pos)
	case 'b':
		if body >= len(in) || (in[body] != '0' && in[body] != '1') {
			return 0, unexpected(in, body, `"0" or "1"`)
		}
		if body+1 >= len(in) || in[body+1] != ';' {
			return 0, unexpected(in, body+1, `";"`)
		}
		*dst = Bool(in[body] == '1')
		return body + 2, nil
	}
	// An array has more bytes than this one can have, so this is an error.
	_, next, err := d.push(dst, pos)
	return next, err
}

// readInt reads the "i:" at pos.
func (d *decoder) readInt(pos int) (n int64, next int, err *Error) {
	n, next, canonical, err := scanInt(d.in, pos+2)
	if err == nil && d.canonical && !canonical {
		err = fault(NotCanonical, d.in, pos, "i:"+strconv.FormatInt(n, 10)+";")
	}
	return n, next, err
}

// readText reads the "s:" at pos. The bytes are in[from:to].
func (d *decoder) readText(pos int) (from, to int, err *Error) {
	from, to, _, canonical, err := scanString(d.in, pos+2)
	if err == nil && d.canonical && !canonical {
		err = fault(NotCanonical, d.in, pos, "s:"+itoa(to-from)+":")
	}
	return from, to, err
}

// readFloat reads the "d:" at pos.
func (d *decoder) readFloat(dst *Value, pos int) (int, *Error) {
	in := d.in
	f, n, err := floatfmt.ParsePrefix(in[pos+2:])
	if err != nil {
		return 0, floatError(in, pos+2, err)
	}
	end := pos + 2 + n
	if d.canonical && !floatfmt.Canonical(in[pos+2:end], f) {
		return 0, fault(NotCanonical, in, pos, "d:"+string(floatfmt.AppendFloat(nil, f, -1))+";")
	}
	dst.k, dst.n = KindFloat, math.Float64bits(f)
	return end + 1, nil
}

// slice returns in[from:to] as a string.
func (d *decoder) slice(from, to int) string {
	if from == to {
		return ""
	}
	if d.text == "" {
		d.text, d.base = string(d.in[from:]), from
	}
	return d.text[from-d.base : to-d.base]
}

func itoa(n int) string { return strconv.Itoa(n) }
