package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"phpwire/codec"
)

// What a case says of inputs that follow from its own: nobody needs to ask a PHP
// about them. A port can do the same.

const (
	longestDerived = 512 // bytes of an input from which others are derived
	mostPlaces     = 24  // in an input, at which something is changed
)

// places are offsets into an input of n bytes: all of a short one, and always the
// first and the last ones.
func places(n int) (all []int) {
	for i := range n {
		if n <= mostPlaces || i < 2 || i >= n-8 || i%(n/mostPlaces+1) == 0 {
			all = append(all, i)
		}
	}
	return all
}

// derivedDecodes holds what stands for v, as it is read, against its prefixes,
// other spellings, the arrays that it may stand in, and what small mistakes make of
// it.
func (c *Case) derivedDecodes(v codec.Value) []string {
	if len(c.Input.B64) > longestDerived || c.Has(FlagDeep) {
		return nil
	}
	for _, derive := range []func(codec.Value) string{c.truncated, c.respelled, c.nested, quoted, manyMistakes, largeTexts} {
		if what := derive(v); what != "" {
			return []string{what}
		}
	}
	return c.mistaken()
}

// profiles are those that read the input.
func (c *Case) profiles() []codec.Profile {
	if c.Expect.Canonical == MustAccept {
		return []codec.Profile{codec.Plugin, codec.Canonical}
	}
	return []codec.Profile{codec.Plugin}
}

// refusal says what is wrong where the input is not refused as it should be, at
// offset, or anywhere where that is negative.
func refusal(in []byte, p codec.Profile, kind codec.ErrorKind, offset int) string {
	_, err := codec.Decode(in, p)
	var e *codec.Error
	if !errors.As(err, &e) || e.Kind != kind || offset >= 0 && e.Offset != offset || e.Offset > len(in) {
		return fmt.Sprintf("%v says %v to %.200q, and not %v at %d", p, err, in, kind, offset)
	}
	return ""
}

// truncated: every prefix lacks something, and a byte more is one too much.
func (c *Case) truncated(codec.Value) string {
	in := c.Input.B64
	for _, p := range c.profiles() {
		for _, n := range places(len(in)) {
			if what := refusal(slices.Clone(in[:n]), p, codec.Truncated, -1); what != "" {
				return what
			}
		}
		for _, more := range "N;}i\x00" {
			if what := refusal(append(slices.Clone(in), byte(more)), p, codec.TrailingData, len(in)); what != "" {
				return what
			}
		}
	}
	return ""
}

// respelled: a number with zeros before it, or a plus sign, is read the same, and
// Canonical refuses that token.
func (c *Case) respelled(v codec.Value) string {
	in := c.Input.B64
	s := codec.NewScanner(in)
	for tokens := 0; tokens < mostPlaces && !s.Done(); tokens++ {
		t, err := s.Next()
		if err != nil {
			return err.Error()
		}
		number := t.Start + 2
		before := []string{"0", "00000000000000000000"}
		switch t.Kind {
		case codec.TokenInt:
			if in[number] == '-' {
				number++
			} else if in[number] != '+' {
				before = append(before, "+", "+0")
			}
		case codec.TokenString, codec.TokenArray:
		default:
			continue
		}
		if in[number] == '+' {
			continue
		}
		for _, b := range before {
			other := slices.Insert(slices.Clone(in), number, []byte(b)...)
			got, err := codec.Decode(other, codec.Plugin)
			if err != nil || !got.Equal(v) {
				return fmt.Sprintf("with another spelling of a number, %.200q, the value is %.200s, %v", other, got, err)
			}
			if c.Expect.Canonical != MustAccept {
				continue
			}
			if what := refusal(other, codec.Canonical, codec.NotCanonical, t.Start); what != "" {
				return what
			}
		}
	}
	return ""
}

// surrounding is an array around payloads, given as what stands before, between
// and behind them.
type surrounding struct {
	parts     []string
	canonical bool // Canonical reads it
	value     func(v codec.Value) codec.Value
}

func entry(key any, v codec.Value) codec.Entry {
	if n, ok := key.(int); ok {
		return codec.Entry{Key: codec.IntKey(int64(n)), Value: v}
	}
	return codec.Entry{Key: codec.StringKey(key.(string)), Value: v}
}

var surroundings = []surrounding{
	{[]string{`a:2:{i:0;`, `i:1;`, `}`}, true, func(v codec.Value) codec.Value { return codec.List(v, v) }},
	{[]string{`a:3:{s:1:"k";`, `s:1:"l";`, `i:-7;`, `}`}, true, func(v codec.Value) codec.Value {
		return codec.Array(entry("k", v), entry("l", v), entry(-7, v))
	}},
	{[]string{`a:2:{i:0;`, `s:1:"x";`, `}`}, true, func(v codec.Value) codec.Value { return codec.Array(entry(0, v), entry("x", v)) }},
	{[]string{`a:3:{i:5;`, `i:5;N;i:3;`, `}`}, false, func(v codec.Value) codec.Value { return codec.Array(entry(5, codec.Null()), entry(3, v)) }},
	{[]string{`a:3:{i:5;N;s:1:"5";`, `i:0;`, `}`}, false, func(v codec.Value) codec.Value { return codec.Array(entry(5, v), entry(0, v)) }},
	{[]string{`a:3:{i:0;a:2:{s:1:"a";`, `s:1:"b";`, `}i:1;a:2:{s:1:"a";`, `s:1:"b";`, `}i:2;a:2:{s:1:"b";`, `s:1:"a";`, `}}`}, true, func(v codec.Value) codec.Value {
		row := codec.Array(entry("a", v), entry("b", v))
		return codec.List(row, row, codec.Array(entry("b", v), entry("a", v)))
	}},
	{[]string{`a:3:{i:0;a:2:{s:1:"a";`, `s:1:"b";`, `}i:1;a:2:{s:1:"a";`, `s:1:"a";N;}i:2;a:1:{s:1:"a";`, `}}`}, false, func(v codec.Value) codec.Value {
		return codec.List(codec.Array(entry("a", v), entry("b", v)), codec.Array(entry("a", codec.Null())), codec.Array(entry("a", v)))
	}},
	{[]string{`a:3:{i:0;a:2:{i:1;`, `i:2;`, `}i:1;a:3:{i:1;`, `i:2;`, `i:3;`, `}i:2;a:2:{i:2;`, `i:1;`, `}}`}, true, func(v codec.Value) codec.Value {
		return codec.List(codec.Array(entry(1, v), entry(2, v)), codec.Array(entry(1, v), entry(2, v), entry(3, v)), codec.Array(entry(2, v), entry(1, v)))
	}},
	{[]string{`a:12:{s:1:"a";`, `s:1:"b";N;s:1:"c";N;s:1:"d";N;s:1:"e";N;s:1:"f";N;s:1:"g";N;s:1:"h";N;s:1:"i";N;s:1:"j";N;i:7;N;s:1:"k";`, `}`}, true, func(v codec.Value) codec.Value {
		es := []codec.Entry{entry("a", v)}
		for _, k := range "bcdefghij" {
			es = append(es, entry(string(k), codec.Null()))
		}
		return codec.Array(append(es, entry(7, codec.Null()), entry("k", v))...)
	}},
}

// nested: in an array the payload stands for the same value, also beside itself
// and behind an array with the same keys.
func (c *Case) nested(v codec.Value) string {
	for _, s := range surroundings {
		payload := []byte(strings.Join(s.parts, string(c.Input.B64)))
		want := s.value(v)
		for _, p := range c.profiles() {
			if p == codec.Canonical && !s.canonical {
				if _, err := codec.Decode(payload, p); err == nil {
					return fmt.Sprintf("%.200q is canonical", payload)
				}
				continue
			}
			if got, err := codec.Decode(payload, p); err != nil || !got.Equal(want) {
				return fmt.Sprintf("%v reads %.200q as %.200s, %v", p, payload, got, err)
			}
		}
		if !s.canonical || c.Expect.Canonical != MustAccept {
			continue
		}
		if b, err := codec.Encode(want); err != nil || !bytes.Equal(b, payload) {
			return fmt.Sprintf("%.200s is written %.200q, %v", want, b, err)
		}
	}
	return ""
}

// mistaken: the decoder and the scanner agree on what one wrong byte makes of the
// payload.
func (c *Case) mistaken() []string {
	in := c.Input.B64
	if c.Has(FlagHandle) { // tokens know no handles
		return nil
	}
	for _, at := range places(len(in)) {
		next := slices.Clone(in)
		next[at]++
		for _, other := range [][]byte{next, slices.Delete(slices.Clone(in), at, at+1), slices.Insert(slices.Clone(in), at, in[at])} {
			now := Case{Op: Decode, Input: Bytes{B64: other}}
			now.observeDecode()
			v, err := codec.Decode(other, codec.Plugin)
			if what := now.otherTokens(v, err); what != nil {
				return append(what, fmt.Sprintf("in %.200q", other))
			}
		}
	}
	return nil
}

// derivedTagged holds what is read from a value's tagged JSON against what is
// read from other spellings of it, and from what small mistakes make of it.
func derivedTagged(v codec.Value) string {
	text := codec.AppendTagged(nil, v)
	if len(text) > longestDerived {
		return ""
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err.Error()
	}
	reordered, err := json.MarshalIndent(tree, "", " ")
	if err != nil {
		return err.Error()
	}
	for _, other := range [][]byte{reordered, append([]byte(" "), text...), append(slices.Clone(text), '\n')} {
		if what := tagged(other, v); what != "" {
			return what
		}
	}
	around := []struct {
		parts []string
		value codec.Value
	}{
		{[]string{`{"t":"list","v":[`, `,`, `]}`}, codec.List(v, v)},
		{[]string{`{"t":"array","v":[[{"int":"5"},`, `],[{"b64":"aw=="},`, `]]}`}, codec.Array(entry(5, v), entry("k", v))},
		{[]string{`{"t":"array","v":[[{"int":"0"},`, `],[{"int":"1"},`, `]]}`}, codec.List(v, v)},
		{[]string{`{"t":"array","v":[[{"int":"5"},{"t":"null"}],[{"int":"5"},`, `]]}`}, codec.Array(entry(5, v))},
		{[]string{`{"t":"object","v":[[{"b64":"aw=="},`, `],[{"b64":"bA=="},`, `],[{"b64":"aw=="},{"t":"null"}]]}`}, codec.Object(entry("k", codec.Null()), entry("l", v))},
	}
	for _, a := range around {
		if what := tagged([]byte(strings.Join(a.parts, string(text))), a.value); what != "" {
			return what
		}
	}
	const asks = `{"t":"array","v":[[{"b64":"NQ=="},%s]]}`
	if got, err := codec.ParseTaggedKeys(fmt.Appendf(nil, asks, text)); err != nil || !got.Equal(codec.Array(entry(5, v))) {
		return fmt.Sprintf("ParseTaggedKeys gives %.200s, %v", got, err)
	}
	if _, err := codec.ParseTagged(fmt.Appendf(nil, asks, text)); err == nil {
		return "ParseTagged takes a string key that is an int to PHP"
	}
	return mistakenTagged(text)
}

func tagged(text []byte, want codec.Value) string {
	for _, parse := range []func([]byte) (codec.Value, error){codec.ParseTagged, codec.ParseTaggedKeys} {
		if got, err := parse(text); err != nil || !got.Equal(want) {
			return fmt.Sprintf("%.300s is read as %.200s, %v", text, got, err)
		}
	}
	return ""
}

// mistakenTagged: with a space before it, a wrong text is as wrong.
func mistakenTagged(text []byte) string {
	const wrong = "=B~\"0g}],:{[z/>"
	for _, at := range places(len(text)) {
		others := [][]byte{slices.Delete(slices.Clone(text), at, at+1), slices.Insert(slices.Clone(text), at, text[at]), text[:at]}
		for i := range 4 {
			other := slices.Clone(text)
			other[at] = wrong[(at+i*len(wrong)/4)%len(wrong)]
			others = append(others, other)
		}
		for _, other := range others {
			if what := alike(other); what != "" {
				return what
			}
		}
	}
	return ""
}

// quoted: of a string with as many bytes, all of them quotes and semicolons, the
// length alone says where it ends, and no other byte stands for a digit of it.
func quoted(v codec.Value) string {
	text, ok := v.Text()
	n := len(text)
	if !ok || n < 2 {
		return ""
	}
	for _, bytes := range []string{strings.Repeat(`";`, n)[:n], strings.Repeat(`;"`, n)[:n]} {
		payload := fmt.Appendf(nil, `s:%d:"%s";`, n, bytes)
		for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
			if got, err := codec.Decode(payload, p); err != nil || !got.Equal(codec.String(bytes)) {
				return fmt.Sprintf("%v reads %.200q as %.200s, %v", p, payload, got, err)
			}
		}
		digits := len(payload) - n - len(`s::"";`)
		last := 1 + digits
		wrong := map[int]byte{last: payload[last] - '0' + 208, last + 2: 'x', len(payload) - 1: 'x', len(payload) - 2: 'x'}
		for at, c := range wrong {
			other := slices.Clone(payload)
			other[at] = c
			if what := refusal(other, codec.Plugin, codec.Syntax, at); what != "" {
				return what
			}
		}
		if digits == 2 && n < 80 {
			if what := refusal(fmt.Appendf(nil, `s:%c:"%s";`, '0'+n, bytes), codec.Plugin, codec.Syntax, 2); what != "" {
				return what
			}
		}
	}
	return ""
}

// manyMistakes is mistakenTagged with every mistake at every place of texts that
// have every production, for one value: null.
func manyMistakes(v codec.Value) string {
	if v.Kind() != codec.KindNull {
		return ""
	}
	for _, text := range []string{
		`{"t":"list","v":[{"t":"null"},{"t":"bool","v":true}]}`,
		`{"t":"list","v":[{"t":"bool","v":false},{"t":"list","v":[]}]}`,
		`{"t":"array","v":[[{"int":"5"},{"t":"int","v":"-123456789"}],[{"b64":"aw=="},{"t":"float","bits":"3ff0000000000000"}]]}`,
		`{"t":"object","v":[[{"b64":"aw=="},{"t":"string","b64":"YWI="}],[{"b64":""},{"t":"pclass","class":"QQ=="}]]}`,
		`{"t":"rhandle","rhandle":"0","class":"QQ==","epoch":"1","snapshot":[[{"int":"1"},{"t":"null"}]]}`,
		`{"t":"rhandle","rhandle":"9","class":"QQ==","epoch":"0"}`,
		`{"t":"phandle","phandle":"7","class":"QQ==","implements":["QQ==","Qg=="]}`,
		`{"t":"phandle","phandle":"7","class":"QQ==","implements":[]}`,
	} {
		if _, err := codec.ParseTagged([]byte(text)); err != nil {
			return err.Error()
		}
		for at := range text {
			others := []string{text[:at] + text[at+1:], text[:at+1] + text[at:], text[:at]}
			for _, c := range "\x00 \"',-./09:<=>@ABGZ[\\]`abcfgijlmnopqrstuz{|}~" {
				others = append(others, text[:at]+string(c)+text[at+1:])
			}
			for _, size := range []int{2, 3, 4} { // a piece that is missing, or there twice
				if end := at + size; end <= len(text) {
					others = append(others, text[:at]+text[end:], text[:end]+text[at:])
				}
			}
			for _, other := range others {
				if what := alike([]byte(other)); what != "" {
					return what
				}
			}
		}
	}
	return ""
}

// alike: a text is read, or wrong, as it is with a space before it.
func alike(text []byte) string {
	text = slices.Clip(text) // what is read behind it is noticed
	v, err := codec.ParseTagged(text)
	spaced, spacedErr := codec.ParseTagged(append([]byte(" "), text...))
	if !v.Equal(spaced) || fmt.Sprint(err) != fmt.Sprint(spacedErr) {
		return fmt.Sprintf("%.300s is read as %.200s, %v, and with a space before it as %.200s, %v", text, v, err, spaced, spacedErr)
	}
	return ""
}
