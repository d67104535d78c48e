package childtest

import (
	"math"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// valueCases are values that cross both ways through code that looks at them.
func valueCases() []Case {
	var cases []Case
	for _, v := range []struct {
		name, clause, what string
		value              codec.Value
		kind               string
	}{
		{"null", "V-2", "null", null(), "NULL"},
		{"true", "V-3", "true", boolean(true), "boolean"},
		{"false", "V-3", "false", boolean(false), "boolean"},
		{"int", "V-4", "an int", num(-5), "integer"},
		{"largest-int", "I-2", "the largest int", num(math.MaxInt64), "integer"},
		{"smallest-int", "I-2", "the smallest int", num(math.MinInt64), "integer"},
		{"float", "D-1", "a float", float(0.1), "double"},
		{"whole-float", "V-5", "a float without a fraction", float(1), "double"},
		{"negative-zero", "D-3", "negative zero", float(math.Copysign(0, -1)), "double"},
		{"infinity", "D-3", "infinity", float(math.Inf(-1)), "double"},
		{"nan", "V-10", "NaN", float(math.NaN()), "double"},
		{"smallest-float", "D-4", "the smallest float", float(math.SmallestNonzeroFloat64), "double"},
		{"empty-string", "V-6", "the empty string", str(""), "string"},
		{"bytes", "S-2", "a string of all 256 bytes", str(allBytes()), "string"},
		{"string-like-payload", "S-1", "a string that looks like a payload", str(`";}a:1:{i:0;N;}`), "string"},
		{"empty-array", "V-7", "the empty array", list(), "array"},
		{"list", "V-7", "a list", list(num(1), str("a"), null()), "array"},
		{"array", "V-8", "an array whose order matters", dict(str("b"), num(1), str("a"), num(2), num(-3), null()), "array"},
		{"keys", "K-2", "an array with keys that look like ints", dict(str("05"), num(1), num(5), num(2), str("-0"), num(3), str(""), num(4)), "array"},
	} {
		cases = append(cases, Case{"values/" + v.name, v.clause, strings.ToUpper(v.what[:1]) + v.what[1:] + " reaches PHP as the type that it is, and comes back unchanged.", shared, anyPHP, func(h *Host) {
			h.prelude()
			h.expect(str(v.kind), "gettype", v.value)
			id := h.call("current", list(v.value))
			h.same(h.returned(id).Value, v.value)
			id = h.call("pw_call", rhandle(400, noStub, 1), str("echo"), v.value)
			f, ok := h.receive().(frames.CallRustMethod)
			if !ok || len(f.Args) != 1 {
				h.fail("a CallRustMethod with one argument must come")
			}
			h.same(f.Args[0], v.value)
			h.reply(f, v.value)
			h.released(400)
			h.same(h.returned(id).Value, v.value)
		}})
	}
	return append(cases, oddValueCases...)
}

// same makes sure that a value is the expected one, to the bits.
func (h *Host) same(got, want codec.Value) {
	if wire(got) != wire(want) {
		h.fail("the value must be %s, it is %s", shownValue(want), shownValue(got))
	}
}

func allBytes() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}

// evalThrows runs PHP code whose result cannot cross.
func (h *Host) evalThrows(code, says string) {
	h.throws(h.call("__shirabe_eval", str(code)), says)
	h.alive()
}

var oddValueCases = []Case{
	{"values/numeric-key", "K-2", "A string key that is an int is the int for PHP.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		h.sendRaw(frames.TagCallFunction, id, fields(wire(str("array_keys")), fields(`a:1:{s:1:"5";N;}`), "a:0:{}"))
		h.returns(id, list(num(5)))
	}},
	{"values/repeated-key", "A-2", "A repeated key keeps its place and takes the last value.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		h.sendRaw(frames.TagCallFunction, id, fields(wire(str("array_values")), fields(`a:3:{s:1:"a";i:1;s:1:"b";i:2;s:1:"a";i:3;}`), "a:0:{}"))
		h.returns(id, list(num(3), num(2)))
	}},
	{"values/int-out-of-range", "I-2", "An int outside of 64 bits, which PHP would clamp with a warning, ends the child.", ends, anyPHP,
		refusesCall("gettype", "i:9223372036854775808;")},
	{"values/key-out-of-range", "I-2", "A key outside of 64 bits ends the child.", ends, anyPHP, refusesCall("count", "a:1:{i:-9223372036854775809;N;}")},
	{"values/no-revival", "P-4", "An object in a payload is not revived: its class's code does not run.", ends, anyPHP, func(h *Host) {
		h.eval(`class PwRevived { public $a; function __wakeup() { file_put_contents('php://stderr', "revived\n"); } function __destruct() { file_put_contents('php://stderr', "revived\n"); } }`)
		h.sendRaw(frames.TagCallFunction, h.nextID(), fields(wire(str("gettype")), fields(`O:9:"PwRevived":1:{s:1:"a";i:1;}`), "a:0:{}"))
		_, _ = h.read() // it may answer or end
		h.closeWrite()
		h.end()
		if strings.Contains(h.ending.Stderr, "revived") {
			h.fail("the code of the class ran")
		}
	}},
	{"values/resource", "O-14", "A resource cannot cross: a Throw that says why.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`return fopen('php://memory', 'r');`, "resource")
	}},
	{"values/resource-deep", "O-14", "A resource deep inside a value cannot cross: a Throw that says why.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`return ['a' => [1, fopen('php://memory', 'r')]];`, "resource")
	}},
	{"values/resource-to-host", "O-14", "A resource as an argument of a call to the host is thrown in PHP; the host is not asked.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_gives_resource($o) { try { $o->take(fopen('php://memory', 'r')); } catch (\Throwable $e) { return 'thrown'; } }`)
		id := h.call("pw_gives_resource", rhandle(401, noStub, 1))
		for {
			f := h.receive()
			if _, ok := f.(frames.ReleaseRustHandle); ok {
				continue
			}
			if r, ok := f.(frames.Return); !ok || r.ID != id || !r.Value.Equal(str("thrown")) {
				h.fail("the call must throw in PHP, the next frame is %s", shown(f))
			}
			break
		}
		h.drainReleases()
	}},
	{"values/contains-itself", "O-14", "An array that contains itself cannot cross: a Throw that says why.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`$a = [1]; $a[] = &$a; return $a;`, "itself")
	}},
	{"values/too-deep", "O-14", "A value that nests 600 arrays cannot cross: a Throw that says why.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`$a = []; for ($i = 0; $i < 600; $i++) { $a = [$a]; } return $a;`, "nest")
	}},
	{"values/deepest", "L-1", "A value that nests 500 arrays crosses.", shared, anyPHP, func(h *Host) {
		h.eval(`$a = []; for ($i = 1; $i < 500; $i++) { $a = [$a]; } return $a;`)
	}},
	{"values/reserved-keys", "O-14", "An array of PHP with a reserved key cannot cross: a Throw that names the key.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`return ['__rhandle' => 1];`, "__rhandle")
		h.evalThrows(`return [['__phandle' => 1, 'x' => 2]];`, "__phandle")
		h.evalThrows(`return ['__pclass' => 'A'];`, "__pclass")
	}},
	{"values/pclass-beside-others", "H-1", "The key __pclass beside others means nothing: the array crosses.", shared, anyPHP, func(h *Host) {
		h.expect(dict(str("__pclass"), num(1), str("x"), num(2)), "__shirabe_eval", str(`return ['__pclass' => 1, 'x' => 2];`))
	}},
	{"values/references", "O-15", "References between the parts of a value are not kept: each part crosses as its value.", shared, anyPHP, func(h *Host) {
		h.expect(list(num(1), num(1), dict(str("x"), num(1))), "__shirabe_eval", str(`$a = 1; return [&$a, &$a, ['x' => &$a]];`))
	}},
	{"values/sending-changes-nothing", "O-15", "Sending a value changes no variable that it refers to.", shared, anyPHP, func(h *Host) {
		h.eval(`$GLOBALS['pw_o'] = new ArrayObject; $GLOBALS['pw_a'] = ['o' => &$GLOBALS['pw_o']]; return null;`)
		v := h.eval(`return $GLOBALS['pw_a'];`)
		object, _ := v.Get(codec.StringKey("o"))
		h.letGo(h.handleOf(object))
		h.expect(boolean(true), "__shirabe_eval", str(`return $GLOBALS['pw_o'] instanceof ArrayObject;`))
	}},
	{"values/unfolding", "O-14", "A small array that unfolds to far more than a frame is a Throw, and is not unfolded first.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`$a = str_repeat('x', 1 << 16); for ($i = 0; $i < 40; $i++) { $a = [$a, $a]; } return $a;`, "")
	}},
	{"values/larger-than-a-frame", "O-14", "A value that does not fit into a frame, 257 MiB, is a Throw that says why.", shared, anyPHP, func(h *Host) {
		h.evalThrows(`ini_set('memory_limit', '-1'); return str_repeat('x', 257 << 20);`, "")
	}},
}

// handleCases are arrays with a reserved key that are no handle.
func handleCases() []Case {
	var cases []Case
	for _, a := range []struct{ name, clause, what, payload string }{
		{"rhandle-alone", "H-5", "__rhandle alone", `a:1:{s:9:"__rhandle";i:3;}`},
		{"rhandle-negative", "H-2", "__rhandle below 0", `a:3:{s:9:"__rhandle";i:-1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`},
		{"rhandle-string", "H-2", "__rhandle as a string", `a:3:{s:9:"__rhandle";s:1:"3";s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`},
		{"rhandle-extra", "H-5", "a key beside those of an rhandle", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:1:"x";N;}`},
		{"rhandle-snapshot", "H-2", "a __snapshot that is null", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";N;}`},
		{"rhandle-epoch", "H-2", "an __epoch below 0", `a:3:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:-1;}`},
		{"phandle-alone", "H-5", "__phandle alone", `a:1:{s:9:"__phandle";i:3;}`},
		{"phandle-implements", "H-3", "__implements with an int", `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;i:5;}}`},
		{"both", "H-5", "__rhandle and __phandle", `a:2:{s:9:"__phandle";i:8;s:9:"__rhandle";i:8;}`},
		{"pclass-int", "H-4", "__pclass as an int", `a:1:{s:8:"__pclass";i:5;}`},
		{"deep", "H-1", "__rhandle alone, deep inside the argument", `a:1:{s:1:"x";a:1:{i:0;a:1:{s:9:"__rhandle";i:3;}}}`},
	} {
		cases = append(cases, Case{"handles/" + a.name, a.clause, "An argument that is an array with " + a.what + " ends the child.", ends, anyPHP,
			refusesCall("count", a.payload)})
	}
	return cases
}

func refusesCall(function, arg string) func(*Host) {
	return refusesRaw(frames.TagCallFunction, 1, fields(wire(str(function)), fields(arg), "a:0:{}"))
}
