package childtest

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// Line is one step of a conversation: bytes that were sent or seen, or an event.
type Line struct {
	// Who is "host" or "child" for bytes on the stream, "" for an event.
	Who string `json:"who,omitempty"`
	// Frame is the frame as people read it, or the event.
	Frame string `json:"frame"`
	// Size is the number of bytes, and Bytes the first of them, those that do not
	// print as \x and two digits.
	Size  int    `json:"size,omitempty"`
	Bytes string `json:"bytes,omitempty"`
}

func (l Line) String() string {
	switch l.Who {
	case "":
		return "        -- " + l.Frame
	case "host":
		return fmt.Sprintf("host  -> %s\n           %s", l.Frame, l.Bytes)
	}
	return fmt.Sprintf("child <- %s\n           %s", l.Frame, l.Bytes)
}

// The most that a transcript shows of one thing.
const (
	mostBytes = 240
	mostText  = 160
)

// shownBytes gives the head of a frame as hexadecimal digits and its payload as
// text.
func shownBytes(b []byte) string {
	const head = 17
	if len(b) < head {
		return hex.EncodeToString(b)
	}
	return fmt.Sprintf("%x %x %x  %s", b[:8], b[8:9], b[9:head], printable(b[head:]))
}

func printable(b []byte) string {
	var s strings.Builder
	for i, c := range b {
		if i == mostBytes {
			fmt.Fprintf(&s, "… (%d bytes)", len(b))
			break
		}
		if c < ' ' || c > '~' || c == '\\' {
			fmt.Fprintf(&s, `\x%02x`, c)
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}

// shown is a frame in words: CallFunction 1 strlen("abc").
func shown(f frames.Frame) string {
	switch f := f.(type) {
	case frames.CallFunction:
		return fmt.Sprintf("CallFunction %d %s(%s)%s", f.ID, f.Function, shownArgs(f.Args), shownPositions(f.OutParams))
	case frames.CallStaticMethod:
		return fmt.Sprintf("CallStaticMethod %d %s::%s(%s)%s", f.ID, f.Class, f.Method, shownArgs(f.Args), shownPositions(f.OutParams))
	case frames.NewObject:
		return fmt.Sprintf("NewObject %d %s(%s)", f.ID, f.Class, shownArgs(f.Args))
	case frames.CallPhpMethod:
		return fmt.Sprintf("CallPhpMethod %d phandle %d->%s(%s)%s", f.ID, f.Handle, f.Method, shownArgs(f.Args), shownPositions(f.OutParams))
	case frames.CallRustMethod:
		return fmt.Sprintf("CallRustMethod %d rhandle %d->%s(%s)%s", f.ID, f.Handle, f.Method, shownArgs(f.Args), shownPositions(f.OutParams))
	case frames.Return:
		s := fmt.Sprintf("Return %d %s", f.ID, shownValue(f.Value))
		for _, p := range f.OutParams {
			s += fmt.Sprintf(", argument %d is %s", p.Position, shownValue(p.Value))
		}
		return s
	case frames.Throw:
		s := fmt.Sprintf("Throw %d %s(%s, %d)", f.ID, f.Class, cutText(strconv.Quote(f.Message)), f.Code)
		if len(f.Properties) > 0 {
			s += " with " + shownValue(codec.Array(f.Properties...))
		}
		return s
	case frames.ReleaseRustHandle:
		return fmt.Sprintf("ReleaseRustHandle %d", f.Handle)
	case frames.ReleasePhpHandle:
		return fmt.Sprintf("ReleasePhpHandle %d", f.Handle)
	case frames.EpochBump:
		return fmt.Sprintf("EpochBump of %d to %d", f.Handle, f.Epoch)
	}
	return fmt.Sprint(f)
}

func shownArgs(vs []codec.Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = shownValue(v)
	}
	return cutText(strings.Join(parts, ", "))
}

func shownPositions(ps []int) string {
	if len(ps) == 0 {
		return ""
	}
	return fmt.Sprintf(", by reference %v", ps)
}

func shownValue(v codec.Value) string { return cutText(v.String()) }

func cutText(s string) string {
	if len(s) > mostText {
		return s[:mostText] + "…"
	}
	return s
}
