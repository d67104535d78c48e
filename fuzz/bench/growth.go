package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"phpwire/codec"
)

// Growth tells what the same work costs as its input doubles.
type Growth struct {
	Name   string  `json:"name"`
	Of     string  `json:"of"` // what doubles
	Points []Point `json:"points"`
	// The largest factors by which time and memory grow as the bytes of the input double.
	Time   float64 `json:"time"`
	Memory float64 `json:"memory"`
}

// Point is one size.
type Point struct {
	Size    int     `json:"size"`
	Input   int     `json:"input"` // bytes of the payload
	Seconds float64 `json:"seconds"`
	Bytes   float64 `json:"bytes"` // allocated
}

// grower makes values of a size.
type grower struct {
	name, of string
	largest  int
	encoded  bool // encoding is measured too
	payload  func(size int) []byte
}

// doublings is how often the smallest size is doubled.
const doublings = 4

var growers = []grower{
	{"a list of ints", "elements", 64_000, true, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;i:%d;", i, i*7919) })
	}},
	{"a list of small maps", "elements", 8_000, true, func(n int) []byte {
		return array(n, func(i int) string {
			return fmt.Sprintf(`i:%d;a:2:{s:4:"name";s:8:"%08d";s:2:"ok";b:1;}`, i, i)
		})
	}},
	{"one string", "bytes", 4 << 20, true, func(n int) []byte {
		return fmt.Appendf(nil, `s:%d:"%s";`, n, strings.Repeat("x", n))
	}},
	{"lists inside one another", "depth", codec.MaxDepth, true, func(n int) []byte {
		return []byte(strings.Repeat("a:1:{i:0;", n-1) + "a:0:{}" + strings.Repeat("}", n-1))
	}},
	{"a list of deep lists", "lists", 512, false, func(n int) []byte {
		deep := strings.Repeat("a:1:{i:0;", 255) + "a:0:{}" + strings.Repeat("}", 255)
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;%s", i, deep) })
	}},
	{"string keys", "keys", 32_000, true, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf(`s:8:"k%07d";N;`, i) })
	}},
	{"int keys in no order", "keys", 32_000, true, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;N;", (i*7919)%(1<<20)) })
	}},
	// A table that takes the last bits of an int for its hash has one place for
	// all of these.
	{"repeated int keys that collide", "keys", 32_000, false, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;N;", (i%(n/2))<<24) })
	}},
	// Ez and FY are the same under PHP's hash of strings, and so is any text of them.
	{"repeated string keys that collide", "keys", 32_000, false, func(n int) []byte {
		return array(n, func(i int) string {
			var key strings.Builder
			for bit := range 15 {
				key.WriteString([2]string{"Ez", "FY"}[i%(n/2)>>bit&1])
			}
			return fmt.Sprintf(`s:30:"%s";N;`, &key)
		})
	}},
	{"one key, repeated", "keys", 32_000, false, func(n int) []byte {
		return array(n, func(int) string { return `s:3:"key";N;` })
	}},
}

// array is the payload of an array of n elements.
func array(n int, element func(i int) string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "a:%d:{", n)
	for i := range n {
		b.WriteString(element(i))
	}
	b.WriteByte('}')
	return []byte(b.String())
}

// growth measures every sort at sizes that double.
func (b *bench) growth(ctx context.Context) ([]Growth, error) {
	var all []Growth
	for _, g := range growers {
		decode, encode := Growth{Name: "decode " + g.name, Of: g.of}, Growth{Name: "encode " + g.name, Of: g.of}
		var decoding, encoding []contestant
		for i := doublings; i >= 0; i-- {
			size := g.largest >> i
			in := g.payload(size)
			v, err := codec.Decode(in, codec.Plugin)
			if err != nil {
				return nil, wrong("%s, %d %s: %v", g.name, size, g.of, err)
			}
			point := Point{Size: size, Input: len(in)}
			decode.Points, encode.Points = append(decode.Points, point), append(encode.Points, point)
			decoding = append(decoding, b.here(reference, func() { _, _ = codec.Decode(in, codec.Plugin) }))
			encoding = append(encoding, b.here(reference, func() { _, _ = codec.Encode(v) }))
		}
		if err := b.grow(ctx, &decode, decoding); err != nil {
			return nil, err
		}
		all = append(all, decode)
		if g.encoded {
			if err := b.grow(ctx, &encode, encoding); err != nil {
				return nil, err
			}
			all = append(all, encode)
		}
	}
	return all, nil
}

func (b *bench) grow(ctx context.Context, g *Growth, sizes []contestant) error {
	results, err := b.rounds(ctx, sizes)
	if err != nil {
		return err
	}
	for i := range g.Points {
		p, score := &g.Points[i], results[i].score(1)
		p.Seconds, p.Bytes = slices.Min(score.Seconds), score.Alloc.Bytes
		if i > 0 {
			before := g.Points[i-1]
			// Twice the ints are a little more than twice the bytes: they have more digits.
			doubled := 2 * float64(before.Input) / float64(p.Input)
			g.Time, g.Memory = max(g.Time, doubled*p.Seconds/before.Seconds), max(g.Memory, doubled*p.Bytes/before.Bytes)
		}
	}
	return nil
}
