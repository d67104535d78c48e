package main

import (
	"fmt"
	"math"
	"os"
	"strconv"

	"phpwire/codec"
)

// payload is what is decoded and encoded.
type payload struct {
	bytes  []byte
	value  codec.Value
	native any // the value in Go's own types
}

func read(file string) (p payload, err error) {
	if p.bytes, err = os.ReadFile(file); err != nil {
		return p, err
	}
	if p.value, err = codec.Decode(p.bytes, codec.Canonical); err != nil {
		return p, err
	}
	p.native, err = toNative(p.value)
	return p, err
}

// toNative makes nil, bool, int64, float64, string, []any and map[string]any.
func toNative(v codec.Value) (any, error) {
	switch v.Kind() {
	case codec.KindNull:
		return nil, nil
	case codec.KindBool:
		b, _ := v.Bool()
		return b, nil
	case codec.KindInt:
		i, _ := v.Int()
		return i, nil
	case codec.KindFloat:
		f, _ := v.Float()
		return f, nil
	case codec.KindString:
		s, _ := v.Text()
		return s, nil
	case codec.KindList:
		list := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			native, err := toNative(e)
			if err != nil {
				return nil, err
			}
			list = append(list, native)
		}
		return list, nil
	case codec.KindArray:
		m := make(map[string]any, v.Len())
		for _, e := range v.Entries() {
			key, isText := e.Key.Text()
			native, err := toNative(e.Value)
			if err != nil {
				return nil, err
			}
			if !isText {
				return nil, fmt.Errorf("key %v is no string", e.Key)
			}
			m[key] = native
		}
		return m, nil
	}
	return nil, fmt.Errorf("%v is no plain value", v.Kind())
}

// difference says in which way native is not the value; "" where it is. A list may
// be a map with the keys 0, 1, 2 …, as long as nothing is lost.
func difference(native any, want codec.Value) string {
	ok := false
	switch got := native.(type) {
	case nil:
		ok = want.IsNull()
	case bool:
		b, is := want.Bool()
		ok = is && b == got
	case int:
		i, is := want.Int()
		ok = is && i == int64(got)
	case int64:
		i, is := want.Int()
		ok = is && i == got
	case float64:
		f, is := want.Float()
		ok = is && math.Float64bits(f) == math.Float64bits(got)
	case string:
		s, is := want.Text()
		ok = is && s == got
	case []byte:
		s, is := want.Text()
		ok = is && s == string(got)
	case []any:
		return listDifference(got, want)
	case map[any]any:
		return mapDifference(got, want, func(k codec.Key) []any {
			if i, is := k.Int(); is {
				return []any{i, int(i)}
			}
			s, _ := k.Text()
			return []any{s}
		})
	case map[string]any:
		return mapDifference(got, want, func(k codec.Key) []string {
			if i, is := k.Int(); is {
				return []string{strconv.FormatInt(i, 10)}
			}
			s, _ := k.Text()
			return []string{s}
		})
	}
	if ok {
		return ""
	}
	if got, isText := native.(string); isText && want.Kind() == codec.KindString {
		text, _ := want.Text()
		at := 0
		for at < min(len(got), len(text)) && got[at] == text[at] {
			at++
		}
		return fmt.Sprintf("%.12q for %.12q at byte %d of a string", got[at:], text[at:], at)
	}
	return fmt.Sprintf("%.24q, a Go %T, for %.24s", fmt.Sprint(native), native, want)
}

func listDifference(got []any, want codec.Value) string {
	if len(got) != want.Len() || want.Kind() != codec.KindList {
		return fmt.Sprintf("a list of %d for %.40s", len(got), want)
	}
	for i, e := range want.Elements() {
		if d := difference(got[i], e); d != "" {
			return d
		}
	}
	return ""
}

// mapDifference looks for each key of the value under all its spellings.
func mapDifference[K comparable](got map[K]any, want codec.Value, spellings func(codec.Key) []K) string {
	if len(got) != want.Len() {
		return fmt.Sprintf("a map of %d for %.40s", len(got), want)
	}
	for k, e := range want.All() {
		found := false
		for _, s := range spellings(k) {
			native, there := got[s]
			if found = there; found {
				if d := difference(native, e); d != "" {
					return d
				}
				break
			}
		}
		if !found {
			return fmt.Sprintf("no key %v in a map of %d", k, len(got))
		}
	}
	return ""
}
