package judge

import (
	"fmt"
	"runtime/metrics"
	"time"

	"phpwire/codec"
)

// What reading n bytes may take (clauses L-2, L-4). They are far above what it
// does take, and far below what a claim or a quadratic reader takes.
const (
	memoryPerByte = 256
	memoryBase    = 1 << 20
	timePerByte   = 10 * time.Microsecond
	timeBase      = 500 * time.Millisecond
	measurements  = 3 // of which the least counts: others work at the same time
)

// Proportion judges P6: reading bytes takes memory and time in proportion to
// them. What read makes of them does not matter.
func Proportion(bytes []byte, read func([]byte)) *Finding {
	var memory uint64
	var took time.Duration
	for i := range measurements {
		m, t := measure(bytes, read)
		if i == 0 {
			memory, took = m, t
		}
		memory, took = min(memory, m), min(took, t)
		if memory <= memoryBase+memoryPerByte*uint64(len(bytes)) && took <= timeBase+timePerByte*time.Duration(len(bytes)) {
			return nil
		}
	}
	if took > timeBase+timePerByte*time.Duration(len(bytes)) {
		return &Finding{"P6", "L-4", "it takes too long", fmt.Sprintf("%d bytes take %v to read", len(bytes), took), -1, nil}
	}
	return &Finding{"P6", "L-2", "it takes too much memory", fmt.Sprintf("%d bytes take %d bytes of memory to read", len(bytes), memory), -1, nil}
}

func measure(bytes []byte, read func([]byte)) (memory uint64, took time.Duration) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before, began := sample[0].Value.Uint64(), time.Now()
	read(bytes)
	took = time.Since(began)
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before, took
}

// Decoding is a read for [Proportion]: the decoder under both profiles.
func Decoding(payload []byte) {
	_, _ = codec.Decode(payload, codec.Plugin)
	_, _ = codec.Decode(payload, codec.Canonical)
}
