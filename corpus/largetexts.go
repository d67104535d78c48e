package corpus

import (
	"fmt"
	"strings"

	"phpwire/codec"
)

// largeTexts holds tagged JSON that is too large for a case, deep in one another,
// of long strings, or of many keys of which some repeat, against the same with a
// space before it, for one value: null.
func largeTexts(v codec.Value) string {
	if v.Kind() != codec.KindNull {
		return ""
	}
	const null = `{"t":"null"}`
	around := func(before string, depth int, after string) string {
		return strings.Repeat(before, depth) + null + strings.Repeat(after, depth)
	}
	texts := []string{
		around(`{"t":"list","v":[`, 6000, `]}`),
		around(`{"t":"array","v":[[{"int":"5"},`, 4000, `]]}`),
		`{"t":"string","b64":"` + strings.Repeat("QUFB", 10_000) + `"}`,
	}
	for _, kind := range []string{"array", "object"} {
		var some []string
		for i := range 16 {
			some = append(some, repeatedLast(kind, 100*i))
		}
		texts = append(texts, `{"t":"list","v":[`+strings.Join(some, ",")+`]}`)
	}
	for _, text := range texts {
		if what := alike([]byte(text)); what != "" {
			return what
		}
	}
	return ""
}

// repeatedLast is an array or object of nine elements from the key first on, of
// which the last has the first one's key: so many that keys are no more compared
// one by one.
func repeatedLast(kind string, first int) string {
	var pairs []string
	for i := range 9 {
		pairs = append(pairs, fmt.Sprintf(`[{"int":"%d"},{"t":"null"}]`, first+7+i%8))
	}
	return fmt.Sprintf(`{"t":%q,"v":[%s]}`, kind, strings.Join(pairs, ","))
}
