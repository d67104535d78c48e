package suites

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math/rand"
	"strconv"
	"strings"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

func encodeValues() Suite {
	return &suite[judge.Value]{
		about: about{
			name: "codec/encode/values", title: "values of every kind: PHP writes the same bytes and reads the same value",
			clauses: []string{"V-1", "V-9", "V-10", "P-3", "T-1"}, share: 20, size: 200,
		},
		make: each(func(r *rand.Rand) judge.Value { return judge.Of(gen.RandomValue(r, gen.Options{})) }),
		judge: func(ctx context.Context, _ *php, c *oracle.Client, cases []judge.Value, seen *judge.Visits) ([]*judge.Finding, error) {
			findings, err := judge.Values(ctx, c, cases)
			if err != nil {
				return nil, err
			}
			for i, v := range cases {
				if findings[i] == nil {
					findings[i] = judge.Tagged(v, false)
				}
			}
			seen.Values(cases)
			return findings, nil
		},
		smaller: func(v judge.Value) []judge.Value {
			var smaller []judge.Value
			for _, s := range gen.SmallerValues(v.Value) {
				smaller = append(smaller, judge.Of(s))
			}
			return smaller
		},
		show: showValue,
	}
}

func showValue(v judge.Value) shown {
	encoded, _ := codec.Encode(v.Value) // what cannot be encoded has no bytes to show
	return shown{input: encoded, tagged: v.Tagged, replay: "--value '" + string(v.Tagged) + "'"}
}

// keyTexts are raw keys, before PHP or the reference turned any into ints.
type keyTexts []string

// encodeKeys: PHP is given the keys as strings and makes ints of them itself.
func encodeKeys() Suite {
	return &suite[keyTexts]{
		about: about{
			name: "codec/encode/keys", title: "string keys: the reference makes ints of exactly those that PHP does",
			clauses: []string{"K-2", "A-2", "A-3"}, share: 10, size: 1000,
		},
		make: each(func(r *rand.Rand) keyTexts {
			texts := make(keyTexts, 1+r.Intn(3))
			for i := range texts {
				texts[i] = gen.RandomKeyText(r)
			}
			return texts
		}),
		judge: func(ctx context.Context, _ *php, c *oracle.Client, cases []keyTexts, seen *judge.Visits) ([]*judge.Finding, error) {
			values := make([]judge.Value, len(cases))
			for i, k := range cases {
				values[i] = k.value()
			}
			findings, err := judge.Values(ctx, c, values)
			if err != nil {
				return nil, err
			}
			for i, k := range cases {
				if findings[i] == nil {
					findings[i] = judge.Tagged(values[i], k.numeric())
				}
			}
			seen.Values(values)
			return findings, nil
		},
		smaller: func(k keyTexts) []keyTexts {
			var smaller []keyTexts
			for i, text := range k {
				if len(k) > 1 {
					smaller = append(smaller, append(append(keyTexts{}, k[:i]...), k[i+1:]...))
				}
				for cut := range text {
					less := append(keyTexts{}, k...)
					less[i] = text[:cut] + text[cut+1:]
					smaller = append(smaller, less)
				}
			}
			return smaller
		},
		show: func(k keyTexts) shown { return showValue(k.value()) },
	}
}

// numeric tells whether one of the texts is an int to PHP.
func (k keyTexts) numeric() bool {
	for _, text := range k {
		if _, isInt := codec.StringKey(text).Int(); isInt {
			return true
		}
	}
	return false
}

// value is an array with these keys. A reserved name is changed, so that it makes
// no handle.
func (k keyTexts) value() judge.Value {
	var tagged strings.Builder
	tagged.WriteString(`{"t":"array","v":[`)
	var es []codec.Entry
	for i, text := range k {
		if strings.HasPrefix(text, "__") {
			text = "x" + text
		}
		if i > 0 {
			tagged.WriteByte(',')
		}
		b64, _ := json.Marshal(base64.StdEncoding.EncodeToString([]byte(text)))
		tagged.WriteString(`[{"b64":` + string(b64) + `},{"t":"int","v":"` + strconv.Itoa(i) + `"}]`)
		es = append(es, codec.Entry{Key: codec.StringKey(text), Value: codec.Int(int64(i))})
	}
	tagged.WriteString("]}")
	return judge.Value{Value: codec.Array(es...), Tagged: []byte(tagged.String())}
}
