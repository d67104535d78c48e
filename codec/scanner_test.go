package codec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

// tokens are of every kind, one by one, as the scanner cuts them.
var tokens = []struct {
	text  string
	token codec.Token
}{
	{`N;`, codec.Token{Kind: codec.TokenNull, Canonical: true}},
	{`b:0;`, codec.Token{Kind: codec.TokenBool, Canonical: true}},
	{`b:1;`, codec.Token{Kind: codec.TokenBool, Int: 1, Canonical: true}},
	{`i:-12;`, codec.Token{Kind: codec.TokenInt, Int: -12, Canonical: true}},
	{`i:+0;`, codec.Token{Kind: codec.TokenInt}},
	{`d:1.5;`, codec.Token{Kind: codec.TokenFloat, Float: 1.5, Canonical: true}},
	{`d:1.50;`, codec.Token{Kind: codec.TokenFloat, Float: 1.5}},
	{`d:-INF;`, codec.Token{Kind: codec.TokenFloat, Float: math.Inf(-1), Canonical: true}},
	{`s:3:"a"b";`, codec.Token{Kind: codec.TokenString, From: 5, To: 8, Canonical: true}},
	{`s:0:"";`, codec.Token{Kind: codec.TokenString, From: 5, To: 5, Canonical: true}},
	{`s:01:"a";`, codec.Token{Kind: codec.TokenString, From: 6, To: 7}},
	{`S:0:"";`, codec.Token{Kind: codec.TokenEscaped, From: 5, To: 5}},
	{`S:3:"a\7D"";`, codec.Token{Kind: codec.TokenEscaped, From: 5, To: 10}},
	{`S:2:"\00\fF";`, codec.Token{Kind: codec.TokenEscaped, From: 5, To: 11}},
	{`a:12:{`, codec.Token{Kind: codec.TokenArray, Count: 12, Canonical: true}},
	{`a:00:{`, codec.Token{Kind: codec.TokenArray}},
	{`O:3:"A"B":12:{`, codec.Token{Kind: codec.TokenObject, From: 5, To: 8, Count: 12, Canonical: true}},
	{`O:01:"A":1:{`, codec.Token{Kind: codec.TokenObject, From: 6, To: 7, Count: 1}},
	{`O:1:"A":01:{`, codec.Token{Kind: codec.TokenObject, From: 5, To: 6, Count: 1}},
	{`C:1:"A":3:{x}y}`, codec.Token{Kind: codec.TokenCustom, From: 5, To: 6, Count: 3, Canonical: true}},
	{`C:1:"A":0:{}`, codec.Token{Kind: codec.TokenCustom, From: 5, To: 6, Canonical: true}},
	{`E:3:"A:B";`, codec.Token{Kind: codec.TokenEnum, From: 5, To: 8, Canonical: true}},
	{`E:03:"A:B";`, codec.Token{Kind: codec.TokenEnum, From: 6, To: 9}},
	{`R:12;`, codec.Token{Kind: codec.TokenReference, Int: 12, Canonical: true}},
	{`R:01;`, codec.Token{Kind: codec.TokenReference, Int: 1}},
	{`r:2;`, codec.Token{Kind: codec.TokenAlias, Int: 2, Canonical: true}},
	{`}`, codec.Token{Kind: codec.TokenClose, Canonical: true}},
}

func TestScanner(t *testing.T) {
	var payload strings.Builder
	for _, c := range tokens {
		payload.WriteString(c.text)
	}
	s := codec.NewScanner([]byte(payload.String()))
	for _, c := range tokens {
		want := c.token
		want.Start, want.End = s.Offset(), s.Offset()+len(c.text)
		if want.To > 0 {
			want.From, want.To = want.From+s.Offset(), want.To+s.Offset()
		}
		assert.False(t, s.Done(), c.text)
		got, err := s.Next()
		require.NoError(t, err, c.text)
		assert.Equal(t, want, got, c.text)
		assert.Equal(t, want.End, s.Offset(), c.text)
	}
	assert.True(t, s.Done())
}

// A token that is cut short is truncated, wherever; the scanner stays before it.
func TestScannerWantsWholeTokens(t *testing.T) {
	for _, c := range tokens {
		for n := range c.text {
			s := codec.NewScanner([]byte("N;" + c.text[:n]))
			_, err := s.Next()
			require.NoError(t, err)
			got, err := s.Next()
			var e *codec.Error
			require.ErrorAs(t, err, &e, c.text[:n])
			assert.Equal(t, codec.Truncated, e.Kind, "%s: %v", c.text[:n], err)
			assert.Zero(t, got)
			assert.Equal(t, 2, s.Offset())
		}
	}
}

func TestScannerRefuses(t *testing.T) {
	for payload, want := range map[string]string{
		``:               `truncated at offset 0: found the end of the payload, want a token`,
		`x`:              `syntax at offset 0: found "x", want a token (N b i d s S a O C E R r })`,
		`N`:              `truncated at offset 1: found the end of the payload, want ";"`,
		`N:`:             `syntax at offset 1: found ":", want ";"`,
		`i`:              `truncated at offset 1: found the end of the payload, want ":"`,
		`i;`:             `syntax at offset 1: found ";", want ":"`,
		`b:`:             `truncated at offset 2: found the end of the payload, want "0" or "1"`,
		`b:2;`:           `syntax at offset 2: found "2;", want "0" or "1"`,
		`b:/;`:           `syntax at offset 2: found "/;", want "0" or "1"`,
		`b:1`:            `truncated at offset 3: found the end of the payload, want ";"`,
		`b:1:`:           `syntax at offset 3: found ":", want ";"`,
		`i:x;`:           `syntax at offset 2: found "x;", want a digit or a sign`,
		`R:`:             `truncated at offset 2: found the end of the payload, want a digit or a sign`,
		`R:-1;`:          `syntax at offset 2: found "-1;", want a digit`,
		`r:+1;`:          `syntax at offset 2: found "+1;", want a digit`,
		`d:x;`:           `syntax at offset 2: found "x;", want a sign, a digit, '.', INF or NAN`,
		`s:2:"a";`:       `syntax at offset 7: found ";", want "\"" after 2 bytes`,
		`a:1:[`:          `syntax at offset 4: found "[", want "{"`,
		`S:x:"";`:        `syntax at offset 2: found "x:\"\";", want a digit`,
		`S:1`:            `truncated at offset 3: found the end of the payload, want a digit or ":"`,
		`S:1:`:           `truncated at offset 4: found the end of the payload, want "\""`,
		`S:1:a"`:         `syntax at offset 4: found "a\"", want "\""`,
		`S:1:"\g`:        `syntax at offset 6: found "g", want a hex digit`,
		`S:1:"\`:         `truncated at offset 6: found the end of the payload, want a hex digit`,
		`S:2:"ab`:        `truncated at offset 7: found the end of the payload, want "\""`,
		`S:9:"ab`:        `truncated at offset 7: found the end of the payload, want a byte of the string`,
		`S:1:"ab";`:      `syntax at offset 6: found "b\";", want "\""`,
		`S:1:"a"`:        `truncated at offset 7: found the end of the payload, want ";"`,
		`S:1:"a":`:       `syntax at offset 7: found ":", want ";"`,
		`O:x:"A":0:{`:    `syntax at offset 2: found "x:\"A\":0:{", want a digit`,
		`O:1:`:           `truncated at offset 4: found the end of the payload, want "\""`,
		`E:1:A`:          `syntax at offset 4: found "A", want "\""`,
		`O:9:"A":0:{`:    `truncated at offset 2: found "9:\"A\":0:{", want a length of at most 6, the bytes that are left`,
		`O:1:"A`:         `truncated at offset 6: found the end of the payload, want "\"" after 1 bytes`,
		`O:1:"AB":0:{`:   `syntax at offset 6: found "B\":0:{", want "\"" after 1 bytes`,
		`E:1:"A"`:        `truncated at offset 7: found the end of the payload, want ";"`,
		`E:1:"A":`:       `syntax at offset 7: found ":", want ";"`,
		`O:1:"A"`:        `truncated at offset 7: found the end of the payload, want ":"`,
		`O:1:"A"0`:       `syntax at offset 7: found "0", want ":"`,
		`O:1:"A":`:       `truncated at offset 8: found the end of the payload, want a digit`,
		`O:1:"A":x`:      `syntax at offset 8: found "x", want a digit`,
		`C:1:"A":9:{}`:   `truncated at offset 8: found "9:{}", want a length of at most 1, the bytes that are left`,
		`C:1:"A":1:{a`:   `truncated at offset 12: found the end of the payload, want "}"`,
		`C:1:"A":1:{ab`:  `syntax at offset 12: found "b", want "}"`,
		`C:1:"A":2:{abc`: `syntax at offset 13: found "c", want "}"`,
	} {
		s := codec.NewScanner([]byte(payload))
		tok, err := s.Next()
		require.EqualError(t, err, want, "%s: %+v", payload, tok)
		assert.Zero(t, s.Offset())
	}
}

func TestScannerReadsHexDigits(t *testing.T) {
	for c := range 256 {
		digit := strings.IndexByte("0123456789abcdefABCDEF", byte(c)) >= 0
		for _, digits := range []string{string([]byte{byte(c), '0'}), string([]byte{'0', byte(c)})} {
			_, err := codec.NewScanner([]byte(`S:1:"\` + digits + `";`)).Next()
			assert.Equal(t, digit, err == nil, "%q: %v", digits, err)
		}
	}
}

func TestTokenKindsHaveNames(t *testing.T) {
	for kind, want := range []string{
		codec.TokenNull: "null", codec.TokenBool: "bool", codec.TokenInt: "int", codec.TokenFloat: "float", codec.TokenString: "string",
		codec.TokenEscaped: "escaped string", codec.TokenArray: "array", codec.TokenObject: "object", codec.TokenCustom: "custom object",
		codec.TokenEnum: "enum", codec.TokenReference: "reference", codec.TokenAlias: "object reference", codec.TokenClose: "close",
		codec.TokenClose + 1: "unknown",
	} {
		assert.Equal(t, want, codec.TokenKind(kind).String())
	}
	assert.Equal(t, "unknown", codec.TokenKind(255).String())
}
