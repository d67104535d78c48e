package toolchild

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// A GuardVector is a text and what the guard says to it.
type GuardVector struct {
	ID     string
	Clause string // of docs/toolchild.md
	Text   []byte
	// Want is the type of the message that it is, or empty for none.
	Want Type
	// Code is the error's code, [Refused], [Syntax] or [InvalidUTF8], if it is none.
	Code Code
}

// A FrameVector is a stream and what a decoder makes of it, however it is cut.
type FrameVector struct {
	ID     string
	Clause string // of docs/toolchild.md
	From   Direction
	Stream []byte
	Want   []Type // the messages before the error, or before the end
	Code   Code   // the error's code, empty for none; Truncated comes at the stream's end
	Offset int64  // the error's offset
}

// GuardVectors lists the vectors of the guard: the vocabulary type by type and
// field by field, then the places where JSON is what JSON.parse makes of it.
func GuardVectors() []GuardVector {
	return append(vocabularyVectors(), handWrittenVectors()...)
}

// samples holds texts of each kind, and texts that are not of it.
var samples = map[string]struct{ good, bad []string }{
	"string":      {[]string{`"a"`, `""`, `"\ud83d\ude00"`, `"é"`}, []string{`1`, `null`, `true`, `["a"]`, `{}`}},
	"number":      {[]string{`1`, `0`, `-0`, `1.5`, `-1e-7`, `9007199254740993`, `1.7976931348623157e308`}, []string{`"1"`, `null`, `true`, `[1]`, `1e999`, `-1e999`, `1.7976931348623159e308`}},
	"number|null": {[]string{`1`, `null`, `2.5`}, []string{`"1"`, `false`, `[]`, `1e400`}},
	"boolean":     {[]string{`true`, `false`}, []string{`0`, `1`, `"true"`, `null`}},
	"json":        {[]string{`null`, `0`, `"a"`, `[]`, `{}`, `1e999`, `{"a":[1,{"b":null}]}`}, nil},
	"enum":        {nil, []string{`""`, `"Tool"`, `"toString"`, `0`, `null`, `["tool"]`}},
	"ref": {
		[]string{
			refText("a", "1", "0"), refText("A-Z_09", "0", "9007199254740991"), refText(strings.Repeat("x", 64), "5.0", "5e0"),
			`{"refId":"a","generation":-0,"bytes":0,"sha256":"` + sampleHash + `","path":"/etc/passwd","more":[1]}`,
		},
		[]string{
			`null`, `"a"`, `[]`, `{}`,
			refText("", "1", "0"), refText("..", "1", "0"), refText("a/b", "1", "0"), refText("a.b", "1", "0"), refText("é", "1", "0"),
			refText(`a\u0000`, "1", "0"), refText(`a\n`, "1", "0"), refText(strings.Repeat("x", 65), "1", "0"),
			refText("a", "-1", "0"), refText("a", "1.5", "0"), refText("a", "9007199254740992", "0"), refText("a", `"1"`, "0"), refText("a", "null", "0"),
			refText("a", "1", "-1"), refText("a", "1", "0.5"), refText("a", "1", "9007199254740992"), refText("a", "1", "1e999"), refText("a", "1", "null"),
			`{"refId":"a","generation":1,"bytes":0,"sha256":"` + strings.ToUpper(sampleHash) + `"}`,
			`{"refId":"a","generation":1,"bytes":0,"sha256":"` + sampleHash[1:] + `"}`,
			`{"refId":"a","generation":1,"bytes":0,"sha256":"` + sampleHash + `0"}`,
			`{"refId":"a","generation":1,"bytes":0,"sha256":"` + sampleHash + `\n"}`,
			`{"refId":"a","generation":1,"bytes":0}`, `{"refId":"a","generation":1,"sha256":"` + sampleHash + `"}`,
			`{"refId":"a","bytes":0,"sha256":"` + sampleHash + `"}`, `{"generation":1,"bytes":0,"sha256":"` + sampleHash + `"}`,
			`{"__proto__":` + refText("a", "1", "0") + `}`,
		},
	},
	"entries": {
		[]string{
			`[]`,
			`[` + entryText("null", "0", "0", "0") + `]`,
			`[` + entryText(`"p"`, "1", "9007199254740991", "-9007199254740991") + `,` + entryText("null", "5.0", "5e0", "-0") + `]`,
			`[{"id":"","parentId":null,"lineOffset":0,"lineBytes":0,"lineDelta":0,"entry":{"any":1},"more":true}]`,
		},
		[]string{
			`null`, `{}`, `"a"`, `[null]`, `[[]]`, `[{}]`,
			`[` + entryText("1", "0", "0", "0") + `]`, `[` + entryText(`"p"`, "-1", "0", "0") + `]`, `[` + entryText(`"p"`, "0", "0.5", "0") + `]`,
			`[` + entryText(`"p"`, "0", "9007199254740992", "0") + `]`, `[` + entryText(`"p"`, "0", "0", "-9007199254740992") + `]`,
			`[` + entryText(`"p"`, "0", "0", "1e999") + `]`, `[` + entryText(`"p"`, "0", "0", "null") + `]`,
			`[{"id":"a","lineOffset":0,"lineBytes":0,"lineDelta":0}]`, `[{"id":1,"parentId":null,"lineOffset":0,"lineBytes":0,"lineDelta":0}]`,
			`[` + entryText("null", "0", "0", "0") + `,{}]`,
		},
	},
	"detail": {
		[]string{`{}`, `{"a":"b","c":1,"d":true}`, `{"a":1e999}`, `{"__proto__":1}`, `{"toString":1}`, `{"":0}`, `{"Value":1}`, `{"a":null,"a":1}`},
		[]string{
			`null`, `[]`, `"a"`, `1`, `{"a":null}`, `{"a":[]}`, `{"a":{}}`, `{"a":1,"a":null}`,
			`{"value":1}`, `{"valueRef":1}`, `{"result":1}`, `{"ref":1}`, `{"args":1}`, `{"argsRef":1}`, `{"ackTick":1}`, `{"invokeTick":1}`, `{"\u0072ef":1}`,
		},
	},
}

const sampleHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func refText(id, generation, bytes string) string {
	return fmt.Sprintf(`{"refId":"%s","generation":%s,"bytes":%s,"sha256":"%s"}`, id, generation, bytes, sampleHash)
}

func entryText(parent, offset, bytes, delta string) string {
	return fmt.Sprintf(`{"id":"e","parentId":%s,"lineOffset":%s,"lineBytes":%s,"lineDelta":%s}`, parent, offset, bytes, delta)
}

// SampleTexts returns JSON texts that are of a kind, and texts that are not.
func SampleTexts(k Kind) (good, bad []string) {
	s := samples[k.Name]
	for _, v := range k.Values {
		s.good = append(s.good, `"`+v+`"`)
	}
	return s.good, s.bad
}

// kindClauses is where docs/toolchild.md speaks of a kind.
var kindClauses = map[string]string{
	"string": "TC-G5", "number": "TC-G6", "number|null": "TC-G7", "boolean": "TC-G8", "json": "TC-G9",
	"ref": "TC-G10", "entries": "TC-G11", "detail": "TC-G12", "enum": "TC-G13",
}

// vocabularyVectors walks the table: what each type has, lacks, or has too much.
func vocabularyVectors() []GuardVector {
	var vectors []GuardVector
	for _, shape := range vocabulary {
		add := func(id, clause, text string, ok bool) {
			v := GuardVector{ID: "guard/" + string(shape.Type) + "/" + id, Clause: clause, Text: []byte(text)}
			if ok {
				v.Want = shape.Type
			} else {
				v.Code = Refused
			}
			vectors = append(vectors, v)
		}
		required := func(f Field) bool { return !f.Optional }
		all := func(Field) bool { return true }
		add("required", "TC-G3", shape.text(required, "", ""), true)
		add("all", "TC-G3", shape.text(all, "", ""), true)
		add("unknown-field", "TC-G14", shape.text(required, "surplus", "1"), false)
		for _, field := range shape.Fields {
			others := func(f Field) bool { return f.Name != field.Name }
			if field.Optional {
				add("without-"+field.Name, "TC-G15", shape.text(others, "", ""), true)
			} else {
				add("without-"+field.Name, "TC-G4", shape.text(others, "", ""), false)
			}
			good, bad := SampleTexts(field.Kind)
			clause := kindClauses[field.Kind.Name]
			for i, text := range good {
				add(fmt.Sprintf("%s-is-%d", field.Name, i+1), clause, shape.text(others, field.Name, text), true)
			}
			for i, text := range bad {
				add(fmt.Sprintf("%s-is-not-%d", field.Name, i+1), clause, shape.text(others, field.Name, text), false)
			}
		}
	}
	return vectors
}

// text writes a message with the first sample of each field that is wanted, and
// one more member.
func (s Shape) text(want func(Field) bool, name, member string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `{"type":%q`, s.Type)
	for _, field := range s.Fields {
		if want(field) {
			good, _ := SampleTexts(field.Kind)
			fmt.Fprintf(&out, `,%q:%s`, field.Name, good[0])
		}
	}
	if name != "" {
		fmt.Fprintf(&out, `,%q:%s`, name, member)
	}
	out.WriteByte('}')
	return out.String()
}

func handWrittenVectors() []GuardVector {
	var vectors []GuardVector
	accepted := func(id, clause, text string, want Type) {
		vectors = append(vectors, GuardVector{ID: id, Clause: clause, Text: []byte(text), Want: want})
	}
	rejected := func(id, clause, text string, code Code) {
		vectors = append(vectors, GuardVector{ID: id, Clause: clause, Text: []byte(text), Code: code})
	}

	rejected("guard/object/array", "TC-G1", `[]`, Refused)
	rejected("guard/object/array-of-message", "TC-G1", `[{"type":"shutdown"}]`, Refused)
	rejected("guard/object/null", "TC-G1", `null`, Refused)
	rejected("guard/object/string", "TC-G1", `"shutdown"`, Refused)
	rejected("guard/object/number", "TC-G1", `0`, Refused)
	rejected("guard/type/none", "TC-G2", `{}`, Refused)
	rejected("guard/type/unknown", "TC-G2", `{"type":"reboot"}`, Refused)
	rejected("guard/type/case", "TC-G2", `{"type":"Cancel","jobId":"j"}`, Refused)
	rejected("guard/type/space", "TC-G2", `{"type":"cancel ","jobId":"j"}`, Refused)
	rejected("guard/type/inherited", "TC-G2", `{"type":"toString"}`, Refused)
	rejected("guard/type/constructor", "TC-G2", `{"type":"constructor"}`, Refused)
	rejected("guard/type/proto", "TC-G2", `{"type":"__proto__"}`, Refused)
	rejected("guard/type/array", "TC-G2", `{"type":["cancel"],"jobId":"j"}`, Refused)
	rejected("guard/type/null", "TC-G2", `{"type":null}`, Refused)
	accepted("guard/type/last", "TC-G2", `{"jobId":"j","type":"cancel"}`, Cancel)
	accepted("guard/type/escaped", "TC-G2", `{"\u0074ype":"c\u0061ncel","jobId":"j"}`, Cancel)
	rejected("guard/unknown/inherited-name", "TC-G14", `{"type":"cancel","jobId":"j","toString":1}`, Refused)
	rejected("guard/unknown/empty-name", "TC-G14", `{"type":"cancel","jobId":"j","":1}`, Refused)
	rejected("guard/unknown/other-case", "TC-G14", `{"type":"cancel","jobId":"j","JobId":"j"}`, Refused)
	rejected("guard/unknown/null", "TC-G14", `{"type":"cancel","jobId":"j","surplus":null}`, Refused)
	rejected("guard/optional/null", "TC-G15", `{"type":"job","jobId":"j","kind":"noop","parentJobId":null}`, Refused)
	rejected("guard/optional/null-ref", "TC-G15", `{"type":"job","jobId":"j","kind":"noop","argsRef":null}`, Refused)
	accepted("guard/optional/null-json", "TC-G9", `{"type":"job","jobId":"j","kind":"noop","args":null}`, Job)
	accepted("guard/ref/both", "TC-G3", `{"type":"host_reply","callId":"c","value":1,"valueRef":`+refText("a", "1", "0")+`,"error":"e"}`, HostReply)

	accepted("json/repeated/last-good", "TC-J1", `{"type":"cancel","jobId":1,"jobId":"j"}`, Cancel)
	rejected("json/repeated/last-bad", "TC-J1", `{"type":"cancel","jobId":"j","jobId":1}`, Refused)
	accepted("json/repeated/type", "TC-J1", `{"type":"job","jobId":"j","type":"cancel"}`, Cancel)
	rejected("json/repeated/type-bad", "TC-J1", `{"type":"cancel","jobId":"j","type":"job"}`, Refused)
	accepted("json/repeated/escaped", "TC-J1", `{"type":"cancel","jobId":1,"job\u0049d":"j"}`, Cancel)
	accepted("json/repeated/in-ref", "TC-J1", `{"type":"result_ref","jobId":"j","ref":{"refId":"..","generation":1,"bytes":0,"sha256":"`+sampleHash+`","refId":"a"}}`, ResultRef)
	rejected("json/repeated/ref-replaced", "TC-J1", `{"type":"result_ref","jobId":"j","ref":`+refText("a", "1", "0")+`,"ref":{"refId":"a"}}`, Refused)
	rejected("json/proto/field", "TC-J2", `{"type":"cancel","jobId":"j","__proto__":{}}`, Refused)
	rejected("json/proto/carries", "TC-J2", `{"type":"cancel","__proto__":{"jobId":"j"}}`, Refused)
	rejected("json/proto/type", "TC-J2", `{"__proto__":{"type":"shutdown"}}`, Refused)
	accepted("json/proto/in-detail", "TC-J2", `{"type":"trace","atMs":0,"event":"e","detail":{"__proto__":1}}`, Trace)
	rejected("json/proto/object-in-detail", "TC-J2", `{"type":"trace","atMs":0,"event":"e","detail":{"__proto__":{}}}`, Refused)
	accepted("json/proto/in-json", "TC-J2", `{"type":"job","jobId":"j","kind":"noop","args":{"__proto__":{"a":1}}}`, Job)
	ref := func(id, clause, bytes string, ok bool) {
		text := `{"type":"result_ref","jobId":"j","ref":` + refText("a", "1", bytes) + `}`
		if ok {
			accepted(id, clause, text, ResultRef)
		} else {
			rejected(id, clause, text, Refused)
		}
	}
	ref("json/integer/point-zero", "TC-J3", "5.0", true)
	ref("json/integer/exponent", "TC-J3", "5e0", true)
	ref("json/integer/negative-exponent", "TC-J3", "50e-1", true)
	ref("json/integer/fraction-and-exponent", "TC-J3", "0.5E+1", true)
	ref("json/integer/minus-zero", "TC-J3", "-0", true)
	ref("json/integer/minus-zero-exponent", "TC-J3", "-0.0e5", true)
	ref("json/integer/underflow", "TC-J3", "1e-999", true)
	ref("json/integer/largest-safe", "TC-J3", "9007199254740991", true)
	ref("json/integer/rounds-to-safe", "TC-J3", "9007199254740991.4", true)
	ref("json/integer/rounds-to-unsafe", "TC-J3", "9007199254740991.5", false)
	ref("json/integer/two-to-53", "TC-J3", "9007199254740992", false)
	ref("json/integer/two-to-53-and-one", "TC-J3", "9007199254740993", false)
	ref("json/integer/fraction", "TC-J3", "0.1", false)
	ref("json/integer/tiny", "TC-J3", "5e-324", false)
	ref("json/integer/rounds-to-one", "TC-J3", "1.00000000000000000000000001", true)
	accepted("json/number/negative", "TC-J8", `{"type":"hello","generation":-1.5,"pid":1e21,"protocol":-0}`, Hello)
	accepted("json/number/many-digits", "TC-J8", `{"type":"heartbeat","seq":`+strings.Repeat("9", 308)+`}`, Heartbeat)
	rejected("json/infinite/number", "TC-J4", `{"type":"heartbeat","seq":1e999}`, Refused)
	rejected("json/infinite/digits", "TC-J4", `{"type":"heartbeat","seq":`+strings.Repeat("9", 310)+`}`, Refused)
	rejected("json/infinite/null-or", "TC-J4", `{"type":"slot_state","launchId":"l","ackTick":-1e999,"invokeTick":null,"invocations":0}`, Refused)
	accepted("json/infinite/in-json", "TC-J4", `{"type":"result","jobId":"j","value":1e999}`, Result)
	accepted("json/infinite/in-detail", "TC-J4", `{"type":"trace","atMs":0,"event":"e","detail":{"a":-1e999}}`, Trace)
	accepted("json/surrogate/lone", "TC-J5", `{"type":"cancel","jobId":"\ud800"}`, Cancel)
	accepted("json/surrogate/reversed", "TC-J5", `{"type":"cancel","jobId":"\udc00\ud800"}`, Cancel)
	accepted("json/surrogate/pair", "TC-J5", `{"type":"cancel","jobId":"\ud83d\ude00"}`, Cancel)
	rejected("json/surrogate/key", "TC-J5", `{"type":"cancel","jobId":"j","\ud800":1}`, Refused)
	rejected("json/utf8/surrogate", "TC-F5", "{\"type\":\"cancel\",\"jobId\":\"\xed\xa0\x80\"}", InvalidUTF8)
	rejected("json/utf8/stray", "TC-F5", "{\"type\":\"cancel\",\"jobId\":\"\x80\"}", InvalidUTF8)
	rejected("json/utf8/overlong", "TC-F5", "{\"type\":\"cancel\",\"jobId\":\"\xc0\xaf\"}", InvalidUTF8)
	rejected("json/utf8/cut", "TC-F5", "{\"type\":\"cancel\",\"jobId\":\"\xf0\x9f\x98\"}", InvalidUTF8)
	accepted("json/utf8/noncharacter", "TC-F5", "{\"type\":\"cancel\",\"jobId\":\"\xef\xbf\xbf\"}", Cancel)
	for _, depth := range []int{512, 100_000} {
		args := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		accepted(fmt.Sprintf("json/depth/arrays-%d", depth), "TC-J6", `{"type":"job","jobId":"j","kind":"noop","args":`+args+`}`, Job)
	}
	accepted("json/depth/objects", "TC-J6", `{"type":"job","jobId":"j","kind":"noop","args":`+strings.Repeat(`{"":`, 50_000)+`0`+strings.Repeat("}", 50_000)+`}`, Job)
	rejected("json/depth/unclosed", "TC-J6", `{"type":"job","jobId":"j","kind":"noop","args":`+strings.Repeat("[", 100_000), Syntax)
	accepted("json/space/all-four", "TC-J7", " \t\r\n{ \"type\" : \"cancel\" , \"jobId\" : \"j\" } \n", Cancel)
	for _, c := range [][2]string{
		{"empty", ""}, {"only-space", " "}, {"byte-order-mark", "\ufeff{\"type\":\"shutdown\"}"}, {"no-break-space", "\u00a0{\"type\":\"shutdown\"}"},
		{"vertical-tab", "\v{\"type\":\"shutdown\"}"}, {"trailing-comma", `{"type":"shutdown",}`}, {"comment", `{"type":"shutdown"}//`},
		{"single-quotes", `{'type':'shutdown'}`}, {"bare-key", `{type:"shutdown"}`}, {"two-values", `{"type":"shutdown"}{}`}, {"unclosed", `{"type":"shutdown"`},
		{"control-in-string", "{\"type\":\"cancel\",\"jobId\":\"\n\"}"}, {"nul", "{\"type\":\"shutdown\"}\x00"}, {"bad-escape", `{"type":"cancel","jobId":"\x41"}`},
		{"short-escape", `{"type":"cancel","jobId":"\u12"}`}, {"leading-zero", `{"type":"heartbeat","seq":01}`}, {"plus", `{"type":"heartbeat","seq":+1}`},
		{"bare-point", `{"type":"heartbeat","seq":.5}`}, {"point-at-end", `{"type":"heartbeat","seq":1.}`}, {"bare-exponent", `{"type":"heartbeat","seq":1e}`},
		{"hexadecimal", `{"type":"heartbeat","seq":0x10}`}, {"infinity", `{"type":"heartbeat","seq":Infinity}`}, {"nan", `{"type":"heartbeat","seq":NaN}`},
		{"minus", `{"type":"heartbeat","seq":-}`}, {"undefined", `{"type":"job","jobId":"j","kind":"noop","args":undefined}`},
		{"array-comma", `{"type":"job","jobId":"j","kind":"noop","args":[1,]}`}, {"capital", `{"type":"job","jobId":"j","kind":"noop","args":True}`},
		{"separator", "{\"type\":\"cancel\"\u2028}"},
	} {
		rejected("json/syntax/"+c[0], "TC-J7", c[1], Syntax)
	}
	accepted("json/string/delete-and-separators", "TC-J7", "{\"type\":\"cancel\",\"jobId\":\"\x7f\u2028\u2029\"}", Cancel)
	accepted("json/string/every-escape", "TC-J7", `{"type":"cancel","jobId":"\"\\\/\b\f\n\r\t\u0000\uABCD\uabcd"}`, Cancel)
	return vectors
}

// FrameVectors lists the vectors of the frame decoder.
func FrameVectors() []FrameVector {
	frame := func(body string) string {
		return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + body
	}
	cancel := frame(`{"type":"cancel","jobId":"j"}`)
	heartbeat := frame(`{"type":"heartbeat","seq":1}`)
	ack := frame(`{"type":"ref_ack","refId":"a"}`)
	return []FrameVector{
		{"frame/one", "TC-F1", ServerToChild, []byte(cancel), []Type{Cancel}, "", 0},
		{"frame/several", "TC-F1", ServerToChild, []byte(cancel + ack + cancel), []Type{Cancel, RefAck, Cancel}, "", 0},
		{"frame/none", "TC-F1", ServerToChild, nil, nil, "", 0},
		{"frame/little-endian", "TC-F1", ServerToChild, []byte("\x13\x00\x00\x00" + `{"type":"shutdown"}`), nil, Oversize, 0},
		{"frame/oversize", "TC-F4", ServerToChild, []byte("\x01\x00\x00\x01"), nil, Oversize, 0},
		{"frame/oversize-most", "TC-F4", ServerToChild, []byte("\xff\xff\xff\xff"), nil, Oversize, 0},
		{"frame/oversize-second", "TC-F4", ServerToChild, []byte(cancel + "\x01\x00\x00\x01" + cancel), []Type{Cancel}, Oversize, int64(len(cancel))},
		{"frame/claim", "TC-F3", ServerToChild, []byte("\x01\x00\x00\x00{"), nil, Truncated, 0},
		{"frame/empty-body", "TC-F6", ServerToChild, []byte(frame("")), nil, Syntax, 4},
		{"frame/not-json", "TC-F6", ServerToChild, []byte(frame("{")), nil, Syntax, 5},
		{"frame/not-utf8", "TC-F5", ServerToChild, []byte(frame("\"\xff\"")), nil, InvalidUTF8, 5},
		{"frame/not-message", "TC-G1", ServerToChild, []byte(frame(" []")), nil, Refused, 5},
		{"frame/stays-failed", "TC-F7", ServerToChild, []byte(cancel + frame("{}") + cancel), []Type{Cancel}, Refused, int64(len(cancel)) + 4},
		{"frame/cut-header", "TC-F8", ServerToChild, []byte(cancel + "\x00\x00"), []Type{Cancel}, Truncated, int64(len(cancel))},
		{"frame/cut-body", "TC-F8", ServerToChild, []byte(cancel[:len(cancel)-1]), nil, Truncated, 0},
		{"frame/direction-server", "TC-D1", ServerToChild, []byte(heartbeat), nil, WrongDirection, 4},
		{"frame/direction-child", "TC-D1", ChildToServer, []byte(heartbeat + cancel), []Type{Heartbeat}, WrongDirection, int64(len(heartbeat)) + 4},
		{"frame/control-from-server", "TC-D2", ServerToChild, []byte(ack), []Type{RefAck}, "", 0},
		{"frame/control-from-child", "TC-D2", ChildToServer, []byte(ack), []Type{RefAck}, "", 0},
	}
}
