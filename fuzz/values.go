package fuzz

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math/rand"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
	"phpwire/oracle"
)

// EncodePHP judges the encoder against PHP (P1, P2): the input's bytes decide
// what the value generator draws, and what they do not decide is drawn from a
// source that they seed.
func EncodePHP(t T, input []byte) {
	t.Helper()
	p, err := php()
	if err != nil {
		t.Fatal(err)
	}
	(&target[judge.Value]{
		name:  "FuzzEncodePHP",
		ready: p.ready,
		judge: func(ctx context.Context, cases []judge.Value) ([]*judge.Finding, error) {
			findings, err := judge.Values(ctx, p.client, cases)
			for i := range min(taggedCases, len(findings)) {
				if findings[i] == nil && cases[i].Raw == nil {
					findings[i] = judge.Tagged(cases[i], false)
				}
			}
			return findings, err
		},
		smaller: func(v judge.Value) []judge.Value {
			var smaller []judge.Value
			if v.Raw != nil {
				return smallerKeys(v)
			}
			for _, s := range gen.SmallerValues(v.Value) {
				smaller = append(smaller, judge.Of(s))
			}
			return smaller
		},
		explain: p.explainValue,
	}).check(t, drawValues(input))
}

// nodes is how many nodes the values of a batch may have, in turn: most faults
// show on few, and a small value costs PHP as much less as it is smaller.
var nodes = [...]int{1, 2, 1, 3, 2, 4, 1, 3, 2, 5, 12}

// drawValues returns a batch of values, none twice.
func drawValues(input []byte) []judge.Value {
	values := make([]judge.Value, 0, batchCases)
	had := make(seen, batchCases)
	for i := range batchCases {
		r := rand.New(&byteSource{left: input, then: source(binary.AppendUvarint(input[:len(input):len(input)], uint64(i)))})
		if i > 0 { // the beginnings of the others are changed
			r.Seed(int64(i))
		}
		var v judge.Value
		if i >= taggedCases && i%8 == 0 { // PHP makes the keys of these itself
			v = judge.Keys([]string{gen.RandomKeyText(r), gen.RandomKeyText(r)})
		} else {
			v = judge.Of(gen.RandomValue(r, gen.Options{MaxNodes: nodes[i%len(nodes)]}))
		}
		if !had.before(v.Tagged) {
			values = append(values, v)
		}
	}
	return values
}

// smallerKeys lists arrays with one of the keys that PHP was given.
func smallerKeys(v judge.Value) []judge.Value {
	var array struct {
		V [][2]struct{ B64 []byte }
	}
	if json.Unmarshal(v.Tagged, &array) != nil || len(array.V) < 2 {
		return nil
	}
	var smaller []judge.Value
	for _, pair := range array.V {
		smaller = append(smaller, judge.Keys([]string{string(pair[0].B64)}))
	}
	return smaller
}

// taggedCases is how many values of a batch have their tagged JSON read back:
// [Tagged] is for that.
const taggedCases = 16

func (p *reference) explainValue(ctx context.Context, v judge.Value) explanation {
	encoded, _ := codec.Encode(v.Value) // what cannot be encoded has no bytes to show
	e := explanation{input: encoded, replay: judge.ReplayValue(v), keep: judge.FileValue(v)}
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	c, err := replay.Value(ctx, v.Tagged, []*oracle.Client{p.client})
	if err != nil {
		return e
	}
	e.sides = append([]string{side("reference", c.Reference.Error == "", c.Reference.B64, c.Reference.Error)}, answerSides(c.PHP)...)
	return e
}

// byteSource is a source of random numbers that begins with given bytes, each of
// which is one number: a change of a byte is a change of one draw.
type byteSource struct {
	left []byte
	then *rand.Rand
}

// Int63 spreads the next byte over the high bits, which is where draws look.
func (s *byteSource) Int63() int64 {
	if len(s.left) == 0 {
		return s.then.Int63()
	}
	b := s.left[0]
	s.left = s.left[1:]
	return int64(b)<<55 | int64(b)<<24 | int64(b)
}

// Seed skips some of the bytes, and changes the next.
func (s *byteSource) Seed(seed int64) {
	skip := int(seed) % (len(s.left) + 1)
	s.left = s.left[skip:]
	if len(s.left) > 0 {
		s.left = append([]byte{s.left[0] ^ byte(seed)}, s.left[1:]...)
	}
}
