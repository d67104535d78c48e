package toolchild

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Stringify writes v as JSON.stringify does, down to the byte: no space, no
// escape that is not needed, a lone surrogate (three bytes of WTF-8) as \ud800 to \udfff,
// numbers as JavaScript prints them, an infinity or NaN as null.
//
// v may be nil, a bool, a string, an int, int64 or float64, [JSON] (which is
// taken as it is), a [PayloadRef], an [EntryMeta], a []any, []string or []EntryMeta, or a
// map[string]any, whose keys are sorted, "type" first. Any other type, and a
// string that is not WTF-8, is an error.
func Stringify(v any) (JSON, error) { return appendJSON(nil, v) }

func appendJSON(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(out, "null"...), nil
	case bool:
		return strconv.AppendBool(out, v), nil
	case string:
		return appendQuoted(out, v)
	case int:
		return strconv.AppendInt(out, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(out, v, 10), nil
	case float64:
		return appendNumber(out, v), nil
	case JSON:
		if v == nil {
			return append(out, "null"...), nil
		}
		return append(out, v...), nil
	case PayloadRef:
		return appendMembers(out, Fields{
			"refId": v.RefID, "generation": v.Generation, "bytes": v.Bytes, "sha256": v.SHA256,
		})
	case EntryMeta:
		members := Fields{
			"id": v.ID, "parentId": nil,
			"lineOffset": v.LineOffset, "lineBytes": v.LineBytes, "lineDelta": v.LineDelta,
		}
		if v.ParentID != nil {
			members["parentId"] = *v.ParentID
		}
		if v.Entry != nil {
			members["entry"] = v.Entry
		}
		return appendMembers(out, members)
	case []any:
		return appendElements(out, v)
	case []string:
		return appendElements(out, v)
	case []EntryMeta:
		return appendElements(out, v)
	case map[string]any:
		return appendMembers(out, v)
	case Fields:
		return appendMembers(out, v)
	}
	return nil, fmt.Errorf("toolchild: no JSON for a %T", v)
}

func appendElements[E any](out []byte, elements []E) ([]byte, error) {
	out = append(out, '[')
	var err error
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendJSON(out, element); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

func appendMembers(out []byte, members map[string]any) ([]byte, error) {
	keys := slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == "type" || b != "type" && a < b:
			return -1
		}
		return 1
	})
	out = append(out, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendQuoted(out, key); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = appendJSON(out, members[key]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

func appendQuoted(out []byte, s string) ([]byte, error) {
	out = append(out, '"')
	for at := 0; at < len(s); {
		c := s[at]
		if c >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(s[at:])
			switch {
			case size > 1:
				out = append(out, s[at:at+size]...)
				at += size
			case surrogate(s[at:]) != 0 && !(surrogate(s[at:]) < 0xdc00 && surrogate(s[at+3:]) >= 0xdc00):
				out = fmt.Appendf(out, "\\u%04x", surrogate(s[at:]))
				at += 3
			default:
				return nil, fmt.Errorf("toolchild: a string is not WTF-8 at byte %d: 0x%02x", at, c)
			}
			continue
		}
		at++
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			if c < ' ' {
				out = fmt.Appendf(out, "\\u%04x", c)
			} else {
				out = append(out, c)
			}
		}
	}
	return append(out, '"'), nil
}

// surrogate returns the surrogate that s begins with in WTF-8, or 0. A pair of
// them is not WTF-8: it would be one rune.
func surrogate(s string) int {
	if len(s) < 3 || s[0] != 0xed || s[1]&0xe0 != 0xa0 || s[2]&0xc0 != 0x80 {
		return 0
	}
	return 0xd000 | int(s[1]&0x3f)<<6 | int(s[2]&0x3f)
}

func appendNumber(out []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(out, "null"...)
	case f == 0:
		return append(out, '0') // JavaScript prints no sign on a zero
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	// Go writes at least two digits of exponent, JavaScript as many as it takes.
	if n := len(out); out[n-2] == '0' && (out[n-3] == '-' || out[n-3] == '+') {
		out = append(out[:n-2], out[n-1])
	}
	return out
}
