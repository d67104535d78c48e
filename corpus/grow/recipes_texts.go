package grow

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// taggedTexts has each member of each kind missing, of every other type, and
// beside one that is not there.
func taggedTexts(q *questions) {
	kinds := []struct {
		t       string
		members [][2]string
	}{
		{"null", nil}, {"bool", [][2]string{{"v", "true"}}}, {"int", [][2]string{{"v", `"-5"`}}}, {"float", [][2]string{{"bits", `"3ff8000000000000"`}}}, {"string", [][2]string{{"b64", `"YQ=="`}}},
		{"list", [][2]string{{"v", `[{"t":"null"}]`}}}, {"array", [][2]string{{"v", `[[{"int":"5"},{"t":"null"}]]`}}}, {"object", [][2]string{{"v", `[[{"b64":"YQ=="},{"t":"null"}]]`}}},
		{"rhandle", [][2]string{{"rhandle", `"3"`}, {"class", `"QQ=="`}, {"epoch", `"1"`}, {"snapshot", `[[{"b64":"YQ=="},{"t":"null"}]]`}}},
		{"phandle", [][2]string{{"phandle", `"8"`}, {"class", `"QQ=="`}, {"implements", `["Qg=="]`}}}, {"pclass", [][2]string{{"class", `"QQ=="`}}},
	}
	values := []string{"null", "true", "1", "1.5", `""`, `"x"`, `"5"`, `"05"`, `"+5"`, `"-0"`, `"-1"`, `"9223372036854775807"`, `"9223372036854775808"`, `"YQ"`, `"YQ=="`, `"YR=="`, `"Y Q=="`, `"_-8="`, `"7FF8000000000000"`, `"7ff8000000000000"`, `"7ff8"`, `[]`, `{}`, `[null]`, `[[]]`, `["YQ=="]`, `["!"]`,
		`[{"t":"null"}]`, `[{"t":"x"}]`, `[[{"int":"5"},{"t":"null"}]]`, `[[{"int":"5"}]]`, `[[{"int":5},{"t":"null"}]]`, `[[{"int":"05"},{"t":"null"}]]`, `[[{},{"t":"null"}]]`, `[[{"int":"5","b64":""},{"t":"null"}]]`, `[[{"b64":"NQ=="},{"t":"null"}]]`, `[[{"b64":"LTA="},{"t":"null"}]]`, `[[{"b64":"!"},{"t":"null"}]]`, `[[null,{"t":"null"}]]`, `[[{"int":"5"},{"t":"null"},{"t":"null"}]]`,
		`[[{"int":"0"},{"t":"null"}],[{"int":"1"},{"t":"null"}]]`, `[[{"b64":"YQ=="},{"t":"null"}],[{"b64":"YQ=="},{"t":"bool","v":true}]]`}
	clause := func(t string) string {
		switch t {
		case "float":
			return "T-2"
		case "object", "rhandle":
			return "T-3"
		}
		return "T-1"
	}
	for _, k := range kinds {
		write := func(members [][2]string) string {
			parts := []string{fmt.Sprintf(`"t":%q`, k.t)}
			for _, m := range members {
				parts = append(parts, fmt.Sprintf("%q:%s", m[0], m[1]))
			}
			return "{" + strings.Join(parts, ",") + "}"
		}
		q.tagged(clause(k.t), k.t, write(k.members))
		q.tagged(clause(k.t), k.t+" with a member that it has not", write(append(append([][2]string{}, k.members...), [2]string{"x", "1"})))
		q.tagged(clause(k.t), k.t+" in a list", `{"t":"list","v":[{"t":"null"},`+write(k.members)+`]}`)
		q.tagged(clause(k.t), k.t+" with more behind", write(k.members)+"x")
		q.tagged(clause(k.t), k.t+" with spaces", " "+strings.ReplaceAll(write(k.members), ":", " : ")+"\n")
		for i, m := range k.members {
			without := append(append([][2]string{}, k.members[:i]...), k.members[i+1:]...)
			q.tagged(clause(k.t), fmt.Sprintf("%s without %s", k.t, m[0]), write(without))
			q.tagged("T-1", fmt.Sprintf("%s with %s first", k.t, m[0]), fmt.Sprintf(`{%q:%s,`, m[0], m[1])+write(without)[1:])
			for _, v := range values {
				changed := append([][2]string{}, k.members...)
				changed[i] = [2]string{m[0], v}
				q.tagged(clause(k.t), fmt.Sprintf("%s with %s %s", k.t, m[0], v), write(changed))
			}
		}
	}
	for _, text := range []string{"", "null", "1", `"a"`, "[]", "{}", `{"t":null}`, `{"t":1}`, `{"t":""}`, `{"t":"Null"}`, `{"t":"other"}`, `{"T":"null"}`, `{"v":1}`, `{"t":"null"`, `{"t":"null"}}`, `{"t":"null",}`, "nan"} {
		q.tagged("T-1", "text "+text, text)
	}
	for _, bits := range []string{"0000000000000000", "8000000000000000", "7ff0000000000000", "fff0000000000000", "7ff8000000000000", "fff8000000000001", "3FF8000000000000", "3ff800000000000", "3ff80000000000000", "0x3ff80000000000", "3ff8 00000000000", "3ff800000000000g"} {
		q.tagged("T-2", "bits "+bits, fmt.Sprintf(`{"t":"float","bits":%q}`, bits))
		q.tagged("T-2", "bits "+bits+" with a text", fmt.Sprintf(`{"t":"float","bits":%q,"v":"7"}`, bits))
	}
	for _, n := range []string{"0", "5", "-5", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809", "05", "+5", "-0", "", " 5", "5.0", "5e0"} {
		q.tagged("T-1", "int "+n, fmt.Sprintf(`{"t":"int","v":%q}`, n))
		q.tagged("T-4", "int key "+n, fmt.Sprintf(`{"t":"array","v":[[{"int":%q},{"t":"null"}]]}`, n))
	}
	for _, snapshot := range []string{"[]", `[[{"int":"0"},{"t":"null"}]]`, `[[{"int":"5"},{"t":"null"}]]`, `[[{"b64":"NQ=="},{"t":"null"}]]`, "null", "{}"} {
		q.tagged("T-3", "snapshot "+snapshot, `{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1","snapshot":`+snapshot+`}`)
	}
}

// encodings are values that decoding cannot give, or that an encoder must
// refuse.
func encodings(q *questions) {
	key := func(s string) codec.Key { return codec.StringKey(s) }
	entry := func(k string, v codec.Value) codec.Entry { return codec.Entry{Key: key(k), Value: v} }
	for _, n := range []int{0, 1, 2, 5} {
		var es []codec.Entry
		for i := range n {
			es = append(es, entry(fmt.Sprintf("p%d", i), codec.Int(int64(i))))
		}
		q.encode("V-9", fmt.Sprintf("an object with %d properties", n), codec.Object(es...))
		q.encode("V-9", fmt.Sprintf("an object with %d properties in a list", n), codec.List(codec.Object(es...)))
	}
	for _, name := range []string{"5", "-5", "05", "", "\x00A\x00p", "\x00*\x00p", "é", "0", "__class"} {
		q.encode("V-9", "an object with the property "+name, codec.Object(entry(name, codec.Null())))
	}
	q.encode("V-9", "an object with the properties 0 and 1", codec.Object(entry("0", codec.Null()), entry("1", codec.Null())))
	q.encode("V-9", "an object in an object", codec.Object(entry("o", codec.Object(entry("p", codec.Null())))))
	for _, name := range []string{"__rhandle", "__phandle", "__pclass", "__class", "__epoch", "__snapshot", "__implements"} {
		for _, v := range []codec.Value{codec.Null(), codec.Int(3), codec.String("A")} {
			for _, inside := range []struct {
				what string
				of   func(...codec.Entry) codec.Value
			}{{"array", codec.Array}, {"object", codec.Object}} {
				q.encode("H-6", fmt.Sprintf("an %s with the key %s alone", inside.what, name), inside.of(entry(name, v)))
				q.encode("H-6", fmt.Sprintf("an %s with the key %s before another", inside.what, name), inside.of(entry(name, v), entry("x", codec.Null())))
				q.encode("H-6", fmt.Sprintf("an %s with the key %s behind another", inside.what, name), inside.of(entry("x", codec.Null()), entry(name, v)))
				q.encode("H-6", fmt.Sprintf("an %s with the key %s in a list", inside.what, name), codec.List(inside.of(entry(name, v))))
			}
		}
	}
	q.encode("H-6", "an array that is spelled like a handle", codec.Array(entry("__rhandle", codec.Int(3)), entry("__class", codec.String("A")), entry("__epoch", codec.Int(1))))
	list := codec.List(codec.Int(1))
	snapshots := []codec.Value{codec.List(), list, codec.Array(entry("x", codec.Null())), codec.Array(entry("__rhandle", codec.Null())), codec.Array(entry("__pclass", codec.String("A"))), codec.Array(entry("__pclass", codec.String("A")), entry("x", codec.Null()))}
	for i, s := range snapshots {
		q.encode("H-2", fmt.Sprintf("an rhandle with snapshot %d", i), codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: &s}))
	}
	for _, n := range []int64{0, 1, math.MaxInt64} {
		q.encode("H-2", fmt.Sprintf("rhandle %d", n), codec.NewRustHandle(codec.RustHandle{ID: n, Class: "A", Epoch: n}))
		q.encode("H-3", fmt.Sprintf("phandle %d", n), codec.NewPhpHandle(codec.PhpHandle{ID: n, Class: "A"}))
	}
	for _, names := range [][]string{nil, {"A"}, {"A", "B"}, {"B", "A"}, {""}, {"\xff"}} {
		q.encode("H-3", fmt.Sprintf("a phandle with the interfaces %q", names), codec.NewPhpHandle(codec.PhpHandle{ID: 8, Class: "A", Implements: names}))
	}
	for _, name := range []string{"", "A", "A\\B", "\xff\x00"} {
		q.encode("H-4", "pclass "+name, codec.PhpClass(name))
		q.encode("H-4", "pclass "+name+" in a list", codec.List(codec.PhpClass(name)))
	}
	deep := []struct {
		what string
		in   func(codec.Value) codec.Value
	}{
		{"lists", func(v codec.Value) codec.Value { return codec.List(v) }},
		{"arrays", func(v codec.Value) codec.Value { return codec.Array(entry("k", v)) }},
		{"objects", func(v codec.Value) codec.Value { return codec.Object(entry("k", v)) }},
		{"snapshots", func(v codec.Value) codec.Value {
			s := codec.Array(entry("k", v))
			return codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Epoch: 1, Snapshot: &s})
		}},
	}
	snapshot := codec.List()
	inner := []struct {
		what string
		v    codec.Value
		own  int
	}{{"null", codec.Null(), 0}, {"an empty list", codec.List(), 1}, {"a pclass", codec.PhpClass("A"), 1}, {"an rhandle", codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A"}), 1},
		{"an rhandle with a snapshot", codec.NewRustHandle(codec.RustHandle{ID: 3, Class: "A", Snapshot: &snapshot}), 2}, {"a phandle", codec.NewPhpHandle(codec.PhpHandle{ID: 8, Class: "A"}), 2}, {"an empty object", codec.Object(), 1}}
	for _, d := range deep {
		for _, k := range inner {
			if k.what != "null" && d.what != "lists" {
				continue
			}
			for _, n := range []int{511, 512, 513} {
				levels := n - k.own
				if d.what == "snapshots" {
					levels /= 2
				}
				v := k.v
				for range levels {
					v = d.in(v)
				}
				q.encode("L-1", fmt.Sprintf("%s in %d %s", k.what, levels, d.what), v)
			}
		}
	}
	for _, text := range traps {
		q.encode("K-2", "key "+text, codec.Array(codec.Entry{Key: codec.StringKey(text), Value: codec.Null()}))
	}
	for _, n := range []int{0, 1, 9, 10, 11, 100, 1000} {
		values := make([]codec.Value, n)
		entries := make([]codec.Entry, n)
		for i := range n {
			values[i] = codec.Int(int64(i))
			entries[i] = codec.Entry{Key: codec.IntKey(int64(2 * i)), Value: codec.Null()}
		}
		q.encode("V-7", fmt.Sprintf("a list of %d", n), codec.List(values...))
		q.encode("V-8", fmt.Sprintf("an array of %d", n), codec.Array(entries...))
	}
	q.encode("V-8", "the order of keys", codec.Array(entry("b", codec.Int(1)), entry("a", codec.Int(2)), codec.Entry{Key: codec.IntKey(1), Value: codec.Null()}, codec.Entry{Key: codec.IntKey(0), Value: codec.Null()}))
}

// oneByte changes one byte of payloads of every kind: left out, doubled, or
// another that the grammar knows.
func oneByte(q *questions) {
	for _, k := range []spelled{
		{"null", "N;"}, {"true", "b:1;"}, {"an int", "i:-57;"}, {"a float", "d:-1.5E+25;"}, {"infinity", "d:-INF;"}, {"a string", `s:2:"ab";`}, {"a list", "a:1:{i:0;N;}"},
		{"a mixture", `a:2:{i:0;d:0.5;s:1:"k";a:1:{i:7;b:1;}}`},
	} {
		p := k.payload
		for i := range len(p) {
			q.changed(fmt.Sprintf("%s cut after %d bytes", k.what, i), p[:i])
			q.changed(fmt.Sprintf("%s without byte %d", k.what, i), p[:i]+p[i+1:])
			q.changed(fmt.Sprintf("%s with byte %d twice", k.what, i), p[:i+1]+p[i:])
			for _, c := range []byte(":;\"}1-.Ex\xff") {
				if c != p[i] {
					q.changed(fmt.Sprintf("%s with %q for byte %d", k.what, c, i), p[:i]+string([]byte{c})+p[i+1:])
				}
			}
		}
	}
}

// changed asks about a payload, under the clause that it turns out to be about.
func (q *questions) changed(comment, payload string) {
	q.decode(corpus.Suggest([]byte(payload)), comment, payload)
}
