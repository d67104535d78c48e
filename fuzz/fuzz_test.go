package fuzz

import (
	"math"
	"testing"
)

func FuzzDecode(f *testing.F) {
	for _, s := range payloadSeeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, payload []byte) { Decode(t, payload) })
}

func FuzzDecodePHP(f *testing.F) {
	for _, s := range payloadSeeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, payload []byte) { DecodePHP(t, payload) })
}

func FuzzEncodePHP(f *testing.F) {
	for _, s := range [][]byte{nil, []byte("\x00"), []byte("phpwire"), []byte("\xff\xfe\xfd\xfc\xfb\xfa")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, draws []byte) { EncodePHP(t, draws) })
}

func FuzzFloatsPHP(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 0.1, 1e15, 1e17, 123456789012345680, 5e-324, math.MaxFloat64, math.Inf(1), math.NaN()} {
		f.Add(math.Float64bits(v), -1)
		f.Add(math.Float64bits(v), 17)
	}
	f.Fuzz(func(t *testing.T, bits uint64, precision int) { FloatsPHP(t, bits, precision) })
}

func FuzzFloatTextsPHP(f *testing.F) {
	for _, s := range []string{"0", "-0.0", ".5", "5.", "1e5", "1E+05", "INF", "-INF", "NAN", "9007199254740993", "2.4703282292062328e-324", "1e", "."} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { FloatTextsPHP(t, text) })
}

func FuzzFrame(f *testing.F) {
	for _, s := range frameSeeds() {
		f.Add(s[min(8, len(s)):])
	}
	for tag, payloads := range fieldSeeds() {
		for _, p := range payloads {
			f.Add(append([]byte{byte(tag), frameID(tag), 0, 0, 0, 0, 0, 0, 0}, p...))
		}
	}
	f.Fuzz(func(t *testing.T, frame []byte) { Frame(t, frame) })
}

func FuzzStream(f *testing.F) {
	for _, s := range streamSeeds() {
		f.Add(s, []byte{0})
		f.Add(s, []byte{6, 0, 3})
	}
	f.Fuzz(func(t *testing.T, stream, plan []byte) { Stream(t, stream, plan) })
}

func FuzzThrow(f *testing.F) {
	for _, p := range fieldSeeds()[6] {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, payload []byte) { Throw(t, payload) })
}

func FuzzTagged(f *testing.F) {
	for _, s := range taggedSeeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text []byte) { Tagged(t, text) })
}
