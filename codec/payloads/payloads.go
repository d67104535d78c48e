// Package payloads makes the six values that every figure about speed is of: the
// benchmarks of the codec and `phpwire bench` share them.
package payloads

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"phpwire/codec"
)

// Payload is a value with its name.
type Payload struct {
	Name  string // one word
	Title string // what it is made of
	make  func(*rand.Rand) codec.Value
}

// Value makes the value, which is the same every time.
func (p Payload) Value() codec.Value { return p.make(rand.New(rand.NewPCG(1, 2))) }

// All returns the payloads.
func All() []Payload {
	return []Payload{
		{"ints", "20,000 ints of 1 to 64 bits", list(20_000, func(r *rand.Rand, _ int) codec.Value {
			return codec.Int(r.Int64() >> r.IntN(64))
		})},
		{"doubles", "20,000 doubles over forty decades", list(20_000, func(r *rand.Rand, _ int) codec.Value {
			return codec.Float((r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(40)-20)))
		})},
		{"strings", "20,000 byte strings of up to 60 bytes", list(20_000, func(r *rand.Rand, _ int) codec.Value {
			b := make([]byte, r.IntN(61))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return codec.Bytes(b)
		})},
		{"maps", "4,000 packages: maps of strings, maps, a list, bools and doubles", list(4_000, func(_ *rand.Rand, i int) codec.Value {
			return pack(i)
		})},
		{"deep", "500 lists inside one another", func(*rand.Rand) codec.Value {
			deep := codec.List()
			for range 499 {
				deep = codec.List(deep)
			}
			return deep
		}},
		{"8MiB", "one string of 8 MiB", func(*rand.Rand) codec.Value { return codec.String(strings.Repeat("x", 8<<20)) }},
	}
}

// list makes a list of n elements.
func list(n int, element func(r *rand.Rand, i int) codec.Value) func(*rand.Rand) codec.Value {
	return func(r *rand.Rand) codec.Value {
		vs := make([]codec.Value, n)
		for i := range vs {
			vs[i] = element(r, i)
		}
		return codec.List(vs...)
	}
}

// pack is what a package manager says of a package.
func pack(i int) codec.Value {
	text := codec.String
	entry := func(key string, v codec.Value) codec.Entry {
		return codec.Entry{Key: codec.StringKey(key), Value: v}
	}
	return codec.Array(
		entry("name", text(fmt.Sprintf("vendor%d/package-%d", i%97, i))),
		entry("version", text(fmt.Sprintf("%d.%d.%d", i%7, i%13, i%31))),
		entry("require", codec.Array(entry("php", text(">=7.2")), entry("ext-json", text("*")))),
		entry("dev", codec.Bool(i%2 == 0)),
		entry("weight", codec.Float(float64(i)/8)),
		entry("keywords", codec.List(text("a"), text("wire"), text("codec"))),
	)
}
