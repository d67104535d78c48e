package suites

import (
	"context"
	"math/rand"

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
		smaller: smallerValues,
		show:    showValue,
	}
}

func smallerValues(v judge.Value) []judge.Value {
	var smaller []judge.Value
	for _, s := range gen.SmallerValues(v.Value) {
		smaller = append(smaller, judge.Of(s))
	}
	return smaller
}

func showValue(v judge.Value) shown {
	input := v.Raw
	if input == nil {
		input, _ = codec.Encode(v.Value) // what cannot be encoded has no bytes to show
	}
	return shown{input: input, tagged: v.Tagged, replay: judge.ReplayValue(v), file: judge.FileValue(v)}
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
				values[i] = judge.Keys(k)
			}
			findings, err := judge.Values(ctx, c, values)
			if err != nil {
				return nil, err
			}
			for i, k := range cases {
				if findings[i] == nil {
					findings[i] = judge.Tagged(values[i], judge.Numeric(k))
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
		show: func(k keyTexts) shown { return showValue(judge.Keys(k)) },
	}
}
