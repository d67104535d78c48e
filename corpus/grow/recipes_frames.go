package grow

import (
	"fmt"
	"math"
	"strings"

	"phpwire/codec"
	"phpwire/docs"
	"phpwire/frames"
)

// field is a field of a frame: how it is called, a right payload, and others.
type field struct {
	name  string
	right string
	also  []string // right too
}

var (
	textField   = field{"text", str("f"), []string{str(""), str("é"), str("\xff\x00"), str("A\\B")}}
	numberField = field{"number", "i:8;", []string{"i:0;", "i:1;", "i:9223372036854775807;", "i:+8;", "i:08;"}}
	codeField   = field{"code", "i:5;", []string{"i:0;", "i:-5;", "i:-9223372036854775808;", "i:9223372036854775807;"}}
	listField   = field{"args", list(), []string{list("N;"), list("i:1;", str("a"), rhandle), list(list()), arr(str("0"), "N;")}}
	placesField = field{"positions", list(), []string{list("i:0;"), list("i:1;", "i:0;"), list("i:5;"), list("i:0;", "i:0;"), list("i:2147483647;")}}
	paramsField = field{"out_params", list(), []string{list("N;"), arr("i:1;", str("x")), arr("i:2;", "N;", "i:1;", "N;"), arr("i:2147483647;", "N;"), arr(str("3"), "N;")}}
	valueField  = field{"value", "N;", []string{"b:1;", "i:5;", "d:0.5;", str("a"), list(), list("N;"), arr(str("k"), "N;"), rhandle, phandle, pclass}}
	stateField  = field{"properties", list(), []string{arr(str("status"), "i:404;"), arr(str("a"), "N;", str("b"), list()), arr(str("previous"), arr(str("class"), str("E"), str("message"), str(""), str("code"), "i:0;", str("properties"), list())), arr(str("o"), phandle)}}
)

var fieldsOf = map[frames.Tag][]field{
	frames.TagCallFunction:      {textField, listField, placesField},
	frames.TagCallStaticMethod:  {textField, textField, listField, placesField},
	frames.TagNewObject:         {textField, listField},
	frames.TagCallPhpMethod:     {numberField, textField, listField, placesField},
	frames.TagCallRustMethod:    {numberField, textField, listField, placesField},
	frames.TagReturn:            {valueField, paramsField},
	frames.TagThrow:             {textField, textField, codeField, stateField},
	frames.TagReleaseRustHandle: {numberField},
	frames.TagReleasePhpHandle:  {numberField},
	frames.TagEpochBump:         {numberField, numberField},
}

// others are payloads of every type, most of which are wrong for most fields.
var others = []spelled{
	{"null", "N;"}, {"a bool", "b:1;"}, {"an int", "i:1;"}, {"an int below 0", "i:-1;"}, {"a large int", "i:2147483648;"}, {"a float", "d:1;"}, {"a string", str("a")}, {"digits", str("1")}, {"an empty list", list()}, {"a list", list("i:1;")},
	{"a list of null", list("N;")}, {"a list of an int below 0", list("i:-1;")}, {"a list of a large int", list("i:2147483648;")}, {"a list of a float", list("d:0;")}, {"a list of digits", list(str("0"))}, {"an array", arr(str("k"), "N;")}, {"an array without key 0", arr("i:1;", "N;")},
	{"an array with key -1", arr("i:-1;", "N;")}, {"an array with a large key", arr("i:2147483648;", "N;")}, {"an rhandle", rhandle}, {"a phandle", phandle}, {"a pclass", pclass}, {"an object", `O:1:"A":0:{}`}, {"a fault", "x"}, {"a broken handle", arr(str("__rhandle"), "N;")},
}

func clauseOfTag(tag frames.Tag) string {
	for _, c := range docs.Clauses() {
		if t, ok := tagOf(c); ok && t == tag {
			return c.ID
		}
	}
	panic("there is no clause for " + tag.String()) // the tests of docs find all ten
}

func tags() []frames.Tag {
	var all []frames.Tag
	for t := frames.Tag(0); t.Known(); t++ {
		all = append(all, t)
	}
	return all
}

// payloadOf is a right payload of a tag.
func payloadOf(tag frames.Tag) string { return list(rights(fieldsOf[tag])...) }

func rights(fields []field) []string {
	var values []string
	for _, f := range fields {
		values = append(values, f.right)
	}
	return values
}

func frameOf(tag frames.Tag, id uint64) []byte {
	return frames.AppendRaw(nil, frames.Raw{Tag: tag, ID: id, Payload: []byte(payloadOf(tag))})
}

// frameFields has every field of every tag with everything in its place.
func frameFields(q *questions) {
	for _, tag := range tags() {
		if tag == frames.TagThrow {
			continue // throws has them
		}
		fieldsOfTag(q, tag)
	}
}

func throws(q *questions) {
	fieldsOfTag(q, frames.TagThrow)
	for _, p := range []spelled{{"a key of digits", arr(str("1"), "N;")}, {"an int key", arr("i:1;", "N;")}, {"an int key behind a name", arr(str("a"), "N;", "i:0;", "N;")}, {"a name twice", arr(str("a"), "N;", str("a"), "i:1;")}, {"a private name", arr(str("\x00A\x00p"), "N;")}, {"an empty name", arr(str(""), "N;")},
		{"a reserved name", arr(str("__rhandle"), "N;")}, {"a name that only a handle has", arr(str("__class"), "N;")}, {"a pclass beside another", arr(str("__pclass"), str("A"), str("b"), "N;")}, {"three previous", previous(3)}, {"forty previous", previous(40)}} {
		q.frame("F-11", "properties with "+p.what, frames.TagThrow, list(str("E"), str("m"), "i:0;", p.payload))
	}
	for _, message := range []string{"", "\x00", "\xff\xfe", "two\nlines", strings.Repeat("long ", 100)} {
		q.frame("F-11", "message "+message, frames.TagThrow, list(str("E"), str(message), "i:0;", list()))
		q.frame("F-11", "three fields, message "+message, frames.TagThrow, list(str("E"), str(message), "i:0;"))
	}
	for _, from := range []frames.Side{frames.FromHost, frames.FromPHP, frames.FromAnyone} {
		for _, id := range []uint64{0, 1, 2, 3} {
			q.read("F-11", fmt.Sprintf("id %d from %v", id, from), from, frameOf(frames.TagThrow, id))
		}
	}
}

func previous(n int) string {
	p := list()
	for range n {
		p = arr(str("previous"), arr(str("class"), str("E"), str("message"), str("m"), str("code"), "i:0;", str("properties"), p))
	}
	return p
}

func fieldsOfTag(q *questions, tag frames.Tag) {
	clause, fields := clauseOfTag(tag), fieldsOf[tag]
	right := rights(fields)
	q.frame(clause, "right", tag, list(right...))
	for i, f := range fields {
		with := func(value string) string {
			changed := append([]string{}, right...)
			changed[i] = value
			return list(changed...)
		}
		for _, also := range f.also {
			q.frame(clause, fmt.Sprintf("field %d, %s: %s", i, f.name, also), tag, with(also))
		}
		for _, o := range others {
			q.frame(clause, fmt.Sprintf("field %d, %s: %s", i, f.name, o.what), tag, with(o.payload))
		}
		q.frame("F-15", fmt.Sprintf("%v with %d fields", tag, i), tag, list(right[:i]...))
	}
	for _, more := range []string{"N;", list(), "i:0;"} {
		q.frame("F-15", fmt.Sprintf("%v with a field too many: %s", tag, more), tag, list(append(append([]string{}, right...), more)...))
	}
	for _, p := range []spelled{{"null", "N;"}, {"nothing", ""}, {"a string", str("a")}, {"an int", "i:1;"}, {"an rhandle", rhandle}, {"an object", `O:1:"A":0:{}`}, {"a fault", "a:1:{i:0;x}"}, {"a cut list", "a:1:{i:0;"},
		{"the list and more", list(right...) + "x"}, {"keys from 1", arr(append([]string{"i:1;"}, right[0])...)}, {"a string key", arr(str("k"), right[0])}, {"keys in digits", digitKeys(right)}, {"keys backwards", backwards(right)}, {"zeros before the count", "a:0" + list(right...)[2:]}} {
		q.frame("F-15", fmt.Sprintf("%v with the payload: %s", tag, p.what), tag, p.payload)
	}
}

func digitKeys(values []string) string {
	var kv []string
	for i, v := range values {
		kv = append(kv, str(fmt.Sprint(i)), v)
	}
	return arr(kv...)
}

func backwards(values []string) string {
	var kv []string
	for i := len(values) - 1; i >= 0; i-- {
		kv = append(kv, fmt.Sprintf("i:%d;", i), values[i])
	}
	return arr(kv...)
}

// singleFrames has every part of a frame's head in every state.
func singleFrames(q *questions) {
	sides := []frames.Side{frames.FromHost, frames.FromPHP, frames.FromAnyone}
	for _, tag := range tags() {
		for _, from := range sides {
			q.read("F-4", fmt.Sprintf("%v from %v", tag, from), from, frameOf(tag, idOf(tag)))
			for _, id := range []uint64{0, 1, 2, 3, 4, 1<<32 + 1, 1 << 63, 1<<63 + 1, math.MaxUint64, math.MaxUint64 - 1} {
				q.read("F-3", fmt.Sprintf("%v with id %d from %v", tag, id, from), from, frameOf(tag, id))
			}
		}
		whole := frameOf(tag, idOf(tag))
		for cut := range len(whole) {
			if cut <= 18 && (cut == 0 || tag == frames.TagReturn || tag == frames.TagReleasePhpHandle) || cut == len(whole)-1 {
				q.read("F-1", fmt.Sprintf("%v cut after %d bytes", tag, cut), sender(tag), whole[:cut])
			}
		}
	}
	for _, tag := range []byte{0x0a, 0x0b, 0x0f, 0x10, 0x20, 0x7f, 0x80, 0xf0, 0xff} {
		for _, from := range sides {
			q.read("F-4", fmt.Sprintf("tag 0x%02x from %v", tag, from), from, frames.AppendRaw(nil, frames.Raw{Tag: frames.Tag(tag), ID: 1, Payload: []byte(list("i:8;"))}))
		}
	}
	for _, tag := range []frames.Tag{frames.TagReleasePhpHandle, frames.TagCallFunction, frames.TagReturn} {
		whole := frameOf(tag, idOf(tag))
		n := uint64(len(whole) - 8)
		for _, length := range []uint64{0, 1, 7, 8, 9, 10, n - 1, n + 1, n + 2, n + 8, 256<<20 - 1, 256 << 20, 256<<20 + 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + n, 1 << 62, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64} {
			q.read("F-2", fmt.Sprintf("%v with a length of %d for %d", tag, length, n), sender(tag), append(le64(length), whole[8:]...))
		}
		for _, length := range []uint64{8, 9, 256 << 20, 256<<20 + 1, math.MaxUint64} {
			q.read("F-2", fmt.Sprintf("a length of %d and no more", length), sender(tag), le64(length))
		}
		big := append([]byte{0, 0, 0, 0, 0, 0, 0, byte(n)}, whole[8:]...)
		q.read("F-1", fmt.Sprintf("%v with its length in the other order", tag), sender(tag), big)
	}
	for i := range 8 {
		for _, bit := range []byte{0x01, 0x80} {
			whole := frameOf(frames.TagCallPhpMethod, 1)
			whole[9+i] ^= bit
			q.read("F-3", fmt.Sprintf("byte %d of the id with bit %02x turned", i, bit), frames.FromHost, whole)
			length := frameOf(frames.TagCallPhpMethod, 1)
			length[i] ^= bit
			q.read("F-2", fmt.Sprintf("byte %d of the length with bit %02x turned", i, bit), frames.FromHost, length)
		}
	}
	for _, n := range []int{509, 510, 511, 512} {
		q.frame("L-1", fmt.Sprintf("a value of %d arrays in a frame", n), frames.TagReturn, list(nest(n, "a:1:{i:0;", "N;", "}"), list()))
		q.frame("L-1", fmt.Sprintf("an argument of %d arrays in a frame", n), frames.TagNewObject, list(str("A"), list(nest(n, "a:1:{i:0;", "N;", "}"))))
	}
}

// streams has frames one behind another, cut and in chunks.
func streams(q *questions) {
	host := [][]byte{frameOf(frames.TagCallFunction, 1), frameOf(frames.TagReturn, 2), frameOf(frames.TagReleasePhpHandle, 0), frameOf(frames.TagEpochBump, 0)}
	php := [][]byte{frameOf(frames.TagCallRustMethod, 2), frameOf(frames.TagReturn, 1), frameOf(frames.TagThrow, 3), frameOf(frames.TagReleaseRustHandle, 0)}
	plans := [][]int{{1}, {2}, {3}, {7}, {8}, {9}, {16}, {17}, {18}, {25}, {8, 1, 8}, {1, 100}, {64, 1}, {1000}}
	for _, side := range []struct {
		from frames.Side
		of   [][]byte
	}{{frames.FromHost, host}, {frames.FromPHP, php}} {
		for i, a := range side.of {
			for j, b := range side.of {
				two := append(append([]byte{}, a...), b...)
				q.read("F-16", fmt.Sprintf("frames %d and %d of the %v", i, j, side.from), side.from, two)
				if i == 0 && j == 2 || i == 3 && j == 1 {
					for _, plan := range plans {
						q.read("F-16", fmt.Sprintf("two frames in chunks of %v", plan), side.from, two, plan...)
					}
					for cut := len(a) - 1; cut <= len(a)+18 && cut < len(two); cut++ {
						q.read("F-16", fmt.Sprintf("the stream ends %d bytes into the second frame", cut-len(a)), side.from, two[:cut])
						q.read("F-16", fmt.Sprintf("the stream ends %d bytes into the second frame, in chunks of 5", cut-len(a)), side.from, two[:cut], 5)
					}
				}
			}
			other := frames.FromPHP
			if side.from == frames.FromPHP {
				other = frames.FromHost
			}
			q.read("F-16", fmt.Sprintf("frame %d of the %v, then one of the other side", i, side.from), side.from, append(append([]byte{}, a...), frameOf(oneWay(other), 0)...))
		}
		good := side.of[0]
		for _, bad := range []struct {
			what string
			b    []byte
		}{
			{"a length of 8", append(le64(8), make([]byte, 8)...)}, {"a length too large", append(le64(1<<40), 1, 2, 3)}, {"an unknown tag", frames.AppendRaw(nil, frames.Raw{Tag: 10, ID: 1})},
			{"a bad id", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), ID: 7, Payload: []byte(list("i:1;"))})}, {"a bad payload", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), Payload: []byte("x")})},
			{"no list", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), Payload: []byte("N;")})}, {"a missing field", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), Payload: []byte(list())})},
			{"an extra field", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), Payload: []byte(list("i:1;", "i:1;"))})}, {"a bad field", frames.AppendRaw(nil, frames.Raw{Tag: oneWay(side.from), Payload: []byte(list("N;"))})}, {"zeros", make([]byte, 30)}, {"text", []byte("HTTP/1.1 200 OK\r\n\r\n")},
		} {
			stream := append(append(append([]byte{}, good...), bad.b...), good...)
			q.read("F-16", "a frame, then "+bad.what, side.from, stream)
			q.read("F-16", "a frame, then "+bad.what+", in chunks of 3", side.from, stream, 3)
			q.read("F-16", bad.what+" first", side.from, append(append([]byte{}, bad.b...), good...))
		}
		var many []byte
		for range 12 {
			for _, f := range side.of {
				many = append(many, f...)
			}
		}
		q.read("F-16", "many frames", side.from, many)
		q.read("F-16", "many frames in chunks of 11", side.from, many, 11)
	}
	q.read("F-16", "no bytes", frames.FromAnyone, nil)
	// Frames about and above the 64 KiB that readers like to buffer.
	large := frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(list(str(strings.Repeat("large ", 11_000)), list()))})
	q.read("F-16", "a frame above 64 KiB between two others", frames.FromHost, append(append(append([]byte{}, host[2]...), large...), host[0]...), 1000)
	q.read("F-16", "a frame above 64 KiB that is cut", frames.FromHost, large[:len(large)-2])
	half := func(text string) []byte {
		return frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(list(str(text), list()))})
	}
	q.read("F-16", "two frames of which the second crosses 64 KiB", frames.FromHost, append(half(counted(35_000)), half(counted(36_000)[500:])...))
	exact := frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(list(str(strings.Repeat("x", 64<<10-17-35)), list()))})
	q.read("F-16", "a frame of about 64 KiB, then another", frames.FromHost, append(append([]byte{}, exact...), host[0]...))
}

// counted is a text of so many bytes in which no part is like the next.
func counted(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d ", i)
	}
	return b.String()[:n]
}

func oneWay(from frames.Side) frames.Tag {
	if from == frames.FromPHP {
		return frames.TagReleaseRustHandle
	}
	return frames.TagReleasePhpHandle
}

// writers asks for frames that can be written and for those that cannot.
func writers(q *questions) {
	text, none := codec.String("f"), codec.List()
	reserved := codec.Array(codec.Entry{Key: codec.StringKey("__rhandle"), Value: codec.Null()})
	deep := func(n int) codec.Value {
		v := codec.Null()
		for range n {
			v = codec.List(v)
		}
		return v
	}
	object := codec.Object(codec.Entry{Key: codec.StringKey("p"), Value: codec.Int(1)})
	numbers := []int64{0, 1, -1, math.MaxInt64, math.MinInt64}
	for _, n := range numbers {
		v := codec.Int(n)
		for _, tag := range []frames.Tag{frames.TagReleaseRustHandle, frames.TagReleasePhpHandle} {
			q.write(clauseOfTag(tag), fmt.Sprintf("%v of %d", tag, n), tag, 0, v)
		}
		q.write("F-14", fmt.Sprintf("EpochBump of %d", n), frames.TagEpochBump, 0, v, codec.Int(1))
		q.write("F-14", fmt.Sprintf("EpochBump to %d", n), frames.TagEpochBump, 0, codec.Int(1), v)
		q.write("F-8", fmt.Sprintf("CallPhpMethod of %d", n), frames.TagCallPhpMethod, 1, v, text, none, none)
		q.write("F-9", fmt.Sprintf("CallRustMethod of %d", n), frames.TagCallRustMethod, 2, v, text, none, none)
		q.write("F-11", fmt.Sprintf("Throw with code %d", n), frames.TagThrow, 1, text, text, v, none)
	}
	for _, p := range []struct {
		what string
		v    codec.Value
	}{{"0", codec.List(codec.Int(0))}, {"-1", codec.List(codec.Int(-1))}, {"1 and -1", codec.List(codec.Int(1), codec.Int(-1))}, {"two", codec.List(codec.Int(3), codec.Int(0))}} {
		q.write("F-5", "out-parameters "+p.what, frames.TagCallFunction, 1, text, none, p.v)
		q.write("F-6", "out-parameters "+p.what, frames.TagCallStaticMethod, 1, text, text, none, p.v)
		q.write("F-8", "out-parameters "+p.what, frames.TagCallPhpMethod, 1, codec.Int(1), text, none, p.v)
		q.write("F-9", "out-parameters "+p.what, frames.TagCallRustMethod, 2, codec.Int(1), text, none, p.v)
	}
	for _, k := range []int64{0, 1, -1, 1 << 31} {
		q.write("F-10", fmt.Sprintf("out-parameter at %d", k), frames.TagReturn, 1, codec.Null(), codec.Array(codec.Entry{Key: codec.IntKey(k), Value: codec.Int(7)}))
	}
	for _, p := range []struct {
		what string
		v    codec.Value
	}{{"a reserved key", reserved}, {"510 arrays", deep(510)}, {"511 arrays", deep(511)}, {"512 arrays", deep(512)}, {"an object", object}, {"a handle", codec.NewRustHandle(codec.RustHandle{ID: 1, Class: "A"})}, {"a NaN", codec.Float(math.NaN())}} {
		q.write("F-10", "value: "+p.what, frames.TagReturn, 2, p.v, none)
		q.write("F-10", "out-parameter: "+p.what, frames.TagReturn, 2, codec.Null(), codec.List(p.v))
		q.write("F-5", "argument: "+p.what, frames.TagCallFunction, 1, text, codec.List(p.v), none)
		q.write("F-6", "argument: "+p.what, frames.TagCallStaticMethod, 1, text, text, codec.List(p.v), none)
		q.write("F-7", "argument: "+p.what, frames.TagNewObject, 1, text, codec.List(codec.Null(), p.v))
		q.write("F-8", "argument: "+p.what, frames.TagCallPhpMethod, 1, codec.Int(1), text, codec.List(p.v), none)
		q.write("F-9", "argument: "+p.what, frames.TagCallRustMethod, 2, codec.Int(1), text, codec.List(p.v), none)
		q.write("F-11", "property: "+p.what, frames.TagThrow, 1, text, text, codec.Int(0), codec.Array(codec.Entry{Key: codec.StringKey("p"), Value: p.v}))
	}
	q.write("F-11", "properties with a reserved key", frames.TagThrow, 1, text, text, codec.Int(0), reserved)
	for _, id := range []uint64{1, 2, 255, 256, 1 << 32, math.MaxUint64} {
		q.write("F-1", fmt.Sprintf("id %d", id), frames.TagReturn, id, codec.Null(), none)
	}
}
