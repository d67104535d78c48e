package gen

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"phpwire/codec"
	"phpwire/floatfmt"
)

// SmallerValues lists what v shrinks to in one round: parts in the place of the
// whole, elements left out, values replaced by their parts or by null, numbers,
// strings and keys made simpler, one by one and where they are equal together,
// objects made arrays. The boldest come first. Each
// can be encoded where v can, and its payload is [Simpler] than v's; or it is the
// same, with an object less or a plainer NaN. They are at most 2,000, and fewer of
// a large value.
func SmallerValues(v codec.Value) []codec.Value {
	s := valueShrinker{}
	s.walk(v, -1, 0)
	s.hoist()
	s.retell()
	sizes := make([]int, len(s.places))
	for i := range sizes {
		sizes[i] = s.places[i].weight
	}
	sampledBySize(sizes, mostTexts, func(i int) { s.shrinkPlace(i, max(mostTexts/len(s.places), 2)) })
	var out []codec.Value
	for _, c := range s.chosen() {
		if len(out) >= mostCandidates || s.copied > budget(elementBytes*len(s.places)) {
			break
		}
		if v, ok := c.make(); ok {
			out = append(out, v)
		}
	}
	return out
}

// place is one value and where it stands.
type place struct {
	v      codec.Value
	up     int // the place of what it is part of, or -1
	slot   int // its index there
	weight int // about the length of its payload
}

// elementBytes is the memory for one element of an array.
const elementBytes = 40

type valueShrinker struct {
	round[codec.Value]
	places []place
	copied int // bytes of memory for the candidates, about
}

// walk takes down the places of v, parts behind the whole, and returns v's weight.
func (s *valueShrinker) walk(v codec.Value, up, slot int) int {
	at := len(s.places)
	s.places = append(s.places, place{v: v, up: up, slot: slot})
	weight := lightest(v)
	switch v.Kind() {
	case codec.KindList, codec.KindArray, codec.KindObject:
		i := 0
		for k, e := range v.All() {
			weight += keyWeight(k) + s.walk(e, at, i)
			i++
		}
	case codec.KindRustHandle:
		if h, _ := v.RustHandle(); h.Snapshot != nil {
			weight += s.walk(*h.Snapshot, at, 0) + 18
		}
	}
	s.places[at].weight = weight
	return weight
}

func keyWeight(k codec.Key) int {
	if text, ok := k.Text(); ok {
		return len(text) + 7
	}
	return 4
}

// lightest is about the length of the payload of v without its parts.
func lightest(v codec.Value) int {
	switch v.Kind() {
	case codec.KindNull:
		return 2
	case codec.KindBool:
		return 4
	case codec.KindInt:
		n, _ := v.Int()
		return 3 + len(strconv.FormatInt(n, 10))
	case codec.KindFloat:
		f, _ := v.Float()
		return 3 + len(floatText(f))
	case codec.KindString:
		return 7 + v.Len()
	case codec.KindPhpClass:
		name, _ := v.Text()
		return 30 + len(name)
	case codec.KindRustHandle:
		h, _ := v.RustHandle()
		return 60 + len(h.Class)
	case codec.KindPhpHandle:
		h, _ := v.PhpHandle()
		weight := 70 + len(h.Class)
		for _, name := range h.Implements {
			weight += 10 + len(name)
		}
		return weight
	}
	return 6
}

func floatText(f float64) string { return string(floatfmt.AppendFloat(nil, f, -1)) }

func (s *valueShrinker) hoist() {
	sizes := make([]int, len(s.places)-1)
	for i := range sizes {
		sizes[i] = s.places[i+1].weight
	}
	sampledBySize(sizes, shares[hoisted], func(i int) {
		p := &s.places[i+1]
		s.offer(hoisted, s.places[0].weight-p.weight, func() (codec.Value, bool) { return p.v, true })
	})
	sampledBySize(sizes, 10*shares[lifted], func(i int) {
		p := &s.places[i+1]
		// In the place of what is around it, then of that 2, 4, 8 further out.
		around := p.up
		for steps := 1; around > 0; steps *= 2 {
			s.put(lifted, around, p.v, s.places[around].weight-p.weight)
			for range steps {
				if around > 0 {
					around = s.places[around].up
				}
			}
		}
	})
}

// put offers v in the place at.
func (s *valueShrinker) put(c class, at int, v codec.Value, saves int) {
	s.later(c, at, saves, func() codec.Value { return v })
}

// later is put for a value that is made only when its turn comes.
func (s *valueShrinker) later(c class, at, saves int, make func() codec.Value) {
	s.offer(c, saves, func() (codec.Value, bool) {
		v := make()
		if v.Kind() != codec.KindString { // its text was made already
			s.copied += elementBytes * v.Len()
		}
		if misused(v) {
			return v, false
		}
		return s.with(at, v)
	})
}

// shrinkPlace offers what the value at a place itself shrinks to.
func (s *valueShrinker) shrinkPlace(at, most int) {
	v, weight := s.places[at].v, s.places[at].weight
	for _, simple := range plainValues {
		if w := lightest(simple); w < weight {
			s.put(plain, at, simple, weight-w)
		}
	}
	switch v.Kind() {
	case codec.KindList:
		s.dropFrom(at, func(from, to int) codec.Value { return codec.List(leftOut(v.Elements(), from, to)...) })
	case codec.KindArray, codec.KindObject:
		s.dropFrom(at, func(from, to int) codec.Value { return likewise(v, leftOut(v.Entries(), from, to)) })
		if v.Kind() == codec.KindObject {
			s.put(simplified, at, codec.Array(slices.Clone(v.Entries())...), 0)
		}
		s.shrinkKeys(at, most)
	case codec.KindRustHandle, codec.KindPhpHandle, codec.KindPhpClass:
		for _, smaller := range smallerHandles(v) {
			s.put(simplified, at, smaller, weight-lightest(smaller)-s.snapshotWeight(at, smaller))
		}
	default:
		scalars := smallerScalars(v)
		for _, smaller := range scalars[:min(most, len(scalars))] {
			s.put(simplified, at, smaller, weight-lightest(smaller))
		}
	}
}

// likewise returns an array or object, as v is one, of other entries.
func likewise(v codec.Value, es []codec.Entry) codec.Value {
	if v.Kind() == codec.KindObject {
		return codec.Object(es...)
	}
	return codec.Array(es...)
}

// snapshotWeight is the weight of the snapshot that smaller has still.
func (s *valueShrinker) snapshotWeight(at int, smaller codec.Value) int {
	if h, ok := smaller.RustHandle(); ok && h.Snapshot != nil {
		return s.places[at+1].weight + 18
	}
	return 0
}

var plainValues = []codec.Value{codec.Null(), codec.Int(0), codec.Bool(false), codec.String(""), codec.List()}

func leftOut[T any](from []T, start, end int) []T {
	return slices.Concat(from[:start], from[end:])
}

// dropFrom offers ranges of elements left out, and all of them null.
func (s *valueShrinker) dropFrom(at int, without func(from, to int) codec.Value) {
	v := s.places[at].v
	n := v.Len()
	average := s.places[at].weight / max(n, 1)
	ranges(n, min(2*n, shares[elements]), func(from, to int) {
		s.later(elements, at, (to-from)*average, func() codec.Value { return without(from, to) })
	})
	for _, e := range v.All() {
		if !e.IsNull() {
			s.later(uniform, at, s.places[at].weight/2, func() codec.Value { return emptied(v) })
			break
		}
	}
}

// emptied returns v with null for every element.
func emptied(v codec.Value) codec.Value {
	if v.Kind() == codec.KindList {
		return codec.List(make([]codec.Value, v.Len())...)
	}
	es := slices.Clone(v.Entries())
	for i := range es {
		es[i].Value = codec.Null()
	}
	return likewise(v, es)
}

// shrinkKeys offers an array with the keys 0, 1, 2 … and with single keys simpler.
func (s *valueShrinker) shrinkKeys(at, most int) {
	v := s.places[at].v
	names := 0
	for _, e := range v.Entries() {
		names += keyWeight(e.Key) - 4
	}
	if names > 0 { // else there is little to win
		s.later(uniform, at, names, func() codec.Value { return renumbered(v) })
	}
	for i, e := range v.Entries() {
		keys := smallerKeys(e.Key)
		for _, k := range keys[:min(most, len(keys))] {
			s.later(simplified, at, keyWeight(e.Key)-keyWeight(k), func() codec.Value {
				es := slices.Clone(v.Entries())
				es[i].Key = k
				return likewise(v, es)
			})
		}
	}
}

func renumbered(v codec.Value) codec.Value {
	es := slices.Clone(v.Entries())
	for i := range es {
		es[i].Key = codec.IntKey(int64(i))
	}
	return likewise(v, es)
}

// smallerKeys lists keys simpler than k.
func smallerKeys(k codec.Key) []codec.Key {
	var keys []codec.Key
	if n, ok := k.Int(); ok {
		for _, m := range smallerInts(n) {
			keys = append(keys, codec.IntKey(m))
		}
		return keys
	}
	text, _ := k.Text()
	for _, t := range simplerTexts(text) {
		keys = append(keys, codec.StringKey(t))
	}
	return append([]codec.Key{codec.IntKey(0)}, keys...)
}

func smallerScalars(v codec.Value) []codec.Value {
	var out []codec.Value
	switch v.Kind() {
	case codec.KindBool:
		if b, _ := v.Bool(); b {
			out = append(out, codec.Bool(false))
		}
	case codec.KindInt:
		n, _ := v.Int()
		for _, m := range smallerInts(n) {
			out = append(out, codec.Int(m))
		}
	case codec.KindFloat:
		f, _ := v.Float()
		for _, g := range smallerFloats(f) {
			out = append(out, codec.Float(g))
		}
	case codec.KindString:
		s, _ := v.Text()
		for _, t := range simplerTexts(s) {
			out = append(out, codec.String(t))
		}
	}
	return out
}

func smallerInts(n int64) []int64 {
	var out []int64
	text := strconv.FormatInt(n, 10)
	for _, t := range simplerNumbers(text) {
		if m, err := strconv.ParseInt(t, 10, 64); err == nil && Simpler(strconv.FormatInt(m, 10), text) && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

func smallerFloats(f float64) []float64 {
	if math.IsNaN(f) {
		if plain := math.Float64frombits(0x7ff8000000000000); math.Float64bits(plain) != math.Float64bits(f) {
			return []float64{plain, 0, 1}
		}
		return []float64{0, 1}
	}
	text := floatText(f)
	var out []float64
	offer := func(g float64) {
		if Simpler(floatText(g), text) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	for _, g := range []float64{0, 1, -1, 0.5, -f, math.Trunc(f), f / 10, f / 1e5, math.Sqrt(f)} {
		offer(g)
	}
	if !math.IsInf(f, 0) {
		for digits := range 17 { // fewer digits, then a 1 of the same size
			g, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'e', digits, 64), 64)
			offer(g)
		}
		_, text, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		exponent, _ := strconv.Atoi(text)
		for _, e := range []int{exponent / 2, exponent - sign(exponent)*10, exponent - sign(exponent), exponent} {
			g, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
			offer(g)
			offer(-g)
		}
	}
	return out
}

func sign(n int) int { return cmp.Compare(n, 0) }

func smallerHandles(v codec.Value) []codec.Value {
	var out []codec.Value
	if h, ok := v.RustHandle(); ok {
		offer := func(change func(*codec.RustHandle)) {
			smaller := h
			change(&smaller)
			out = append(out, codec.NewRustHandle(smaller))
		}
		if h.Snapshot != nil {
			offer(func(h *codec.RustHandle) { h.Snapshot = nil })
		}
		for _, name := range simplerTexts(h.Class) {
			offer(func(h *codec.RustHandle) { h.Class = name })
		}
		for _, id := range naturals(h.ID) {
			offer(func(h *codec.RustHandle) { h.ID = id })
		}
		for _, epoch := range naturals(h.Epoch) {
			offer(func(h *codec.RustHandle) { h.Epoch = epoch })
		}
	}
	if h, ok := v.PhpHandle(); ok {
		offer := func(change func(*codec.PhpHandle)) {
			smaller := h
			change(&smaller)
			out = append(out, codec.NewPhpHandle(smaller))
		}
		ranges(len(h.Implements), shares[elements], func(from, to int) {
			offer(func(h *codec.PhpHandle) { h.Implements = leftOut(h.Implements, from, to) })
		})
		for _, name := range simplerTexts(h.Class) {
			offer(func(h *codec.PhpHandle) { h.Class = name })
		}
		for _, id := range naturals(h.ID) {
			offer(func(h *codec.PhpHandle) { h.ID = id })
		}
		for i, name := range h.Implements {
			for _, t := range simplerTexts(name) {
				offer(func(h *codec.PhpHandle) {
					h.Implements = slices.Clone(h.Implements)
					h.Implements[i] = t
				})
			}
		}
	}
	if name, ok := v.Text(); ok {
		out = append(out, codec.String(name))
		for _, t := range simplerTexts(name) {
			out = append(out, codec.PhpClass(t))
		}
	}
	return out
}

func naturals(n int64) []int64 {
	return slices.DeleteFunc(smallerInts(n), func(m int64) bool { return m < 0 })
}

// with returns the whole with v in the place at. It copies what is around it.
func (s *valueShrinker) with(at int, v codec.Value) (codec.Value, bool) {
	for at > 0 {
		slot := s.places[at].slot
		at = s.places[at].up
		around := s.places[at].v
		s.copied += elementBytes * around.Len()
		switch around.Kind() {
		case codec.KindList:
			vs := slices.Clone(around.Elements())
			vs[slot] = v
			v = codec.List(vs...)
		case codec.KindRustHandle:
			if k := v.Kind(); k != codec.KindList && k != codec.KindArray {
				return v, false
			}
			h, _ := around.RustHandle()
			snapshot := v
			h.Snapshot = &snapshot
			v = codec.NewRustHandle(h)
		default:
			es := slices.Clone(around.Entries())
			es[slot].Value = v
			v = likewise(around, es)
		}
	}
	return v, true
}

// misused tells whether v is an array or object that a key makes a handle's.
func misused(v codec.Value) bool {
	for _, e := range v.Entries() {
		switch name, _ := e.Key.Text(); name {
		case "__rhandle", "__phandle":
			return true
		case "__pclass":
			return v.Len() == 1
		}
	}
	return false
}
