package codec

import (
	"fmt"
	"math"
)

// nanBits is the NaN that the wire carries: it has one spelling only.
const nanBits = 0x7ff8000000000000

// Equal tells whether two values are the same, kind by kind: floats by their
// bits (a NaN equals itself, -0 differs from 0), arrays with their order. It is
// the method that go-cmp uses.
func (v Value) Equal(o Value) bool {
	if v.k != o.k {
		return false
	}
	switch v.k {
	case KindString, KindPhpClass:
		return v.text() == o.text()
	case KindList:
		a, b := v.elements(), o.elements()
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if !a[i].Equal(b[i]) {
				return false
			}
		}
		return true
	case KindArray, KindObject:
		a, b := v.entries(), o.entries()
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if !a[i].Key.Equal(b[i].Key) || !a[i].Value.Equal(b[i].Value) {
				return false
			}
		}
		return true
	case KindRustHandle:
		a, b := v.rustHandle(), o.rustHandle()
		if a.ID != b.ID || a.Class != b.Class || a.Epoch != b.Epoch || (a.Snapshot == nil) != (b.Snapshot == nil) {
			return false
		}
		return a.Snapshot == nil || a.Snapshot.Equal(*b.Snapshot)
	case KindPhpHandle:
		a, b := v.phpHandle(), o.phpHandle()
		if a.ID != b.ID || a.Class != b.Class || len(a.Implements) != len(b.Implements) {
			return false
		}
		for i := range a.Implements {
			if a.Implements[i] != b.Implements[i] {
				return false
			}
		}
		return true
	}
	return v.n == o.n
}

// Landed returns v as it arrives on the other side of the wire: objects as
// arrays, every NaN as the one that the wire carries. Decode(Encode(v)) equals
// Landed(v) (clause V-10).
func (v Value) Landed() Value {
	switch v.k {
	case KindFloat:
		if math.IsNaN(math.Float64frombits(v.n)) {
			return Value{k: KindFloat, n: nanBits}
		}
	case KindList:
		vs := make([]Value, v.Len())
		for i, e := range v.elements() {
			vs[i] = e.Landed()
		}
		return listValue(vs)
	case KindArray, KindObject:
		es := make([]Entry, len(v.entries()))
		for i, e := range v.entries() {
			es[i] = Entry{Key: e.Key, Value: e.Value.Landed()}
		}
		return arrayOf(es)
	case KindRustHandle:
		if h := *v.rustHandle(); h.Snapshot != nil {
			landed := h.Snapshot.Landed()
			h.Snapshot = &landed
			return rustHandleValue(&h)
		}
	}
	return v
}

// Difference is one place at which two values differ.
type Difference struct {
	Path        string // like $[3]["name"], $ being the whole value
	Left, Right string // what stands there, "nothing" where an element is missing
}

func (d Difference) String() string { return d.Path + ": " + d.Left + " ≠ " + d.Right }

// Differences lists where a and b differ, at most the given number of places.
func Differences(a, b Value, most int) []Difference {
	c := comparison{most: most}
	c.compare("$", a, b)
	return c.found
}

type comparison struct {
	found []Difference
	most  int
}

func (c *comparison) add(path, left, right string) {
	if len(c.found) < c.most {
		c.found = append(c.found, Difference{path, left, right})
	}
}

func (c *comparison) compare(path string, a, b Value) {
	if a.Equal(b) {
		return
	}
	if !isArray(a) || !isArray(b) {
		if h, g := a.rustHandle(), b.rustHandle(); h != nil && g != nil && h.Snapshot != nil && g.Snapshot != nil {
			c.compare(path+".snapshot", *h.Snapshot, *g.Snapshot)
			x, y := *h, *g
			x.Snapshot, y.Snapshot = nil, nil
			a, b = NewRustHandle(x), NewRustHandle(y)
			if a.Equal(b) {
				return
			}
		}
		c.add(path, a.described(), b.described())
		return
	}
	if a.k != b.k {
		c.add(path, a.k.String(), b.k.String())
	}
	as, bs := pairs(a), pairs(b)
	for i := 0; i < max(len(as), len(bs)) && len(c.found) < c.most; i++ {
		switch {
		case i >= len(as):
			c.add(path+bs[i].Key.path(), "nothing", bs[i].Value.described())
		case i >= len(bs):
			c.add(path+as[i].Key.path(), as[i].Value.described(), "nothing")
		case !as[i].Key.Equal(bs[i].Key):
			c.add(fmt.Sprintf("%s, key %d", path, i+1), as[i].Key.String(), bs[i].Key.String())
		default:
			c.compare(path+as[i].Key.path(), as[i].Value, bs[i].Value)
		}
	}
}

func isArray(v Value) bool { return v.k == KindList || v.k == KindArray || v.k == KindObject }

func pairs(v Value) []Entry {
	if v.k != KindList {
		return v.entries()
	}
	es := make([]Entry, 0, v.Len())
	for k, e := range v.All() {
		es = append(es, Entry{k, e})
	}
	return es
}
