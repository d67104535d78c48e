package oracle_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// best is the shortest of several times. The machine may be busy: what is
// compared is measured in turns, and the best turn of each counts.
type best time.Duration

func (b *best) add(d best) {
	if *b == 0 || d < *b {
		*b = d
	}
}

const callsPerTurn = 2000

// BenchmarkCall asks for strlen("abc"), one call at a time, and sends as many
// bytes to and fro on a socket without frames. It shows the ratio of the best
// turns.
func BenchmarkCall(b *testing.B) {
	ctx := context.Background()
	c := oracletest.Client(b, oracletest.Best(b), nil)
	args := []codec.Value{codec.String("abc")}
	if _, err := c.CallFunction(ctx, "strlen", args...); err != nil {
		b.Fatal(err)
	}
	wire := launch(b)
	var bare, calls best
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		bare.add(pingPong(b, wire))
		b.StartTimer()
		began := time.Now()
		for range callsPerTurn {
			if _, err := c.CallFunction(ctx, "strlen", args...); err != nil {
				b.Fatal(err)
			}
		}
		calls.add(best(time.Since(began)))
	}
	b.ReportMetric(float64(calls)/callsPerTurn, "ns/call")
	b.ReportMetric(float64(bare)/callsPerTurn, "ns/pingpong")
	b.ReportMetric(float64(calls)/float64(bare), "pingpongs/call")
}

// BenchmarkPingPong sends the bytes of such a call and of its answer, and
// nothing else.
func BenchmarkPingPong(b *testing.B) {
	wire := launch(b)
	var bare best
	for b.Loop() {
		bare.add(pingPong(b, wire))
	}
	b.ReportMetric(float64(bare)/callsPerTurn, "ns/pingpong")
}

func launch(b *testing.B) *oracle.Wire {
	wire, err := oracle.Launch(context.Background(), oracletest.Best(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { wire.End(time.Second) })
	return wire
}

func pingPong(b *testing.B, wire *oracle.Wire) best {
	b.Helper()
	there, err := frames.Append(nil, frames.CallFunction{ID: 1, Function: "strlen", Args: []codec.Value{codec.String("abc")}})
	if err != nil {
		b.Fatal(err)
	}
	back, err := frames.Append(nil, frames.Return{ID: 1, Value: codec.Int(3)})
	if err != nil {
		b.Fatal(err)
	}
	took, err := wire.PingPong(callsPerTurn, len(there), len(back))
	if err != nil {
		b.Fatal(err)
	}
	return best(took)
}

const casesPerTurn = 60_000

// questions are those that are asked in batches: how a case is made of a value,
// and how they are asked.
var questions = []struct {
	name oracle.Question
	make func(codec.Value) []byte
	ask  func(*oracle.Client, context.Context, [][]byte) ([]oracle.Answer, error)
}{
	{oracle.Reserialize, encode, (*oracle.Client).Reserialize},
	{oracle.Describe, encode, (*oracle.Client).Describe},
	{oracle.Build, func(v codec.Value) []byte { return codec.AppendTagged(nil, v) }, (*oracle.Client).Build},
	{oracle.Floats, func(v codec.Value) []byte {
		f, _ := v.Float()
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))
	}, askFloats},
}

func encode(v codec.Value) []byte {
	b, err := codec.Encode(v)
	if err != nil {
		panic(err)
	}
	return b
}

func askFloats(c *oracle.Client, ctx context.Context, cases [][]byte) ([]oracle.Answer, error) {
	fs := make([]float64, len(cases))
	for i, b := range cases {
		fs[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	_, err := c.Floats(ctx, fs, -1)
	return nil, err
}

// smallCases are the cases of a question: values of all kinds, of 36 bytes on
// average, or doubles.
func smallCases(q oracle.Question, make func(codec.Value) []byte) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	entry := func(k string, v codec.Value) codec.Entry { return codec.Entry{Key: codec.StringKey(k), Value: v} }
	var cases [][]byte
	for i := range int64(casesPerTurn) {
		v := codec.Float(r.Float64() * 1000)
		if q != oracle.Floats {
			v = [...]codec.Value{
				v,
				codec.Int(r.Int64N(1 << 32)),
				codec.String(fmt.Sprintf("%0*d", 1+r.IntN(40), i)),
				codec.List(codec.Int(1), codec.Int(2), codec.String("a")),
				codec.Array(entry("name", codec.String("x/y")), entry("version", codec.String(fmt.Sprint("1.2.", i))), entry("dev", codec.Bool(false))),
				codec.Null(),
				codec.List(codec.List(), codec.List(codec.Null(), codec.Bool(true)), codec.Array(entry("k", codec.List(codec.Float(1.5))))),
				codec.Array(entry("a", codec.Array(entry("b", codec.Array(entry("c", codec.Int(i))))))),
			}[i%8]
		}
		cases = append(cases, make(v))
	}
	return cases
}

// BenchmarkBatch asks each question about small cases, with one child and with
// two, and has PHP do the same work alone in a loop. It shows how much of PHP's
// own speed is reached; with two children 2 is all of it.
func BenchmarkBatch(b *testing.B) {
	for _, q := range questions {
		cases := smallCases(q.name, q.make)
		for children := 1; children <= 2; children++ {
			b.Run(fmt.Sprintf("%s/children=%d", q.name, children), func(b *testing.B) {
				pool := oracle.NewPool(oracletest.Best(b), children)
				b.Cleanup(pool.Close)
				var alone, batches best
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					alone.add(inParallel(b, pool.Clients()[:1], func(ctx context.Context, c *oracle.Client) (time.Duration, error) {
						return c.Alone(ctx, q.name, cases, 1)
					}))
					b.StartTimer()
					batches.add(inParallel(b, pool.Clients(), func(ctx context.Context, c *oracle.Client) (time.Duration, error) {
						began := time.Now()
						answers, err := q.ask(c, ctx, cases)
						for i, a := range answers {
							if !a.Clean() {
								return 0, fmt.Errorf("%s of %q: %q", q.name, cases[i], a.Warnings)
							}
						}
						return time.Since(began), err
					}) / best(children))
				}
				b.ReportMetric(perCase(alone), "ns/alone")
				b.ReportMetric(perCase(batches), "ns/case")
				b.ReportMetric(float64(alone)/float64(batches), "of-alone")
			})
		}
	}
}

// BenchmarkPHPAlone has PHP do the work of each question in a loop, in one child
// and in two at once.
func BenchmarkPHPAlone(b *testing.B) {
	for _, q := range questions {
		cases := smallCases(q.name, q.make)
		for children := 1; children <= 2; children++ {
			b.Run(fmt.Sprintf("%s/children=%d", q.name, children), func(b *testing.B) {
				pool := oracle.NewPool(oracletest.Best(b), children)
				b.Cleanup(pool.Close)
				var alone best
				for b.Loop() {
					alone.add(inParallel(b, pool.Clients(), func(ctx context.Context, c *oracle.Client) (time.Duration, error) {
						return c.Alone(ctx, q.name, cases, 1)
					}) / best(children))
				}
				b.ReportMetric(perCase(alone), "ns/case")
			})
		}
	}
}

func perCase(d best) float64 { return float64(d) / casesPerTurn }

// inParallel has every client do the same and returns the longest time.
func inParallel(b *testing.B, clients []*oracle.Client, do func(context.Context, *oracle.Client) (time.Duration, error)) best {
	took := make([]time.Duration, len(clients))
	g, ctx := errgroup.WithContext(context.Background())
	for i, c := range clients {
		g.Go(func() (err error) {
			took[i], err = do(ctx, c)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		b.Fatal(err)
	}
	return best(slices.Max(took))
}
