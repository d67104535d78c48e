package codec

import (
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
// and counts the payload claims. The value does not refer to payload; its strings
// share one copy of it.
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
	v, err := d.value()
	d.release()
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

type decoder struct {
	in        []byte
	canonical bool
	// text holds the bytes of the strings: in[base:], copied when the first
	// string is met.
	text string
	base int
	// need is the least number of bytes that the open containers still take.
	need  int
	open  []container
	depth int
	// What small arrays are cut from.
	values  slab[Value]
	entries slab[Entry]
}

// container is an array of which not everything is read.
type container struct {
	start int // the offset of its "a"
	left  int // elements to come
	key   Key // of the element being read
	keyAt int // and its offset
	// While the keys are 0, 1, 2 … the elements stand in list, from the first
	// other key on in entries.
	list    []Value
	entries []Entry
	isList  bool
	// ordered: every key is an int and larger than the one before, so none can
	// repeat. With any other key, set is asked.
	ordered  bool
	repeated bool
	last     int64
	set      keySet
	reserved reservedKeys
}

func (d *decoder) release() {
	for i := range d.open[:d.depth] {
		d.open[i].list, d.open[i].entries = nil, nil
	}
	d.in, d.text, d.base, d.need, d.depth = nil, "", 0, 0, 0
	d.values, d.entries = slab[Value]{}, slab[Entry]{}
	decoders.Put(d)
}

// leastElement is the size of the shortest element, "i:0;N;".
const leastElement = 6

// value reads the whole payload.
func (d *decoder) value() (Value, *Error) {
	in := d.in
	pos := 0
	var top *container
	for {
		if top != nil {
			next, err := d.readKey(top, pos)
			if err != nil {
				return Value{}, err
			}
			pos = next
		}
		v, next, err := d.readValue(pos)
		if err != nil {
			return Value{}, err
		}
		pos = next
		if v.k == opened {
			top = &d.open[d.depth-1]
			if top.left > 0 {
				continue
			}
		} else if top != nil {
			top.add(v)
		}
		// v is complete, or top has no elements: close what ends here.
		for top != nil && top.left == 0 {
			if pos >= len(in) || in[pos] != '}' {
				return Value{}, unexpected(in, pos, `"}"`)
			}
			pos++
			d.need--
			if v, err = d.close(top); err != nil {
				return Value{}, err
			}
			d.depth--
			if d.depth == 0 {
				top = nil
			} else {
				top = &d.open[d.depth-1]
				top.add(v)
			}
		}
		if top == nil {
			if pos != len(in) {
				return Value{}, fault(TrailingData, in, pos, "the end of the payload")
			}
			return v, nil
		}
	}
}

// opened is the kind of what readValue returns for the start of an array.
const opened Kind = 0xff

// readValue reads a scalar whole, or an array up to its "{".
func (d *decoder) readValue(pos int) (Value, int, *Error) {
	in := d.in
	if pos >= len(in) {
		return Value{}, 0, unexpected(in, pos, "a value")
	}
	tag := in[pos]
	switch tag {
	case 'i', 's', 'd', 'a', 'b':
		if pos+1 >= len(in) || in[pos+1] != ':' {
			return Value{}, 0, unexpected(in, pos+1, `":"`)
		}
	case 'N':
		if pos+1 >= len(in) || in[pos+1] != ';' {
			return Value{}, 0, unexpected(in, pos+1, `";"`)
		}
		return Value{}, pos + 2, nil
	case 'O', 'C', 'E', 'r', 'R', 'S':
		return Value{}, 0, fault(Unsupported, in, pos, "a plugin value (N b i d s a)")
	default:
		return Value{}, 0, unexpected(in, pos, "a value (N b i d s a)")
	}
	body := pos + 2
	switch tag {
	case 'i':
		n, next, canonical, err := scanInt(in, body)
		if err == nil && d.canonical && !canonical {
			err = fault(NotCanonical, in, pos, "i:"+strconv.FormatInt(n, 10)+";")
		}
		return Int(n), next, err
	case 's':
		from, to, next, canonical, err := scanString(in, body)
		if err != nil {
			return Value{}, 0, err
		}
		if d.canonical && !canonical {
			return Value{}, 0, fault(NotCanonical, in, pos, "s:"+itoa(to-from)+":")
		}
		return String(d.slice(from, to)), next, nil
	case 'd':
		return d.readFloat(pos)
	case 'b':
		if body >= len(in) || (in[body] != '0' && in[body] != '1') {
			return Value{}, 0, unexpected(in, body, `"0" or "1"`)
		}
		if body+1 >= len(in) || in[body+1] != ';' {
			return Value{}, 0, unexpected(in, body+1, `";"`)
		}
		return Bool(in[body] == '1'), body + 2, nil
	default:
		next, err := d.push(pos)
		return Value{k: opened}, next, err
	}
}

// push opens the array at pos.
func (d *decoder) push(pos int) (int, *Error) {
	in := d.in
	count, next, canonical, err := scanCount(in, pos+2)
	if err != nil {
		return 0, err
	}
	if d.canonical && !canonical {
		return 0, fault(NotCanonical, in, pos, "a:"+itoa(count)+":")
	}
	if d.depth == MaxDepth {
		return 0, fault(Depth, in, pos, "at most "+itoa(MaxDepth)+" arrays inside one another")
	}
	// What is claimed must be there, so that a claim allocates nothing.
	room := len(in) - next - d.need - 1
	if count > 0 && room/leastElement < count {
		return 0, &Error{Kind: Truncated, Offset: pos, Found: "a count of " + itoa(count),
			Want: "at most " + itoa(max(room, 0)/leastElement) + ", which is what can stand in the bytes that are left"}
	}
	d.need += count*leastElement + 1
	if d.depth == len(d.open) {
		d.open = append(d.open, container{})
	}
	top := &d.open[d.depth]
	d.depth++
	top.start, top.left = pos, count
	top.isList, top.ordered, top.repeated, top.last = true, true, false, -1
	top.reserved = 0
	if count == 0 {
		top.list = nil
	} else if next+3 < len(in) && in[next] == 'i' && in[next+2] == '0' && in[next+3] == ';' {
		top.list = d.values.take(count)
	} else {
		top.isList = false
		top.entries = d.entries.take(count)
		top.set.reset()
	}
	return next, nil
}

// readKey reads the key of the next element of c.
func (d *decoder) readKey(c *container, pos int) (int, *Error) {
	in := d.in
	c.left--
	c.keyAt = pos
	d.need -= leastElement
	if pos >= len(in) {
		return 0, unexpected(in, pos, "a key")
	}
	switch in[pos] {
	case 'i':
		if pos+1 >= len(in) || in[pos+1] != ':' {
			return 0, unexpected(in, pos+1, `":"`)
		}
		n, next, canonical, err := scanInt(in, pos+2)
		if err != nil {
			return 0, err
		}
		if d.canonical && !canonical {
			return 0, fault(NotCanonical, in, pos, "i:"+strconv.FormatInt(n, 10)+";")
		}
		c.key = Key{n: n}
		return next, d.checkKey(c)
	case 's':
		if pos+1 >= len(in) || in[pos+1] != ':' {
			return 0, unexpected(in, pos+1, `":"`)
		}
		from, to, next, canonical, err := scanString(in, pos+2)
		if err != nil {
			return 0, err
		}
		if d.canonical && !canonical {
			return 0, fault(NotCanonical, in, pos, "s:"+itoa(to-from)+":")
		}
		text := d.slice(from, to)
		c.key = StringKey(text)
		if n, isInt := c.key.Int(); isInt {
			if d.canonical {
				return 0, fault(NotCanonical, in, pos, "i:"+strconv.FormatInt(n, 10)+";, since the key is an int to PHP")
			}
		} else if len(text) >= len(keyPclass) && text[0] == '_' {
			c.reserved |= reservedKey(text)
		}
		return next, d.checkKey(c)
	case 'S':
		return 0, fault(Unsupported, in, pos, "a key (i or s)")
	case 'N', 'b', 'd', 'a', 'O', 'C', 'E', 'r', 'R':
		return 0, fault(BadKey, in, pos, "a key (i or s)")
	case '}':
		return 0, unexpected(in, pos, "a key: "+itoa(c.left+1)+" more elements were counted")
	}
	return 0, unexpected(in, pos, "a key (i or s)")
}

// checkKey sees whether the key of c is the next of a list, or a repeated one.
func (d *decoder) checkKey(c *container) *Error {
	if c.isList {
		if c.key.s == nil && c.key.n == int64(len(c.list)) {
			return nil
		}
		c.spread(&d.entries)
	}
	if c.ordered {
		if c.key.s == nil && (c.key.n > c.last || len(c.entries) == 0) {
			c.last = c.key.n
			return nil
		}
		c.ordered = false
	}
	at, repeated := c.set.find(c.entries, c.key)
	if !repeated {
		return nil
	}
	if d.canonical {
		return fault(NotCanonical, d.in, c.keyAt, "a key that did not occur before in this array")
	}
	// The element keeps its place: mark it, and let add put the value there.
	c.repeated, c.last = true, int64(at)
	return nil
}

// spread turns the list read so far into entries.
func (c *container) spread(s *slab[Entry]) {
	c.isList = false
	c.set.reset()
	c.last = int64(len(c.list)) - 1
	c.entries = s.take(len(c.list) + c.left + 1)
	for i, v := range c.list {
		c.entries = append(c.entries, Entry{Key: Key{n: int64(i)}, Value: v})
	}
	c.list = nil
}

// add puts the value of the element whose key was read last into c.
func (c *container) add(v Value) {
	switch {
	case c.isList:
		c.list = append(c.list, v)
	case c.repeated:
		c.entries[c.last].Value = v
		c.repeated = false
	default:
		c.entries = append(c.entries, Entry{Key: c.key, Value: v})
	}
}

// close makes the value of a container whose elements are all read.
func (d *decoder) close(c *container) (Value, *Error) {
	list, entries := c.list, c.entries
	c.list, c.entries = nil, nil
	if c.isList {
		return listValue(list), nil
	}
	if c.reserved != 0 {
		v, err := descriptor(entries, c.reserved, d.canonical)
		if err != nil {
			err.Offset = c.start
			return Value{}, err
		}
		if v.k != KindNull {
			return v, nil
		}
	}
	return arrayOf(entries), nil
}

// readFloat reads the "d:" at pos.
func (d *decoder) readFloat(pos int) (Value, int, *Error) {
	in := d.in
	f, n, err := floatfmt.ParsePrefix(in[pos+2:])
	if err != nil {
		return Value{}, 0, floatError(in, pos+2, err)
	}
	end := pos + 2 + n
	if d.canonical && !floatfmt.Canonical(in[pos+2:end], f) {
		return Value{}, 0, fault(NotCanonical, in, pos, "d:"+string(floatfmt.AppendFloat(nil, f, -1))+";")
	}
	return Float(f), end + 1, nil
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
