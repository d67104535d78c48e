package codec

import "strconv"

// container is an array of which not everything is read.
type container struct {
	start int    // the offset of its "a"
	left  int    // elements to come
	into  *Value // where its value goes
	// While the keys are 0, 1, 2 … the elements stand in list, which has room for
	// all of them; from the first other key on in entries.
	list    []Value
	entries []Entry
	isList  bool
	// ordered: every key is an int and larger than the one before, so none can
	// repeat. With any other key, set is asked.
	ordered  bool
	reserved reservedKeys
	last     int64
	index    counter // the key that continues the list
	set      keySet
	shape    shape
}

// forget lets go of what does not belong to the decoder.
func (c *container) forget() {
	c.into, c.list, c.entries = nil, nil, nil
	c.shape.forget()
}

// leastElement is the size of the shortest element, "i:0;N;".
const leastElement = 6

// push opens the array at pos, whose value goes into dst. An empty one is read
// whole.
func (d *decoder) push(dst *Value, pos int) (int, *Error) {
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
	if count == 0 {
		dst.k = KindList
		return d.readEnd(next)
	}
	need := d.need
	if d.depth > 0 {
		need += d.open[d.depth-1].left*leastElement + 1
	}
	// What is claimed must be there, so that a claim allocates nothing.
	room := len(in) - next - need - 1
	if room/leastElement < count {
		return 0, &Error{Kind: Truncated, Offset: pos, Found: "a count of " + itoa(count),
			Want: "at most " + itoa(max(room, 0)/leastElement) + ", which is what can stand in the bytes that are left"}
	}
	d.need = need
	if d.depth == d.deepest {
		if d.deepest++; d.depth == len(d.open) {
			d.open = append(d.open, container{})
		}
	}
	c := &d.open[d.depth]
	d.depth++
	c.start, c.left, c.into = pos, count, dst
	if in[next] == 'i' && in[next+2] == '0' && in[next+3] == ';' {
		c.isList, c.index = true, firstIndex
		c.list = d.values.take(count)
	} else {
		c.isList, c.ordered, c.reserved = false, true, 0
		c.entries = d.entries.take(count)[:0]
		c.set.reset()
		c.shape.begin()
	}
	return next, nil
}

// readList reads the elements of c until it is complete, another array opens,
// or a key does not continue the list.
func (d *decoder) readList(c *container, pos int) (int, *Error) {
	depth := d.depth
	for c.left > 0 {
		next := c.index.match(d.in, pos)
		if next == 0 {
			k, after, err := d.readKey(c, pos)
			if err != nil {
				return 0, err
			}
			if !k.Equal(Key{n: int64(len(c.list) - c.left)}) {
				c.spread(&d.entries)
				return d.readEntries(c, pos)
			}
			next = after
		}
		dst := &c.list[len(c.list)-c.left]
		c.left--
		c.index.increment()
		var err *Error
		if pos, err = d.read(dst, next); err != nil || d.depth != depth {
			return pos, err
		}
	}
	pos, err := d.readEnd(pos)
	if err != nil {
		return 0, err
	}
	*c.into = listValue(c.list)
	d.pop()
	return pos, nil
}

// readEntries reads the elements of c, which is not, or no more, a list, until
// it is complete or another array opens.
func (d *decoder) readEntries(c *container, pos int) (int, *Error) {
	depth := d.depth
	for c.left > 0 {
		at := len(c.entries)
		next := c.shape.match(d.in, pos, at)
		if next > 0 {
			c.entries = c.entries[:at+1]
			c.entries[at].Key = c.shape.before[at].Key
		} else {
			var err *Error
			if at, next, err = d.addKey(c, pos); err != nil {
				return 0, err
			}
		}
		c.left--
		var err *Error
		if pos, err = d.read(&c.entries[at].Value, next); err != nil || d.depth != depth {
			return pos, err
		}
	}
	pos, err := d.readEnd(pos)
	if err != nil {
		return 0, err
	}
	*c.into, err = d.finish(c)
	d.pop()
	return pos, err
}

// addKey reads the key of the next element of c and makes room for the element,
// unless the key is repeated. The element is c.entries[at].
func (d *decoder) addKey(c *container, pos int) (at, next int, err *Error) {
	if c.shape.leave() {
		c.recount()
	}
	k, next, err := d.readKey(c, pos)
	if err != nil {
		return 0, 0, err
	}
	at, repeated := c.find(k)
	switch {
	case !repeated:
		c.entries = c.entries[:at+1]
		c.entries[at].Key = k
		c.shape.add(at, pos, next)
	case d.canonical:
		return 0, 0, fault(NotCanonical, d.in, pos, "a key that did not occur before in this array")
	default: // the element keeps its place
		c.entries[at].Value = Value{}
	}
	return at, next, nil
}

// readEnd reads the "}" at pos.
func (d *decoder) readEnd(pos int) (int, *Error) {
	if pos >= len(d.in) || d.in[pos] != '}' {
		return 0, unexpected(d.in, pos, `"}"`)
	}
	return pos + 1, nil
}

// pop leaves the innermost container.
func (d *decoder) pop() {
	d.depth--
	if d.depth > 0 {
		d.need -= d.open[d.depth-1].left*leastElement + 1
	}
}

// readKey reads the key of the next element of c.
func (d *decoder) readKey(c *container, pos int) (Key, int, *Error) {
	in := d.in
	if from, to := quickText(in, pos); to > 0 {
		text := d.slice(from, to)
		if text != "" && text[0] > '9' {
			if text[0] == '_' && len(text) >= len(keyPclass) {
				c.reserved |= reservedKey(text)
			}
			return stringKey(text), to + 2, nil
		}
	} else if len(in)-pos >= 4 && in[pos] == 'i' && in[pos+1] == ':' {
		if n, next := quickInt(in, pos+2); next > 0 && in[next] == ';' {
			return Key{n: n}, next + 1, nil
		}
	}
	if pos >= len(in) {
		return Key{}, 0, unexpected(in, pos, "a key")
	}
	switch in[pos] {
	case 'i', 's':
		if pos+1 >= len(in) || in[pos+1] != ':' {
			return Key{}, 0, unexpected(in, pos+1, `":"`)
		}
	case 'S':
		return Key{}, 0, fault(Unsupported, in, pos, "a key (i or s)")
	case 'N', 'b', 'd', 'a', 'O', 'C', 'E', 'r', 'R':
		return Key{}, 0, fault(BadKey, in, pos, "a key (i or s)")
	case '}':
		return Key{}, 0, unexpected(in, pos, "a key: "+itoa(c.left)+" more elements were counted")
	default:
		return Key{}, 0, unexpected(in, pos, "a key (i or s)")
	}
	if in[pos] == 'i' {
		n, next, err := d.readInt(pos)
		return Key{n: n}, next, err
	}
	from, to, err := d.readText(pos)
	if err != nil {
		return Key{}, 0, err
	}
	text := d.slice(from, to)
	k := StringKey(text)
	if n, isInt := k.Int(); isInt && d.canonical {
		return Key{}, 0, fault(NotCanonical, in, pos, "i:"+strconv.FormatInt(n, 10)+";, since the key is an int to PHP")
	}
	c.reserved |= reservedKey(text)
	return k, to + 2, nil
}

// find returns where the element with the key k stands: at the end, unless the
// key is repeated.
func (c *container) find(k Key) (at int, repeated bool) {
	if c.ordered {
		if k.s == nil && (k.n > c.last || len(c.entries) == 0) {
			c.last = k.n
			return len(c.entries), false
		}
		c.ordered = false
	}
	return c.set.find(c.entries, k)
}

// recount lets find know the entries whose keys it was not asked about.
func (c *container) recount() {
	known := c.entries
	for i, e := range known {
		c.entries = known[:i]
		c.find(e.Key)
	}
	c.entries = known
}

// spread turns the list read so far into entries.
func (c *container) spread(s *slab[Entry]) {
	list := c.list[:len(c.list)-c.left]
	c.entries = s.take(len(c.list))[:len(list)]
	for i, v := range list {
		c.entries[i] = Entry{Key: Key{n: int64(i)}, Value: v}
	}
	c.isList, c.ordered, c.last, c.reserved = false, true, int64(len(list))-1, 0
	c.list = nil
	c.set.reset()
	c.shape.forget()
}

// finish makes the value of c, whose entries are all read.
func (d *decoder) finish(c *container) (Value, *Error) {
	if c.reserved == 0 {
		c.shape.end(c.entries)
	} else {
		c.shape.forget() // its keys would have to be marked again
		v, err := descriptor(c.entries, c.reserved, d.canonical)
		if err != nil {
			err.Offset = c.start
			return Value{}, err
		}
		if v.k != KindNull {
			d.entries.giveBack(c.entries)
			return v, nil
		}
	}
	return arrayOf(c.entries), nil
}
