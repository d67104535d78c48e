package judge

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"phpwire/frames"
)

// What stands behind `phpwire replay` and `phpwire corpus add` for a case. All can
// be pasted into a shell.

// Quoted is a text as one word of a shell; ok is false where none can hold it.
func Quoted(text string) (word string, ok bool) {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'", !strings.Contains(text, "\x00")
}

// ReplayPayload shows a payload, and files it.
func ReplayPayload(payload []byte) string {
	return "--b64 '" + base64.StdEncoding.EncodeToString(payload) + "'"
}

// ReplayValue shows a value.
func ReplayValue(v Value) string { return "--value '" + string(v.Tagged) + "'" }

// FileValue files a value. With keys that PHP turns into ints itself it files the
// payload that has them: the corpus' values have ints there.
func FileValue(v Value) string {
	if v.Raw != nil {
		return ReplayPayload(v.Raw)
	}
	return ReplayValue(v)
}

// ReplayFloat shows a double.
func ReplayFloat(f Float) string {
	return fmt.Sprintf("--float %016x --precision %d", f.Bits, f.Precision)
}

// FileFloat files a double; "" where its precision is not the wire's.
func FileFloat(f Float) string {
	if f.Precision != -1 {
		return ""
	}
	return fmt.Sprintf("--float %016x", f.Bits)
}

// ReplayStream shows a stream, and files it.
func ReplayStream(s Stream) string {
	from := map[frames.Side]string{frames.FromHost: "host", frames.FromPHP: "php", frames.FromAnyone: "anyone"}[s.From]
	text := "--stream '" + base64.StdEncoding.EncodeToString(s.Bytes) + "' --from " + from
	if len(s.Chunks) == 0 {
		return text
	}
	sizes := make([]string, len(s.Chunks))
	for i, n := range s.Chunks {
		sizes[i] = strconv.Itoa(n)
	}
	return text + " --chunks " + strings.Join(sizes, ",")
}

// Filing is the command of a program that files the case of a finding, given what
// names the case; "" where nothing does. The case waits there for the reference to be
// right.
func (f *Finding) Filing(program, arguments string) string {
	if arguments == "" {
		return ""
	}
	comment, _ := Quoted(f.Kind)
	return program + " corpus add " + arguments + " --clause " + f.Clause + " --comment " + comment + " --later"
}
