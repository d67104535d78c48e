package judge

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// batch is how many cases the benchmarks judge at a time.
const batch = 1000

// benchmarkCases are cases as a fuzz target has them: mutants of payloads, and
// small values.
func benchmarkCases() (payloads [][]byte, values []Value) {
	r := gen.NewRand(1)
	for len(payloads) < batch {
		m := gen.NewMutator(gen.RandomPayload(r))
		for range 20 {
			payloads = append(payloads, m.Mutate(r))
		}
	}
	for i := range batch {
		values = append(values, Of(gen.RandomValue(r, gen.Options{MaxNodes: 1 + i%12})))
	}
	return payloads, values
}

// asking runs a benchmark of what asks PHP, and reports beside its time, as
// php-ns/case, the processor's time that PHP took to answer.
func asking(b *testing.B, c *oracle.Client, ask func(context.Context) error) {
	b.Helper()
	ctx := b.Context()
	v, err := c.CallFunction(ctx, "getmypid")
	require.NoError(b, err)
	pid, _ := v.Int()
	took := func() int64 {
		text, err := os.ReadFile("/proc/" + strconv.FormatInt(pid, 10) + "/schedstat")
		require.NoError(b, err)
		ns, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		require.NoError(b, err)
		return ns
	}
	before := took()
	for b.Loop() {
		if err := ask(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(took()-before)/float64(b.N*batch), "php-ns/case")
}

// judging runs a benchmark of what is done in Go alone, and reports as go-ns/case
// the processor's time that it takes.
func judging(b *testing.B, judge func()) {
	b.Helper()
	defer CollectSeldom()()
	took := func() int64 {
		var usage syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		return usage.Utime.Nano() + usage.Stime.Nano()
	}
	b.ReportAllocs()
	before := took()
	for b.Loop() {
		judge()
	}
	b.ReportMetric(float64(took()-before)/float64(b.N*batch), "go-ns/case")
}

// BenchmarkJudgePayloads judges a batch of payloads with PHP's answers recorded,
// and has PHP answer it.
func BenchmarkJudgePayloads(b *testing.B) {
	payloads, _ := benchmarkCases()
	c := oracletest.Client(b, oracletest.Best(b), nil)
	facts, err := c.Facts(b.Context())
	require.NoError(b, err)
	is := BehaviourOf(facts)
	ps := Read(payloads)
	readings := make([][]byte, len(ps))
	for i, p := range ps {
		readings[i] = p.reading
	}
	unlike, warned, err := c.ComparePayloads(b.Context(), payloads, readings)
	require.NoError(b, err)
	others := compared(ps, unlike, warned, make([]*Finding, len(ps)))
	answers, err := ask(b.Context(), c, others)
	require.NoError(b, err)
	b.Logf("%d payloads, of which PHP reads %d otherwise, or with a warning", len(ps), len(others))

	b.Run("go", func(b *testing.B) {
		judging(b, func() {
			ps := Read(payloads)
			findings := make([]*Finding, len(ps))
			judgeOthers(is, compared(ps, unlike, warned, findings), unlike, answers, findings)
		})
	})
	b.Run("php", func(b *testing.B) {
		asking(b, c, func(ctx context.Context) error {
			_, _, err := c.ComparePayloads(ctx, payloads, readings)
			if err == nil {
				_, err = ask(ctx, c, others)
			}
			return err
		})
	})
}

// BenchmarkJudgeValues is BenchmarkJudgePayloads for the encoder.
func BenchmarkJudgeValues(b *testing.B) {
	_, values := benchmarkCases()
	c := oracletest.Client(b, oracletest.Best(b), nil)
	findings := make([]*Finding, len(values))
	asked := encodeAll(values, findings)
	unlike, err := c.CompareValues(b.Context(), asked.tagged, asked.encoded)
	require.NoError(b, err)
	b.Logf("%d values, of which PHP cannot compare %d", len(values), len(unlike))

	b.Run("go", func(b *testing.B) {
		judging(b, func() {
			for _, v := range values {
				_ = codec.AppendTagged(nil, v.Value) // as Of does
			}
			encodeAll(values, make([]*Finding, len(values))).only(unlike)
		})
	})
	b.Run("php", func(b *testing.B) {
		asking(b, c, func(ctx context.Context) error {
			_, err := c.CompareValues(ctx, asked.tagged, asked.encoded)
			return err
		})
	})
}
