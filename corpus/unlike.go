package corpus

import (
	"fmt"
	"math"
	"slices"

	"phpwire/codec"
)

// otherValues holds v against values that differ from it in one thing.
func otherValues(v codec.Value) []string {
	if !v.Equal(v) {
		return []string{"the value does not equal itself"}
	}
	for _, u := range unlike(v) {
		if v.Equal(u) || u.Equal(v) {
			return []string{fmt.Sprintf("the value equals %.200s", u)}
		}
	}
	return nil
}

// unlike are values that differ from v in one thing.
func unlike(v codec.Value) (all []codec.Value) {
	const most = 4 // elements that are made to differ, at each end
	text, _ := v.Text()
	switch v.Kind() {
	case codec.KindNull:
		return []codec.Value{codec.Bool(false), codec.String(""), codec.List()}
	case codec.KindBool:
		b, _ := v.Bool()
		return []codec.Value{codec.Bool(!b), codec.Int(0), codec.Null()}
	case codec.KindInt:
		n, _ := v.Int()
		return []codec.Value{codec.Int(n ^ 1), codec.Float(float64(n)), codec.Int(-n - 1)}
	case codec.KindFloat:
		f, _ := v.Float()
		bits := math.Float64bits(f)
		return []codec.Value{codec.Float(math.Float64frombits(bits ^ 1)), codec.Float(math.Float64frombits(bits ^ 1<<63)), codec.Int(int64(bits))}
	case codec.KindString:
		return []codec.Value{codec.String(text + "x"), codec.PhpClass(text), codec.String("x" + text)}
	case codec.KindPhpClass:
		return []codec.Value{codec.PhpClass(text + "x"), codec.String(text)}
	case codec.KindList:
		es := v.Elements()
		all = append(all, codec.List(append(slices.Clone(es), codec.Null())...), codec.Null())
		for i := range es {
			if i >= most && i < len(es)-most {
				continue
			}
			other := slices.Clone(es)
			other[i] = unlike(es[i])[0]
			all = append(all, codec.List(other...))
		}
	case codec.KindArray, codec.KindObject:
		es := v.Entries()
		make := codec.Array
		if v.Kind() == codec.KindObject {
			make = codec.Object
		}
		all = append(all, make(append(slices.Clone(es), codec.Entry{Key: codec.StringKey("one more, of all")})...), codec.List())
		for i := range es {
			if i >= most && i < len(es)-most {
				continue
			}
			value, key := slices.Clone(es), slices.Clone(es)
			value[i].Value = unlike(es[i].Value)[0]
			key[i].Key = codec.StringKey("another, of all")
			all = append(all, make(value...), make(key...))
		}
	case codec.KindRustHandle:
		h, _ := v.RustHandle()
		id, class, epoch, snapshot := h, h, h, h
		id.ID, class.Class, epoch.Epoch = h.ID^1, h.Class+"x", h.Epoch^1
		other := codec.List(codec.Null(), codec.Null())
		if h.Snapshot != nil {
			other = unlike(*h.Snapshot)[0]
			none := h
			none.Snapshot = nil
			all = append(all, codec.NewRustHandle(none))
		}
		snapshot.Snapshot = &other
		for _, h := range []codec.RustHandle{id, class, epoch, snapshot} {
			all = append(all, codec.NewRustHandle(h))
		}
	case codec.KindPhpHandle:
		h, _ := v.PhpHandle()
		id, class, more := h, h, h
		id.ID, class.Class, more.Implements = h.ID^1, h.Class+"x", append(slices.Clone(h.Implements), "I")
		all = append(all, codec.NewPhpHandle(id), codec.NewPhpHandle(class), codec.NewPhpHandle(more))
		for i := range h.Implements {
			other := h
			other.Implements = slices.Clone(h.Implements)
			other.Implements[i] += "x"
			all = append(all, codec.NewPhpHandle(other))
		}
	}
	return all
}
