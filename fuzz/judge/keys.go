package judge

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"phpwire/codec"
)

// Keys returns the array with these texts as keys, and the numbers 0, 1, 2 … as
// values. PHP is given the texts as they are, and must make ints of them where the
// reference does. A text that begins like a reserved name is changed, so that it
// makes no handle.
func Keys(texts []string) Value {
	var tagged strings.Builder
	tagged.WriteString(`{"t":"array","v":[`)
	raw := fmt.Appendf(nil, "a:%d:{", len(texts))
	var es []codec.Entry
	for i, text := range texts {
		if strings.HasPrefix(text, "__") {
			text = "x" + text
		}
		if i > 0 {
			tagged.WriteByte(',')
		}
		tagged.WriteString(`[{"b64":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"},{"t":"int","v":"` + strconv.Itoa(i) + `"}]`)
		raw = fmt.Appendf(raw, "s:%d:\"%s\";i:%d;", len(text), text, i)
		es = append(es, codec.Entry{Key: codec.StringKey(text), Value: codec.Int(int64(i))})
	}
	tagged.WriteString("]}")
	return Value{Value: codec.Array(es...), Tagged: []byte(tagged.String()), Raw: append(raw, '}')}
}

// Numeric tells whether one of the texts is an int to PHP.
func Numeric(texts []string) bool {
	for _, text := range texts {
		if _, isInt := codec.StringKey(text).Int(); isInt {
			return true
		}
	}
	return false
}
