package childtest

import (
	"strings"

	"phpwire/frames"
)

// payloadCases are payloads of a CallFunction that are not its list of fields.
func payloadCases() []Case {
	var cases []Case
	for _, p := range []struct{ name, clause, what, payload string }{
		{"null", "F-15", "that is null", "N;"},
		{"int", "F-15", "that is an int", "i:5;"},
		{"string", "F-15", "that is a string", wire(str("strlen"))},
		{"no-value", "F-15", "that is no value at all", "rubbish"},
		{"unfinished", "F-15", "whose list is not closed", strings.TrimSuffix(goodCall, "}")},
		{"byte-after", "P-5", "with a byte behind the list", goodCall + "x"},
		{"newline-after", "P-5", "with a line end behind the list", goodCall + "\n"},
		{"brace-after", "P-5", "with a brace behind the list", goodCall + "}"},
		{"value-after", "P-5", "with a second value behind the list", goodCall + "i:0;"},
		{"empty-list", "F-15", "that is a list without fields", "a:0:{}"},
		{"keys-from-1", "F-15", "whose keys begin with 1", `a:3:{i:1;s:6:"strlen";i:2;a:1:{i:0;s:1:"a";}i:3;a:0:{}}`},
		{"keys-out-of-order", "F-15", "whose keys are out of order", `a:3:{i:1;a:1:{i:0;s:1:"a";}i:0;s:6:"strlen";i:2;a:0:{}}`},
		{"string-keys", "F-15", "whose keys are names", `a:3:{s:13:"function_name";s:6:"strlen";s:4:"args";a:1:{i:0;s:1:"a";}s:19:"out_param_positions";a:0:{}}`},
		{"object", "P-4", "that is an object", `O:8:"stdClass":0:{}`},
		{"count-too-high", "A-1", "whose count is above what is there", `a:4` + strings.TrimPrefix(goodCall, "a:3")},
		{"count-too-low", "A-1", "whose count is below what is there", `a:2` + strings.TrimPrefix(goodCall, "a:3")},
		{"huge-count", "L-2", "that claims 2147483647 fields", `a:2147483647:{i:0;N;`},
		{"huge-string", "L-2", "that claims a string of 2147483647 bytes", `a:3:{i:0;s:2147483647:"strlen";i:1;a:0:{}i:2;a:0:{}}`},
		{"string-too-long", "S-1", "with a string whose length is wrong", `a:3:{i:0;s:7:"strlen";i:1;a:0:{}i:2;a:0:{}}`},
		{"bool-key", "K-1", "with an array whose key is a bool", `a:3:{i:0;s:5:"count";i:1;a:1:{i:0;a:1:{b:1;N;}}i:2;a:0:{}}`},
		{"bad-int", "I-1", "with an int that is none", `a:3:{i:0;s:6:"strlen";i:1;a:1:{i:0;i:+-5;}i:2;a:0:{}}`},
		{"bad-float", "D-2", "with a float that is none", `a:3:{i:0;s:6:"strlen";i:1;a:1:{i:0;d:1e;}i:2;a:0:{}}`},
	} {
		cases = append(cases, Case{"payloads/" + p.name, p.clause, "A payload " + p.what + " ends the child.", ends, anyPHP,
			refusesRaw(frames.TagCallFunction, 1, p.payload)})
	}
	return append(cases,
		Case{"payloads/lenient-spelling", "P-2", "Spellings that PHP reads are accepted: leading zeros, a plus, other floats.", shared, anyPHP, func(h *Host) {
			id := h.nextID()
			h.sendRaw(frames.TagCallFunction, id, `a:03:{i:+0;s:03:"max";s:1:"1";a:2:{i:0;d:.5;i:1;d:1e2;}i:02;a:0:{}}`)
			h.returns(id, float(100))
		}},
		Case{"payloads/unclosed-arrays", "E-3", "A payload that opens 20,000 arrays and closes none ends the child in order, not by a crash.", ends, anyPHP,
			refusesRaw(frames.TagCallFunction, 1, strings.Repeat("a:1:{i:0;", 20_000))},
		Case{"payloads/says-what", "E-5", "The line about a broken frame names the frame and the field.", ends, anyPHP, func(h *Host) {
			refusesRaw(frames.TagCallFunction, 1, fields(wire(str("strlen")), "a:0:{}", "N;"))(h)
			for _, word := range []string{"CallFunction", "out_param_positions"} {
				if !strings.Contains(h.ending.Stderr, word) {
					h.fail("the line on stderr must name %s, it says %q", word, cutText(h.ending.Stderr))
				}
			}
		}},
		Case{"payloads/512-deep", "L-1", "Arrays nested 512 deep, the two of the frame included, are accepted.", shared, anyPHP, func(h *Host) {
			id := h.nextID()
			const depth = 510
			arg := strings.Repeat("a:1:{i:0;", depth-1) + "a:0:{}" + strings.Repeat("}", depth-1)
			h.sendRaw(frames.TagCallFunction, id, fields(wire(str("count")), fields(arg), "a:0:{}"))
			h.returns(id, num(1))
		}},
	)
}

// frameFields are the fields of the frames that a host sends, with a good value
// and a wrong one for each.
var frameFields = []struct {
	tag    frames.Tag
	clause string
	fields []fieldOf
}{
	{frames.TagCallFunction, "F-5", []fieldOf{text("function_name", "strlen"), args("args"), positions()}},
	{frames.TagCallStaticMethod, "F-6", []fieldOf{text("pclass", "PwThing"), text("method_name", "twice"), args("args"), positions()}},
	{frames.TagNewObject, "F-7", []fieldOf{text("pclass", "ArrayObject"), args("ctor_args")}},
	{frames.TagCallPhpMethod, "F-8", []fieldOf{natural("phandle"), text("method_name", "count"), args("args"), positions()}},
	{frames.TagReturn, "F-10", []fieldOf{{"value", "N;", nil}, {"out_params", "a:0:{}", []wrong{{"null", "N;"}, {"with a name as position", `a:1:{s:1:"a";N;}`}}}}},
	{frames.TagThrow, "F-11", []fieldOf{text("exception_class", "RuntimeException"), text("message", "no"),
		{"code", "i:0;", []wrong{{"a string", `s:5:"HY000";`}}}, {"properties", "a:0:{}", []wrong{{"null", "N;"}}}}},
	{frames.TagReleasePhpHandle, "F-13", []fieldOf{natural("phandle")}},
	{frames.TagEpochBump, "F-14", []fieldOf{natural("rhandle"), natural("epoch")}},
}

type fieldOf struct {
	name, good string
	wrong      []wrong
}

type wrong struct{ what, payload string }

func text(name, good string) fieldOf {
	return fieldOf{name, wire(str(good)), []wrong{{"an int", "i:5;"}}}
}

func args(name string) fieldOf {
	return fieldOf{name, "a:0:{}", []wrong{{"a string", `s:1:"a";`}, {"an array that is no list", "a:1:{i:1;N;}"}}}
}

func positions() fieldOf {
	return fieldOf{"out_param_positions", "a:0:{}", []wrong{{"a list of texts", `a:1:{i:0;s:1:"0";}`}, {"a list with -1", "a:1:{i:0;i:-1;}"}}}
}

func natural(name string) fieldOf {
	return fieldOf{name, "i:1;", []wrong{{"a string", `s:1:"1";`}, {"-1", "i:-1;"}}}
}

// fieldCases are frames with a field too few, one too many, and one of a wrong
// type for each that has a type.
func fieldCases() []Case {
	var cases []Case
	for _, f := range frameFields {
		add := func(name, clause, requirement string, payloads []string) {
			cases = append(cases, Case{"fields/" + f.tag.String() + "/" + name, clause, requirement, ends, anyPHP, func(h *Host) {
				id := uint64(1)
				switch f.tag {
				case frames.TagReturn, frames.TagThrow:
					id = h.waits(130).ID
				case frames.TagReleasePhpHandle, frames.TagEpochBump:
					id = 0
				}
				refusesRaw(f.tag, id, fields(payloads...))(h)
			}})
		}
		good := make([]string, len(f.fields))
		for i, field := range f.fields {
			good[i] = field.good
		}
		few := good[:len(good)-1]
		if f.tag == frames.TagThrow {
			few = good[:2] // the last may be left out
		}
		add("missing", "F-15", "A "+f.tag.String()+" with a field too few ends the child.", few)
		add("extra", "F-15", "A "+f.tag.String()+" with a field too many ends the child.", append(append([]string{}, good...), "a:0:{}"))
		for i, field := range f.fields {
			for _, w := range field.wrong {
				payloads := append([]string{}, good...)
				payloads[i] = w.payload
				add(field.name+"-"+strings.ReplaceAll(w.what, " ", "-"), f.clause, "A "+f.tag.String()+" whose "+field.name+" is "+w.what+" ends the child.", payloads)
			}
		}
	}
	return cases
}
