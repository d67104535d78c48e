package suites

import (
	"context"
	"math/rand"
	"strconv"
	"strings"

	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// payloads is a suite of payloads, each judged by P1, P3 and P4.
func payloads(a about, make func(r *rand.Rand, first, n int) [][]byte) Suite {
	return &suite[[]byte]{
		about: a,
		make:  make,
		judge: func(ctx context.Context, p *php, c *oracle.Client, cases [][]byte, seen *judge.Visits) ([]*judge.Finding, error) {
			read := judge.Read(cases)
			findings, err := judge.Payloads(ctx, c, p.behaviour(), read)
			if err == nil {
				seen.Payloads(read)
			}
			return findings, err
		},
		smaller: gen.SmallerPayloads,
		show:    showPayload,
	}
}

func showPayload(b []byte) shown {
	return shown{input: b, replay: judge.ReplayPayload(b), file: judge.ReplayPayload(b)}
}

// each makes the cases of a batch one by one.
func each[T any](f func(r *rand.Rand) T) func(*rand.Rand, int, int) []T {
	return func(r *rand.Rand, _, n int) []T {
		cases := make([]T, n)
		for i := range cases {
			cases[i] = f(r)
		}
		return cases
	}
}

// list makes the cases of a fixed list.
func list[T any](all []T) func(*rand.Rand, int, int) []T {
	return func(_ *rand.Rand, first, n int) []T { return all[first : first+n] }
}

func decodeMutated() Suite {
	return payloads(about{
		name: "codec/decode/mutated", title: "almost valid payloads: the reference reads them as PHP does",
		clauses: []string{"P-2", "P-3", "I-1", "S-1", "D-2", "A-1", "A-2", "K-1", "K-2", "P-5"}, share: 45, size: 500,
	}, each(gen.RandomPayload))
}

// decodeHandles: descriptors, and what nearly is one.
func decodeHandles() Suite {
	return payloads(about{
		name: "codec/decode/handles", title: "handles, and arrays that nearly are: accepted by shape alone",
		clauses: []string{"H-1", "H-2", "H-3", "H-4", "H-5"}, share: 10, size: 500,
	}, each(func(r *rand.Rand) []byte { return []byte(gen.RandomDescriptor(r)) }))
}

func bytesNoise() Suite {
	return payloads(about{
		name: "bytes/noise", title: "noise over the wire's alphabet: the same verdict, and no panic",
		clauses: []string{"P-2", "E-3"}, share: 10, size: 1000,
	}, each(func(r *rand.Rand) []byte { return gen.RandomBytesOverAlphabet(r, 1+r.Intn(24)) }))
}

func bytesRandom() Suite {
	return payloads(about{
		name: "bytes/random", title: "bytes of any kind: the same verdict, and no panic",
		clauses: []string{"P-2", "E-3"}, share: 5, size: 1000,
	}, each(func(r *rand.Rand) []byte {
		b := make([]byte, r.Intn(64))
		r.Read(b)
		return b
	}))
}

// depthLimit: every shape of nesting around the limit, and far beyond it.
func depthLimit() Suite {
	var all [][]byte
	shapes := [][3]string{
		{`a:1:{i:0;`, `a:0:{}`, `}`}, {`a:1:{i:0;`, `N;`, `}`}, {`a:1:{s:1:"k";`, `i:1;`, `}`}, {`a:1:{i:7;`, `a:0:{}`, `}`},
		{`a:2:{i:0;N;i:1;`, `a:0:{}`, `}`}, {`a:2:{i:0;`, `a:0:{}`, `i:1;N;}`},
		{`a:1:{i:0;`, `a:1:{s:8:"__pclass";s:1:"A";}`, `}`},
		{`a:1:{i:0;`, `a:3:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`, `}`},
		{`a:1:{i:0;`, `a:3:{s:9:"__phandle";i:1;s:7:"__class";s:1:"A";s:12:"__implements";a:0:{}}`, `}`},
		{`a:4:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{i:0;`, `N;`, `}}`},
	}
	for _, s := range shapes {
		for _, depth := range []int{1, 2, 3, 254, 255, 256, 257, 509, 510, 511, 512, 513, 514, 600, 1024} {
			all = append(all, []byte(strings.Repeat(s[0], depth)+s[1]+strings.Repeat(s[2], depth)))
		}
		all = append(all, []byte(strings.Repeat(s[0], 3000)))
	}
	return payloads(about{
		name: "depth/limit", title: "nesting of every shape around the limit of 512",
		clauses: []string{"L-1"}, fixed: len(all), size: 20,
	}, list(all))
}

// limitsClaims: lengths and counts that are not there, and where they wrap.
func limitsClaims() Suite {
	var all [][]byte
	numbers := []string{"0", "1", "2", "3", "00", "01", "0002", "10", "255", "65536", "2147483646", "2147483647", "2147483648",
		"4294967295", "4294967296", "4294967297", "9223372036854775807", "9223372036854775808", "18446744073709551615",
		"18446744073709551616", "18446744073709551617", "99999999999999999999", "-1", "+1", "-0", "", "1e1", "0x1", "1.0", " 1", "1 "}
	for _, n := range numbers {
		for _, p := range []string{`s:N:"";`, `s:N:"a";`, `s:N:"ab";`, `s:N:"`, `s:N:`, `s:N`, `a:N:{}`, `a:N:{i:0;i:1;}`, `a:N:{i:0;i:1;i:1;i:2;}`, `a:N:{`, `a:N:`, `a:N`,
			`a:1:{i:0;s:N:"a";}`, `a:1:{s:N:"a";N;}`, `a:1:{i:0;a:N:{i:0;N;}}`, `i:N;`, `a:1:{i:N;N;}`, `d:N;`, `b:N;`, `a:2:{i:0;N;i:N;N;}`} {
			all = append(all, []byte(strings.ReplaceAll(p, "N", n)))
		}
	}
	// Ints around what fits.
	for _, base := range []string{"9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551616", "00000000000000000000005"} {
		for _, sign := range []string{"", "-", "+"} {
			all = append(all, []byte("i:"+sign+base+";"), []byte("a:1:{i:"+sign+base+";N;}"),
				[]byte("a:1:{s:"+strconv.Itoa(len(sign+base))+":\""+sign+base+"\";N;}"))
		}
	}
	return payloads(about{
		name: "limits/claims", title: "lengths, counts and ints that are not there or do not fit",
		clauses: []string{"L-2", "L-3", "I-2"}, fixed: len(all), size: 100,
	}, list(all))
}
