package childtest

import (
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// static calls a static method and gives the call's id.
func (h *Host) static(class, method string, args ...codec.Value) uint64 {
	id := h.nextID()
	h.send(frames.CallStaticMethod{ID: id, Class: class, Method: method, Args: args})
	return id
}

// byReference calls a function with positions and gives its Return.
func (h *Host) byReference(function string, positions []int, args ...codec.Value) frames.Return {
	id := h.nextID()
	h.send(frames.CallFunction{ID: id, Function: function, Args: args, OutParams: positions})
	return h.returned(id)
}

// wrote makes sure that exactly these arguments came back.
func (h *Host) wrote(r frames.Return, want ...frames.OutParam) {
	got := map[int]codec.Value{}
	for _, p := range r.OutParams {
		got[p.Position] = p.Value
	}
	for _, w := range want {
		v, ok := got[w.Position]
		if !ok {
			h.fail("out_params must have argument %d", w.Position)
		}
		if !v.Equal(w.Value) {
			h.fail("argument %d must come back as %s, it is %s", w.Position, shownValue(w.Value), shownValue(v))
		}
	}
	if len(r.OutParams) != len(want) {
		h.fail("out_params must have %d positions and no other, they are %d", len(want), len(r.OutParams))
	}
}

var functionCases = []Case{
	{"functions/no-arguments", "C-10", "A function without arguments is called.", shared, anyPHP, func(h *Host) {
		if v, ok := h.ask("php_sapi_name").Text(); !ok || v == "" {
			h.fail("php_sapi_name() must return a text")
		}
	}},
	{"functions/unknown", "C-10", "A function that does not exist is a Throw that names it, never null.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("pw_no_such_function", num(1)), "pw_no_such_function")
	}},
	{"functions/unknown-helper", "C-10", "A name that begins like a helper's and is none is a Throw that names it.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("__shirabe_no_such_helper"), "__shirabe_no_such_helper")
	}},
	{"functions/empty-name", "C-10", "The empty name is a Throw.", shared, anyPHP, func(h *Host) { h.threw(h.call("")) }},
	{"functions/name-of-bytes", "S-2", "A name of bytes that are no UTF-8 is a Throw that names it byte for byte.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("pw_\xff\x00"), "pw_\xff\x00")
	}},
	{"functions/no-constructs", "C-10", "Words of the language, like echo, are no functions: a Throw.", shared, anyPHP, func(h *Host) {
		h.threw(h.call("echo", str("x")))
		h.threw(h.call("isset", str("x")))
	}},
	{"functions/method-as-name", "C-10", "A CallFunction calls functions only: a name with :: is a Throw, or the method's result.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("PwThing::twice", str("a"))
		switch f := h.receive().(type) {
		case frames.Throw:
			if f.ID != id {
				h.fail("the reply must have the id %d", id)
			}
		case frames.Return:
			if f.ID != id || !f.Value.Equal(str("aa")) {
				h.fail("call %d must return %s or throw", id, shownValue(str("aa")))
			}
		default:
			h.fail("call %d must be answered, it got %s", id, shown(f))
		}
	}},
	{"functions/unknown-class", "C-10", "A static method of a class that does not exist is a Throw that names the class.", shared, anyPHP, func(h *Host) {
		h.throws(h.static("PwNoSuchClass", "f"), "PwNoSuchClass")
	}},
	{"functions/unknown-static-method", "C-10", "A static method that does not exist is a Throw that names it.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throws(h.static("PwThing", "noSuchMethod"), "noSuchMethod")
	}},
	{"functions/private-static-method", "C-10", "A static method that is private is a Throw.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throws(h.static("PwThing", "hiddenStatic"), "hiddenStatic")
	}},
	{"functions/magic-static-method", "C-10", "A class with __callStatic answers any static method.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.returns(h.static("PwMany", "anything", num(1)), list(str("anything"), list(num(1))))
	}},
	{"functions/many-arguments", "F-5", "A function takes 300 arguments.", shared, anyPHP, func(h *Host) {
		args := make([]codec.Value, 300)
		for i := range args {
			args[i] = num(int64(i))
		}
		h.expect(num(299), "max", args...)
	}},
}

var outParamCases = []Case{
	{"out-params/preg-match", "C-11", "preg_match writes its matches back as argument 2.", shared, anyPHP, func(h *Host) {
		r := h.byReference("preg_match", []int{2}, str("/b(.)/"), str("abc"), null())
		h.wrote(r, frames.OutParam{Position: 2, Value: list(str("bc"), str("c"))})
		if !r.Value.Equal(num(1)) {
			h.fail("preg_match must return 1")
		}
	}},
	{"out-params/sort", "C-11", "sort writes the sorted array back as argument 0.", shared, anyPHP, func(h *Host) {
		h.wrote(h.byReference("sort", []int{0}, list(num(3), num(1), num(2))), frames.OutParam{Position: 0, Value: list(num(1), num(2), num(3))})
	}},
	{"out-params/behind-the-last", "C-11", "A position right behind the last argument is written back: the argument is null before.", shared, anyPHP, func(h *Host) {
		h.wrote(h.byReference("preg_match", []int{2}, str("/x/"), str("x")), frames.OutParam{Position: 2, Value: list(str("x"))})
	}},
	{"out-params/by-value", "C-11", "A position whose parameter goes by value comes back as it was.", shared, anyPHP, func(h *Host) {
		h.wrote(h.byReference("strlen", []int{0}, str("abc")), frames.OutParam{Position: 0, Value: str("abc")})
	}},
	{"out-params/none-named", "C-11", "Without positions out_params is empty, also where a parameter goes by reference.", shared, anyPHP, func(h *Host) {
		h.wrote(h.byReference("sort", nil, list(num(2), num(1))))
	}},
	{"out-params/two-of-three", "C-11", "A static method writes back the two positions that were named, and no other.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.nextID()
		h.send(frames.CallStaticMethod{ID: id, Class: "PwThing", Method: "fillStatic", Args: list(null(), str("b"), str("c")).Elements(), OutParams: []int{0, 2}})
		h.wrote(h.returned(id), frames.OutParam{Position: 0, Value: str("b")}, frames.OutParam{Position: 2, Value: str("cb")})
	}},
	{"out-params/php-method", "C-11", "A method of an object writes back, too.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing", num(4))
		id := h.nextID()
		h.send(frames.CallPhpMethod{ID: id, Handle: o, Method: "fill", Args: list(null(), str("w")).Elements(), OutParams: []int{0}})
		h.wrote(h.returned(id), frames.OutParam{Position: 0, Value: str("w")})
		h.letGo(o)
	}},
	{"out-params/object", "O-10", "An object that is written back crosses as a phandle.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_fill_object(&$o) { $o = new PwThing(3); }`)
		r := h.byReference("pw_fill_object", []int{0}, null())
		if len(r.OutParams) != 1 {
			h.fail("out_params must have argument 0")
		}
		o := h.handleOf(r.OutParams[0].Value)
		h.returns(h.method(o, "count"), num(3))
		h.letGo(o)
	}},
	{"out-params/far-behind", "C-11", "A position far behind the last argument is written back as null, or is a Throw.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		h.send(frames.CallFunction{ID: id, Function: "is_null", Args: list(num(1)).Elements(), OutParams: []int{40}})
		if t, ok := h.receive().(frames.Throw); !ok || t.ID != id {
			return
		}
	}},
	{"out-params/many", "C-11", "Positions in any order come back each with its value.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_three(&$a, &$b, &$c) { $a = 'A'; $b = 'B'; $c = 'C'; }`)
		h.wrote(h.byReference("pw_three", []int{2, 0, 1}, null(), null(), null()), frames.OutParam{Position: 0, Value: str("A")},
			frames.OutParam{Position: 1, Value: str("B")}, frames.OutParam{Position: 2, Value: str("C")})
	}},
}

var helperCases = []Case{
	{"helpers/eval", "C-13", "__shirabe_eval runs PHP without an opening tag and returns what it returns.", shared, anyPHP, func(h *Host) {
		h.expect(list(num(3), str("x")), "__shirabe_eval", str("$a = 1; $b = 2; return [$a + $b, 'x'];"))
	}},
	{"helpers/eval-nothing", "C-13", "__shirabe_eval of code without a return is null.", shared, anyPHP, func(h *Host) {
		h.expect(null(), "__shirabe_eval", str("$a = 1;"))
	}},
	{"helpers/eval-scope", "C-13", "__shirabe_eval runs in a scope of its own: a variable does not stay.", shared, anyPHP, func(h *Host) {
		h.eval("$pw_variable = 1;")
		h.expect(boolean(false), "__shirabe_eval", str("return isset($pw_variable);"))
	}},
	{"helpers/eval-parse-error", "X-1", "Code that does not parse is a Throw of a ParseError.", shared, anyPHP, func(h *Host) {
		if t := h.threw(h.call("__shirabe_eval", str("return ("))); t.Class != "ParseError" {
			h.fail("the class must be ParseError, it is %s", t.Class)
		}
	}},
	{"helpers/eval-throws", "X-1", "What the code throws is the Throw.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("__shirabe_eval", str("throw new DomainException('from eval', 7);")), "from eval")
	}},
	{"helpers/require", "C-13", "__shirabe_require reads a file of PHP, once.", shared, anyPHP, func(h *Host) {
		file := h.file(`<?php $GLOBALS['pw_required'] = ($GLOBALS['pw_required'] ?? 0) + 1;`)
		h.ask("__shirabe_require", file)
		h.ask("__shirabe_require", file)
		h.expect(num(1), "__shirabe_eval", str("return $GLOBALS['pw_required'];"))
		h.ask("unlink", file)
	}},
	{"helpers/require-missing", "C-13", "A file that is not there is a Throw that names it, and no end of the child.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("__shirabe_require", str("/no/such/file.php")), "/no/such/file.php")
	}},
	{"helpers/roundtrip", "C-13", "__shirabe_oracle_roundtrip gives its argument back as it came.", shared, anyPHP, func(h *Host) {
		v := dict(str("a"), float(0.1), num(-5), str("\x00\xff"), str("n"), null(), str("l"), list(boolean(true), dict(num(9), num(1))))
		h.expect(v, "__shirabe_oracle_roundtrip", v)
	}},
	{"helpers/roundtrip-handles", "C-13", "__shirabe_oracle_roundtrip leaves handles as arrays: no stub is made, none is released.", shared, anyPHP, func(h *Host) {
		v := list(snapshot(140, event, 3, str("getName"), str("n")), codec.PhpClass("A"),
			phandle(codec.PhpHandle{ID: 999_999, Class: "A", Implements: []string{"B"}}))
		h.expect(v, "__shirabe_oracle_roundtrip", v)
	}},
	{"helpers/diagnose", "C-13", "diagnose returns an array that tells what PHP this is.", shared, anyPHP, func(h *Host) {
		version, _ := h.ask("phpversion").Text()
		if v := h.ask("diagnose"); v.Len() == 0 || !strings.Contains(v.String(), version) {
			h.fail("diagnose must tell the version of PHP, %s", version)
		}
	}},
	{"helpers/autoloader", "C-6", "A class that nothing loads is asked for with __shirabe_find_file of handle 0, and its file is read.", ends, anyPHP, func(h *Host) {
		h.ask("__shirabe_enable_script_autoloader")
		h.ask("__shirabe_enable_script_autoloader") // twice is once
		file := h.file(`<?php class PwLate { static function word() { return 'late'; } }`)
		id := h.static("PwLate", "word")
		h.reply(h.served(0, "__shirabe_find_file", str("PwLate")), file)
		h.returns(id, str("late"))
		h.returns(h.static("PwLate", "word"), str("late"))
		h.ask("unlink", file)
	}},
	{"helpers/autoloader-null", "C-6", "A class for which the host has no file does not exist.", ends, anyPHP, func(h *Host) {
		h.ask("__shirabe_enable_script_autoloader")
		id := h.call("class_exists", str("PwNowhere"))
		h.reply(h.served(0, "__shirabe_find_file", str("PwNowhere")), null())
		h.returns(id, boolean(false))
	}},
	{"helpers/autoloader-throw", "C-4", "A failure of the host while a class is looked for is the failure of the call.", ends, anyPHP, func(h *Host) {
		h.ask("__shirabe_enable_script_autoloader")
		id := h.call("class_exists", str("PwBroken"))
		c := h.served(0, "__shirabe_find_file", str("PwBroken"))
		h.send(frames.Throw{ID: c.ID, Class: "RuntimeException", Message: "the disk is gone"})
		h.throws(id, "the disk is gone")
	}},
	{"helpers/autoloader-off", "C-13", "Without __shirabe_enable_script_autoloader nobody is asked for a class.", fresh, anyPHP, func(h *Host) {
		h.expect(boolean(false), "class_exists", str("PwNobodyAsks"))
	}},
}

// file puts PHP code into a file where the child can read it and gives its path.
func (h *Host) file(code string) codec.Value {
	path := h.ask("tempnam", h.ask("sys_get_temp_dir"), str("pw"))
	if _, ok := path.Text(); !ok {
		h.fail("tempnam must give a path")
	}
	h.ask("file_put_contents", path, str(code))
	return path
}
