package corpus

import (
	"strings"

	"phpwire/codec"
)

// Area is a part of the corpus, which is one file.
type Area struct {
	Name  string // and of the file
	Title string
}

var areas = []Area{
	{"scalars", "Null and bool, and every kind of value"},
	{"ints", "Ints: spellings and range"},
	{"floats-format", "Doubles as they are written"},
	{"floats-parse", "Doubles as they are read"},
	{"strings", "Strings of any bytes, and their lengths"},
	{"keys", "Array keys: types, numeric strings, repeated keys"},
	{"lists", "Arrays that are lists, and those that nearly are"},
	{"arrays", "Arrays: order, counts, objects that land as arrays"},
	{"handles", "Rhandle, phandle and pclass, and arrays that nearly are one"},
	{"depth", "Arrays inside one another, up to the limit and beyond"},
	{"limits", "Lengths of 31 bits, claims without bytes, inputs that tempt to waste time"},
	{"unsupported", "Types that no plugin value has: O C E r R S"},
	{"malformed-null", "Faults in or behind a null"},
	{"malformed-bool", "Faults in or behind a bool"},
	{"malformed-int", "Faults in or behind an int"},
	{"malformed-float", "Faults in or behind a float"},
	{"malformed-string", "Faults in or behind a string"},
	{"malformed-array", "Faults in an array's head or between its elements"},
	{"malformed-other", "Bytes that begin no token, bytes after the value, no bytes at all"},
	{"tagged", "Tagged JSON"},
	{"frames", "Single frames: layout, length, id, tag, fields"},
	{"frame-streams", "Streams of frames: chunks, ends, faults in between"},
	{"throws", "Throw frames"},
	{"writers", "Frames that a writer writes or must refuse"},
}

// Areas are all areas, in their order.
func Areas() []Area { return areas }

// areaOf says where a case belongs, by its operation, its clause and how the
// reference refuses it.
func areaOf(c *Case) string {
	switch c.Op {
	case Tagged:
		return "tagged"
	case Float:
		return "floats-format"
	case Write:
		return "writers"
	case Read:
		switch c.Clause {
		case "F-11":
			return "throws"
		case "F-16":
			return "frame-streams"
		}
		return "frames"
	}
	switch c.Clause {
	case "L-1", "W-6":
		return "depth"
	case "L-2", "L-3", "L-4", "W-5":
		return "limits"
	}
	if c.Refused != nil && c.Refused.Plugin != nil && c.Op == Decode {
		switch c.Refused.Plugin.Kind {
		case codec.Unsupported.String():
			return "unsupported"
		case codec.Reserved.String():
			return "handles"
		case codec.Range.String():
			return "ints"
		case codec.BadKey.String():
			return "keys"
		case codec.Truncated.String(), codec.Syntax.String(), codec.TrailingData.String():
			return malformed(c.Input.B64, int(c.Refused.Plugin.Offset), c.Refused.Plugin.Kind)
		}
	}
	switch c.Clause {
	case "D-1":
		return "floats-format"
	case "D-2", "D-3", "D-4", "V-5":
		return "floats-parse"
	case "V-7", "A-3":
		return "lists"
	case "V-4":
		return "ints"
	case "W-1", "W-4":
		return "malformed-other"
	case "W-2", "W-3", "W-9":
		return "unsupported"
	case "W-8", "W-10":
		return "ints"
	}
	switch c.Clause[0] {
	case 'A':
		return "arrays"
	case 'K':
		return "keys"
	case 'H':
		return "handles"
	case 'I':
		return "ints"
	case 'S':
		return "strings"
	}
	if c.Clause == "V-8" || c.Clause == "V-9" {
		return "arrays"
	}
	return "scalars"
}

// malformed names the area of a fault by the token in which it stands.
func malformed(payload []byte, offset int, kind string) string {
	if kind == codec.TrailingData.String() {
		return "malformed-other"
	}
	start, inside := tokenAt(payload, offset)
	if !inside {
		return "malformed-other"
	}
	switch payload[start] {
	case 'N':
		return "malformed-null"
	case 'b':
		return "malformed-bool"
	case 'i':
		return "malformed-int"
	case 'd':
		return "malformed-float"
	case 's':
		return "malformed-string"
	case 'a', '}':
		return "malformed-array"
	}
	return "malformed-other"
}

// tokenAt finds the token that holds an offset, which may be one that is not
// whole, or else the array that is open there.
func tokenAt(payload []byte, offset int) (start int, inside bool) {
	s := codec.NewScanner(payload)
	var open []int
	for s.Offset() <= offset && !s.Done() {
		start := s.Offset()
		t, err := s.Next()
		if err != nil {
			if strings.IndexByte("Nbidsa", payload[start]) >= 0 {
				return start, true
			}
			break
		}
		if t.End > offset {
			return start, true
		}
		switch t.Kind {
		case codec.TokenArray:
			open = append(open, start)
		case codec.TokenClose:
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) > 0 {
		return open[len(open)-1], true
	}
	return 0, false
}
