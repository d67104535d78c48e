package fuzz

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
)

var sides = []frames.Side{frames.FromAnyone, frames.FromHost, frames.FromPHP}

// Frame judges one frame: its tag, the eight bytes of its id, its payload. The
// reader's verdict is that of clauses F-3 to F-15, said a second time here; what
// it accepts is written and read as the same.
func Frame(t T, input []byte) {
	t.Helper()
	var cases [][]byte
	for _, raw := range mutants(framed(input), 32, func(r *rand.Rand, frame []byte) []byte {
		broken, _ := gen.Break(r, frame)
		return broken
	}) {
		if len(raw) >= headerBytes {
			cases = append(cases, framed(raw[lengthBytes:]))
		}
	}
	frameTarget.check(t, cases)
}

const (
	lengthBytes = 8
	headerBytes = lengthBytes + frames.MinLength
)

// framed puts the right length before what follows a length, which is made long
// enough.
func framed(rest []byte) []byte {
	if missing := frames.MinLength - len(rest); missing > 0 {
		rest = append(append([]byte{}, rest...), make([]byte, missing)...)
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(rest))), rest...)
}

var frameTarget = &target[[]byte]{
	name: "FuzzFrame",
	judge: func(_ context.Context, cases [][]byte) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, c := range cases {
			for _, side := range sides {
				if findings[i] == nil {
					findings[i] = judgeFrame(c, side)
				}
			}
		}
		return findings, nil
	},
	smaller: func(frame []byte) [][]byte {
		var smaller [][]byte
		for _, b := range gen.SmallerStreams(frame) {
			if len(b) >= headerBytes {
				if b = framed(b[lengthBytes:]); gen.Simpler(b, frame) {
					smaller = append(smaller, b)
				}
			}
		}
		return smaller
	},
	explain: func(_ context.Context, frame []byte) explanation { return explainStream(judge.Stream{Bytes: frame}) },
}

func judgeFrame(frame []byte, side frames.Side) *judge.Finding {
	raw := frames.Raw{Tag: frames.Tag(frame[lengthBytes]), ID: binary.LittleEndian.Uint64(frame[lengthBytes+1:]), Payload: frame[headerBytes:]}
	f, err := frames.Parse(raw, side)
	clause, fits := frameFits(raw, side)
	switch {
	case fits && err != nil:
		return &judge.Finding{Invariant: "P5", Clause: "F-15", Kind: "a sound frame is refused", Title: "A sound frame is refused: " + err.Error(), Offset: -1}
	case !fits && err == nil:
		return &judge.Finding{Invariant: "P5", Clause: clause, Kind: "a frame is accepted that breaks " + clause,
			Title: fmt.Sprintf("A %v frame is accepted that breaks clause %s", raw.Tag, clause), Offset: -1}
	}
	whole := judge.ReadStream(judge.Stream{Bytes: frame, From: side}, true)
	if err != nil {
		var ours, read *frames.Error
		if !errors.As(err, &ours) || ours.Found == "" && ours.Err == nil {
			return &judge.Finding{Invariant: "P5", Clause: "E-5", Kind: "an error does not say what stood there", Title: "An error does not say what stood there: " + err.Error(), Offset: -1}
		}
		if !errors.As(whole.Err, &read) || read.Kind != ours.Kind || len(whole.Frames) > 0 {
			return &judge.Finding{Invariant: "P5", Clause: "F-16", Kind: "the reader has another error than the parser",
				Title: fmt.Sprintf("The reader says %v, the parser %v", whole.Err, err), Offset: -1}
		}
		return nil
	}
	if whole.Err != io.EOF || len(whole.Frames) != 1 || !cmp.Equal(whole.Frames[0], f) {
		return &judge.Finding{Invariant: "P5", Clause: "F-16", Kind: "the reader has another frame than the parser", Title: "The reader gives another frame than the parser", Offset: -1}
	}
	return judge.RoundTrip(f, side)
}

// frameRules says of each tag who sends it, which ids it may have, and its
// fields: s a string, l a list, n an int of 0 or more, p a list of positions, v
// any value, o the out-parameters, i an int, m the properties.
var frameRules = []struct {
	host, php bool
	id        string
	fields    string
}{
	{true, false, "odd", "slp"}, {true, false, "odd", "sslp"}, {true, false, "odd", "sl"}, {true, false, "odd", "nslp"},
	{false, true, "even", "nslp"}, {true, true, "reply", "vo"}, {true, true, "reply", "ssim"},
	{false, true, "none", "n"}, {true, false, "none", "n"}, {true, false, "none", "nn"},
}

// frameFits says whether a frame may come from a side, and which clause it
// breaks.
func frameFits(raw frames.Raw, side frames.Side) (clause string, fits bool) {
	if int(raw.Tag) >= len(frameRules) {
		return "F-4", false
	}
	rule := frameRules[raw.Tag]
	if side == frames.FromHost && !rule.host || side == frames.FromPHP && !rule.php {
		return "F-4", false
	}
	odd := raw.ID%2 == 1
	switch rule.id {
	case "odd":
		fits = odd
	case "even":
		fits = raw.ID != 0 && !odd
	case "none":
		fits = raw.ID == 0
	case "reply":
		fits = raw.ID != 0 && !(side == frames.FromPHP && !odd) && !(side == frames.FromHost && odd)
	}
	if !fits {
		return "F-3", false
	}
	v, err := codec.Decode(raw.Payload, codec.Plugin)
	if err != nil || v.Kind() != codec.KindList {
		return "F-15", false
	}
	fields := v.Elements()
	if n := len(fields); n != len(rule.fields) && !(raw.Tag == frames.TagThrow && n == 3) {
		return "F-15", false
	}
	for i, field := range fields {
		if !fieldFits(field, rule.fields[i]) {
			return clauseOfTag(int(raw.Tag)), false
		}
	}
	return "", true
}

func fieldFits(v codec.Value, rule byte) bool {
	isPosition := func(n int64, ok bool) bool { return ok && n >= 0 && n <= codec.MaxLength }
	switch rule {
	case 's':
		return v.Kind() == codec.KindString
	case 'i':
		return v.Kind() == codec.KindInt
	case 'n':
		n, ok := v.Int()
		return ok && n >= 0
	case 'l':
		return v.Kind() == codec.KindList
	case 'p':
		for _, e := range v.Elements() {
			if !isPosition(e.Int()) {
				return false
			}
		}
		return v.Kind() == codec.KindList
	case 'o':
		for k := range v.All() {
			if !isPosition(k.Int()) {
				return false
			}
		}
		return v.Kind() == codec.KindArray || v.Kind() == codec.KindList
	case 'm':
		return v.Kind() == codec.KindArray || v.Kind() == codec.KindList && v.Len() == 0
	}
	return true
}

// Stream judges a stream of frames by a plan of chunks, a byte for the size of
// each (P5), and against a reader that only cuts it at the lengths that it
// claims. The first byte of the plan also chooses the side that wrote it.
func Stream(t T, stream, plan []byte) {
	t.Helper()
	s := judge.Stream{}
	if len(plan) > 0 {
		s.From = sides[int(plan[0])%len(sides)]
	}
	for _, b := range plan[:min(len(plan), 64)] {
		s.Chunks = append(s.Chunks, 1+int(b))
	}
	var cases []judge.Stream
	for _, b := range mutants(stream, 32, func(r *rand.Rand, stream []byte) []byte {
		broken, _ := gen.Break(r, stream)
		return broken
	}) {
		s.Bytes = b
		cases = append(cases, s)
	}
	streamTarget.check(t, cases)
}

var streamTarget = &target[judge.Stream]{
	name: "FuzzStream",
	judge: func(_ context.Context, cases []judge.Stream) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, s := range cases {
			if findings[i] = judge.Chunking(s); findings[i] == nil {
				findings[i] = judgeCuts(s)
			}
		}
		if len(cases) > 0 && findings[0] == nil {
			findings[0] = judge.Proportion(cases[0].Bytes, func(b []byte) {
				judge.ReadStream(judge.Stream{Bytes: b, From: cases[0].From}, true)
			})
		}
		return findings, nil
	},
	smaller: func(s judge.Stream) []judge.Stream {
		var smaller []judge.Stream
		if len(s.Chunks) > 0 {
			smaller = append(smaller, judge.Stream{Bytes: s.Bytes, From: s.From})
		}
		for _, b := range gen.SmallerStreams(s.Bytes) {
			smaller = append(smaller, judge.Stream{Bytes: b, From: s.From, Chunks: s.Chunks})
		}
		return smaller
	},
	explain: func(_ context.Context, s judge.Stream) explanation { return explainStream(s) },
}

// judgeCuts holds the reader against the stream cut at the lengths that it
// claims, each frame parsed by itself.
func judgeCuts(s judge.Stream) *judge.Finding {
	whole := judge.ReadStream(s, true)
	wrong := func(what string) *judge.Finding {
		return &judge.Finding{Invariant: "P5", Clause: "F-1", Kind: "the reader cuts the stream elsewhere",
			Title: what + ", the reader says: " + fmt.Sprint(whole.Err), Offset: -1}
	}
	rest, n := s.Bytes, 0
	for ; len(rest) > 0; n++ {
		if len(rest) < lengthBytes {
			return unless(isKind(whole.Err, frames.Truncated), wrong, "A length is cut")
		}
		length := binary.LittleEndian.Uint64(rest)
		switch {
		case length < frames.MinLength:
			return unless(isKind(whole.Err, frames.TooShort), wrong, "A length is too small")
		case length > frames.MaxLength:
			return unless(isKind(whole.Err, frames.TooLong), wrong, "A length is too large")
		case length > uint64(len(rest)-lengthBytes):
			return unless(isKind(whole.Err, frames.Truncated), wrong, "A frame is cut")
		}
		end := lengthBytes + int(length)
		raw := frames.Raw{Tag: frames.Tag(rest[lengthBytes]), ID: binary.LittleEndian.Uint64(rest[lengthBytes+1:]), Payload: rest[headerBytes:end]}
		f, err := frames.Parse(raw, s.From)
		if err != nil {
			var parsed *frames.Error
			errors.As(err, &parsed)
			return unless(len(whole.Frames) == n && isKind(whole.Err, parsed.Kind), wrong, "A frame by itself is refused: "+err.Error())
		}
		if len(whole.Frames) <= n || !cmp.Equal(whole.Frames[n], f) {
			return wrong("Frame " + strconv.Itoa(n+1) + " by itself is another one")
		}
		rest = rest[end:]
	}
	return unless(whole.Err == io.EOF && len(whole.Frames) == n, wrong, "The stream ends well")
}

func isKind(err error, kind frames.ErrorKind) bool {
	var e *frames.Error
	return errors.As(err, &e) && e.Kind == kind
}

func unless(right bool, wrong func(string) *judge.Finding, what string) *judge.Finding {
	if right {
		return nil
	}
	return wrong(what)
}

func explainStream(s judge.Stream) explanation {
	arguments := judge.ReplayStream(s)
	e := explanation{input: s.Bytes, replay: arguments, keep: arguments}
	r := replay.Stream(s)
	e.sides = []string{"in one piece  " + strings.Join(r.Whole, ", "), "in chunks     " + strings.Join(r.Chunks, ", ")}
	return e
}

// clauseOfTag is the clause that a frame of the tag is about.
func clauseOfTag(tag int) string { return "F-" + strconv.Itoa(5+tag) }
