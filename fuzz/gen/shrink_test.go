package gen_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/fuzz/gen"
)

// judge makes a batch judge of a predicate.
func judge[T any](shows func(T) bool) func([]T) (int, error) {
	return func(batch []T) (int, error) {
		for i, c := range batch {
			if shows(c) {
				return i, nil
			}
		}
		return -1, nil
	}
}

// many is more rounds than any shrinking here needs.
const many = 2000

func encode(t *testing.T, v codec.Value) []byte {
	b, err := codec.Encode(v)
	require.NoError(t, err)
	return b
}

// haystack is maps of 300 entries with the needle in the last one of 20 levels.
func haystack(needle codec.Entry) codec.Value {
	r := newRand(20)
	v := codec.Array(needle)
	for range 20 {
		es := []codec.Entry{}
		for i := range 300 {
			es = append(es, codec.Entry{Key: codec.StringKey(fmt.Sprintf("k%d", i)), Value: gen.RandomValue(r, gen.Options{MaxNodes: 2, Without: gen.Kinds(codec.KindFloat)})})
		}
		es[r.Intn(300)].Value = v
		v = codec.Array(es...)
	}
	return v
}

func anyNode(v codec.Value, shows func(codec.Value) bool) bool {
	found := false
	nodes(v, 1, func(v codec.Value, _ int) { found = found || shows(v) })
	return found
}

func hasLargeFloat(v codec.Value) bool {
	return anyNode(v, func(v codec.Value) bool {
		f, ok := v.Float()
		return ok && math.Abs(f) >= 1e15 && !math.IsInf(f, 0)
	})
}

func hasKey(name string) func(codec.Value) bool {
	return func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool {
			_, ok := v.Get(codec.StringKey(name))
			return ok
		})
	}
}

func depth(v codec.Value) int {
	deepest := 0
	nodes(v, 1, func(v codec.Value, d int) {
		if v.Kind() >= codec.KindList {
			deepest = max(deepest, d)
		}
	})
	return deepest
}

// accepted makes a predicate over payloads of one over values.
func accepted(shows func(codec.Value) bool) func([]byte) bool {
	return func(b []byte) bool {
		v, err := codec.Decode(b, codec.Plugin)
		return err == nil && shows(v)
	}
}

func refused(kind codec.ErrorKind) func([]byte) bool {
	return func(b []byte) bool {
		_, err := codec.Decode(b, codec.Plugin)
		var e *codec.Error
		return errors.As(err, &e) && e.Kind == kind
	}
}

func countedTooMany(b []byte) bool {
	_, err := codec.Decode(b, codec.Plugin)
	var e *codec.Error
	return errors.As(err, &e) && strings.Contains(e.Want, "more elements were counted")
}

// slow is what shrinking may take at most. It is far above what any does here, and
// far below what it takes once it is not linear any more.
const slow = 5 * time.Second

// within bounds the processors' time that is taken from here to the end of the test:
// on a busy machine the clock says little.
func within(t *testing.T, limit time.Duration) {
	t.Helper()
	start := processorTime(t)
	t.Cleanup(func() { assert.Less(t, processorTime(t)-start, limit, "the time that shrinking took") })
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var plantedInValues = []struct {
	name  string
	shows func(codec.Value) bool
	start codec.Value
	want  string // the payload
}{
	{"a large float in 6,000 entries", hasLargeFloat, haystack(codec.Entry{Key: codec.StringKey("f"), Value: codec.Float(-1.2345678901234567e300)}), "d:1.0E+17;"},
	{"the key -0 in 6,000 entries", hasKey("-0"), haystack(codec.Entry{Key: codec.StringKey("-0"), Value: codec.Int(5)}), `a:1:{s:2:"-0";N;}`},
	{"depth 30", func(v codec.Value) bool { return depth(v) >= 30 }, deep(512), strings.Repeat("a:1:{i:0;", 29) + "a:0:{}" + strings.Repeat("}", 29)},
	{"17 elements", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { return v.Kind() == codec.KindArray && v.Len() >= 17 })
	},
		haystack(codec.Entry{Key: codec.StringKey("a"), Value: codec.Null()}), ""},
	{"an object", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { return v.Kind() == codec.KindObject && v.Len() > 0 })
	},
		codec.List(codec.Int(5), codec.Object(codec.Entry{Key: codec.StringKey("property"), Value: codec.List(codec.String("text"))})), "a:1:{i:0;N;}"},
	{"a snapshot", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { h, ok := v.RustHandle(); return ok && h.Snapshot != nil })
	}, codec.List(codec.NewRustHandle(codec.RustHandle{ID: 77, Class: "Class", Epoch: 99, Snapshot: ptr(codec.List(codec.Int(1), codec.Int(2)))})),
		`a:4:{s:9:"__rhandle";i:0;s:7:"__class";s:0:"";s:7:"__epoch";i:0;s:10:"__snapshot";a:0:{}}`},
	{"a string with a quote", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { s, ok := v.Text(); return ok && strings.Contains(s, `"`) })
	}, codec.List(codec.PhpClass(strings.Repeat("padding", 500) + `"` + strings.Repeat("padding", 500))), `s:1:""";`},
	{"minus zero", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { f, ok := v.Float(); return ok && f == 0 && math.Signbit(f) })
	}, codec.List(codec.Float(1), codec.Float(math.Copysign(0, -1))), "d:-0;"},
	{"a NaN", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { f, ok := v.Float(); return ok && math.IsNaN(f) })
	}, codec.List(codec.Float(math.Float64frombits(0xfff8000000001234))), "d:NAN;"},
	{"an int above 2^53", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { n, ok := v.Int(); return ok && n > 1<<53 })
	}, codec.List(codec.Int(math.MaxInt64)), "i:9010000000000000;"},
}

// A long string is halved until its bytes can be looked at one by one.
func TestShrinkLongText(t *testing.T) {
	within(t, slow)
	start := codec.String(strings.Repeat("padding", 1<<20) + "\xff" + strings.Repeat("padding", 1<<20))
	shows := func(v codec.Value) bool { s, _ := v.Text(); return strings.Contains(s, "\xff") }
	v, err := gen.Shrink(start, gen.SmallerValues, judge(shows), many)
	require.NoError(t, err)
	assert.True(t, v.Equal(codec.String("\xff")), "%v", v)
	b, err := gen.Shrink(encode(t, start), gen.SmallerPayloads, judge(accepted(shows)), many)
	require.NoError(t, err)
	assert.Equal(t, "s:1:\"\xff\";", string(b))
}

func ptr[T any](v T) *T { return &v }

func deep(n int) codec.Value {
	v := codec.List()
	for i := range n - 1 {
		v = codec.Array(codec.Entry{Key: codec.StringKey(fmt.Sprint("key ", i)), Value: v})
	}
	return v
}

func TestShrinkValues(t *testing.T) {
	for _, tc := range plantedInValues {
		t.Run(tc.name, func(t *testing.T) {
			within(t, slow)
			require.True(t, tc.shows(tc.start))
			v, err := gen.Shrink(tc.start, gen.SmallerValues, judge(tc.shows), many)
			require.NoError(t, err)
			assert.True(t, tc.shows(v))
			if got := string(encode(t, v)); tc.want != "" {
				assert.Equal(t, tc.want, got)
			} else {
				assert.Less(t, len(got), 17*8+20, "%s", got)
				t.Log(got)
			}
		})
	}
}

func TestShrinkPayloads(t *testing.T) {
	float := encode(t, haystack(codec.Entry{Key: codec.StringKey("f"), Value: codec.Float(1e16)}))
	key := encode(t, haystack(codec.Entry{Key: codec.StringKey("-0"), Value: codec.Int(5)}))
	for _, tc := range []struct {
		name  string
		shows func([]byte) bool
		start []byte
		want  string
	}{
		{"a large float in 6,000 entries", accepted(hasLargeFloat), float, "d:1e15;"},
		{"the key -0 in 6,000 entries", accepted(hasKey("-0")), key, `a:1:{s:2:"-0";N;}`},
		{"a length one too large", refused(codec.Truncated), bytes.Replace(key, []byte(`s:2:"-0";`), []byte(`s:999999:"-0";`), 1), ""},
		{"a count one too large", countedTooMany, []byte(`a:1:{i:0;a:3:{i:0;s:5:"aaaaa";i:1;s:5:"bbbbb";}s:1:"k";i:500;}`), "a:1:{}000000"},
		{"an object", refused(codec.Unsupported), bytes.Replace(float, []byte("N;"), []byte(`O:8:"stdClass":1:{s:1:"a";i:5;}`), 1), "O"},
		{"an int out of range", refused(codec.Range), []byte(`a:2:{s:3:"abc";N;i:7;i:-9223372036854775899;}`), "i:9223372036854775808;"},
		{"513 levels", refused(codec.Depth), []byte(strings.Repeat(`a:1:{s:3:"key";`, 600) + "N;" + strings.Repeat("}", 600)), ""},
		{"a repeated key", accepted(func(v codec.Value) bool { return v.Kind() == codec.KindArray && v.Len() == 1 }), []byte(`a:3:{s:1:"5";i:1;i:5;i:2;s:1:"5";i:3;}`), "a:1:{i:1;N;}"},
		{"a leading plus", accepted(func(v codec.Value) bool { n, _ := v.Int(); return n == 5 }), []byte("i:+0005;"), "i:5;"},
		{"what does not scan", func(b []byte) bool { return bytes.Contains(b, []byte("Z:")) }, []byte(`a:2:{i:0;Z:5:junk junk;i:1;i:2;}`), "Z:"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			within(t, slow)
			require.True(t, tc.shows(tc.start), "the start does not show it")
			b, err := gen.Shrink(tc.start, gen.SmallerPayloads, judge(tc.shows), many)
			require.NoError(t, err)
			assert.True(t, tc.shows(b))
			if t.Logf("%d bytes: %.100s", len(b), b); tc.want != "" {
				assert.Equal(t, tc.want, string(b))
			}
		})
	}
}

func TestShrinkStreams(t *testing.T) {
	r := newRand(21)
	noise := gen.RandomValidStream(r, frames.FromHost)
	for len(noise) < 4000 {
		noise = append(noise, gen.RandomValidStream(r, frames.FromHost)...)
	}
	frame := func(f frames.Frame) []byte {
		b, err := frames.Append(nil, f)
		require.NoError(t, err)
		return b
	}
	call := frame(frames.CallFunction{ID: 12345, Function: "name", Args: []codec.Value{codec.Int(1), haystackSmall()}})
	zero := bytes.Clone(call)
	binary.LittleEndian.PutUint64(zero[9:], 0)
	readErr := func(kind frames.ErrorKind) func([]byte) bool {
		return func(b []byte) bool {
			reader := frames.NewReader(bytes.NewReader(b), frames.FromHost)
			for {
				_, err := reader.Read()
				var e *frames.Error
				if err != nil {
					return errors.As(err, &e) && e.Kind == kind
				}
			}
		}
	}
	for _, tc := range []struct {
		name   string
		shows  func([]byte) bool
		middle []byte
		most   int
	}{
		{"a bad id", readErr(frames.BadID), zero, 17},
		{"a cut", readErr(frames.Truncated), []byte{200}, 1},
		{"a bad payload", readErr(frames.BadPayload), frames.AppendRaw(nil, frames.Raw{Tag: 0, ID: 1, Payload: []byte("a:1:{i:0;i:x;}")}), 18},
		{"a call with a large float", func(b []byte) bool {
			reader := frames.NewReader(bytes.NewReader(b), frames.FromHost)
			for {
				f, err := reader.Read()
				if err != nil {
					return false
				}
				if c, ok := f.(frames.CallFunction); ok && hasLargeFloat(codec.List(c.Args...)) {
					return true
				}
			}
		}, call, 70},
	} {
		t.Run(tc.name, func(t *testing.T) {
			within(t, slow)
			start := append(append(bytes.Clone(noise), tc.middle...), noise...)
			require.True(t, tc.shows(start), "the start does not show it")
			b, err := gen.Shrink(start, gen.SmallerStreams, judge(tc.shows), many)
			require.NoError(t, err)
			assert.True(t, tc.shows(b))
			t.Logf("%d bytes: %q", len(b), b)
			assert.LessOrEqual(t, len(b), tc.most)
		})
	}
}

func haystackSmall() codec.Value {
	return codec.List(codec.String("text"), codec.Array(codec.Entry{Key: codec.StringKey("f"), Value: codec.Float(-1.25e300)}))
}

// Every candidate is simpler than what it came of, so shrinking ends.
func TestCandidatesAreSimpler(t *testing.T) {
	r := newRand(22)
	for range 100 {
		payload := gen.RandomPayload(r)
		for _, c := range gen.SmallerPayloads(payload) {
			if !gen.Simpler(c, payload) {
				t.Fatalf("%q of %q", c, payload)
			}
		}
		stream := gen.RandomStream(r, frames.FromPHP)
		for _, c := range gen.SmallerStreams(stream) {
			if !gen.Simpler(c, stream) {
				t.Fatalf("%q of %q", c, stream)
			}
		}
		v := gen.RandomValue(r, gen.Options{MaxNodes: 40})
		whole := encode(t, v)
		for _, c := range gen.SmallerValues(v) {
			b, err := codec.Encode(c)
			require.NoError(t, err)
			if !gen.Simpler(b, whole) && !(bytes.Equal(b, whole) && oddities(c) < oddities(v)) {
				t.Fatalf("%v of %v: %s of %s", c, v, b, whole)
			}
		}
	}
}

func TestSmallerFramesAreFramesOfTheKind(t *testing.T) {
	r := newRand(24)
	offered := 0
	for range 100 {
		f := gen.RandomFrame(r, frames.FromAnyone)
		whole, err := frames.Append(nil, f)
		require.NoError(t, err)
		for _, smaller := range gen.SmallerFrames(f) {
			b, err := frames.Append(nil, smaller)
			require.NoError(t, err)
			require.Equal(t, f.Tag(), smaller.Tag())
			require.True(t, gen.Simpler(b, whole))
			offered++
		}
	}
	assert.Greater(t, offered, 1000)
}

// oddities counts what the payload does not show: objects and NaNs with bits of
// their own.
func oddities(v codec.Value) int {
	n := 0
	nodes(v, 1, func(v codec.Value, _ int) {
		if f, ok := v.Float(); ok && math.IsNaN(f) && math.Float64bits(f) != 0x7ff8000000000000 || v.Kind() == codec.KindObject {
			n++
		}
	})
	return n
}

// Whatever shrinks as long as anything is left ends in the simplest there is.
func TestShrinkToNothing(t *testing.T) {
	r := newRand(23)
	for range 50 {
		b, err := gen.Shrink(gen.RandomPayload(r), gen.SmallerPayloads, judge(func([]byte) bool { return true }), many)
		require.NoError(t, err)
		require.Empty(t, b)
		b, err = gen.Shrink(gen.RandomStream(r, frames.FromHost), gen.SmallerStreams, judge(func([]byte) bool { return true }), many)
		require.NoError(t, err)
		require.Empty(t, b)
		v, err := gen.Shrink(gen.RandomValue(r, gen.Options{}), gen.SmallerValues, judge(func(codec.Value) bool { return true }), many)
		require.NoError(t, err)
		require.True(t, v.IsNull(), "%v", v)
	}
}

// A round is bounded, whatever the size.
func TestRoundsAreBounded(t *testing.T) {
	var large []codec.Value
	for i := range 100_000 {
		large = append(large, codec.Int(int64(i)))
	}
	for name, v := range map[string]codec.Value{
		"100,000 elements": codec.List(large...), "1 MiB": codec.String(strings.Repeat("x", 1<<20)), "512 levels": deep(512),
		"6,000 entries": haystack(codec.Entry{Value: codec.Null()}),
	} {
		b := encode(t, v)
		for what, candidates := range map[string]func() int{
			"values":   func() int { return len(gen.SmallerValues(v)) },
			"payloads": func() int { return len(gen.SmallerPayloads(b)) },
			"streams":  func() int { return len(gen.SmallerStreams(b)) },
		} {
			start := time.Now()
			n := candidates()
			t.Logf("%s of %s: %d in %v", what, name, n, time.Since(start))
			assert.LessOrEqual(t, n, 2000, "%s of %s", what, name)
			assert.Positive(t, n, "%s of %s", what, name)
		}
	}
}

func TestShrinkCostly(t *testing.T) {
	for _, most := range []int{100, 5, 1, 0} {
		shown, asked := 0, 0
		start := []byte(`a:3:{i:0;s:10:"0123456789";s:3:"key";a:1:{i:0;d:0.5;}i:2;N;}`)
		small, err := gen.ShrinkCostly(start, gen.SmallerPayloads, func(batch [][]byte) (bool, error) {
			asked++
			for _, b := range batch {
				if bytes.Contains(b, []byte("key")) {
					shown++
					return true, nil
				}
			}
			return false, nil
		}, most)
		require.NoError(t, err)
		assert.LessOrEqual(t, shown, most)
		assert.Contains(t, string(small), "key")
		t.Logf("at most %d: %d of %d asked, %s", most, shown, asked, small)
		if most == 100 {
			assert.Equal(t, "key", string(small))
		}
	}
	failure := errors.New("nobody can go on")
	_, err := gen.ShrinkCostly([]byte("N;"), gen.SmallerPayloads, func([][]byte) (bool, error) { return false, failure }, 10)
	assert.ErrorIs(t, err, failure)
}

func TestShrinkStopsAtTheJudgesError(t *testing.T) {
	failure := errors.New("the child died")
	v, err := gen.Shrink(codec.List(), gen.SmallerValues, func([]codec.Value) (int, error) { return 0, failure }, many)
	assert.ErrorIs(t, err, failure)
	assert.True(t, v.Equal(codec.List()))
	_, err = gen.Shrink(codec.List(), gen.SmallerValues, func(b []codec.Value) (int, error) { return len(b), nil }, many)
	assert.Error(t, err)
}
