package grow

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/frames"
)

// recipe derives questions systematically: each is a rule of the grammar with
// everything that may stand in its places.
type recipe struct {
	name string // the origin of its cases
	make func(*questions)
}

func recipes() []recipe {
	return []recipe{
		{corpus.FromExamples, examples},
		{"every kind", everyKind},
		{"ints", ints},
		{"double texts", doubleTexts},
		{"doubles at the edges", edgeDoubles},
		{"doubles to write", writtenDoubles},
		{"other precisions", precisions},
		{"strings", texts},
		{"keys", keys},
		{"repeated keys", repeatedKeys},
		{"lists and arrays", arrays},
		{"handles", handles},
		{"depth", depth},
		{"limits", limits},
		{"tokens in every place", places},
		{"other types", otherTypes},
		{"bytes behind the value", trailing},
		{"where PHPs differ", differing},
		{"tagged JSON", taggedTexts},
		{"values to encode", encodings},
		{"frames", singleFrames},
		{"fields", frameFields},
		{"throws", throws},
		{"streams", streams},
		{"frames to write", writers},
		{"one byte changed", oneByte},
		{FaultsOrigin, faults},
	}
}

// Questions are all that the recipes ask, in their order. Each is asked once.
func Questions() []corpus.Question {
	q := questions{asked: map[string]int{}}
	for _, r := range recipes() {
		q.origin = r.name
		r.make(&q)
	}
	return q.list
}

type questions struct {
	origin string
	list   []corpus.Question
	asked  map[string]int // where in the list
}

// ask adds a question. One that was asked before stays as it was, but for its origin
// where that keeps it in any case.
func (q *questions) ask(c corpus.Question) {
	key := fmt.Sprint(c.Op, c.From, c.Chunks, " ") + string(c.Input)
	if i, there := q.asked[key]; there {
		if alwaysKept(q.origin) && !alwaysKept(q.list[i].Origin) {
			q.list[i].Origin = q.origin
		}
		return
	}
	q.asked[key] = len(q.list)
	c.Origin = q.origin
	q.list = append(q.list, c)
}

// decode asks what a payload is read as.
func (q *questions) decode(clause, comment, payload string) {
	q.ask(corpus.Question{Op: corpus.Decode, Clause: clause, Comment: comment, Input: []byte(payload)})
}

// encode asks how a value is written.
func (q *questions) encode(clause, comment string, v codec.Value) {
	q.ask(corpus.Question{Op: corpus.Encode, Clause: clause, Comment: comment, Input: codec.AppendTagged(nil, v)})
}

func (q *questions) tagged(clause, comment, text string) {
	q.ask(corpus.Question{Op: corpus.Tagged, Clause: clause, Comment: comment, Input: []byte(text)})
}

func (q *questions) read(clause, comment string, from frames.Side, stream []byte, chunks ...int) {
	q.ask(corpus.Question{Op: corpus.Read, Clause: clause, Comment: comment, Input: stream, From: corpus.SideName(from), Chunks: chunks})
}

// frame asks what a frame with that payload is read as.
func (q *questions) frame(clause, comment string, tag frames.Tag, payload string) {
	raw := frames.Raw{Tag: tag, ID: idOf(tag), Payload: []byte(payload)}
	q.read(clause, comment, sender(tag), frames.AppendRaw(nil, raw))
}

func (q *questions) write(clause, comment string, tag frames.Tag, id uint64, fields ...codec.Value) {
	input, err := json.Marshal(corpus.Frame{Tag: tag.String(), ID: fmt.Sprint(id), Fields: codec.AppendTagged(nil, codec.List(fields...))})
	if err != nil {
		panic(err) // tagged JSON is JSON
	}
	q.ask(corpus.Question{Op: corpus.Write, Clause: clause, Comment: comment, Input: input})
}

// idOf is an id that a frame with this tag may have.
func idOf(tag frames.Tag) uint64 {
	switch tag {
	case frames.TagCallRustMethod:
		return 2
	case frames.TagReleaseRustHandle, frames.TagReleasePhpHandle, frames.TagEpochBump:
		return 0
	}
	return 1
}

// sender is the side that sends frames with this tag; either, where both do.
func sender(tag frames.Tag) frames.Side {
	switch tag {
	case frames.TagCallRustMethod, frames.TagReleaseRustHandle:
		return frames.FromPHP
	case frames.TagReturn, frames.TagThrow:
		return frames.FromAnyone
	}
	return frames.FromHost
}

// str is the payload of a string.
func str(s string) string { return fmt.Sprintf(`s:%d:"%s";`, len(s), s) }

// arr is the payload of an array of the given keys and values.
func arr(keysAndValues ...string) string {
	return fmt.Sprintf("a:%d:{%s}", len(keysAndValues)/2, strings.Join(keysAndValues, ""))
}

// list is the payload of a list.
func list(values ...string) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, fmt.Sprintf("i:%d;", i), v)
	}
	return arr(parts...)
}

func le64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
