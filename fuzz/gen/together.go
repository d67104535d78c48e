package gen

import (
	"cmp"
	"slices"
	"strconv"

	"phpwire/codec"
)

// Some faults need the same text, or number, in two places: a repeated key, two
// strings that are one in memory, a handle that is named twice. What makes only one
// of them simpler hides the fault. So texts that stand in several places are made
// simpler in all of them at once.

// meaning returns the text that a part stands for, of a string or an int.
func (p *payload) meaning(i int) (text string, ok bool) {
	switch q := &p.parts[i]; {
	case q.is(codec.TokenString):
		return string(p.src[q.From:q.To]), true
	case q.is(codec.TokenInt):
		return decimal(q.Int), true
	}
	return "", false
}

// repeatedTexts lists the texts with several places in the payloads together, those
// first with which most is to win, at most the given number.
func repeatedTexts(payloads []*payload, most int) []string {
	places := map[string]int{}
	for _, p := range payloads {
		for i := range p.parts {
			if text, ok := p.meaning(i); ok {
				places[text]++
			}
		}
	}
	return repeatedOnes(places, most)
}

func repeatedOnes(places map[string]int, most int) []string {
	var texts []string
	for text, n := range places {
		if n > 1 {
			texts = append(texts, text)
		}
	}
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(places[b]*len(b), places[a]*len(a)), cmp.Compare(a, b))
	})
	return texts[:min(most, len(texts))]
}

// retelling is what to put in all places of a text.
type retelling struct {
	from, to string
	asInt    bool // strings become ints
}

const (
	mostRetold   = 60 // texts in a round
	mostVersions = 40 // of one text
)

// retellings lists simpler versions of texts.
func retellings(texts []string) []retelling {
	var all []retelling
	for _, text := range texts {
		number := isInt(text)
		all = append(all, retelling{text, "0", true}, retelling{text, "1", true})
		simpler := simplerTexts(text)
		if number {
			simpler = simplerNumbers(text)
		}
		for _, to := range simpler[:min(mostVersions, len(simpler))] {
			all = append(all, retelling{text, to, false})
		}
	}
	return all
}

func isInt(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && decimal(n) == text
}

// retold returns the payload with one text in all its places replaced. It is nil
// where an int would have no number.
func (p *payload) retold(r retelling) []byte {
	var edits []edit
	for i := range p.parts {
		if text, ok := p.meaning(i); !ok || text != r.from {
			continue
		}
		with := "i:" + r.to + ";"
		switch q := &p.parts[i]; {
		case !r.asInt && q.Kind == codec.TokenString:
			with = stringToken(r.to)
		case !isInt(r.to):
			return nil
		}
		edits = append(edits, edit{p.parts[i].Start, p.parts[i].End, []byte(with)})
	}
	return edited(p.src, edits...)
}

// retell offers the payload with texts made simpler in all their places.
func (s *payloadShrinker) retell() {
	for _, r := range retellings(repeatedTexts([]*payload{s.payload}, mostRetold)) {
		s.offer(together, 2*(len(r.from)-len(r.to)), func() ([]byte, bool) {
			b := s.retold(r)
			return b, b != nil
		})
	}
}

// retell offers the value with texts made simpler in all their places.
func (s *valueShrinker) retell() {
	places := map[string]int{}
	note := func(texts ...string) {
		for _, text := range texts {
			places[text]++
		}
	}
	for i := range s.places {
		v := s.places[i].v
		if text, ok := v.Text(); ok {
			note(text)
		}
		if n, ok := v.Int(); ok {
			note(decimal(n))
		}
		if h, ok := v.RustHandle(); ok {
			note(h.Class, decimal(h.ID), decimal(h.Epoch))
		}
		if h, ok := v.PhpHandle(); ok {
			note(h.Class, decimal(h.ID))
			note(h.Implements...)
		}
		for _, e := range v.Entries() {
			note(keyText(e.Key))
		}
	}
	whole := s.places[0].v
	before, err := codec.Encode(whole)
	if err != nil {
		return
	}
	for _, r := range retellings(repeatedOnes(places, mostRetold)) {
		s.offer(together, 2*(len(r.from)-len(r.to)), func() (codec.Value, bool) {
			s.copied += elementBytes * len(s.places)
			told := r.value(whole)
			after, err := codec.Encode(told)
			return told, err == nil && Simpler(after, before)
		})
	}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func keyText(k codec.Key) string {
	if n, ok := k.Int(); ok {
		return decimal(n)
	}
	text, _ := k.Text()
	return text
}

// value returns v with the text replaced everywhere.
func (r retelling) value(v codec.Value) codec.Value {
	switch v.Kind() {
	case codec.KindInt:
		n, _ := v.Int()
		return codec.Int(r.number(n))
	case codec.KindString:
		text, _ := v.Text()
		if text == r.from && r.asInt {
			n, _ := strconv.ParseInt(r.to, 10, 64)
			return codec.Int(n)
		}
		return codec.String(r.text(text))
	case codec.KindPhpClass:
		text, _ := v.Text()
		return codec.PhpClass(r.text(text))
	case codec.KindList:
		vs := slices.Clone(v.Elements())
		for i := range vs {
			vs[i] = r.value(vs[i])
		}
		return codec.List(vs...)
	case codec.KindArray, codec.KindObject:
		es := slices.Clone(v.Entries())
		for i := range es {
			if keyText(es[i].Key) == r.from {
				es[i].Key = codec.StringKey(r.to)
			}
			es[i].Value = r.value(es[i].Value)
		}
		return likewise(v, es)
	case codec.KindRustHandle:
		h, _ := v.RustHandle()
		h.Class, h.ID, h.Epoch = r.text(h.Class), max(r.number(h.ID), 0), max(r.number(h.Epoch), 0)
		if h.Snapshot != nil {
			snapshot := r.value(*h.Snapshot)
			h.Snapshot = &snapshot
		}
		return codec.NewRustHandle(h)
	case codec.KindPhpHandle:
		h, _ := v.PhpHandle()
		h.Class, h.ID = r.text(h.Class), max(r.number(h.ID), 0)
		h.Implements = slices.Clone(h.Implements)
		for i, name := range h.Implements {
			h.Implements[i] = r.text(name)
		}
		return codec.NewPhpHandle(h)
	}
	return v
}

func (r retelling) text(text string) string {
	if text == r.from {
		return r.to
	}
	return text
}

// number returns n, or the number told instead of it, if that is one.
func (r retelling) number(n int64) int64 {
	if told, err := strconv.ParseInt(r.to, 10, 64); err == nil && decimal(n) == r.from {
		return told
	}
	return n
}
