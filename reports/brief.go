package reports

import (
	"fmt"
	"strings"

	"phpwire/corpus/printable"
)

// The repetitions that Brief folds.
const (
	longestPeriod = 48 // bytes
	leastFolded   = 36 // bytes, repetitions together
)

// Brief is [printable.Bytes] with what repeats folded, so that deep nesting can be
// read at a glance: "(a:1:{i:0;)×513 N; (})×513".
func Brief(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		period, times := repetition(b)
		if times == 0 {
			s.WriteString(printable.Bytes(b[:1]))
			b = b[1:]
			continue
		}
		fmt.Fprintf(&s, "(%s)×%d", printable.Bytes(b[:period]), times)
		b = b[period*times:]
	}
	return s.String()
}

// repetition finds the shortest part that b starts with again and again, and how
// often; 0 times where it is not worth folding.
func repetition(b []byte) (period, times int) {
	for period := 1; period <= min(longestPeriod, len(b)/2); period++ {
		n := period
		for n < len(b) && b[n] == b[n-period] {
			n++
		}
		if times := n / period; times > 1 && times*period >= leastFolded {
			return period, times
		}
	}
	return 0, 0
}
