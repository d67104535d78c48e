package judge

import (
	"bytes"
	"context"
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
}

// Of returns v with its own tagged JSON.
func Of(v codec.Value) Value { return Value{v, codec.AppendTagged(nil, v)} }

// Values judges the encoder on values against one PHP (P1, P2). The result has a
// finding, or nil, for each value.
func Values(ctx context.Context, c *oracle.Client, vs []Value) ([]*Finding, error) {
	findings := make([]*Finding, len(vs))
	encoded, tagged := make([][]byte, len(vs)), make([][]byte, len(vs))
	for i, v := range vs {
		encoded[i], findings[i] = encode(v.Value)
		tagged[i] = v.Tagged
	}
	built, err := c.Build(ctx, tagged)
	if err != nil {
		return nil, err
	}
	reserialized, err := c.Reserialize(ctx, encoded)
	if err != nil {
		return nil, err
	}
	described, err := c.Describe(ctx, encoded)
	if err != nil {
		return nil, err
	}
	for i, v := range vs {
		if findings[i] == nil {
			findings[i] = judgeValue(v.Value, encoded[i], built[i], reserialized[i], described[i])
		}
	}
	return findings, nil
}

// encode checks P1.
func encode(v codec.Value) ([]byte, *Finding) {
	encoded, err := codec.Encode(v)
	if err != nil {
		return nil, &Finding{"P2", "V-1", "the encoder refuses a value", "The encoder refuses a value that PHP can hold: " + err.Error(), -1, nil}
	}
	landed := v.Landed()
	for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
		r := read(encoded, p)
		if r.Err != nil {
			return encoded, &Finding{"P1", "P-3", p.String() + " refuses the encoder's bytes", r.Err.Error(), r.Err.Offset, nil}
		}
		if !r.Value.Equal(landed) {
			return encoded, &Finding{"P1", "V-10", "a value comes back changed", "Decode(Encode(v)) is not v", -1, differences(landed, r.Value)}
		}
	}
	return encoded, nil
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
