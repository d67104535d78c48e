package gen

import (
	"math/rand"
	"strconv"

	"phpwire/codec"
)

// KindSet is a set of kinds of values.
type KindSet uint16

// Kinds returns the set of the given kinds.
func Kinds(kinds ...codec.Kind) KindSet {
	var s KindSet
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Handles are the three kinds of descriptors.
const Handles = KindSet(1<<codec.KindRustHandle | 1<<codec.KindPhpHandle | 1<<codec.KindPhpClass)

// Has tells whether k is in the set.
func (s KindSet) Has(k codec.Kind) bool { return s&(1<<k) != 0 }

// Options bound what [RandomValue] draws. The zero Options draw everything.
type Options struct {
	// MaxNodes is the largest number of values in all, containers counted; 0
	// stands for [DefaultMaxNodes]. The names in a handle's list of interfaces
	// are not counted.
	MaxNodes int
	// MaxDepth is how many containers may stand inside one another; 0 stands for
	// codec.MaxDepth, and a negative one for no containers.
	MaxDepth int
	// Without are kinds that do not occur. Null stands in where nothing else is left.
	Without KindSet
}

// DefaultMaxNodes is the size of the largest values that are drawn unasked.
const DefaultMaxNodes = 5000

// RandomValue draws a value that can be encoded: mostly small and shallow,
// sometimes of thousands of elements, sometimes as deep as the limit. The same
// r and o give the same value.
func RandomValue(r *rand.Rand, o Options) codec.Value {
	if o.MaxNodes <= 0 {
		o.MaxNodes = DefaultMaxNodes
	}
	if o.MaxDepth == 0 || o.MaxDepth > codec.MaxDepth {
		o.MaxDepth = codec.MaxDepth
	}
	b := builder{r: r, without: o.Without}
	if oneIn(r, 64) {
		return b.chain(o.MaxNodes, o.MaxDepth)
	}
	depth := 1 + r.Intn(5)
	if oneIn(r, 8) {
		depth = 1 + r.Intn(20)
	}
	return b.value(min(b.size(), o.MaxNodes), min(depth, o.MaxDepth))
}

// builder draws the parts of a value.
type builder struct {
	r       *rand.Rand
	without KindSet
}

// size draws a number of nodes: mostly a handful, rarely thousands.
func (b *builder) size() int {
	r := b.r
	switch n := r.Intn(512); {
	case n < 130:
		return 1
	case n < 410:
		return 1 + r.Intn(12)
	case n < 500:
		return 1 + r.Intn(60)
	case n < 511:
		return 1 + r.Intn(600)
	}
	return 1 + r.Intn(DefaultMaxNodes)
}

var (
	leafKinds = []codec.Kind{
		codec.KindNull, codec.KindBool, codec.KindBool, codec.KindInt, codec.KindInt, codec.KindInt, codec.KindFloat, codec.KindFloat,
		codec.KindFloat, codec.KindString, codec.KindString, codec.KindString, codec.KindString, codec.KindList, codec.KindObject,
		codec.KindRustHandle, codec.KindPhpHandle, codec.KindPhpClass,
	}
	containerKinds = []codec.Kind{
		codec.KindList, codec.KindList, codec.KindList, codec.KindArray, codec.KindArray, codec.KindArray, codec.KindArray, codec.KindObject,
		codec.KindRustHandle,
	}
)

// value draws a value of at most size nodes and depth containers.
func (b *builder) value(size, depth int) codec.Value {
	if size <= 1 || depth <= 0 {
		return b.leaf(depth)
	}
	r := b.r
	children := 1
	switch r.Intn(4) {
	case 0:
		children = size - 1
	case 1:
		children = 1 + r.Intn(min(size-1, 3))
	default:
		children = 1 + r.Intn(min(size-1, 12))
	}
	for range 4 {
		kind := pick(r, containerKinds)
		if b.without.Has(kind) {
			continue
		}
		switch kind {
		case codec.KindList:
			vs := make([]codec.Value, children)
			b.share(size-1, children, depth-1, func(i int, v codec.Value) { vs[i] = v })
			return codec.List(vs...)
		case codec.KindArray:
			return b.array(size, children, depth)
		case codec.KindObject:
			es := b.entries(size, children, depth)
			return sound(codec.Object(es...), es)
		case codec.KindRustHandle:
			if depth < 2 || size < 3 || b.without.Has(codec.KindList) || b.without.Has(codec.KindArray) {
				continue
			}
			snapshot := b.snapshot(size-1, depth-1)
			return b.rustHandle(&snapshot)
		}
	}
	return b.leaf(depth)
}

func (b *builder) snapshot(size, depth int) codec.Value {
	if oneIn(b.r, 3) {
		return codec.List(b.value(size-1, depth-1))
	}
	return b.array(size, 1+b.r.Intn(min(size-1, 12)), depth)
}

// share draws the given number of children, which have size nodes together.
func (b *builder) share(size, children, depth int, take func(int, codec.Value)) {
	for i := range children {
		left := children - i
		mine := 1
		if size > left {
			mine = 1 + b.r.Intn(min(2*(size-left)/left+1, size-left)+1)
		}
		size -= mine
		take(i, b.value(mine, depth))
	}
}

func (b *builder) array(size, children, depth int) codec.Value {
	es := b.entries(size, children, depth)
	v := sound(codec.Array(es...), es)
	if v.Kind() == codec.KindList && b.without.Has(codec.KindList) {
		es[0].Key = codec.StringKey("first")
		return codec.Array(es...)
	}
	return v
}

func (b *builder) entries(size, children, depth int) []codec.Entry {
	es := make([]codec.Entry, children)
	key := b.keys(children)
	b.share(size-1, children, depth-1, func(i int, v codec.Value) { es[i] = codec.Entry{Key: key(i), Value: v} })
	return es
}

// keys draws a way to make the keys of one array: a large array of traps alone
// would be small, since they repeat.
func (b *builder) keys(children int) func(i int) codec.Key {
	r := b.r
	style := r.Intn(8)
	if children > 16 && style > 3 {
		style -= 4
	}
	switch style {
	case 0: // a list, but for its start
		first := RandomInt(r)
		return func(i int) codec.Key { return codec.IntKey(first + int64(i)) }
	case 1: // a list, but for one place
		odd := r.Intn(children)
		return func(i int) codec.Key {
			if i == odd {
				return b.key()
			}
			return codec.IntKey(int64(i))
		}
	case 2:
		prefix := pick(r, words)
		return func(i int) codec.Key { return codec.StringKey(prefix + strconv.Itoa(i)) }
	case 3:
		return func(int) codec.Key {
			if oneIn(r, 8) {
				return b.key()
			}
			return codec.IntKey(RandomInt(r))
		}
	}
	return func(int) codec.Key { return b.key() }
}

// key draws a key that makes no handle of an array.
func (b *builder) key() codec.Key {
	k := RandomKey(b.r)
	if name, _ := k.Text(); name == "__rhandle" || name == "__phandle" {
		return codec.StringKey(pick(b.r, nearlyReserved))
	}
	return k
}

// sound returns v, an array or object made of es, unless its only key is
// __pclass, which would make it a handle's.
func sound(v codec.Value, es []codec.Entry) codec.Value {
	if v.Len() != 1 || v.Kind() == codec.KindList {
		return v
	}
	if name, _ := es[0].Key.Text(); name != "__pclass" {
		return v
	}
	e := codec.Entry{Key: codec.StringKey("__Pclass"), Value: v.Entries()[0].Value}
	if v.Kind() == codec.KindObject {
		return codec.Object(e)
	}
	return codec.Array(e)
}

// leaf draws a value without elements.
func (b *builder) leaf(depth int) codec.Value {
	r := b.r
	for range 16 {
		kind := pick(r, leafKinds)
		if b.without.Has(kind) {
			continue
		}
		switch kind {
		case codec.KindBool:
			return codec.Bool(coin(r))
		case codec.KindInt:
			return codec.Int(RandomInt(r))
		case codec.KindFloat:
			return codec.Float(RandomFloat(r))
		case codec.KindString:
			return codec.String(randomText(r))
		case codec.KindNull:
			return codec.Null()
		}
		if depth < 1 {
			continue
		}
		switch kind {
		case codec.KindList:
			return codec.List()
		case codec.KindObject:
			return codec.Object()
		case codec.KindRustHandle:
			return b.rustHandle(nil)
		case codec.KindPhpClass:
			return codec.PhpClass(b.class())
		case codec.KindPhpHandle:
			if depth >= 2 {
				return b.phpHandle()
			}
		}
	}
	return codec.Null()
}

var classNames = []string{"A", "stdClass", "DateTime", `Vendor\Package\Thing`, `\Leading`, "class@anonymous\x00/x.php:3$0", "__rhandle", "é"}

func (b *builder) class() string {
	if oneIn(b.r, 8) {
		return randomText(b.r)
	}
	return pick(b.r, classNames)
}

func (b *builder) id() int64 { return RandomInt(b.r) & (1<<63 - 1) }

func (b *builder) rustHandle(snapshot *codec.Value) codec.Value {
	return codec.NewRustHandle(codec.RustHandle{ID: b.id(), Class: b.class(), Epoch: b.id(), Snapshot: snapshot})
}

func (b *builder) phpHandle() codec.Value {
	names := make([]string, b.r.Intn(4))
	for i := range names {
		names[i] = b.class()
	}
	return codec.NewPhpHandle(codec.PhpHandle{ID: b.id(), Class: b.class(), Implements: names})
}

// chain draws a small value inside many containers, often exactly as many as are
// allowed.
func (b *builder) chain(nodes, limit int) codec.Value {
	r := b.r
	v := b.value(min(1+r.Intn(6), nodes), min(2, limit))
	target := max(limit, 0)
	switch r.Intn(5) {
	case 0, 1:
		target = r.Intn(min(target, 40) + 1)
	case 2:
		target = r.Intn(target + 1)
	}
	nodes -= nodesOf(v)
	for depth := depthOf(v); depth < target && nodes > 0; depth++ {
		wrapped, ok := b.wrap(v, nodes > 2*(target-depth))
		if !ok {
			break
		}
		v = wrapped
		nodes -= max(v.Len(), 1)
	}
	return v
}

// wrap puts v into one container, beside others where there is room.
func (b *builder) wrap(v codec.Value, room bool) (codec.Value, bool) {
	r := b.r
	for range 32 {
		kind := pick(r, containerKinds)
		if b.without.Has(kind) {
			continue
		}
		e := codec.Entry{Key: b.key(), Value: v}
		switch kind {
		case codec.KindList:
			if room && oneIn(r, 64) {
				return codec.List(b.leaf(0), v), true
			}
			return codec.List(v), true
		case codec.KindArray:
			if v := sound(codec.Array(e), []codec.Entry{e}); !b.without.Has(v.Kind()) {
				return v, true
			}
		case codec.KindObject:
			return sound(codec.Object(e), []codec.Entry{e}), true
		case codec.KindRustHandle:
			if v.Kind() == codec.KindList || v.Kind() == codec.KindArray {
				return b.rustHandle(&v), true
			}
		}
	}
	return v, false
}

// depthOf counts the containers inside one another in v, itself included.
func depthOf(v codec.Value) int {
	deepest := 0
	for _, e := range v.All() {
		deepest = max(deepest, depthOf(e))
	}
	switch v.Kind() {
	case codec.KindList, codec.KindArray, codec.KindObject, codec.KindPhpClass:
		return deepest + 1
	case codec.KindPhpHandle:
		return 2
	case codec.KindRustHandle:
		if h, _ := v.RustHandle(); h.Snapshot != nil {
			return depthOf(*h.Snapshot) + 1
		}
		return 1
	}
	return 0
}

// nodesOf counts the values in v, itself included.
func nodesOf(v codec.Value) int {
	n := 1
	for _, e := range v.All() {
		n += nodesOf(e)
	}
	if h, ok := v.RustHandle(); ok && h.Snapshot != nil {
		n += nodesOf(*h.Snapshot)
	}
	return n
}
