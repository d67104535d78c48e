package codec_test

import (
	"testing"

	"phpwire/codec"
	"phpwire/codec/payloads"
)

func BenchmarkDecode(b *testing.B) {
	for _, p := range payloads.All() {
		in, err := codec.Encode(p.Value())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(p.Name, func(b *testing.B) {
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
	for _, p := range payloads.All() {
		v := p.Value()
		var buf []byte
		b.Run(p.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if buf, err = codec.AppendValue(buf[:0], v); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(buf)))
		})
	}
}
