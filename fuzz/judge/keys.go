package judge

import (
	"encoding/base64"
	"strconv"
	"strings"

	"phpwire/codec"
)

// Keys returns the array with these texts as keys, and the numbers 0, 1, 2 … as
// values. PHP is given the texts as they are, and must make ints of them where the
// reference does. A text that begins like a reserved name is changed, so that it
// makes no handle.
func Keys(texts []string) Value {
	size := 0
	for _, text := range texts {
		size += len(text) + len(`s:100:"x";i:10;`)
	}
	tagged, raw := make([]byte, 0, 4*size), make([]byte, 0, size+len("a:10:{}"))
	tagged = append(tagged, `{"t":"array","v":[`...)
	raw = append(strconv.AppendInt(append(raw, "a:"...), int64(len(texts)), 10), ":{"...)
	es := make([]codec.Entry, 0, len(texts))
	for i, text := range texts {
		if strings.HasPrefix(text, "__") {
			text = "x" + text
		}
		tagged = base64.StdEncoding.AppendEncode(append(comma(tagged, i), `[{"b64":"`...), []byte(text))
		tagged = strconv.AppendInt(append(tagged, `"},{"t":"int","v":"`...), int64(i), 10)
		tagged = append(tagged, `"}]`...)
		raw = strconv.AppendInt(append(raw, "s:"...), int64(len(text)), 10)
		raw = append(append(append(raw, `:"`...), text...), `";i:`...)
		raw = append(strconv.AppendInt(raw, int64(i), 10), ';')
		es = append(es, codec.Entry{Key: codec.StringKey(text), Value: codec.Int(int64(i))})
	}
	return Value{Value: codec.Array(es...), Tagged: append(tagged, "]}"...), Raw: append(raw, '}')}
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
