package codec_test

import (
	"testing"

	"phpwire/codec"
	"phpwire/codec/payloads"
)

// benchmark runs f on each payload, size being the bytes that it reads or writes.
func benchmark(b *testing.B, prepare func(v codec.Value, payload []byte) (size int, f func() error)) {
	for _, p := range payloads.All() {
		v := p.Value()
		payload, err := codec.Encode(v)
		if err != nil {
			b.Fatal(err)
		}
		size, f := prepare(v, payload)
		b.Run(p.Name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	benchmark(b, func(_ codec.Value, in []byte) (int, func() error) {
		return len(in), func() error { _, err := codec.Decode(in, codec.Plugin); return err }
	})
}

func BenchmarkDecodeCanonical(b *testing.B) {
	benchmark(b, func(_ codec.Value, in []byte) (int, func() error) {
		return len(in), func() error { _, err := codec.Decode(in, codec.Canonical); return err }
	})
}

func BenchmarkDecodeShared(b *testing.B) {
	benchmark(b, func(_ codec.Value, in []byte) (int, func() error) {
		return len(in), func() error { _, err := codec.DecodeShared(in, codec.Plugin); return err }
	})
}

func BenchmarkAppendValue(b *testing.B) {
	benchmark(b, func(v codec.Value, in []byte) (int, func() error) {
		var buffer []byte
		return len(in), func() (err error) { buffer, err = codec.AppendValue(buffer[:0], v); return err }
	})
}

func BenchmarkEncode(b *testing.B) {
	benchmark(b, func(v codec.Value, in []byte) (int, func() error) {
		return len(in), func() error { _, err := codec.Encode(v); return err }
	})
}

func BenchmarkAppendTagged(b *testing.B) {
	benchmark(b, func(v codec.Value, _ []byte) (int, func() error) {
		buffer := codec.AppendTagged(nil, v)
		return len(buffer), func() error { buffer = codec.AppendTagged(buffer[:0], v); return nil }
	})
}

func BenchmarkParseTagged(b *testing.B) {
	benchmark(b, func(v codec.Value, _ []byte) (int, func() error) {
		text := codec.AppendTagged(nil, v)
		return len(text), func() error { _, err := codec.ParseTagged(text); return err }
	})
}
