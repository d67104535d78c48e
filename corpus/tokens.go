package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"phpwire/codec"
)

// otherTokens holds the scanner against the decoder, which gave v or err, and
// against what PHP accepts.
func (c *Case) otherTokens(v codec.Value, err error) []string {
	in := c.Input.B64
	s := codec.NewScanner(in)
	var t tokens
	var broken *codec.Error
	for !s.Done() {
		at := s.Offset()
		token, err := s.Next()
		if err != nil {
			if !errors.As(err, &broken) || s.Offset() != at {
				return []string{"the scanner does not stay where a token is broken"}
			}
			break
		}
		quoted := token.To == 0 || in[token.From-1] == '"' && in[token.To] == '"'
		if token.Start != at || token.End != s.Offset() || token.End <= at || !quoted {
			return []string{fmt.Sprintf("a token from %d to %d, with its text from %d to %d", token.Start, token.End, token.From, token.To)}
		}
		t.list = append(t.list, token)
	}
	t.in, t.plain = in, !slices.ContainsFunc(t.list, func(t codec.Token) bool { return !t.Canonical })
	if err != nil {
		return c.brokenToken(&t, s.Offset(), broken, err)
	}
	switch whole := t.value(); {
	case broken != nil || t.wrong || len(t.list) > 0:
		return []string{"the tokens are no payload"}
	case c.Has(FlagHandle): // tokens know no handles
	case !whole.Equal(v):
		return []string{"the tokens make another value"}
	case !t.plain && c.Expect.Canonical == MustAccept:
		return []string{"a token is not canonical, and the payload is"}
	case t.plain && c.Expect.Canonical == MustReject && (c.Refused == nil || !strings.Contains(c.Refused.Canonical.Text, "key")):
		return []string{"every token is canonical, and the payload is not"}
	}
	return nil
}

// brokenToken is otherTokens for what the decoder refuses: where it finds a
// fault inside a token, so does the scanner, and it scans what PHP reads.
func (c *Case) brokenToken(t *tokens, at int, broken *codec.Error, err error) []string {
	var e *codec.Error
	if !errors.As(err, &e) {
		return []string{err.Error()}
	}
	if broken != nil && e.Offset > at && e.Error() != broken.Error() {
		return []string{fmt.Sprintf("the decoder says %v, and the scanner %v", e, broken)}
	}
	if e.Offset < at && !slices.ContainsFunc(t.list, func(t codec.Token) bool { return t.Start == e.Offset }) {
		return []string{fmt.Sprintf("the decoder says %v, and the scanner does not", e)}
	}
	if e.Kind != codec.Unsupported || len(c.PHP) != 1 || c.PHP[0].Does != Accepts {
		return nil
	}
	if t.value(); broken != nil || t.wrong || len(t.list) > 0 {
		return []string{"PHP reads it, and the scanner does not"}
	}
	if written := c.PHP[0].Bytes == nil; written && !t.plain {
		return []string{"PHP writes it so, and a token is not canonical"}
	}
	return nil
}

// tokens make a value.
type tokens struct {
	in    []byte
	list  []codec.Token
	plain bool // all are canonical
	wrong bool
}

func (t *tokens) next() codec.Token {
	if len(t.list) == 0 {
		t.wrong = true
		return codec.Token{Kind: codec.TokenClose}
	}
	token := t.list[0]
	t.list = t.list[1:]
	return token
}

func (t *tokens) value() codec.Value {
	switch token := t.next(); token.Kind {
	case codec.TokenBool:
		return codec.Bool(token.Int == 1)
	case codec.TokenInt:
		return codec.Int(token.Int)
	case codec.TokenFloat:
		return codec.Float(token.Float)
	case codec.TokenString:
		return codec.Bytes(t.in[token.From:token.To])
	case codec.TokenArray, codec.TokenObject:
		var es []codec.Entry
		for range token.Count {
			if t.wrong {
				break
			}
			key := t.value()
			k := codec.IntKey(0)
			if text, ok := key.Text(); ok {
				k = codec.StringKey(text)
			} else if n, ok := key.Int(); ok {
				k = codec.IntKey(n)
			}
			es = append(es, codec.Entry{Key: k, Value: t.value()})
		}
		t.wrong = t.next().Kind != codec.TokenClose || t.wrong
		return codec.Array(es...)
	case codec.TokenClose:
		t.wrong = true
	}
	return codec.Null()
}
