package suites

import (
	"context"
	"fmt"
	"strings"

	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// limitsProportion: large payloads of the sorts at which a reader that is not
// linear in the input stands still, and small ones that claim much.
func limitsProportion() Suite {
	all := hostile(1 << 19)
	return &suite[[]byte]{
		about: about{
			name: "limits/proportion", title: "hostile payloads: memory and time in proportion to the bytes",
			clauses: []string{"L-2", "L-4", "E-3"}, fixed: len(all), size: 1, alone: true,
		},
		make: list(all),
		judge: func(_ context.Context, _ *php, _ *oracle.Client, cases [][]byte, seen *judge.Visits) ([]*judge.Finding, error) {
			findings := make([]*judge.Finding, len(cases))
			for i, b := range cases {
				findings[i] = judge.Proportion(b, judge.Decoding)
				seen.Add(judge.L2|judge.L4|judge.E3, judge.Verdict{Sort: "payload", Who: "read in proportion"})
			}
			return findings, nil
		},
		smaller: gen.SmallerPayloads,
		show:    showPayload,
	}
}

// hostile are payloads of about so many bytes, and small ones that claim so many
// elements or bytes.
func hostile(size int) [][]byte {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	array := func(element func(i int) string) string {
		var b strings.Builder
		n := 0
		for ; b.Len() < size; n++ {
			b.WriteString(element(n))
		}
		return fmt.Sprintf("a:%d:{%s}", n, b.String())
	}
	texts := []string{
		"i:" + repeat("0") + "5;", "s:" + repeat("0") + `1:"a";`, "a:" + repeat("0") + "0:{}",
		"d:" + repeat("9") + ";", "d:0." + repeat("0") + "1;", "d:1." + repeat("9") + "e5;", "d:1e" + repeat("0") + "5;",
		repeat("a:1:{i:0;"), repeat("a:0:{}"), repeat("}"), repeat("N;"), repeat(`s:1:"`),
		array(func(i int) string { return fmt.Sprintf("i:%d;N;", i) }),
		array(func(i int) string { return fmt.Sprintf("i:%d;N;", -i) }),
		array(func(i int) string { return fmt.Sprintf("i:%d;N;", i<<24) }),
		array(func(i int) string { return fmt.Sprintf(`s:8:"%08d";N;`, i) }),
		array(func(i int) string { return fmt.Sprintf(`s:8:"__%06d";N;`, i) }),
		array(func(int) string { return "i:5;N;" }),
		array(func(i int) string { return fmt.Sprintf("i:%d;a:1:{i:0;a:0:{}}", i) }),
	}
	for _, n := range []string{"1000000", "99999999", "2147483647", "9999999999", "18446744073709551615"} {
		texts = append(texts, "a:"+n+":{i:0;N;", "a:"+n+":{}", "s:"+n+`:"a`, "a:1:{s:"+n+`:"a";N;}`,
			strings.Repeat("a:"+n+":{i:0;", 100), "a:1:{i:0;a:"+n+`:{s:1:"k";`)
	}
	payloads := make([][]byte, len(texts))
	for i, t := range texts {
		payloads[i] = []byte(t)
	}
	return payloads
}
