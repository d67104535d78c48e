package judge

import "runtime/debug"

// CollectSeldom has garbage collected as seldom as those who judge want it, and
// returns what sets it back: a batch is made, judged and dropped as a whole and little
// outlives it, so that collecting as often as usual would be two fifths of the work.
func CollectSeldom() (restore func()) {
	const (
		percent = 1000
		limit   = 256 << 20 // of memory: from there on it is collected as often as needed
	)
	percentBefore, limitBefore := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
	return func() {
		debug.SetGCPercent(percentBefore)
		debug.SetMemoryLimit(limitBefore)
	}
}
