package gen

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"phpwire/codec"
	"phpwire/floatfmt"
	"phpwire/frames"
)

// SmallerValues lists what v shrinks to in one round: parts in the place of the
// whole, elements left out, values replaced by their parts or by null, numbers,
// strings and keys made simpler, objects made arrays. The boldest come first. Each
// can be encoded where v can, and its payload is [Simpler] than v's; or it is the
// same, with an object less or a plainer NaN. They are at most 2,000, and fewer of
// a large value.
func SmallerValues(v codec.Value) []codec.Value {
	s := valueShrinker{}
	s.walk(v, -1, 0)
	s.hoist()
	for i := range s.places {
		s.shrinkPlace(i)
	}
	slices.SortStableFunc(s.changes, func(a, b valueChange) int { return cmp.Compare(b.saves, a.saves) })
	return s.candidates()
}

// place is one value and where it stands.
type place struct {
	v      codec.Value
	up     int // the place of what it is part of, or -1
	slot   int // its index there
	weight int // about the length of its payload
}

// valueChange is a candidate that was not made yet: what make returns stands in
// the place at.
type valueChange struct {
	at    int
	whole bool // or in the place of the whole
	make  func() codec.Value
	saves int
}

type valueShrinker struct {
	places  []place
	changes []valueChange
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
		return 6 + v.Len()
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
	order := make([]int, 0, len(s.places))
	for i := 1; i < len(s.places); i++ {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.places[a].weight, s.places[b].weight) })
	sampled(len(order), mostHoists, func(i int) {
		p := &s.places[order[i]]
		s.changes = append(s.changes, valueChange{whole: true, make: func() codec.Value { return p.v }, saves: s.places[0].weight - p.weight})
	})
	if len(s.places) > mostParts {
		return
	}
	for i := 1; i < len(s.places); i++ {
		around := s.places[i].up
		for steps := 1; around > 0; steps *= 2 {
			s.put(around, s.places[i].v, s.places[around].weight-s.places[i].weight)
			for range steps {
				if around > 0 {
					around = s.places[around].up
				}
			}
		}
	}
}

// put offers v in the place at.
func (s *valueShrinker) put(at int, v codec.Value, saves int) {
	s.later(at, saves, func() codec.Value { return v })
}

func (s *valueShrinker) later(at, saves int, make func() codec.Value) {
	s.changes = append(s.changes, valueChange{at: at, make: make, saves: saves})
}

// shrinkPlace offers what the value at a place itself shrinks to.
func (s *valueShrinker) shrinkPlace(at int) {
	v, weight := s.places[at].v, s.places[at].weight
	for _, plain := range plainValues {
		if w := lightest(plain); w < weight {
			s.put(at, plain, weight-w)
		}
	}
	each := len(s.places) <= mostParts
	switch v.Kind() {
	case codec.KindList:
		s.dropFrom(at, each, func(from, to int) codec.Value { return codec.List(leftOut(v.Elements(), from, to)...) })
	case codec.KindArray:
		s.dropFrom(at, each, func(from, to int) codec.Value { return codec.Array(leftOut(v.Entries(), from, to)...) })
		s.shrinkKeys(at, each)
	case codec.KindObject:
		s.dropFrom(at, each, func(from, to int) codec.Value { return codec.Object(leftOut(v.Entries(), from, to)...) })
		s.put(at, codec.Array(slices.Clone(v.Entries())...), 1)
		s.shrinkKeys(at, each)
	case codec.KindRustHandle, codec.KindPhpHandle, codec.KindPhpClass:
		for _, smaller := range smallerHandles(v) {
			s.put(at, smaller, weight-lightest(smaller)-s.snapshotWeight(at, smaller))
		}
	default:
		if each {
			for _, smaller := range smallerScalars(v) {
				s.put(at, smaller, weight-lightest(smaller))
			}
		}
	}
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
func (s *valueShrinker) dropFrom(at int, each bool, without func(from, to int) codec.Value) {
	v := s.places[at].v
	n := v.Len()
	most := 2 * n
	if !each {
		most = 128
	}
	average := s.places[at].weight / max(n, 1)
	ranges(n, most, func(from, to int) {
		s.later(at, (to-from)*average, func() codec.Value { return without(from, to) })
	})
	for _, e := range pairsOf(v) {
		if !e.Value.IsNull() {
			s.later(at, s.places[at].weight/2, func() codec.Value {
				return mapped(v, func(e codec.Entry) codec.Entry { return codec.Entry{Key: e.Key} })
			})
			break
		}
	}
}

// pairsOf returns the entries of a list, an array or an object.
func pairsOf(v codec.Value) []codec.Entry {
	if v.Kind() != codec.KindList {
		return v.Entries()
	}
	es := make([]codec.Entry, 0, v.Len())
	for k, e := range v.All() {
		es = append(es, codec.Entry{Key: k, Value: e})
	}
	return es
}

// mapped returns v with every entry changed.
func mapped(v codec.Value, change func(codec.Entry) codec.Entry) codec.Value {
	es := make([]codec.Entry, 0, v.Len())
	for _, e := range pairsOf(v) {
		es = append(es, change(e))
	}
	if v.Kind() == codec.KindObject {
		return codec.Object(es...)
	}
	return codec.Array(es...)
}

func (s *valueShrinker) shrinkKeys(at int, each bool) {
	v := s.places[at].v
	s.later(at, 3*v.Len(), func() codec.Value {
		i := int64(-1)
		return mapped(v, func(e codec.Entry) codec.Entry { i++; return codec.Entry{Key: codec.IntKey(i), Value: e.Value} })
	})
	if !each {
		return
	}
	for i, e := range v.Entries() {
		for _, k := range smallerKeys(e.Key) {
			s.later(at, max(keyWeight(e.Key)-keyWeight(k), 0), func() codec.Value {
				es := slices.Clone(v.Entries())
				es[i].Key = k
				if v.Kind() == codec.KindObject {
					return codec.Object(es...)
				}
				return codec.Array(es...)
			})
		}
	}
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
	return append(keys, codec.IntKey(0))
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
		if _, exponent, found := cutExponent(f); found {
			g, _ := strconv.ParseFloat("1e"+exponent, 64)
			offer(g)
			offer(-g)
		}
	}
	return out
}

func cutExponent(f float64) (mantissa, exponent string, found bool) {
	text := strconv.FormatFloat(f, 'e', -1, 64)
	for i := range text {
		if text[i] == 'e' {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

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
		ranges(len(h.Implements), mostHoists, func(from, to int) {
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

// candidates carries the changes out.
func (s *valueShrinker) candidates() []codec.Value {
	var out []codec.Value
	const mostCopied = 1 << 20
	copied := 0
	for _, c := range s.changes {
		if len(out) >= mostCandidates || copied > mostCopied && len(out) >= leastOffered {
			break
		}
		v := c.make()
		if misused(v) {
			continue
		}
		ok := true
		if !c.whole {
			v, ok = s.with(c.at, v, &copied)
		}
		if ok {
			out = append(out, v)
		}
	}
	return out
}

// with returns the whole with v in the place at. It copies what is around it.
func (s *valueShrinker) with(at int, v codec.Value, copied *int) (codec.Value, bool) {
	for at > 0 {
		slot := s.places[at].slot
		at = s.places[at].up
		around := s.places[at].v
		*copied += around.Len()
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
			h.Snapshot = &v
			v = codec.NewRustHandle(h)
		default:
			es := slices.Clone(around.Entries())
			es[slot].Value = v
			if around.Kind() == codec.KindObject {
				v = codec.Object(es...)
			} else {
				v = codec.Array(es...)
			}
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

// SmallerFrames lists what f shrinks to in one round: the frames among the
// [SmallerStreams] of its bytes. Objects become arrays by the way.
func SmallerFrames(f frames.Frame) []frames.Frame {
	b, err := frames.Append(nil, f)
	if err != nil {
		return nil
	}
	var out []frames.Frame
	for _, smaller := range SmallerStreams(b) {
		if len(smaller) < payloadAt || len(frameSpans(smaller)) != 1 {
			continue
		}
		raw := frames.Raw{Tag: frames.Tag(smaller[tagAt]), ID: idOf(smaller), Payload: smaller[payloadAt:]}
		if g, err := frames.Parse(raw, frames.FromAnyone); err == nil && g.Tag() == f.Tag() {
			out = append(out, g)
		}
	}
	return out
}
