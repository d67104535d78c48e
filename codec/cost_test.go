package codec_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/codec/payloads"
)

// cost returns the least number of objects and bytes that f allocates, of some
// runs: others allocate at the same time, and the garbage collector, or -race,
// takes what is kept from run to run.
func cost(f func()) (objects, bytes uint64) {
	objects, bytes = ^uint64(0), ^uint64(0)
	for range 8 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		objects = min(objects, after.Mallocs-before.Mallocs)
		bytes = min(bytes, after.TotalAlloc-before.TotalAlloc)
	}
	return objects, bytes
}

func containers(v codec.Value) uint64 {
	n := uint64(0)
	if v.Kind() >= codec.KindList {
		n++
	}
	for _, e := range v.All() {
		n += containers(e)
	}
	return n
}

// At most one object for each container and each 16 KiB of the payload, and one
// for what is left.
func TestDecodeAllocatesFewObjects(t *testing.T) {
	values := map[string]codec.Value{}
	for _, p := range payloads.All() {
		values[p.Name] = p.Value()
	}
	values["strings of 11 KB"] = repeated(500, func(int) codec.Value { return text(strings.Repeat("x", 11_000)) })
	values["strings of 16 KB"] = repeated(500, func(int) codec.Value { return text(strings.Repeat("x", 16_000)) })
	values["handles"] = repeated(500, func(i int) codec.Value {
		return codec.NewRustHandle(codec.RustHandle{ID: int64(i), Class: "A", Epoch: 1})
	})
	values["small arrays"] = repeated(5000, func(i int) codec.Value { return codec.List(codec.Int(int64(i))) })
	for name, v := range values {
		in, err := codec.Encode(v)
		require.NoError(t, err)
		for _, p := range []codec.Profile{codec.Plugin, codec.Canonical} {
			objects, bytes := cost(func() { _, err = codec.Decode(in, p) })
			require.NoError(t, err)
			assert.LessOrEqual(t, objects, containers(v)+uint64(len(in))/(16<<10)+1, "%s, %v", name, p)
			assert.Less(t, bytes, uint64(8*len(in)+1024), "%s, %v", name, p)
		}
		_, bytes := cost(func() { _, err = codec.DecodeShared(in, codec.Plugin) })
		require.NoError(t, err)
		if name == "8MiB" {
			assert.Less(t, bytes, uint64(100), "a shared string is not copied")
		}
		var buffer []byte
		objects, _ := cost(func() { buffer, err = codec.AppendValue(buffer[:0], v) })
		require.NoError(t, err)
		assert.Zero(t, objects, "%s: encoding into a buffer that is large enough", name)
		if len(in) > 1<<20 && v.Kind() == codec.KindList {
			continue // the garbage collector, running because of it, takes Encode's buffer
		}
		objects, bytes = cost(func() { _, err = codec.Encode(v) })
		require.NoError(t, err)
		assert.LessOrEqual(t, objects, uint64(2), name)
		assert.Less(t, bytes, uint64(len(in)+len(in)/4+1024), name)
	}
}

func repeated(n int, element func(int) codec.Value) codec.Value {
	vs := make([]codec.Value, n)
	for i := range vs {
		vs[i] = element(i)
	}
	return codec.List(vs...)
}

// growing are payloads of some n elements whose cost must double with n.
var growing = []struct {
	name string
	n    int
	make func(n int) string
}{
	{"ints", 20_000, func(n int) string { return listOf(n, func(i int) string { return "i:" + strconv.Itoa(i*7919) + ";" }) }},
	{"lists in one another", 250, nested},
	{"deep siblings", 250, func(n int) string { return listOf(50, func(int) string { return nested(n) }) }},
	{"string keys", 20_000, func(n int) string { return arrayOf(n, func(i int) string { return quoted("key" + strconv.Itoa(i)) }) }},
	{"int keys that ascend", 20_000, func(n int) string { return arrayOf(n, func(i int) string { return "i:" + strconv.Itoa(3*i) + ";" }) }},
	{"int keys with equal low bits", 20_000, func(n int) string {
		return arrayOf(n, func(i int) string { return "i:" + strconv.FormatInt(int64(n-i)<<40, 10) + ";" })
	}},
	{"keys that collide in PHP's hash", 1 << 13, func(n int) string { return arrayOf(n, func(i int) string { return quoted(colliding(i)) }) }},
	{"each key twice", 10_000, func(n int) string {
		return arrayOf(2*n, func(i int) string { return quoted("key" + strconv.Itoa(i%n)) })
	}},
	{"keys that collide, each twice", 1 << 13, func(n int) string {
		return arrayOf(2*n, func(i int) string { return quoted(colliding(i % n)) })
	}},
	{"one key only", 20_000, func(n int) string { return arrayOf(n, func(int) string { return quoted("key") }) }},
	{"a list until the last key", 20_000, func(n int) string {
		return arrayOf(n, func(i int) string {
			if i == n-1 {
				return quoted("last")
			}
			return "i:" + strconv.Itoa(i) + ";"
		})
	}},
	{"records", 2_000, func(n int) string {
		return listOf(n, func(i int) string {
			return arrayOf(7, func(k int) string { return quoted("field" + strconv.Itoa(k)) })
		})
	}},
	{"records with one other key", 2_000, func(n int) string {
		return listOf(n, func(i int) string {
			return arrayOf(7, func(k int) string { return quoted("field" + strconv.Itoa(max(k, i%8))) })
		})
	}},
}

func quoted(s string) string { return "s:" + strconv.Itoa(len(s)) + `:"` + s + `";` }

func listOf(n int, value func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("i:" + strconv.Itoa(i) + ";" + value(i))
	}
	return "a:" + strconv.Itoa(n) + ":{" + b.String() + "}"
}

func arrayOf(n int, key func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(key(i) + "i:5;")
	}
	return "a:" + strconv.Itoa(n) + ":{" + b.String() + "}"
}

// colliding returns one of 2^16 keys to which PHP's hash, h*33 + byte, gives the
// same number: "Ez" and "FY" do.
func colliding(i int) string {
	var b strings.Builder
	for bit := range 16 {
		b.WriteString([2]string{"Ez", "FY"}[i>>bit&1])
	}
	return b.String()
}

// Twice the input costs at most 2.1 times the memory.
func TestMemoryIsLinear(t *testing.T) {
	for _, g := range growing {
		once, twice := []byte(g.make(g.n/4)), []byte(g.make(g.n/2))
		v, err := codec.Decode(once, codec.Plugin)
		require.NoError(t, err, g.name)
		w, err := codec.Decode(twice, codec.Plugin)
		require.NoError(t, err, g.name)
		oneText, twoText := codec.AppendTagged(nil, v), codec.AppendTagged(nil, w)
		for what, f := range map[string][2]func(){
			"decode":    {func() { _, _ = codec.Decode(once, codec.Plugin) }, func() { _, _ = codec.Decode(twice, codec.Plugin) }},
			"canonical": {func() { _, _ = codec.Decode(once, codec.Canonical) }, func() { _, _ = codec.Decode(twice, codec.Canonical) }},
			"encode":    {func() { _, _ = codec.Encode(v) }, func() { _, _ = codec.Encode(w) }},
			"tagged":    {func() { _, _ = codec.ParseTagged(oneText) }, func() { _, _ = codec.ParseTagged(twoText) }},
		} {
			_, few := cost(f[0])
			_, many := cost(f[1])
			// The allocator rounds up; a block of the slab may be begun.
			assert.LessOrEqual(t, float64(many), 2.1*float64(few)+32<<10, "%s of %s: %d and %d bytes", what, g.name, few, many)
		}
	}
}

// What each costs as it doubles: see the time per element.
func BenchmarkDoubling(b *testing.B) {
	for _, g := range growing {
		for _, n := range []int{g.n / 2, g.n, 2 * g.n} {
			in := []byte(g.make(n))
			b.Run(strings.ReplaceAll(g.name, " ", "_")+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.SetBytes(int64(len(in)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := codec.Decode(in, codec.Plugin); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
	}
}
