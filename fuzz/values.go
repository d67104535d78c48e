package fuzz

import (
	"context"
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
	tagged := make([]byte, 0, batchBytes) // of all
	seeds := source(input)
	from := &byteSource{then: gen.NewRand(0)}
	r := rand.New(from)
	for i := 0; i < mostDraws*batchCases && len(values) < batchCases; i++ {
		from.begin(input, i, seeds.Int63())
		var v judge.Value
		if i >= taggedCases && i%8 == 0 { // PHP makes the keys of these itself
			v = judge.Keys([]string{gen.RandomKeyText(r), gen.RandomKeyText(r)})
		} else {
			v.Value = gen.RandomValue(r, gen.Options{MaxNodes: nodes[i%len(nodes)]})
			start := len(tagged)
			tagged = codec.AppendTagged(tagged, v.Value)
			v.Tagged = tagged[start:len(tagged):len(tagged)] // which stays, should tagged grow
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

// byteSource is a source of random numbers that begins with bytes of an input, each of
// which is one number: a change of a byte is a change of one draw.
type byteSource struct {
	left []byte
	then *rand.Rand
}

// begin starts the numbers of a case: number 0 has the whole input, the others a piece
// of it. A long piece would decide all of a small value, and leave few to draw.
func (s *byteSource) begin(input []byte, number int, seed int64) {
	s.left = input
	if number > 0 {
		s.left = input[number%(len(input)+1):]
		s.left = s.left[:min(len(s.left), int(uint64(seed)%longestPiece))]
	}
	s.then.Seed(seed)
}

const longestPiece = 24

func (s *byteSource) Int63() int64 { return int64(s.Uint64() >> 1) }

// Uint64 repeats the next byte: some draws look at the highest bits, others at those
// below.
func (s *byteSource) Uint64() uint64 {
	if len(s.left) == 0 {
		return s.then.Uint64()
	}
	b := s.left[0]
	s.left = s.left[1:]
	return uint64(b) * 0x0101010101010101
}

// Seed is there for [rand.Source]: begin is what starts the numbers.
func (s *byteSource) Seed(seed int64) { s.then.Seed(seed) }
