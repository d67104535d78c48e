package gen_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/floatfmt"
	"phpwire/frames"
	"phpwire/fuzz/gen"
)

func newRand(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// nodes calls visit with every value in v and the number of containers around it.
func nodes(v codec.Value, depth int, visit func(v codec.Value, depth int)) {
	visit(v, depth)
	for _, e := range v.All() {
		nodes(e, depth+1, visit)
	}
	if h, ok := v.RustHandle(); ok && h.Snapshot != nil {
		nodes(*h.Snapshot, depth+1, visit)
	}
}

func TestValuesOfEveryKindAndSize(t *testing.T) {
	r := newRand(1)
	kinds := map[codec.Kind]int{}
	var sizes, depths [5]int // 1, to 10, to 100, to 1000, more
	bucket := func(n int) int {
		for i, limit := range []int{1, 10, 100, 1000} {
			if n <= limit {
				return i
			}
		}
		return 4
	}
	deepest, inSnapshot, snapshots := 0, 0, 0
	const draws = 20_000
	for range draws {
		v := gen.RandomValue(r, gen.Options{})
		_, err := codec.Encode(v)
		require.NoError(t, err)
		size, depth := 0, 0
		nodes(v, 1, func(v codec.Value, d int) {
			kinds[v.Kind()]++
			size++
			if v.Kind() >= codec.KindList {
				depth = max(depth, d)
			}
			if h, ok := v.RustHandle(); ok && h.Snapshot != nil {
				snapshots++
				if d > 500 {
					inSnapshot++
				}
			}
		})
		sizes[bucket(size)]++
		depths[bucket(depth)]++
		if depth == codec.MaxDepth {
			deepest++
		}
	}
	t.Logf("kinds %v", kinds)
	t.Logf("of 1, to 10, 100, 1000, more nodes: %v; as many deep: %v; at the limit %d; snapshots %d, below depth 500: %d", sizes, depths, deepest, snapshots, inSnapshot)
	for k := codec.KindNull; k <= codec.KindPhpClass; k++ {
		assert.Greater(t, kinds[k], draws/50, "%v", k)
	}
	assert.Greater(t, sizes[0]+sizes[1], draws/2, "mostly small")
	assert.Greater(t, sizes[4], 5, "sometimes thousands")
	assert.Greater(t, depths[0]+depths[1], draws*9/10, "mostly shallow")
	assert.Greater(t, deepest, draws/1000, "sometimes at the limit")
	assert.Positive(t, inSnapshot, "snapshots at the limit")
}

func TestOptionsBoundValues(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    gen.Options
	}{
		{"one node", gen.Options{MaxNodes: 1}},
		{"few nodes", gen.Options{MaxNodes: 7}},
		{"no containers", gen.Options{MaxDepth: -1}},
		{"one level", gen.Options{MaxDepth: 1}},
		{"three levels", gen.Options{MaxDepth: 3}},
		{"no objects, no handles", gen.Options{Without: gen.Handles | gen.Kinds(codec.KindObject)}},
		{"no lists", gen.Options{Without: gen.Kinds(codec.KindList)}},
		{"no arrays", gen.Options{Without: gen.Kinds(codec.KindArray, codec.KindFloat)}},
		{"nothing", gen.Options{Without: ^gen.KindSet(0)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRand(2)
			for range 3000 {
				v := gen.RandomValue(r, tc.o)
				size := 0
				nodes(v, 1, func(v codec.Value, d int) {
					size++
					require.False(t, tc.o.Without.Has(v.Kind()) && !v.IsNull(), "%v in %v", v.Kind(), v)
					if tc.o.MaxDepth != 0 && v.Kind() >= codec.KindList {
						if v.Kind() == codec.KindPhpHandle {
							d++
						}
						require.LessOrEqual(t, d, max(tc.o.MaxDepth, 0))
					}
				})
				if tc.o.MaxNodes != 0 {
					require.LessOrEqual(t, size, tc.o.MaxNodes)
				}
			}
		})
	}
}

func TestSameSeedSameDraws(t *testing.T) {
	a, b := newRand(3), newRand(3)
	for range 500 {
		require.True(t, gen.RandomValue(a, gen.Options{}).Equal(gen.RandomValue(b, gen.Options{})))
		require.Equal(t, gen.RandomPayload(a), gen.RandomPayload(b))
		require.Equal(t, gen.RandomStream(a, frames.FromAnyone), gen.RandomStream(b, frames.FromAnyone))
		require.Equal(t, gen.RandomChunks(a, 100), gen.RandomChunks(b, 100))
	}
}

func TestPayloadMix(t *testing.T) {
	r := newRand(4)
	const draws = 50_000
	accepted, canonical, size := 0, 0, 0
	refused := map[codec.ErrorKind]int{}
	for range draws {
		b := gen.RandomPayload(r)
		size += len(b)
		_, err := codec.Decode(b, codec.Plugin)
		var e *codec.Error
		if errors.As(err, &e) {
			refused[e.Kind]++
			continue
		}
		accepted++
		if _, err := codec.Decode(b, codec.Canonical); err == nil {
			canonical++
		}
	}
	t.Logf("accepted %.1f %%, canonical %.1f %%, refused %v, %d bytes on average", 100*float64(accepted)/draws, 100*float64(canonical)/draws, refused, size/draws)
	assert.InDelta(t, 0.45, float64(accepted)/draws, 0.15)
	assert.Greater(t, accepted-canonical, draws/20, "spellings that only PHP's leniency accepts")
	for k := codec.Truncated; k <= codec.Reserved; k++ {
		if k != codec.NotCanonical {
			assert.Greater(t, refused[k], draws/2000, "%v", k)
		}
	}
}

func TestMutationMix(t *testing.T) {
	r := newRand(5)
	drawn, accepted, same := map[gen.Mutation]int{}, map[gen.Mutation]int{}, map[gen.Mutation]int{}
	for range 50_000 {
		b := gen.RandomValidPayload(r)
		before := bytes.Clone(b)
		out, kind := gen.MutateNamed(r, b)
		require.Equal(t, before, b, "the input was changed by %v", kind)
		drawn[kind]++
		if _, err := codec.Decode(out, codec.Plugin); err == nil {
			accepted[kind]++
		}
		if bytes.Equal(b, out) {
			same[kind]++
		}
	}
	for _, m := range gen.Mutations() {
		t.Logf("%-18v drawn %5d, accepted %3d %%, without effect %3d %%", m, drawn[m], 100*accepted[m]/max(drawn[m], 1), 100*same[m]/max(drawn[m], 1))
		assert.Greater(t, drawn[m], 300, "%v", m)
		assert.Less(t, same[m], max(drawn[m]/3, 1), "%v", m)
	}
}

func TestMutateTakesAnyBytes(t *testing.T) {
	r := newRand(6)
	for _, b := range [][]byte{nil, []byte("}"), []byte("}}}"), []byte("a:2:{"), []byte("a:1:{a:1:{a:1:{N;"), bytes.Repeat([]byte("x;"), 5000), []byte("i:0;}a:1:{}N;}")} {
		for _, m := range gen.Mutations() {
			for range 20 {
				gen.MutateWith(r, b, m)
			}
		}
	}
	for range 20_000 {
		b := gen.RandomBytesOverAlphabet(r, r.Intn(30))
		for range 3 {
			b = gen.Mutate(r, b)
		}
	}
}

func TestFramesCanBeSent(t *testing.T) {
	r := newRand(7)
	tags := map[frames.Tag]int{}
	for _, side := range []frames.Side{frames.FromHost, frames.FromPHP, frames.FromAnyone} {
		for range 2000 {
			f := gen.RandomFrame(r, side)
			tags[f.Tag()]++
			b, err := frames.Append(nil, f)
			require.NoError(t, err)
			got, err := frames.NewReader(bytes.NewReader(b), side).Read()
			require.NoError(t, err, "%v", f)
			require.Equal(t, f.CorrID(), got.CorrID())
		}
	}
	assert.Len(t, tags, 10)
}

func TestStreamMix(t *testing.T) {
	r := newRand(8)
	verdicts := map[string]int{}
	for range 8000 {
		b := gen.RandomStream(r, frames.FromHost)
		reader := frames.NewReader(bytes.NewReader(b), frames.FromHost)
		for {
			_, err := reader.Read()
			if err == nil {
				continue
			}
			var e *frames.Error
			if errors.As(err, &e) {
				verdicts[e.Kind.String()]++
			} else {
				require.Equal(t, io.EOF, err)
				verdicts["whole"]++
			}
			break
		}
	}
	t.Logf("%v", verdicts)
	for k := frames.TooShort; k <= frames.BadField; k++ {
		assert.Greater(t, verdicts[k.String()], 10, "%v", k)
	}
	assert.Greater(t, verdicts["whole"], 3000)
}

func TestBreakTakesAnyBytes(t *testing.T) {
	r := newRand(9)
	kinds := map[gen.Breakage]int{}
	for range 20_000 {
		b := gen.RandomBytes(r)
		if coin := r.Intn(2); coin == 0 {
			b = gen.RandomValidStream(r, frames.FromPHP)
		}
		before := bytes.Clone(b)
		_, kind := gen.Break(r, b)
		require.Equal(t, before, b)
		kinds[kind]++
	}
	assert.Len(t, kinds, len(gen.Breakages()))
}

func TestChunksAddUp(t *testing.T) {
	r := newRand(10)
	for range 2000 {
		n, sum := r.Intn(200), 0
		for _, c := range gen.RandomChunks(r, n) {
			require.Positive(t, c)
			sum += c
		}
		require.Equal(t, n, sum)
	}
}

func TestFloatsReachEveryEdge(t *testing.T) {
	r := newRand(11)
	var negativeZero, nan, negativeNaN, payload, infinite, subnormal, integral, random int
	for range 50_000 {
		f := gen.RandomFloat(r)
		bits := math.Float64bits(f)
		switch {
		case bits == 1<<63:
			negativeZero++
		case math.IsNaN(f):
			nan++
			if bits>>63 == 1 {
				negativeNaN++
			}
			if bits&(1<<50-1) != 0 {
				payload++
			}
		case math.IsInf(f, 0):
			infinite++
		case math.Abs(f) < 0x1p-1022:
			subnormal++
		case f == math.Trunc(f) && math.Abs(f) < 1e22:
			integral++
		default:
			random++
		}
	}
	t.Logf("-0 %d, NaN %d (negative %d, payload %d), infinite %d, subnormal %d, integral %d, others %d", negativeZero, nan, negativeNaN, payload, infinite, subnormal, integral, random)
	for name, n := range map[string]int{"-0": negativeZero, "nan": nan, "-nan": negativeNaN, "payload": payload, "inf": infinite, "subnormal": subnormal, "integral": integral, "others": random} {
		assert.Greater(t, n, 50, name)
	}
}

func TestGopterRunsTheGenerators(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(12)
	properties := gopter.NewProperties(parameters)
	properties.Property("values survive the wire", prop.ForAll(func(v codec.Value) (bool, error) {
		b, err := codec.Encode(v)
		if err != nil {
			return false, err
		}
		got, err := codec.Decode(b, codec.Canonical)
		return got.Equal(v.Landed()), err
	}, gen.Value()))
	properties.Property("others run", prop.ForAll(func(float64, int64, []byte, string, codec.Key, []byte, frames.Frame, []byte) bool { return true },
		gen.Float(), gen.Int(), gen.Bytes(), gen.KeyText(), gen.Key(), gen.Payload(), gen.Frame(), gen.Stream()))
	properties.TestingRun(t)
}

func TestGopterShrinksWhatFails(t *testing.T) {
	failing := prop.ForAll(func(v codec.Value) bool { return !hasLargeFloat(v) }, gen.Value())
	parameters := gopter.DefaultTestParametersWithSeed(13)
	parameters.MinSuccessfulTests = 10_000
	result := failing.Check(parameters)
	require.Equal(t, gopter.TestFailed, result.Status)
	require.Len(t, result.Args, 1)
	assert.Equal(t, "1.0E+17", result.Args[0].Arg.(codec.Value).String())
	assert.Positive(t, result.Args[0].Shrinks)
}

func TestBytesOfEverySort(t *testing.T) {
	r := newRand(14)
	var empty, notUTF8, quotes, payloads, numeric, long int
	const draws = 20_000
	for range draws {
		b := gen.RandomBytes(r)
		if len(b) == 0 {
			empty++
		}
		if !utf8.Valid(b) {
			notUTF8++
		}
		if bytes.Contains(b, []byte(`";`)) {
			quotes++
		}
		if _, err := codec.Decode(b, codec.Plugin); err == nil {
			payloads++
		}
		if _, err := strconv.ParseFloat(string(b), 64); err == nil {
			numeric++
		}
		if len(b) > 1000 {
			long++
		}
	}
	t.Logf("empty %d, not UTF-8 %d, with quotes %d, payloads %d, numbers %d, above 1,000 bytes %d", empty, notUTF8, quotes, payloads, numeric, long)
	for _, n := range []int{empty, notUTF8, quotes, payloads, numeric} {
		assert.Greater(t, n, draws/100)
	}
	assert.Greater(t, long, 5)
	assert.Less(t, long, draws/100)
}

func TestKeysOfEverySort(t *testing.T) {
	r := newRand(15)
	drawn := map[string]int{}
	for range 20_000 {
		drawn[gen.RandomKeyText(r)]++
	}
	for _, trap := range []string{
		"5", "05", "-0", "-5", "+5", " 5", "5 ", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"1e1", "0x1", "", "\x00", "__rhandle", "__phandle", "__pclass", "__rhandl", "_pclass",
	} {
		assert.Greater(t, drawn[trap], 10, "%q", trap)
	}
}

func TestIntsAtEveryEdge(t *testing.T) {
	r := newRand(16)
	drawn := map[int64]int{}
	for range 20_000 {
		drawn[gen.RandomInt(r)]++
	}
	for _, n := range []int64{0, -1, math.MaxInt64, math.MinInt64, math.MaxInt32 + 1, math.MinInt32 - 1, 1 << 53, 1_000_000_000_000_000_000, 1<<62 - 1} {
		assert.Positive(t, drawn[n], "%d", n)
	}
	assert.Greater(t, len(drawn), 5000)
}

func BenchmarkRandomValue(b *testing.B) {
	r := newRand(1)
	total := 0
	b.ReportAllocs()
	for b.Loop() {
		nodes(gen.RandomValue(r, gen.Options{}), 0, func(codec.Value, int) { total++ })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total), "ns/node")
}

func BenchmarkRandomPayload(b *testing.B) {
	r := newRand(1)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		size += len(gen.RandomPayload(r))
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/op")
}

// Extreme texts are numbers to the reference, and all sorts of them are drawn.
func TestExtremeFloatTexts(t *testing.T) {
	r := newRand(31)
	long, finite, balanced := 0, 0, 0
	for range 3000 {
		text := gen.ExtremeFloatText(r)
		f, err := floatfmt.Parse(text)
		require.NoError(t, err, "%.100s", text)
		if len(text) > 100 {
			long++
		}
		if f != 0 && !math.IsInf(f, 0) {
			finite++
			if len(text) > 10_000 {
				balanced++
			}
		}
	}
	t.Logf("of 3,000: %d of more than 100 bytes, %d finite, %d of these with thousands of digits", long, finite, balanced)
	assert.Greater(t, long, 500)
	assert.Greater(t, finite, 1000)
	assert.Greater(t, balanced, 50)
}
