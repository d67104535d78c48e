package gen

import (
	"bytes"
	"sync"

	"phpwire/codec"
)

// part is one token of a payload and its place among the others.
type part struct {
	codec.Token
	junk  bool // no token at all
	key   bool // the key of an element
	open  int  // the part that opens the array or object around it, or -1
	close int  // the last part of what starts here: itself, but for an array or object
}

// holds tells whether elements follow the part.
func (p *part) holds() bool {
	return !p.junk && (p.Kind == codec.TokenArray || p.Kind == codec.TokenObject)
}

func (p *part) is(kind codec.TokenKind) bool { return !p.junk && p.Kind == kind }

// value tells whether a value starts with the part.
func (p *part) value() bool { return !p.junk && !p.key && p.Kind != codec.TokenClose }

// number returns where the number of the part stands, of a string its length, of
// an array its count. There is none where from is to.
func (p *part) number() (from, to int) {
	if p.junk {
		return 0, 0
	}
	switch p.Kind {
	case codec.TokenBool, codec.TokenInt, codec.TokenFloat, codec.TokenReference, codec.TokenAlias:
		return p.Start + 2, p.End - 1
	case codec.TokenArray:
		return p.Start + 2, p.End - 2
	case codec.TokenString, codec.TokenEscaped, codec.TokenObject, codec.TokenCustom, codec.TokenEnum:
		return p.Start + 2, p.From - 2
	}
	return 0, 0
}

// count returns where the number of elements stands.
func (p *part) count() (from, to int) {
	if p.Kind == codec.TokenObject {
		return p.To + 2, p.End - 2
	}
	return p.number()
}

// payload is a payload taken apart. It need not be valid: what is no token is
// junk up to the next place where one can start, and a missing "}" is at the end.
type payload struct {
	src   []byte
	parts []part
}

var payloads = sync.Pool{New: func() any { return new(payload) }}

// takeApart reads src in time linear in its length. The result must be released.
func takeApart(src []byte) *payload {
	p := payloads.Get().(*payload)
	p.takeApart(src)
	return p
}

func (p *payload) takeApart(src []byte) {
	p.src, p.parts = src, p.parts[:0]
	p.split()
	p.nest()
}

func (p *payload) release() {
	p.src = nil
	payloads.Put(p)
}

// mostJunk is how often a scanner may start again before the rest is junk.
const mostJunk = 64

func (p *payload) split() {
	junk := 0
	for at := 0; at < len(p.src); {
		scanner := codec.NewScanner(p.src[at:])
		for !scanner.Done() {
			token, err := scanner.Next()
			if err != nil {
				break
			}
			token.Start += at
			token.End += at
			token.From += at
			token.To += at
			p.parts = append(p.parts, part{Token: token})
		}
		at += scanner.Offset()
		if at == len(p.src) {
			return
		}
		end := len(p.src)
		if junk++; junk < mostJunk {
			if next := bytes.IndexAny(p.src[at:], ";{}"); next >= 0 {
				end = at + next + 1
			}
		}
		p.parts = append(p.parts, part{Token: codec.Token{Start: at, End: end}, junk: true})
		at = end
	}
}

// nest finds out which part stands inside which.
func (p *payload) nest() {
	around, key := -1, false
	for i := range p.parts {
		q := &p.parts[i]
		q.open, q.close, q.key = around, i, false
		switch {
		case q.junk:
		case q.Kind == codec.TokenClose:
			if around >= 0 {
				p.parts[around].close = i
				q.open = p.parts[around].open
				around = q.open
				key = around >= 0
			}
		case key && !q.holds():
			q.key, key = true, false
		case q.holds():
			around, key = i, true
		default:
			key = around >= 0
		}
	}
	for ; around >= 0; around = p.parts[around].open {
		p.parts[around].close = len(p.parts) - 1
	}
}

// end returns where that ends which starts with part i.
func (p *payload) end(i int) int { return p.parts[p.parts[i].close].End }

// text returns the bytes of what starts with part i.
func (p *payload) text(i int) []byte { return p.src[p.parts[i].Start:p.end(i)] }

// element tells whether part i is a key and its value follows.
func (p *payload) element(i int) bool {
	return p.parts[i].key && i+1 < len(p.parts) && p.parts[i+1].value()
}

// elementEnd returns where the element ends whose key is part i.
func (p *payload) elementEnd(i int) int { return p.end(i + 1) }

// edit replaces src[from:to].
type edit struct {
	from, to int
	with     []byte
}

// edited returns src after the edits, which must be in order and not overlap.
func edited(src []byte, edits ...edit) []byte {
	size := len(src)
	for _, e := range edits {
		size += len(e.with) - (e.to - e.from)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.from]...), e.with...)
		at = e.to
	}
	return append(out, src[at:]...)
}
