package gen

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"phpwire/codec"
)

// SmallerPayloads lists what payload, which may be any bytes, shrinks to in one
// round: parts in the place of the whole, elements left out with their counts
// kept right, values replaced by their parts or by null, tokens and ranges of
// bytes left out, numbers, strings and keys made simpler with their lengths kept
// right, one by one and where they are equal together. The boldest come first. Each is [Simpler] than payload. They are at most
// 2,000, and fewer of a large payload: what fits into 32 MiB, or six times its
// length.
func SmallerPayloads(payload []byte) [][]byte {
	p := takeApart(payload)
	defer p.release()
	s := payloadShrinker{payload: p}
	s.hoist()
	s.dropElements()
	s.retell()
	s.simplify()
	var out [][]byte
	seen := map[string]bool{}
	size := 0
	for _, c := range s.chosen() {
		if len(out) >= mostCandidates || size > budget(len(payload)) {
			break
		}
		b, ok := c.make()
		if !ok || !Simpler(b, payload) || seen[string(b)] {
			continue
		}
		seen[string(b)] = true
		size += len(b)
		out = append(out, b)
	}
	return out
}

type payloadShrinker struct {
	*payload
	round[[]byte]
}

// replace offers a text in the place of src[from:to], where it is simpler.
func (s *payloadShrinker) replace(c class, from, to int, with string) {
	if len(with) < to-from || len(with) == to-from && Simpler([]byte(with), s.src[from:to]) {
		s.edits(c, to-from-len(with), func() []edit { return []edit{{from, to, []byte(with)}} })
	}
}

// edits offers the payload after edits.
func (s *payloadShrinker) edits(c class, saves int, make func() []edit) {
	s.offer(c, saves, func() ([]byte, bool) { return edited(s.src, make()...), true })
}

func (s *payloadShrinker) size(i int) int { return s.end(i) - s.parts[i].Start }

// hoist offers the parts in the place of the whole, and of what is around them.
func (s *payloadShrinker) hoist() {
	var values, sizes []int
	for i := range s.parts {
		if p := &s.parts[i]; p.value() && i > 0 {
			values = append(values, i)
			sizes = append(sizes, s.size(i))
		}
	}
	sampledBySize(sizes, shares[hoisted], func(at int) {
		i := values[at]
		s.offer(hoisted, len(s.src)-s.size(i), func() ([]byte, bool) { return bytes.Clone(s.text(i)), true })
	})
	sampledBySize(sizes, 10*shares[lifted], func(at int) {
		i := values[at]
		// In the place of the container around it, then of that 2, 4, 8 further out.
		around := s.parts[i].open
		for steps := 1; around > 0; steps *= 2 {
			from, to := s.parts[around].Start, s.end(around)
			s.edits(lifted, to-from-s.size(i), func() []edit { return []edit{{from, to, s.text(i)}} })
			for range steps {
				if around > 0 {
					around = s.parts[around].open
				}
			}
		}
	})
}

func (s *payloadShrinker) dropElements() {
	keysOf := make([][]int, len(s.parts))
	for i := range s.parts {
		if open := s.parts[i].open; open >= 0 && s.element(i) {
			keysOf[open] = append(keysOf[open], i)
		}
	}
	for at, keys := range keysOf {
		n := len(keys)
		if n == 0 {
			continue
		}
		list := s.isList(keys)
		ranges(n, min(2*n, shares[elements]), func(from, to int) {
			saves := s.elementEnd(keys[to-1]) - s.parts[keys[from]].Start
			s.offer(elements, saves, func() ([]byte, bool) { return s.without(at, keys, from, to, list), true })
		})
	}
	s.makeUniform(keysOf)
}

// mostUniform is how many ranges of arrays are made uniform.
const mostUniform = 62

// makeUniform offers ranges of all arrays with null for every value, and with the
// keys 0, 1, 2 …: deep payloads would else take a round for each level.
func (s *payloadShrinker) makeUniform(keysOf [][]int) {
	var full, named [][]int // the elements of arrays with values, and with keys, to make simpler
	for _, keys := range keysOf {
		if len(keys) > 0 && !s.isList(keys) {
			named = append(named, keys)
		}
		keys = slices.DeleteFunc(slices.Clone(keys), func(k int) bool { return s.parts[k+1].holds() || s.parts[k+1].is(codec.TokenNull) })
		if len(keys) > 0 {
			full = append(full, keys)
		}
	}
	offer := func(arrays [][]int, change func(k, i int) edit) {
		ranges(len(arrays), mostUniform, func(from, to int) {
			saves := 0
			for _, keys := range arrays[from:to] {
				e := change(keys[0], 0) // one stands for all
				saves += len(keys) * (e.to - e.from - len(e.with))
			}
			s.edits(uniform, saves, func() []edit {
				var edits []edit
				for _, keys := range arrays[from:to] {
					for i, k := range keys {
						edits = append(edits, change(k, i))
					}
				}
				slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
				return edits
			})
		})
	}
	null := []byte("N;")
	offer(full, func(k, _ int) edit { return edit{s.parts[k].End, s.elementEnd(k), null} })
	offer(named, s.rekeyed)
}

// rekeyed is the edit that makes n of the key at part k.
func (s *payloadShrinker) rekeyed(k, n int) edit {
	return edit{s.parts[k].Start, s.parts[k].End, []byte("i:" + itoa(n) + ";")}
}

// isList tells whether the keys are 0, 1, 2 …
func (s *payloadShrinker) isList(keys []int) bool {
	for i, k := range keys {
		if !s.parts[k].is(codec.TokenInt) || s.parts[k].Int != int64(i) {
			return false
		}
	}
	return true
}

// without returns the payload without elements of the container at. The count is
// lowered by as many, so that a wrong one stays wrong; a list stays one.
func (s *payloadShrinker) without(at int, keys []int, from, to int, list bool) []byte {
	out := make([]byte, 0, len(s.src))
	start, end := s.parts[at].count()
	out = append(out, s.src[:start]...)
	out = strconv.AppendInt(out, int64(max(s.parts[at].Count-(to-from), 0)), 10)
	out = append(out, s.src[end:s.parts[keys[from]].Start]...)
	rest := s.elementEnd(keys[to-1])
	if list {
		for i, k := range keys[to:] {
			out = append(out, s.src[rest:s.parts[k].Start]...)
			out = append(strconv.AppendInt(append(out, "i:"...), int64(from+i), 10), ';')
			rest = s.parts[k].End
		}
	}
	return append(out, s.src[rest:]...)
}

// simplify offers values made plain, tokens and ranges of bytes left out, and
// single numbers and texts made simpler.
func (s *payloadShrinker) simplify() {
	s.cutRanges()
	each := max(mostTexts/(len(s.parts)+1), 2)
	sizes := make([]int, len(s.parts))
	for i := range s.parts {
		sizes[i] = s.size(i)
	}
	sampledBySize(sizes, mostTexts, func(i int) {
		p := &s.parts[i]
		if p.value() {
			for _, text := range []string{"N;", "i:0;", "b:0;", `s:0:"";`, "a:0:{}"} {
				s.replace(plain, p.Start, s.end(i), text)
			}
		}
		if p.junk {
			texts := simplerTexts(string(s.src[p.Start:p.End]))
			for _, t := range texts[:min(each, len(texts))] {
				s.replace(simplified, p.Start, p.End, t)
			}
			return
		}
		s.replace(cut, 0, p.Start, "")
		s.replace(cut, p.Start, p.End, "")
		s.replace(cut, p.End, len(s.src), "")
		if p.key {
			s.replace(simplified, p.Start, p.End, "i:0;")
			s.replace(simplified, p.Start, p.End, `s:0:"";`)
		}
		s.simplifyToken(p, each)
	})
}

// everyRange is the length up to which every range of bytes is left out once.
const everyRange = 36

func (s *payloadShrinker) cutRanges() {
	n := len(s.src)
	if n > everyRange {
		ranges(n, shares[cut]/2, func(from, to int) { s.replace(cut, from, to, "") })
		return
	}
	for from := range n {
		for to := from + 1; to <= n; to++ {
			s.replace(cut, from, to, "")
		}
	}
}

// simplifyToken offers at most the given number of ways to write a token simpler.
func (s *payloadShrinker) simplifyToken(p *part, most int) {
	from, to := p.number()
	switch p.Kind {
	case codec.TokenString:
		s.replace(simplified, from, to, itoa(p.To-p.From))
		texts := simplerTexts(string(s.src[p.From:p.To]))
		for _, t := range texts[:min(most, len(texts))] {
			s.replace(simplified, p.Start, p.End, stringToken(t))
		}
	case codec.TokenObject, codec.TokenEnum:
		if p.To-p.From > 1 {
			s.replace(simplified, p.Start, p.To, string(s.src[p.Start])+`:1:"A`)
		}
	case codec.TokenArray:
		s.replace(simplified, from, to, itoa(p.Count))
	default:
		texts := simplerNumbers(string(s.src[from:to]))
		if p.Kind == codec.TokenFloat {
			texts = append(simplerFloatTexts(p.Float, string(s.src[from:to])), texts...)
		}
		for _, t := range texts[:min(most, len(texts))] {
			s.replace(simplified, from, to, t)
		}
	}
}
