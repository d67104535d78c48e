package judge_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// large is a payload of 10 kB that holds the given one.
func large(t *testing.T, inside string) []byte {
	r := gen.NewRand(1)
	var b []byte
	n := 0
	for ; len(b) < 10_000; n++ {
		v, err := codec.Encode(gen.RandomValue(r, gen.Options{MaxNodes: 30, MaxDepth: 4}))
		require.NoError(t, err)
		if n == 70 {
			v = []byte(inside)
		}
		b = append(fmt.Appendf(b, "i:%d;", n), v...)
	}
	return append(append(fmt.Appendf(nil, "a:%d:{", n), b...), '}')
}

// A case that ends the child, or hangs it, shrinks too, in a bounded number of
// attempts, and what only is wrong in another way does not count.
func TestShrinkWhatCostsTheChild(t *testing.T) {
	for _, tc := range []struct {
		how, kind    string
		limit, hangs time.Duration
	}{
		{"sleep", "PHP hangs on it", time.Second, 300 * time.Millisecond},
		{"exit", "PHP dies of it", 20 * time.Second, 20 * time.Second},
	} {
		t.Run(tc.how, func(t *testing.T) {
			c := oracletest.Client(t, oracletest.Best(t), nil)
			costs := 0
			misbehaving := func(ctx context.Context, cases [][]byte) ([]*judge.Finding, error) {
				for _, b := range cases {
					if bytes.Contains(b, []byte(`d:-1e30`)) {
						costs++
						_, err := c.CallFunction(ctx, "__phpwire_misbehave", codec.String(tc.how))
						return nil, err
					}
				}
				_, err := c.Reserialize(ctx, cases)
				return make([]*judge.Finding, len(cases)), err
			}
			start := large(t, `a:2:{s:3:"abc";N;i:7;d:-1e300;}`)
			s := judge.Shrinker[[]byte]{
				Smaller: gen.SmallerPayloads, Judge: misbehaving, Limit: tc.limit, HangLimit: tc.hangs,
				Ready: func(ctx context.Context) error {
					_, err := c.Facts(ctx)
					return err
				},
			}
			f := &judge.Finding{Invariant: "P6", Clause: "E-3", Kind: tc.kind}
			began := time.Now()
			small, f, err := s.Shrink(t.Context(), start, f)
			require.NoError(t, err)
			t.Logf("%d bytes to %d in %v, %d children: %s", len(start), len(small), time.Since(began), costs, small)
			assert.Equal(t, "d:-1e30", string(small))
			assert.Equal(t, tc.kind, f.Kind)
			assert.Contains(t, f.Title, map[string]string{"sleep": "does not answer", "exit": "exit status 3"}[tc.how])
			assert.LessOrEqual(t, costs, 42)
		})
	}
}

// Where nothing is as slow again, the case stays as it was.
func TestWhatOnlyWasSlowStays(t *testing.T) {
	var slow bool
	s := judge.Shrinker[[]byte]{Smaller: gen.SmallerPayloads, Limit: time.Minute, HangLimit: time.Millisecond,
		Judge: func(ctx context.Context, cases [][]byte) ([]*judge.Finding, error) {
			if deadline, _ := ctx.Deadline(); time.Until(deadline) < 100*time.Millisecond {
				slow = true
				<-ctx.Done()
				return nil, &oracle.FatalError{Err: ctx.Err(), Killed: true}
			}
			return make([]*judge.Finding, len(cases)), nil
		}}
	f := &judge.Finding{Invariant: "P6", Clause: "E-3", Kind: "PHP hangs on it"}
	small, again, err := s.Shrink(t.Context(), []byte("a:1:{i:0;N;}"), f)
	require.NoError(t, err)
	assert.True(t, slow)
	assert.Equal(t, "a:1:{i:0;N;}", string(small))
	assert.Same(t, f, again)
}

// What is wrong shrinks to what is wrong in the same way, in bounded time.
func TestShrinkKeepsTheKind(t *testing.T) {
	wrong := func(_ context.Context, cases [][]byte) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, b := range cases {
			switch {
			case bytes.Contains(b, []byte("55")):
				findings[i] = &judge.Finding{Invariant: "P3", Kind: "one", Title: string(b)}
			case bytes.Contains(b, []byte("5")):
				findings[i] = &judge.Finding{Invariant: "P3", Kind: "another"}
			}
		}
		return findings, nil
	}
	s := judge.Shrinker[[]byte]{Smaller: gen.SmallerPayloads, Judge: wrong, Limit: time.Minute}
	small, f, err := s.Shrink(t.Context(), []byte(`a:2:{i:0;s:7:"abc5555";i:1;i:5;}`), &judge.Finding{Invariant: "P3", Kind: "one"})
	require.NoError(t, err)
	assert.Equal(t, "55", string(small))
	assert.Equal(t, "55", f.Title)

	s.Time = time.Nanosecond
	_, _, err = s.Shrink(t.Context(), []byte(`a:2:{i:0;s:7:"abc5555";i:1;i:5;}`), f)
	assert.NoError(t, err)
}

// Who needs one finding pays for no children behind it.
func TestFirstSurvivingStopsAtAFinding(t *testing.T) {
	deaths := 0
	judging := func(_ context.Context, cases []int) ([]*judge.Finding, error) {
		if len(cases) > 3 {
			deaths++
			return nil, &oracle.FatalError{Err: context.Canceled}
		}
		findings := make([]*judge.Finding, len(cases))
		for i, c := range cases {
			if c == 5 || c == 90 {
				findings[i] = &judge.Finding{Kind: "wrong"}
			}
		}
		return findings, nil
	}
	cases := make([]int, 100)
	for i := range cases {
		cases[i] = i
	}
	findings, err := judge.FirstSurviving(t.Context(), cases, time.Minute, judging)
	require.NoError(t, err)
	require.Len(t, findings, 100)
	assert.NotNil(t, findings[5])
	assert.Nil(t, findings[90])
	assert.Less(t, deaths, 10)
	deaths = 0
	findings, err = judge.Surviving(t.Context(), cases, time.Minute, judging)
	require.NoError(t, err)
	assert.NotNil(t, findings[5])
	assert.NotNil(t, findings[90])
	assert.Greater(t, deaths, 20)
}
