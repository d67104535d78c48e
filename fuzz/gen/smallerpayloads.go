package gen

import (
	"bytes"
	"cmp"
	"slices"

	"phpwire/codec"
)

// SmallerPayloads lists what payload, which may be any bytes, shrinks to in one
// round: parts in the place of the whole, elements left out with their counts
// kept right, values replaced by their parts or by null, tokens and ranges of
// bytes left out, numbers, strings and keys made simpler with their lengths kept
// right. The boldest come first. Each is [Simpler] than payload. They are at most
// 2,000, and fewer of a large payload (64, and what else fits into 8 MiB).
func SmallerPayloads(payload []byte) [][]byte {
	p := takeApart(payload)
	defer p.release()
	s := payloadShrinker{payload: p}
	s.hoist()
	s.dropElements()
	s.simplify()
	slices.SortStableFunc(s.changes, func(a, b change) int { return cmp.Compare(b.saves, a.saves) })
	return s.candidates()
}

type operation uint8

const (
	hoistPart      operation = iota // the text of part at is the whole
	replaceBytes                    // src[from:to] becomes with
	liftPart                        // src[from:to] becomes the text of part at
	removeElements                  // the elements from to to of the container at go
	emptyElements                   // the values of all elements of the container at become null
	renumberKeys                    // the keys of the container at become 0, 1, 2 …
)

// change is a candidate that was not made yet.
type change struct {
	op       operation
	at       int
	from, to int
	with     string
	saves    int // bytes, about
}

type payloadShrinker struct {
	*payload
	changes []change
	// elements are the keys of each container's elements.
	elements [][]int
}

func (s *payloadShrinker) offer(c change) { s.changes = append(s.changes, c) }

// replace offers a text in the place of src[from:to], where it is simpler.
func (s *payloadShrinker) replace(from, to int, with string) {
	if len(with) < to-from || len(with) == to-from && Simpler([]byte(with), s.src[from:to]) {
		s.offer(change{op: replaceBytes, from: from, to: to, with: with, saves: to - from - len(with)})
	}
}

// hoist offers the parts in the place of the whole, and of what is around them.
func (s *payloadShrinker) hoist() {
	var values []int
	for i := range s.parts {
		if p := &s.parts[i]; p.value() && i > 0 {
			values = append(values, i)
		}
	}
	size := func(i int) int { return s.end(i) - s.parts[i].Start }
	slices.SortStableFunc(values, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	sampled(len(values), mostHoists, func(i int) {
		s.offer(change{op: hoistPart, at: values[i], saves: len(s.src) - size(values[i])})
	})
	for _, i := range values {
		// In the place of one container around it, then of 2, 4, 8 of them.
		around := s.parts[i].open
		for steps := 1; around >= 0; steps *= 2 {
			if from, to := s.parts[around].Start, s.end(around); from > 0 {
				s.offer(change{op: liftPart, at: i, from: from, to: to, saves: to - from - size(i)})
			}
			for range steps {
				if around >= 0 {
					around = s.parts[around].open
				}
			}
			if len(s.parts) > mostParts {
				break
			}
		}
	}
}

func (s *payloadShrinker) dropElements() {
	s.elements = make([][]int, len(s.parts))
	for i := range s.parts {
		if open := s.parts[i].open; open >= 0 && s.element(i) {
			s.elements[open] = append(s.elements[open], i)
		}
	}
	for at, keys := range s.elements {
		n := len(keys)
		if n == 0 {
			continue
		}
		most := 2 * n
		if len(s.parts) > mostParts {
			most = 128
		}
		ranges(n, most, func(from, to int) {
			saves := s.elementEnd(keys[to-1]) - s.parts[keys[from]].Start
			s.offer(change{op: removeElements, at: at, from: from, to: to, saves: saves})
		})
		values, names := -2*n, -4*n
		for _, k := range keys {
			values += s.elementEnd(k) - s.parts[k].End
			names += s.parts[k].End - s.parts[k].Start
		}
		if values > 0 {
			s.offer(change{op: emptyElements, at: at, saves: values})
		}
		if !s.isList(keys) {
			s.offer(change{op: renumberKeys, at: at, saves: names})
		}
	}
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

// simplify offers tokens and ranges of bytes left out, and the small changes.
func (s *payloadShrinker) simplify() {
	ranges(len(s.src), mostRanges, func(from, to int) { s.replace(from, to, "") })
	each := len(s.parts) <= mostParts
	for i := range s.parts {
		p := &s.parts[i]
		if p.value() {
			for _, plain := range []string{"N;", "i:0;", "b:0;", `s:0:"";`, "a:0:{}"} {
				s.replace(p.Start, s.end(i), plain)
			}
		}
		if !each || p.junk {
			continue
		}
		s.replace(p.Start, p.End, "")
		if p.key {
			s.replace(p.Start, p.End, "i:0;")
			s.replace(p.Start, p.End, `s:0:"";`)
		}
		switch p.Kind {
		case codec.TokenString:
			text := string(s.src[p.From:p.To])
			for _, t := range simplerTexts(text) {
				s.replace(p.Start, p.End, stringToken(t))
			}
			from, to := p.number()
			s.replace(from, to, itoa(p.To-p.From))
		case codec.TokenObject, codec.TokenEnum:
			if p.To-p.From > 1 {
				s.replace(p.Start, p.To, string(s.src[p.Start])+`:1:"A`)
			}
		case codec.TokenArray:
			from, to := p.number()
			s.replace(from, to, itoa(p.Count))
		default:
			from, to := p.number()
			for _, t := range simplerNumbers(string(s.src[from:to])) {
				s.replace(from, to, t)
			}
		}
	}
}

// make carries out a change.
func (s *payloadShrinker) make(c change) []byte {
	switch c.op {
	case hoistPart:
		return bytes.Clone(s.text(c.at))
	case replaceBytes:
		return edited(s.src, edit{c.from, c.to, []byte(c.with)})
	case liftPart:
		return edited(s.src, edit{c.from, c.to, s.text(c.at)})
	case removeElements:
		return s.without(c)
	}
	edits := make([]edit, 0, len(s.elements[c.at]))
	for i, k := range s.elements[c.at] {
		if c.op == emptyElements {
			edits = append(edits, edit{s.parts[k].End, s.elementEnd(k), []byte("N;")})
		} else {
			edits = append(edits, edit{s.parts[k].Start, s.parts[k].End, []byte("i:" + itoa(i) + ";")})
		}
	}
	return edited(s.src, edits...)
}

// without leaves elements out. The count is lowered by as many, so that a wrong
// one stays wrong; what was a list stays one.
func (s *payloadShrinker) without(c change) []byte {
	keys := s.elements[c.at]
	var edits []edit
	if left := s.parts[c.at].Count - (c.to - c.from); left >= 0 {
		from, to := s.parts[c.at].count()
		edits = append(edits, edit{from, to, []byte(itoa(left))})
	}
	edits = append(edits, edit{s.parts[keys[c.from]].Start, s.elementEnd(keys[c.to-1]), nil})
	if s.isList(keys) {
		for i, k := range keys[c.to:] {
			edits = append(edits, edit{s.parts[k].Start, s.parts[k].End, []byte("i:" + itoa(c.from+i) + ";")})
		}
	}
	return edited(s.src, edits...)
}

func (s *payloadShrinker) candidates() [][]byte {
	var out [][]byte
	seen := map[string]bool{}
	size := 0
	for _, c := range s.changes {
		if len(out) >= mostCandidates || size > mostBytes && len(out) >= leastOffered {
			break
		}
		b := s.make(c)
		if !Simpler(b, s.src) || seen[string(b)] {
			continue
		}
		seen[string(b)] = true
		size += len(b)
		out = append(out, b)
	}
	return out
}
