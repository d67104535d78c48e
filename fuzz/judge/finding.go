package judge

import (
	"bytes"
	"fmt"
	"strings"

	"phpwire/codec"
)

// Finding is one broken invariant.
type Finding struct {
	Invariant string // "P1" to "P6"
	Clause    string // of docs/protocol.md
	// Kind is the same for all findings of the same sort, so that shrinking does
	// not slip from one to another: who accepted, who refused, what differs.
	Kind        string
	Title       string // what happened here, in words
	Offset      int    // in the payload, -1 for nowhere
	Differences []string
}

func (f *Finding) String() string {
	text := f.Invariant + ": " + f.Title
	if len(f.Differences) > 0 {
		text += ": " + strings.Join(f.Differences, "; ")
	}
	return text
}

// mostDifferences is how many differences a finding names.
const mostDifferences = 5

// valueDifferences names where two values differ; both are tagged JSON.
func valueDifferences(left, right []byte) []string {
	a, errA := codec.ParseTagged(left)
	b, errB := codec.ParseTagged(right)
	if errA != nil || errB != nil {
		return []string{fmt.Sprintf("%s ≠ %s", shorten(left), shorten(right))}
	}
	var texts []string
	for _, d := range codec.Differences(a, b, mostDifferences) {
		texts = append(texts, d.String())
	}
	return texts
}

// byteDifference names the first place at which two payloads differ.
func byteDifference(left, right []byte) (offset int, text string) {
	for offset < len(left) && offset < len(right) && left[offset] == right[offset] {
		offset++
	}
	from := max(0, offset-12)
	return offset, fmt.Sprintf("at offset %d: %q ≠ %q", offset, shorten(left[from:]), shorten(right[from:]))
}

func shorten(b []byte) []byte {
	const most = 60
	if len(b) > most {
		return append(bytes.Clone(b[:most]), "…"...)
	}
	return b
}
