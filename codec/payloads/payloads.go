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
	Value codec.Value
}

// All returns the payloads, which are the same every time.
func All() []Payload {
	r := rand.New(rand.NewPCG(1, 2))
	var ints, doubles, texts []codec.Value
	for range 20_000 {
		ints = append(ints, codec.Int(r.Int64()>>r.IntN(64)))
		doubles = append(doubles, codec.Float((r.Float64()-0.5)*math.Pow(10, float64(r.IntN(40)-20))))
		b := make([]byte, r.IntN(61))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		texts = append(texts, codec.Bytes(b))
	}
	var maps []codec.Value
	for i := range 4_000 {
		maps = append(maps, pack(i))
	}
	deep := codec.List()
	for range 499 {
		deep = codec.List(deep)
	}
	return []Payload{
		{"ints", "20,000 ints of 1 to 64 bits", codec.List(ints...)},
		{"doubles", "20,000 doubles over forty decades", codec.List(doubles...)},
		{"strings", "20,000 byte strings of up to 60 bytes", codec.List(texts...)},
		{"maps", "4,000 packages: maps of strings, maps, lists, bools and doubles", codec.List(maps...)},
		{"deep", "500 lists inside one another", deep},
		{"8MiB", "one string of 8 MiB", codec.String(strings.Repeat("x", 8<<20))},
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
