package port

import (
	"fmt"
	"math"

	"phpwire/codec"
)

// noOrder is what a Go map does not tell.
const noOrder = Unable("a Go map has no order")

// FromNative returns the value that Go's own types stand for, for libraries that
// use them: nil, bool, ints, floats, string, []byte, []any, and maps with keys that
// are ints or strings. A map with more than one entry is [Unable]: it has no order.
func FromNative(native any) (codec.Value, error) {
	switch v := native.(type) {
	case nil:
		return codec.Null(), nil
	case bool:
		return codec.Bool(v), nil
	case int:
		return codec.Int(int64(v)), nil
	case int64:
		return codec.Int(v), nil
	case uint64:
		if v > math.MaxInt64 {
			return codec.Null(), Unable("a uint64 of more than 63 bits is no value of PHP")
		}
		return codec.Int(int64(v)), nil
	case float64:
		return codec.Float(v), nil
	case string:
		return codec.String(v), nil
	case []byte:
		return codec.Bytes(v), nil
	case []any:
		var elements []codec.Value
		for _, e := range v {
			element, err := FromNative(e)
			if err != nil {
				return codec.Null(), err
			}
			elements = append(elements, element)
		}
		return codec.List(elements...), nil
	case map[any]any:
		return fromMap(v)
	case map[string]any:
		return fromMap(v)
	}
	return codec.Null(), Unable(fmt.Sprintf("a Go %T is no plain data", native))
}

func fromMap[K comparable](m map[K]any) (codec.Value, error) {
	if len(m) > 1 {
		return codec.Null(), noOrder
	}
	for k, e := range m {
		var key codec.Key
		switch k := any(k).(type) {
		case int:
			key = codec.IntKey(int64(k))
		case int64:
			key = codec.IntKey(k)
		case string:
			key = codec.StringKey(k)
		default:
			return codec.Null(), Unable(fmt.Sprintf("a Go %T is no key of PHP", k))
		}
		value, err := FromNative(e)
		if err != nil {
			return codec.Null(), err
		}
		return codec.Array(codec.Entry{Key: key, Value: value}), nil
	}
	return codec.List(), nil
}

// ToNative is the way back: nil, bool, int64, float64, string, []any, and
// map[int64]any or map[string]any. What Go has no type for is [Unable].
func ToNative(v codec.Value) (any, error) {
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
		elements := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			native, err := ToNative(e)
			if err != nil {
				return nil, err
			}
			elements = append(elements, native)
		}
		return elements, nil
	case codec.KindArray:
		if v.Len() > 1 {
			return nil, noOrder
		}
		for k, e := range v.All() {
			native, err := ToNative(e)
			if err != nil {
				return nil, err
			}
			if i, ok := k.Int(); ok {
				return map[int64]any{i: native}, nil
			}
			text, _ := k.Text()
			return map[string]any{text: native}, nil
		}
	}
	return nil, Unable("Go has no values of the kind " + v.Kind().String())
}
