package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
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
	// Mean is the factor of the time for each doubling, from the smallest size to the
	// largest.
	Mean float64 `json:"mean"`
	// Judged is what the target is about: Time, but that each factor is divided by as
	// much as a plain copy of the same bytes grows by more than twice, where there is one.
	Judged float64 `json:"judged"`
	// Yardstick: this is the plain copy, which nobody judges.
	Yardstick bool `json:"yardstick,omitempty"`
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
	copied   bool // and a plain copy of the payload, which is nearly all that the others do
	payload  func(size int) []byte
}

// What is done with a payload.
const (
	decodes = "decode"
	encodes = "encode"
	copies  = "copy"
)

// doublings is how often the smallest size is doubled.
const doublings = 4

var growers = []grower{
	{"a list of ints", "elements", 64_000, true, false, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;i:%d;", i, i*7919) })
	}},
	{"a list of small maps", "elements", 8_000, true, false, func(n int) []byte {
		return array(n, func(i int) string {
			return fmt.Sprintf(`i:%d;a:2:{s:4:"name";s:8:"%08d";s:2:"ok";b:1;}`, i, i)
		})
	}},
	{"one string", "bytes", 4 << 20, true, true, func(n int) []byte {
		return fmt.Appendf(nil, `s:%d:"%s";`, n, strings.Repeat("x", n))
	}},
	{"lists inside one another", "depth", codec.MaxDepth, true, false, func(n int) []byte {
		return []byte(strings.Repeat("a:1:{i:0;", n-1) + "a:0:{}" + strings.Repeat("}", n-1))
	}},
	{"a list of deep lists", "lists", 512, false, false, func(n int) []byte {
		deep := strings.Repeat("a:1:{i:0;", 255) + "a:0:{}" + strings.Repeat("}", 255)
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;%s", i, deep) })
	}},
	{"string keys", "keys", 32_000, true, false, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf(`s:8:"k%07d";N;`, i) })
	}},
	{"int keys in no order", "keys", 32_000, true, false, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;N;", (i*7919)%(1<<20)) })
	}},
	// A table that takes the last bits of an int for its hash has one place for
	// all of these.
	{"repeated int keys that collide", "keys", 32_000, false, false, func(n int) []byte {
		return array(n, func(i int) string { return fmt.Sprintf("i:%d;N;", (i%(n/2))<<24) })
	}},
	// Ez and FY are the same under PHP's hash of strings, and so is any text of them.
	{"repeated string keys that collide", "keys", 32_000, false, false, func(n int) []byte {
		return array(n, func(i int) string {
			var key strings.Builder
			for bit := range 15 {
				key.WriteString([2]string{"Ez", "FY"}[i%(n/2)>>bit&1])
			}
			return fmt.Sprintf(`s:30:"%s";N;`, &key)
		})
	}},
	{"one key, repeated", "keys", 32_000, false, false, func(n int) []byte {
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
		some, err := b.grow(ctx, g)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// grow measures one sort, all of its sizes and operations in turn.
func (b *bench) grow(ctx context.Context, g grower) ([]Growth, error) {
	operations := []string{decodes}
	if g.encoded {
		operations = append(operations, encodes)
	}
	if g.copied {
		operations = append(operations, copies)
	}
	all := make([]Growth, len(operations))
	for k, operation := range operations {
		all[k] = Growth{Name: operation + " " + g.name, Of: g.of, Yardstick: operation == copies}
	}
	var sizes []contestant
	for i := doublings; i >= 0; i-- {
		size := g.largest >> i
		in := g.payload(size)
		v, err := codec.Decode(in, codec.Plugin)
		if err != nil {
			return nil, wrong("%s, %d %s: %v", g.name, size, g.of, err)
		}
		works := map[string]func(){
			decodes: func() { _, _ = codec.Decode(in, codec.Plugin) },
			encodes: func() { _, _ = codec.Encode(v) },
			copies:  func() { _ = bytes.Clone(in) },
		}
		for k, operation := range operations {
			all[k].Points = append(all[k].Points, Point{Size: size, Input: len(in)})
			sizes = append(sizes, b.here(reference, works[operation]))
		}
	}
	results, err := b.rounds(ctx, sizes)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		score, p := result.score(1), &all[i%len(all)].Points[i/len(all)]
		p.Seconds, p.Bytes = slices.Min(score.Seconds), score.Alloc.Bytes
	}
	var yardstick []Point
	if g.copied {
		yardstick = all[len(all)-1].Points
	}
	for k := range all {
		all[k].compare(yardstick)
	}
	return all, nil
}

// compare finds the factors.
func (g *Growth) compare(yardstick []Point) {
	for i := 1; i < len(g.Points); i++ {
		p, before := g.Points[i], g.Points[i-1]
		// Twice the ints are a little more than twice the bytes: they have more digits.
		doubled := 2 * float64(before.Input) / float64(p.Input)
		time := doubled * p.Seconds / before.Seconds
		g.Time, g.Memory = max(g.Time, time), max(g.Memory, doubled*p.Bytes/before.Bytes)
		if yardstick != nil {
			time /= max(1, yardstick[i].Seconds/yardstick[i-1].Seconds/2)
		}
		g.Judged = max(g.Judged, time)
	}
	first, last := g.Points[0], g.Points[len(g.Points)-1]
	g.Mean = math.Pow(2, math.Log(last.Seconds/first.Seconds)/math.Log(float64(last.Input)/float64(first.Input)))
}
