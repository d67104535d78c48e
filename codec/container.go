package codec

import "strconv"

// container is an array of which not everything is read. While its keys are 0, 1,
// 2 … it is a list, whose value stands where it goes from the start, with room for
// all elements; from the first other key on the decoder's keyed of its depth has
// the rest. Lists inside one another are common and this is all that one costs, so
// it is small.
type container struct {
	into   *Value // where its value goes
	start  int    // the offset of its "a"
	left   int    // elements to come
	isList bool
	index  counter // the key that continues the list
}

// keyed is what an array that is no list needs besides.
type keyed struct {
	entries []Entry
	// ordered: every key is an int and larger than the one before, so none can
	// repeat. With any other key, set is asked.
	ordered  bool
	reserved reservedKeys
	last     int64
	set      keySet
	shape    shape
}

// forget lets go of what does not belong to the decoder.
func (k *keyed) forget() {
	k.entries = nil
	k.shape.forget()
}

// leastElement is the size of the shortest element, "i:0;N;".
const leastElement = 6

// push opens the array at pos, whose value goes into dst, and reads the key of a
// list's first element, which goes into first. An empty array is read whole.
func (d *decoder) push(dst *Value, pos int) (first *Value, next int, err *Error) {
	in := d.in
	var count int
	if len(in)-pos > 5 && in[pos+2]-'1' < 9 && in[pos+3] == ':' && in[pos+4] == '{' {
		count, next = int(in[pos+2]-'0'), pos+5
	} else {
		var canonical bool
		if count, next, canonical, err = scanCount(in, pos+2); err != nil {
			return nil, 0, err
		}
		if d.canonical && !canonical {
			return nil, 0, fault(NotCanonical, in, pos, "a:"+itoa(count)+":")
		}
	}
	depth := d.depth
	if depth == MaxDepth {
		return nil, 0, fault(Depth, in, pos, "at most "+itoa(MaxDepth)+" arrays inside one another")
	}
	if count == 0 {
		dst.k = KindList
		next, err = d.readEnd(next)
		return nil, next, err
	}
	need := d.need
	if depth > 0 {
		need += d.open[depth-1].left*leastElement + 1
	}
	// What is claimed must be there, so that a claim allocates nothing.
	room := len(in) - next - need - 1
	if room/leastElement < count {
		return nil, 0, &Error{Kind: Truncated, Offset: pos, Found: "a count of " + itoa(count),
			Want: "at most " + itoa(max(room, 0)/leastElement) + ", which is what can stand in the bytes that are left"}
	}
	d.need = need
	if depth == len(d.open) {
		d.open = append(d.open, container{})
	}
	c := &d.open[depth]
	d.depth = depth + 1
	c.into, c.start, c.left = dst, pos, count
	if key := in[next:]; key[0] == 'i' && key[1] == ':' && key[2] == '0' && key[3] == ';' {
		c.isList, c.left, c.index = true, count-1, secondIndex
		list := d.values.take(count)
		*dst = listValue(list)
		return &list[0], next + 4, nil
	}
	c.isList = false
	k := d.keyedAt(depth)
	k.begin(d.entries.take(count)[:0])
	k.shape.begin()
	return nil, next, nil
}

// keyedAt returns what an array inside of the given number of others needs when it
// is no list.
func (d *decoder) keyedAt(depth int) *keyed {
	for depth >= len(d.keyed) {
		d.keyed = append(d.keyed, keyed{})
	}
	d.deepest = max(d.deepest, depth+1)
	return &d.keyed[depth]
}

// begin starts with the entries that are known.
func (k *keyed) begin(entries []Entry) {
	k.entries, k.ordered, k.reserved, k.last = entries, true, 0, int64(len(entries))-1
	k.set.reset()
}

// readList reads the elements of the innermost array, a list, and goes on with the
// list around it when it is complete, until another array opens, or the innermost
// one is no list.
func (d *decoder) readList(pos int) (int, *Error) {
	depth := d.depth
	for depth > 0 && d.open[depth-1].isList {
		c := &d.open[depth-1]
		list := c.into.elements()
		for c.left > 0 {
			next := c.index.match(d.in, pos)
			if next == 0 {
				k, after, err := d.readKey(c.left, pos)
				if err != nil {
					return 0, err
				}
				if !k.Equal(Key{n: int64(len(list) - c.left)}) {
					d.spread(c)
					return pos, nil
				}
				next = after
			}
			dst := &list[len(list)-c.left]
			c.left--
			c.index.increment()
			var err *Error
			if pos, err = d.read(dst, next); err != nil || d.depth != depth {
				return pos, err
			}
		}
		var err *Error
		if pos, err = d.readEnd(pos); err != nil {
			return 0, err
		}
		d.pop()
		depth--
	}
	return pos, nil
}

// readEntries reads the elements of the innermost array, which is not, or no more,
// a list, until it is complete or another array opens.
func (d *decoder) readEntries(pos int) (int, *Error) {
	depth := d.depth
	c, k := &d.open[depth-1], &d.keyed[depth-1]
	for c.left > 0 {
		at := len(k.entries)
		next := k.shape.match(d.in, pos, at)
		if next > 0 {
			k.entries = k.entries[:at+1]
			k.entries[at].Key = k.shape.before[at].Key
		} else {
			var err *Error
			if at, next, err = d.addKey(k, c.left, pos); err != nil {
				return 0, err
			}
		}
		c.left--
		var err *Error
		if pos, err = d.read(&k.entries[at].Value, next); err != nil || d.depth != depth {
			return pos, err
		}
	}
	pos, err := d.readEnd(pos)
	if err != nil {
		return 0, err
	}
	*c.into, err = d.finish(c, k)
	d.pop()
	return pos, err
}

// addKey reads the key of the next element, of left, and makes room for the element,
// unless the key is repeated. The element is k.entries[at].
func (d *decoder) addKey(k *keyed, left, pos int) (at, next int, err *Error) {
	if k.shape.leave() {
		k.recount()
	}
	key, next, err := d.readKey(left, pos)
	if err != nil {
		return 0, 0, err
	}
	if text := key.text(); len(text) >= len(keyPclass) && text[0] == '_' {
		k.reserved |= reservedKey(text)
	}
	at, repeated := k.find(key)
	switch {
	case !repeated:
		k.entries = k.entries[:at+1]
		k.entries[at].Key = key
		k.shape.add(at, pos, next)
	case d.canonical:
		return 0, 0, fault(NotCanonical, d.in, pos, "a key that did not occur before in this array")
	default: // the element keeps its place
		k.entries[at].Value = Value{}
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
	d.open[d.depth].into = nil
	if d.depth > 0 {
		d.need -= d.open[d.depth-1].left*leastElement + 1
	}
}

// readKey reads the key of the next element, of left.
func (d *decoder) readKey(left, pos int) (Key, int, *Error) {
	in := d.in
	if from, to := quickText(in, pos); to > 0 {
		text := d.slice(from, to)
		if text != "" && text[0] > '9' {
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
		return Key{}, 0, unexpected(in, pos, "a key: "+itoa(left)+" more elements were counted")
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
	return k, to + 2, nil
}

// find returns where the element with that key stands: at the end, unless the
// key is repeated.
func (k *keyed) find(key Key) (at int, repeated bool) {
	if k.ordered {
		if key.s == nil && (key.n > k.last || len(k.entries) == 0) {
			k.last = key.n
			return len(k.entries), false
		}
		k.ordered = false
	}
	return k.set.find(k.entries, key)
}

// recount lets find know the entries whose keys it was not asked about.
func (k *keyed) recount() {
	known := k.entries
	for i, e := range known {
		k.entries = known[:i]
		k.find(e.Key)
	}
	k.entries = known
}

// spread turns the innermost array, the list read so far, into entries.
func (d *decoder) spread(c *container) {
	list := c.into.elements()
	entries := d.entries.take(len(list))[:len(list)-c.left]
	for i := range entries {
		entries[i] = Entry{Key: Key{n: int64(i)}, Value: list[i]}
	}
	c.isList = false
	k := d.keyedAt(d.depth - 1)
	k.begin(entries)
	k.shape.forget()
}

// finish makes the value of c, whose entries are all read.
func (d *decoder) finish(c *container, k *keyed) (Value, *Error) {
	if k.reserved == 0 {
		k.shape.end(k.entries)
	} else {
		k.shape.forget() // its keys would have to be marked again
		v, err := descriptor(k.entries, k.reserved, d.canonical)
		if err != nil {
			err.Offset = c.start
			return Value{}, err
		}
		if v.k != KindNull {
			d.entries.giveBack(k.entries)
			return v, nil
		}
	}
	return arrayOf(k.entries), nil
}
