package judge

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"

	"phpwire/codec"
	"phpwire/oracle"
)

// Value is a value to be encoded. Tagged is what PHP is asked to build; it is
// the value's own tagged JSON unless the way there is what is tested, as with
// keys that PHP itself must turn into ints.
type Value struct {
	Value  codec.Value
	Tagged []byte
	// Raw is the payload of the value with the keys as PHP is given them; nil where
	// Tagged is the value's own.
	Raw []byte
}

// Of returns v with its own tagged JSON.
func Of(v codec.Value) Value { return Value{Value: v, Tagged: codec.AppendTagged(nil, v)} }

// Values judges the encoder on values against one PHP (P1, P2). The result has a
// finding, or nil, for each value.
//
// PHP is told how the reference encodes the values, and only where it does not
// agree it is asked what it does.
func Values(ctx context.Context, c *oracle.Client, vs []Value) ([]*Finding, error) {
	findings := make([]*Finding, len(vs))
	asked := encodeAll(vs, findings)
	unlike, err := c.CompareValues(ctx, asked.tagged, asked.encoded)
	if err != nil {
		return nil, err
	}
	return findings, asked.only(unlike).judge(ctx, c, vs, findings)
}

// encodeAll encodes the values, of which those without a finding are left to ask
// PHP about.
func encodeAll(vs []Value, findings []*Finding) *values {
	asked := &values{make([]int, 0, len(vs)), make([][]byte, 0, len(vs)), make([][]byte, 0, len(vs))}
	for i, v := range vs {
		encoded, finding := encode(v.Value)
		if findings[i] = finding; finding == nil {
			asked.add(i, v.Tagged, encoded)
		}
	}
	return asked
}

// values are what PHP is asked about: the number of each value, its tagged JSON, and
// the bytes that it is encoded as.
type values struct {
	index           []int
	tagged, encoded [][]byte
}

func (some *values) add(index int, tagged, encoded []byte) {
	some.index = append(some.index, index)
	some.tagged = append(some.tagged, tagged)
	some.encoded = append(some.encoded, encoded)
}

// only returns those at the given places.
func (some *values) only(places []int) *values {
	chosen := new(values)
	for _, at := range places {
		chosen.add(some.index[at], some.tagged[at], some.encoded[at])
	}
	return chosen
}

// judge asks PHP what it makes of values about which it may not agree.
func (some *values) judge(ctx context.Context, c *oracle.Client, vs []Value, findings []*Finding) error {
	built, err := c.Build(ctx, some.tagged)
	if err != nil {
		return err
	}
	reserialized, err := c.Reserialize(ctx, some.encoded)
	if err != nil {
		return err
	}
	described, err := c.Describe(ctx, some.encoded)
	if err != nil {
		return err
	}
	for at, i := range some.index {
		f := judgeValue(vs[i].Value, some.encoded[at], built[at], reserialized[at], described[at])
		if f != nil && vs[i].Raw != nil {
			f.Clause = "K-2" // nothing but the keys is tested
		}
		findings[i] = f
	}
	return nil
}

// encode checks P1.
func encode(v codec.Value) ([]byte, *Finding) {
	encoded, err := codec.Encode(v)
	if err != nil {
		return nil, &Finding{"P2", "V-1", "the encoder refuses a value", "The encoder refuses a value that PHP can hold: " + err.Error(), -1, nil}
	}
	landed := v
	if changes(v) {
		landed = v.Landed()
	}
	for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
		r := reading(codec.DecodeShared(encoded, p))
		if r.Err != nil {
			return encoded, &Finding{"P1", "P-3", p.String() + " refuses the encoder's bytes", r.Err.Error(), r.Err.Offset, nil}
		}
		if !r.Value.Equal(landed) {
			return encoded, &Finding{"P1", "V-10", "a value comes back changed", "Decode(Encode(v)) is not v", -1, differences(landed, r.Value)}
		}
	}
	return encoded, nil
}

// changes tells whether a value may be another one once it has landed: it holds an
// object, a NaN or a handle.
func changes(v codec.Value) bool {
	switch v.Kind() {
	case codec.KindNull, codec.KindBool, codec.KindInt, codec.KindString:
		return false
	case codec.KindFloat:
		f, _ := v.Float()
		return math.IsNaN(f)
	case codec.KindList:
		return slices.ContainsFunc(v.Elements(), changes)
	case codec.KindArray:
		return slices.ContainsFunc(v.Entries(), func(e codec.Entry) bool { return changes(e.Value) })
	}
	return true
}

func judgeValue(v codec.Value, encoded []byte, built, reserialized, described oracle.Answer) *Finding {
	if !built.Clean() {
		return &Finding{"P2", "T-1", "PHP cannot build the value", strings.Join(built.Warnings, "; "), -1, nil}
	}
	if !bytes.Equal(built.Bytes, encoded) {
		at, text := byteDifference(encoded, built.Bytes)
		return &Finding{"P2", "V-1", "the encoder and PHP write different bytes", "The encoder and PHP write the value in different bytes", at,
			[]string{text + " (reference ≠ PHP)"}}
	}
	if !reserialized.Clean() || !described.Clean() {
		return &Finding{"P2", "V-1", "PHP refuses the encoder's bytes", strings.Join(append(reserialized.Warnings, described.Warnings...), "; "), -1, nil}
	}
	if !bytes.Equal(reserialized.Bytes, encoded) {
		at, text := byteDifference(encoded, reserialized.Bytes)
		return &Finding{"P2", "V-1", "PHP re-serializes the encoder's bytes otherwise", "PHP reads the encoder's bytes and writes others", at,
			[]string{text + " (reference ≠ PHP)"}}
	}
	if want := codec.AppendTagged(nil, v.Landed().Plain()); !bytes.Equal(want, described.Bytes) {
		return &Finding{"P2", "V-10", "PHP reads another value", "PHP reads another value from the encoder's bytes", -1,
			valueDifferences(want, described.Bytes)}
	}
	return nil
}
