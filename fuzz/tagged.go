package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"phpwire/codec"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
)

// Tagged judges tagged JSON (part T): what is read is written in one form, which
// is read as the same value again, strictly and loosely; the value crosses the
// wire and keeps its form. Beside the input it judges changes of it, and values
// that the input's bytes decide, as their tagged JSON.
func Tagged(t T, input []byte) {
	t.Helper()
	cases := mutants(input, 16, changeJSON)
	for i := range 16 {
		r := rand.New(&byteSource{left: input, then: source(append([]byte{byte(i)}, input...))})
		if i > 0 {
			r.Seed(int64(i))
		}
		cases = append(cases, codec.AppendTagged(nil, gen.RandomValue(r, gen.Options{MaxNodes: 8})))
	}
	taggedTarget.check(t, cases)
}

var taggedTarget = &target[[]byte]{
	name: "FuzzTagged",
	judge: func(_ context.Context, cases [][]byte) ([]*judge.Finding, error) {
		findings := make([]*judge.Finding, len(cases))
		for i, text := range cases {
			findings[i] = judgeTagged(text)
		}
		return findings, nil
	},
	smaller: func(text []byte) [][]byte {
		smaller := smallerJSON(text)
		v, err := codec.ParseTaggedKeys(text)
		if err != nil {
			return smaller
		}
		for _, s := range append(gen.SmallerValues(v), v) {
			if b := codec.AppendTagged(nil, s); gen.Simpler(b, text) {
				smaller = append(smaller, b)
			}
		}
		return smaller
	},
	explain: func(ctx context.Context, text []byte) explanation {
		e := explanation{input: text}
		if word, ok := judge.Quoted(string(text)); ok {
			e.replay, e.keep = "--value "+word, "--tagged "+word
		}
		if c, err := replay.Value(ctx, text, nil); err == nil {
			e.sides = []string{side("reference", c.Reference.Error == "", c.Reference.B64, c.Reference.Error)}
		}
		return e
	},
}

// smallerJSON lists what a JSON text shrinks to, whatever the reader under test makes
// of it: values in the place of the whole, null in theirs, elements and members left
// out, texts made short. The shortest come first.
func smallerJSON(text []byte) [][]byte {
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil
	}
	mostBytes := max(2<<20, 64*len(text))
	var smaller [][]byte
	size := 0
	offer := func(tree any) {
		if b, err := json.Marshal(tree); err == nil && size < mostBytes && gen.Simpler(b, text) {
			smaller = append(smaller, b)
			size += len(b)
		}
	}
	// around puts a value into the place of the one that is walked.
	var walk func(tree any, around func(any) any)
	walk = func(tree any, around func(any) any) {
		switch t := tree.(type) {
		case []any:
			for n := len(t); n > 0; n /= 2 {
				for from := 0; from < len(t); from += n {
					offer(around(slices.Concat(t[:from], t[min(from+n, len(t)):])))
				}
			}
			for i, e := range t {
				walk(e, func(e any) any { return around(slices.Concat(t[:i], []any{e}, t[i+1:])) })
			}
		case map[string]any:
			if t["t"] != nil {
				offer(t)
				offer(around(map[string]any{"t": "null"}))
			}
			for _, name := range slices.Sorted(maps.Keys(t)) {
				less := maps.Clone(t)
				delete(less, name)
				offer(around(less))
				walk(t[name], func(e any) any {
					changed := maps.Clone(t)
					changed[name] = e
					return around(changed)
				})
			}
		case string:
			for _, s := range []string{"", "0", "1", "AA==", t[:len(t)/2], t[:max(0, len(t)-1)]} {
				offer(around(s))
			}
		}
	}
	walk(tree, func(tree any) any { return tree })
	slices.SortStableFunc(smaller, func(a, b []byte) int { return len(a) - len(b) })
	return smaller
}

func judgeTagged(text []byte) *judge.Finding {
	wrong := func(clause, what string) *judge.Finding {
		return &judge.Finding{Invariant: "P1", Clause: clause, Kind: what, Title: "Tagged JSON: " + what, Offset: -1}
	}
	strict, strictErr := codec.ParseTagged(text)
	v, err := codec.ParseTaggedKeys(text)
	switch {
	case err != nil && strictErr == nil:
		return wrong("T-4", "the loose reader refuses what the strict one reads")
	case err != nil:
		return nil
	case strictErr == nil && !strict.Equal(v):
		return wrong("T-4", "the loose reader reads another value")
	}
	form := codec.AppendTagged(nil, v)
	again, err := codec.ParseTagged(form)
	switch {
	case err != nil:
		return wrong("T-1", "what was written is refused")
	case !again.Equal(v):
		return wrong("T-1", "what was written is read as another value")
	case !bytes.Equal(codec.AppendTagged(nil, again), form):
		return wrong("T-1", "there are two forms of a value")
	case strictErr != nil && !bytes.Contains(text, []byte("b64")):
		return wrong("T-1", "the strict reader refuses more than string keys")
	case strictErr == nil && !sameJSON(text, form):
		return wrong("T-1", "another value is read than stands there")
	}
	encoded, err := codec.Encode(v)
	if err != nil {
		return nil // a plain array with a reserved key, or too deep
	}
	landed, err := codec.Decode(encoded, codec.Canonical)
	if err != nil {
		return wrong("P-3", "canonical refuses the encoder's bytes")
	}
	if got, want := codec.AppendTagged(nil, landed), codec.AppendTagged(nil, v.Landed()); !bytes.Equal(got, want) {
		return wrong("V-10", "a value comes back with another form")
	}
	return nil
}

// sameJSON tells whether two texts of tagged JSON say the same: part T, said a
// second time here.
func sameJSON(a, b []byte) bool {
	var left, right any
	return json.Unmarshal(a, &left) == nil && json.Unmarshal(b, &right) == nil && reflect.DeepEqual(plain(left), plain(right))
}

// plain brings the forms that a value may have to one: lists are arrays, repeated
// keys are merged, bits have small digits and no text beside them.
func plain(tree any) any {
	object, _ := tree.(map[string]any)
	out := map[string]any{}
	for name, member := range object {
		out[name] = member
	}
	switch object["t"] {
	case "float":
		delete(out, "v")
		bits, _ := object["bits"].(string)
		out["bits"] = strings.ToLower(bits)
	case "list":
		items, _ := object["v"].([]any)
		pairs := make([]any, len(items))
		for i, item := range items {
			pairs[i] = []any{map[string]any{"int": strconv.Itoa(i)}, plain(item)}
		}
		out["t"], out["v"] = "array", pairs
	case "array", "object":
		out["v"] = plainPairs(object["v"])
	case "rhandle":
		if snapshot, there := object["snapshot"]; there {
			out["snapshot"] = plainPairs(snapshot)
		}
	}
	return out
}

func plainPairs(tree any) []any {
	items, _ := tree.([]any)
	places := map[string]int{}
	pairs := []any{}
	for _, item := range items {
		pair, _ := item.([]any)
		if len(pair) != 2 {
			return nil
		}
		key := fmt.Sprint(pair[0])
		at, repeated := places[key]
		if !repeated {
			at = len(pairs)
			places[key] = at
			pairs = append(pairs, nil)
		}
		pairs[at] = []any{pair[0], plain(pair[1])}
	}
	return pairs
}

var jsonWords = []string{
	`"null"`, `"bool"`, `"int"`, `"float"`, `"string"`, `"list"`, `"array"`, `"object"`, `"rhandle"`, `"phandle"`, `"pclass"`,
	`"t"`, `"v"`, `"bits"`, `"b64"`, `"class"`, `"epoch"`, `"snapshot"`, `"implements"`, `"NQ=="`, `"YQ=="`, `"YQ"`, `""`, `"5"`, `"-5"`, `"05"`,
	`"9223372036854775808"`, `"3ff8000000000000"`, `"7ff0000000000001"`, `true`, `false`, `null`, `5`, `[]`, `{}`, `{"t":"null"}`,
	`[{"int":"0"},{"t":"null"}]`, `[{"b64":"YQ=="},{"t":"null"}]`, `,`, `:`,
}

// changeJSON puts a word in the place of another, or beside one.
func changeJSON(r *rand.Rand, text []byte) []byte {
	word := jsonWords[r.Intn(len(jsonWords))]
	from := r.Intn(len(text) + 1)
	for from > 0 && bytes.IndexByte([]byte(`{[,:]}`), text[from-1]) < 0 {
		from--
	}
	to := from
	if r.Intn(3) > 0 {
		for to < len(text) && bytes.IndexByte([]byte(`{[,:]}`), text[to]) < 0 {
			to++
		}
	}
	return append(append(append([]byte{}, text[:from]...), word...), text[to:]...)
}
