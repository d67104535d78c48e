package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

func TestScanner(t *testing.T) {
	payload := `a:02:{i:+0;O:1:"A":1:{s:1:"p";d:1.50;}i:1;C:1:"B":3:{x}y}S:2:"a\7d";E:3:"A:B";R:1;r:2;b:1;N;}`
	type token struct {
		text      string
		kind      codec.TokenKind
		canonical bool
	}
	want := []token{
		{`a:02:{`, codec.TokenArray, false}, {`i:+0;`, codec.TokenInt, false}, {`O:1:"A":1:{`, codec.TokenObject, true},
		{`s:1:"p";`, codec.TokenString, true}, {`d:1.50;`, codec.TokenFloat, false}, {`}`, codec.TokenClose, true},
		{`i:1;`, codec.TokenInt, true}, {`C:1:"B":3:{x}y}`, codec.TokenCustom, true}, {`S:2:"a\7d";`, codec.TokenEscaped, false},
		{`E:3:"A:B";`, codec.TokenEnum, true}, {`R:1;`, codec.TokenReference, true}, {`r:2;`, codec.TokenAlias, true},
		{`b:1;`, codec.TokenBool, true}, {`N;`, codec.TokenNull, true}, {`}`, codec.TokenClose, true},
	}
	s := codec.NewScanner([]byte(payload))
	var got []token
	for !s.Done() {
		tok, err := s.Next()
		require.NoError(t, err)
		got = append(got, token{payload[tok.Start:tok.End], tok.Kind, tok.Canonical})
	}
	assert.Equal(t, want, got)
}

func TestScannerRefuses(t *testing.T) {
	for payload, offset := range map[string]int{
		``: 0, `x`: 0, `N`: 1, `i`: 1, `b:2;`: 2, `R:-1;`: 2, `d:x;`: 2, `S:1:"\g`: 6, `S:9:"ab`: 7, `S:1:"ab";`: 6, `S:1:"a"`: 7,
		`O:1:"A":`: 8, `O:9:"A":0:{`: 2, `O:1:"A"0`: 7, `C:1:"A":9:{}`: 8, `C:1:"A":1:{ab`: 12, `E:1:"A"`: 7, `E:1:A`: 4,
	} {
		s := codec.NewScanner([]byte(payload))
		tok, err := s.Next()
		var e *codec.Error
		require.ErrorAs(t, err, &e, "%s: %+v", payload, tok)
		assert.Equal(t, offset, e.Offset, "%s: %v", payload, err)
		assert.Zero(t, s.Offset())
	}
}
