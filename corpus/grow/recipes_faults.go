package grow

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"phpwire/corpus"
	"phpwire/frames"
)

// FaultsOrigin is the origin of the cases that show small faults.
const FaultsOrigin = "small faults"

// smallFaults are inputs that show a small fault in the reference which no other
// case shows: one a line, written by go run ./fuzz/mutants --seek.
//
//go:embed faults.jsonl
var smallFaults string

func faults(q *questions) {
	// What is too large for that file: frames above the 64 KiB, or the 128, that
	// readers buffer.
	for _, size := range []int{66_000, 140_000} {
		text := strings.Repeat("large ", size/6)
		large := frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(list(str(text), list()))})
		comment := fmt.Sprintf("a frame above %d KiB", size>>10)
		q.read("F-16", comment, frames.FromHost, large)
		q.read("F-16", comment+", then a length of 0", frames.FromHost, append(large[:len(large):len(large)], le64(0)...))
	}
	half := func(text string) []byte {
		return frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(list(str(text), list()))})
	}
	q.read("F-16", "two frames of which the second crosses 128 KiB", frames.FromHost, append(half(counted(70_000)), half(counted(72_000)[500:])...))
	lines := bufio.NewScanner(strings.NewReader(smallFaults))
	lines.Buffer(nil, len(smallFaults)+1)
	for lines.Scan() {
		var l struct {
			Shows  string    `json:"shows"`
			Op     corpus.Op `json:"op"`
			Clause string    `json:"clause"`
			B64    []byte    `json:"b64"`
			From   string    `json:"from"`
			Chunks []int     `json:"chunks"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			panic(fmt.Sprintf("faults.jsonl: %v", err)) // it is part of the program, and the tests read it
		}
		q.ask(corpus.Question{Op: l.Op, Clause: l.Clause, Comment: l.Shows, Input: l.B64, From: l.From, Chunks: l.Chunks})
	}
}
