package codec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"phpwire/codec"
)

// The payloads of the speed table.
func benchPayloads() map[string]codec.Value {
	r := rand.New(rand.NewPCG(1, 2))
	var ints, doubles, texts, maps []codec.Value
	for range 20_000 {
		ints = append(ints, codec.Int(r.Int64()>>r.IntN(64)))
		doubles = append(doubles, codec.Float((r.Float64()-0.5)*math.Pow(10, float64(r.IntN(40)-20))))
		b := make([]byte, r.IntN(61))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		texts = append(texts, codec.Bytes(b))
	}
	for i := range 4_000 {
		maps = append(maps, codec.Array(
			entry(key("name"), text(fmt.Sprintf("vendor%d/package-%d", i%97, i))),
			entry(key("version"), text(fmt.Sprintf("%d.%d.%d", i%7, i%13, i%31))),
			entry(key("require"), codec.Array(entry(key("php"), text(">=7.2")), entry(key("ext-json"), text("*")))),
			entry(key("dev"), codec.Bool(i%2 == 0)),
			entry(key("weight"), codec.Float(float64(i)/8)),
			entry(key("keywords"), codec.List(text("a"), text("wire"), text("codec"))),
		))
	}
	deep := codec.List()
	for range 499 {
		deep = codec.List(deep)
	}
	return map[string]codec.Value{
		"ints": codec.List(ints...), "doubles": codec.List(doubles...), "strings": codec.List(texts...),
		"maps": codec.List(maps...), "deep": deep, "8MiB": text(strings.Repeat("x", 8<<20)),
	}
}

var benchNames = []string{"ints", "doubles", "strings", "maps", "deep", "8MiB"}

func BenchmarkDecode(b *testing.B) {
	payloads := benchPayloads()
	for _, name := range benchNames {
		in, err := codec.Encode(payloads[name])
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := codec.Decode(in, codec.Plugin); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	payloads := benchPayloads()
	for _, name := range benchNames {
		var buf []byte
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if buf, err = codec.AppendValue(buf[:0], payloads[name]); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(buf)))
		})
	}
}
