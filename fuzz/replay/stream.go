package replay

import (
	"fmt"

	"phpwire/fuzz/judge"
)

// Streams is one stream of frames, read in one piece and in chunks. The last line
// of each is the error that ended it.
type Streams struct {
	Whole       []string `json:"whole"`
	Chunks      []string `json:"chunks"`
	Agree       bool     `json:"agree"`
	Differences []string `json:"differences"`
}

// Stream reads a stream both ways.
func Stream(s judge.Stream) *Streams {
	r := &Streams{Whole: lines(judge.ReadStream(s, true)), Chunks: lines(judge.ReadStream(s, false)), Differences: []string{}}
	if f := judge.Chunking(s); f != nil {
		r.Differences = append(r.Differences, f.String())
	}
	r.Agree = len(r.Differences) == 0
	return r
}

func lines(o judge.Outcome) []string {
	var all []string
	for _, f := range o.Frames {
		all = append(all, fmt.Sprintf("%v %+v", f.Tag(), f))
	}
	return append(all, fmt.Sprint(o.Err))
}
