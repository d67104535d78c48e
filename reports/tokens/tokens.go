// Package tokens tells reports how the tokens of a payload are coloured.
package tokens

import (
	"phpwire/codec"
	"phpwire/reports"
)

// Of are the tokens of a payload. From the first byte that begins none, the rest is
// [reports.TokenBad].
func Of(payload []byte) []reports.Token {
	var all []reports.Token
	add := func(from, to int, kind reports.TokenKind) {
		if from < to {
			all = append(all, reports.Token{Offset: from, End: to, Kind: kind})
		}
	}
	s := codec.NewScanner(payload)
	for !s.Done() {
		t, err := s.Next()
		if err != nil {
			add(s.Offset(), len(payload), reports.TokenBad)
			break
		}
		switch t.Kind {
		case codec.TokenClose:
			add(t.Start, t.End, reports.TokenPunct)
		case codec.TokenString, codec.TokenEscaped:
			add(t.Start, t.Start+1, reports.TokenTag)
			add(t.Start+2, t.From-2, reports.TokenLength)
			add(t.From, t.To, reports.TokenString)
		case codec.TokenArray:
			add(t.Start, t.Start+1, reports.TokenTag)
			add(t.Start+2, t.End-2, reports.TokenLength)
			add(t.End-2, t.End, reports.TokenPunct)
		case codec.TokenObject, codec.TokenCustom, codec.TokenEnum:
			add(t.Start, t.Start+1, reports.TokenTag)
			add(t.From, t.To, reports.TokenName)
		case codec.TokenNull:
			add(t.Start, t.End, reports.TokenTag)
		default:
			add(t.Start, t.Start+1, reports.TokenTag)
			add(t.Start+2, t.End-1, reports.TokenNumber)
		}
	}
	return all
}
