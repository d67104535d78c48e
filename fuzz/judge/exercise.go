package judge

import (
	"bytes"
	"math"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// Payloads counts payloads that [Payloads] judged.
func (v *Visits) Payloads(ps []Payload) {
	if v == nil {
		return
	}
	for i := range ps {
		v.Add(ps[i].exercises(), ps[i].verdict())
	}
}

// Values counts values that [Values] judged.
func (v *Visits) Values(vs []Value) {
	if v == nil {
		return
	}
	for i := range vs {
		c := valueClauses(vs[i].Value) | P3 | V10
		if numeric := bytes.Contains(vs[i].Tagged, []byte(`"b64"`)); numeric {
			c |= T4
		}
		v.Add(c, Verdict{Sort: "value", Who: "written alike"})
	}
}

// Floats counts doubles that [Floats] judged.
func (v *Visits) Floats(fs []Float) {
	if v == nil {
		return
	}
	counts := map[Clauses]int64{}
	for _, f := range fs {
		counts[V5|D1|when(f.Precision == -1, D2)|floatClauses(f.value())]++
	}
	for c, n := range counts {
		v.AddMany(c, Verdict{Sort: "double", Who: "written alike"}, n)
	}
}

// FloatTexts counts texts that [FloatTexts] judged.
func (v *Visits) FloatTexts(texts [][]byte) {
	if v == nil {
		return
	}
	for _, t := range texts {
		v.Add(V5|D2|textClauses(t, math.NaN()), Verdict{Sort: "double", Who: "read alike"})
	}
}

// Stream counts a stream that was read to its end, whole and in chunks.
func (v *Visits) Stream(o Outcome) {
	if v == nil {
		return
	}
	c, verdict := F1|F16, Verdict{Sort: "stream", Who: "read to its end"}
	for _, f := range o.Frames {
		c |= frameClauses(f)
	}
	if e, ok := o.Err.(*frames.Error); ok {
		c |= streamErrorClauses(e)
		verdict.Who, verdict.Kind = "refused", e.Kind.String()
	}
	v.Add(c, verdict)
}

// Frame counts a frame that was written and read.
func (v *Visits) Frame(f frames.Frame) {
	v.Add(frameClauses(f), Verdict{Sort: "frame", Who: "comes back the same"})
}

func frameClauses(f frames.Frame) Clauses {
	return F1 | F3 | F4 | F15 | F5<<f.Tag()
}

func streamErrorClauses(e *frames.Error) Clauses {
	c := E3 | E5
	switch e.Kind {
	case frames.TooShort, frames.TooLong:
		c |= F2
	case frames.UnknownTag, frames.WrongDirection:
		c |= F4
	case frames.BadID:
		c |= F3
	case frames.BadPayload, frames.NotAList, frames.MissingField, frames.ExtraField, frames.BadField:
		c |= F15 | F5<<e.Tag
	}
	return c
}

// phpVerdict is what PHP made of a payload.
type phpVerdict uint8

const (
	phpNotAsked phpVerdict = iota
	phpRefuses
	phpWarns
	phpAccepts
)

// verdict says who accepted a payload.
func (p *Payload) verdict() Verdict {
	v := Verdict{Sort: "payload"}
	accepts := p.Plugin.Err == nil
	switch {
	case accepts && p.Canonical.Err == nil:
		v.Who = "accepted by all"
	case accepts:
		v.Who, v.Kind = "accepted, but not by Canonical", "not canonical"
	case p.php == phpRefuses:
		v.Who = "refused by all"
	case p.php == phpWarns:
		v.Who = "refused, PHP warns"
	default:
		v.Who = "refused, PHP accepts"
	}
	if !accepts {
		v.Kind = p.Plugin.Err.Kind.String()
	}
	return v
}

// exercises tells which clauses decided what became of a judged payload.
func (p *Payload) exercises() Clauses {
	spelled := spelling(p.Bytes)
	c := P2 | spelled.clauses | when(len(p.Bytes) == 0, P6)
	if e := p.Plugin.Err; e != nil {
		return c | E3 | E5 | refusalClauses(p.Bytes, e)
	}
	c |= P3 | when(p.Canonical.Err != nil, P1) | valueClauses(p.Plugin.Value)
	return c | when(c&H1 == 0 && spelled.counted > elements(p.Plugin.Value), A2)
}

func refusalClauses(payload []byte, e *codec.Error) Clauses {
	switch e.Kind {
	case codec.Truncated:
		// A claim is refused where it stands, not at the end of the bytes.
		return when(e.Offset < len(payload), L2)
	case codec.Range:
		return I2
	case codec.TooLarge:
		return L3
	case codec.BadKey:
		return K1
	case codec.Unsupported:
		return P4
	case codec.TrailingData:
		return P5
	case codec.Depth:
		return L1
	case codec.Reserved:
		return H1 | H5
	}
	return 0
}

// spelled is what the tokens of a payload say, as far as there are any.
type spelled struct {
	clauses Clauses
	counted int // elements, by what the arrays say
}

var grammars = map[byte]Clauses{'N': V2, 'b': V3, 'i': I1, 'd': D2, 's': S1, 'a': A1}

// brokenClauses tells which clause's grammar the token at the start of rest, which
// is none, breaks.
func brokenClauses(rest []byte) Clauses {
	c := grammars[rest[0]]
	const mostLooked = 64
	rest = rest[:min(len(rest), mostLooked)]
	switch rest[0] {
	case 's':
		return c | when(anyBytes(bytes.Trim(rest[1:], `:";`)), S2)
	case 'd':
		return c | when(bytes.ContainsAny(rest[1:], "INFAinfa"), D3)
	}
	return c
}

func spelling(payload []byte) (s spelled) {
	scanner := codec.NewScanner(payload)
	var buf [32]bool
	open := buf[:0] // for each open array, whether a key comes next
	for !scanner.Done() {
		t, err := scanner.Next()
		if err != nil {
			s.clauses |= brokenClauses(payload[scanner.Offset():])
			break
		}
		if t.Kind == codec.TokenClose {
			if open = open[:max(0, len(open)-1)]; len(open) == 0 {
				break
			}
			continue
		}
		key := len(open) > 0 && open[len(open)-1]
		if len(open) > 0 {
			open[len(open)-1] = !key
		}
		s.clauses |= tokenClauses(payload, &t, key)
		switch t.Kind {
		case codec.TokenArray, codec.TokenObject:
			open = append(open, true)
			s.counted += t.Count
			s.clauses |= when(len(open) >= maxDepth, L1)
		default:
			if len(open) == 0 {
				return s // what follows is no part of the value
			}
		}
	}
	return s
}

func tokenClauses(payload []byte, t *codec.Token, key bool) Clauses {
	c := when(key, K1)
	switch t.Kind {
	case codec.TokenNull:
		return c | V2
	case codec.TokenBool:
		return c | V3
	case codec.TokenInt:
		return c | I1 | when(!key, V4)
	case codec.TokenFloat:
		return c | V5 | D2 | textClauses(payload[t.Start+2:t.End-1], t.Float)
	case codec.TokenString:
		text := payload[t.From:t.To]
		c |= S1 | when(anyBytes(text), S2) | when(!key, V6)
		if key {
			_, isInt := codec.StringKey(string(text)).Int()
			c |= K2 | when(!isInt, K3) | reservedClauses(string(text))
		}
		return c
	case codec.TokenArray:
		return c | A1
	}
	return c | P4
}

// anyBytes tells whether a text has bytes that a careless codec may take for
// something else.
func anyBytes[T []byte | string](text T) bool {
	for i := range len(text) {
		if unusual[text[i]] {
			return true
		}
	}
	return false
}

var unusual = func() (is [256]bool) {
	for b := range is {
		is[b] = b < ' ' || b >= 0x7f || strings.IndexByte(`";{}`, byte(b)) >= 0
	}
	return
}()

func reservedClauses(key string) Clauses {
	switch key {
	case "__rhandle":
		return H1 | H2
	case "__phandle":
		return H1 | H3
	case "__pclass":
		return H1 | H4
	}
	return when(strings.HasPrefix(key, "__"), H1)
}

// textClauses tells what is special about the text of a double.
func textClauses(text []byte, f float64) Clauses {
	exponent := bytes.IndexAny(text, "eE")
	long := len(text) > 15 || exponent >= 0 && len(text)-exponent > 3
	return floatClauses(f)&^when(f != f, D3) | when(bytes.ContainsAny(text, "IA"), D3) | when(long, D4)
}

func floatClauses(f float64) Clauses {
	size := math.Abs(f)
	special := f != f || size > math.MaxFloat64 || f == 0 && math.Signbit(f)
	return when(special, D3) | when(size > 1e300 || size > 0 && size < 1e-300, D4)
}

// valueClauses tells which clauses a value that is written, read and compared
// exercises.
func valueClauses(v codec.Value) Clauses {
	c := V1 | T1
	switch v.Kind() {
	case codec.KindNull:
		return c | V2
	case codec.KindBool:
		return c | V3
	case codec.KindInt:
		n, _ := v.Int()
		return c | V4 | I1 | when(n > math.MaxInt64-2 || n < math.MinInt64+2, I2)
	case codec.KindFloat:
		f, _ := v.Float()
		return c | V5 | D1 | T2 | V10 | floatClauses(f)
	case codec.KindString:
		text, _ := v.Text()
		return c | V6 | S1 | when(anyBytes(text), S2)
	case codec.KindList:
		c |= A1 | V7 | A3
	case codec.KindArray:
		c |= A1 | V8 | K1 | T4
	case codec.KindObject:
		c |= A1 | V9 | K1 | T3
	case codec.KindRustHandle:
		c |= H1 | H2 | H5
		if h, _ := v.RustHandle(); h.Snapshot != nil {
			c |= T3 | valueClauses(*h.Snapshot)
		}
	case codec.KindPhpHandle:
		c |= H1 | H3 | H5
	case codec.KindPhpClass:
		c |= H1 | H4 | H5
	}
	for k, e := range v.All() {
		_, isInt := k.Int()
		c |= valueClauses(e) | when(!isInt, K3)
	}
	return c
}

// elements counts the elements of a value, at any depth.
func elements(v codec.Value) int {
	n := 0
	for _, e := range v.All() {
		n += 1 + elements(e)
	}
	return n
}
