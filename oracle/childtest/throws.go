package childtest

import (
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// evalThrew runs PHP code that throws and gives the Throw.
func (h *Host) evalThrew(code string) frames.Throw {
	return h.threw(h.call("__shirabe_eval", str(code)))
}

func (h *Host) throwIs(t frames.Throw, class, message string, code int64) {
	if t.Class != class || t.Message != message || t.Code != code {
		h.fail("the Throw must be %s(%q, %d), it is %s", class, message, code, shown(t))
	}
}

func (h *Host) property(t frames.Throw, name string) codec.Value {
	v, ok := codec.Array(t.Properties...).Get(codec.StringKey(name))
	if !ok {
		h.fail("the properties must have %q, they are %s", name, shownValue(codec.Array(t.Properties...)))
	}
	return v
}

var throwCases = []Case{
	{"throws/exception", "X-2", "An exception is a Throw with its class, message and code.", shared, anyPHP, func(h *Host) {
		h.throwIs(h.evalThrew(`throw new DomainException('not here', 42);`), "DomainException", "not here", 42)
	}},
	{"throws/error", "X-1", "An Error is a Throw, too: a division by zero.", shared, anyPHP, func(h *Host) {
		if t := h.evalThrew(`return intdiv(1, 0);`); t.Class != "DivisionByZeroError" {
			h.fail("the class must be DivisionByZeroError, it is %s", t.Class)
		}
	}},
	{"throws/type-error", "X-1", "A TypeError is a Throw.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_int(int $n) { return $n; }`)
		if t := h.threw(h.call("pw_int", str("no int"))); t.Class != "TypeError" {
			h.fail("the class must be TypeError, it is %s", t.Class)
		}
	}},
	{"throws/too-few-arguments", "X-1", "Too few arguments are a Throw.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_two_needed($a, $b) {}`)
		if t := h.threw(h.call("pw_two_needed", num(1))); t.Class != "ArgumentCountError" {
			h.fail("the class must be ArgumentCountError, it is %s", t.Class)
		}
	}},
	{"throws/undefined-function-inside", "X-1", "A call of an undefined function inside called code is a Throw.", shared, anyPHP, func(h *Host) {
		h.throws(h.call("__shirabe_eval", str(`return pw_nowhere();`)), "pw_nowhere")
	}},
	{"throws/own-class", "X-2", "The class of a Throw is the exception's own.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throwIs(h.evalThrew(`throw new PwTransport('gone', 410);`), "PwTransport", "gone", 410)
	}},
	{"throws/message-of-bytes", "X-2", "A message that is no UTF-8 crosses byte for byte.", shared, anyPHP, func(h *Host) {
		h.throwIs(h.evalThrew(`throw new Exception("\xff\x00\xfe;}");`), "Exception", "\xff\x00\xfe;}", 0)
	}},
	{"throws/empty-message", "X-2", "An empty message crosses as the empty string.", shared, anyPHP, func(h *Host) {
		h.throwIs(h.evalThrew(`throw new Exception;`), "Exception", "", 0)
	}},
	{"throws/negative-code", "X-2", "A negative code crosses.", shared, anyPHP, func(h *Host) {
		h.throwIs(h.evalThrew(`throw new Exception('n', -7);`), "Exception", "n", -7)
	}},
	{"throws/code-that-is-no-int", "X-2", "A code that is no int is 0, and stands in the properties.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwSql extends RuntimeException { function __construct() { $this->message = 'sql'; $this->code = 'HY000'; } }`)
		t := h.evalThrew(`throw new PwSql;`)
		h.throwIs(t, "PwSql", "sql", 0)
		if v := h.property(t, "code"); !v.Equal(str("HY000")) {
			h.fail("the property code must be HY000, it is %s", shownValue(v))
		}
	}},
	{"throws/properties", "X-3", "Declared properties cross, private ones of the class too.", shared, anyPHP, func(h *Host) {
		h.prelude()
		t := h.evalThrew(`throw PwTransport::make('no', 1, 404);`)
		if v := h.property(t, "statusCode"); !v.Equal(num(404)) {
			h.fail("statusCode must be 404, it is %s", shownValue(v))
		}
		if v := h.property(t, "headers"); !v.Equal(list()) {
			h.fail("headers must be an empty array, it is %s", shownValue(v))
		}
	}},
	{"throws/inherited-private", "X-3", "Private properties of parent classes cross.", shared, anyPHP, func(h *Host) {
		h.prelude()
		if v := h.property(h.evalThrew(`throw new PwTransport('x');`), "secret"); !v.Equal(str("unset")) {
			h.fail("secret must be %q, it is %s", "unset", shownValue(v))
		}
	}},
	{"throws/shadowed-private", "X-3", "Of two private properties with one name that of the class nearest to the exception's crosses.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwNear0 extends Exception { private $p = 'far'; } class PwNear1 extends PwNear0 { private $p = 'near'; }`)
		if v := h.property(h.evalThrew(`throw new PwNear1;`), "p"); !v.Equal(str("near")) {
			h.fail("p must be %q, it is %s", "near", shownValue(v))
		}
	}},
	{"throws/only-own-state", "X-3", "Message, code, file, line and trace are not among the properties.", shared, anyPHP, func(h *Host) {
		t := h.evalThrew(`throw new Exception('m', 3);`)
		if len(t.Properties) != 0 {
			h.fail("the properties must be empty, they are %s", shownValue(codec.Array(t.Properties...)))
		}
	}},
	{"throws/object-in-property", "X-4", "An object in a property crosses as a handle.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`class PwHolder extends Exception { public $thing; public $stub; }`)
		t := h.evalThrew(`$e = new PwHolder('h'); $e->thing = new PwThing(5); throw $e;`)
		o := h.handleOf(h.property(t, "thing"))
		h.returns(h.method(o, "count"), num(5))
		h.letGo(o)
	}},
	{"throws/resource-in-property", "X-4", "A property that cannot cross is a text that says so; the exception is not lost.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwOpen extends Exception { public $opened; }`)
		t := h.evalThrew(`$e = new PwOpen('open', 2); $e->opened = fopen('php://memory', 'r'); throw $e;`)
		h.throwIs(t, "PwOpen", "open", 2)
		if text, ok := h.property(t, "opened").Text(); !ok || text == "" {
			h.fail("the property must be a text that says why it cannot cross")
		}
	}},
	{"throws/itself-in-property", "X-4", "A property that contains itself is a text that says so.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwLoop extends Exception { public $loop; }`)
		t := h.evalThrew(`$e = new PwLoop('loop'); $a = [1]; $a[] = &$a; $e->loop = $a; throw $e;`)
		if text, ok := h.property(t, "loop").Text(); !ok || text == "" {
			h.fail("the property must be a text that says why it cannot cross")
		}
	}},
	{"throws/previous", "X-5", "A previous exception stands in the properties with class, message, code and properties.", shared, anyPHP, func(h *Host) {
		h.prelude()
		t := h.evalThrew(`throw new LogicException('outer', 1, PwTransport::make('inner', 2, 503));`)
		p := h.property(t, "previous")
		for key, want := range map[string]codec.Value{"class": str("PwTransport"), "message": str("inner"), "code": num(2)} {
			if v, ok := p.Get(codec.StringKey(key)); !ok || !v.Equal(want) {
				h.fail("previous must have the %s %s, it is %s", key, shownValue(want), shownValue(p))
			}
		}
		properties, _ := p.Get(codec.StringKey("properties"))
		if v, ok := properties.Get(codec.StringKey("statusCode")); !ok || !v.Equal(num(503)) {
			h.fail("its properties must have statusCode 503, they are %s", shownValue(properties))
		}
	}},
	{"throws/chain-of-5", "X-5", "A chain of 5 previous exceptions crosses whole.", shared, anyPHP, func(h *Host) {
		t := h.evalThrew(`$e = null; for ($i = 5; $i >= 0; $i--) { $e = new Exception("e$i", $i, $e); } throw $e;`)
		at := codec.Array(t.Properties...)
		for i := range 5 {
			p, ok := at.Get(codec.StringKey("previous"))
			if m, _ := p.Get(codec.StringKey("message")); !ok || !m.Equal(str("e"+itoa(i+1))) {
				h.fail("link %d of the chain must be e%d, it is %s", i+1, i+1, shownValue(p))
			}
			at, _ = p.Get(codec.StringKey("properties"))
		}
	}},
	{"throws/chain-of-1000", "X-5", "A chain of 1000 previous exceptions is a Throw, cut after 50 or later.", shared, anyPHP, func(h *Host) {
		t := h.evalThrew(`$e = null; for ($i = 1000; $i >= 0; $i--) { $e = new Exception("e$i", $i, $e); } throw $e;`)
		h.throwIs(t, "Exception", "e0", 0)
		at, links := codec.Array(t.Properties...), 0
		for {
			p, ok := at.Get(codec.StringKey("previous"))
			if !ok || p.Kind() != codec.KindArray {
				break
			}
			links++
			at, _ = p.Get(codec.StringKey("properties"))
		}
		if links < 50 {
			h.fail("at least 50 links must cross, %d do", links)
		}
	}},
	{"throws/large-message", "X-2", "A message of 2 MiB crosses whole.", shared, anyPHP, func(h *Host) {
		if t := h.evalThrew(`throw new Exception(str_repeat('m', 2 << 20));`); t.Message != strings.Repeat("m", 2<<20) {
			h.fail("the message must be 2 MiB, it is %d bytes", len(t.Message))
		}
	}},
	{"throws/too-large", "X-6", "An exception that does not fit into a frame is a Throw with its class, its code and the beginning of its message.", shared, anyPHP, func(h *Host) {
		t := h.evalThrew(`ini_set('memory_limit', '-1'); throw new DomainException('begins' . str_repeat('m', 257 << 20), 9);`)
		if t.Class != "DomainException" || t.Code != 9 || !strings.HasPrefix(t.Message, "begins") {
			h.fail("the Throw must have the class, the code and the beginning of the message, it is %s", shown(t))
		}
	}},
	{"throws/after-throws", "E-1", "After 50 Throws in a row the child still answers.", shared, anyPHP, func(h *Host) {
		for range 50 {
			h.evalThrew(`throw new Exception('again');`)
		}
		h.alive()
	}},
}

// caught is what pw_catch saw.
type caught struct {
	chain []codec.Value
	state codec.Value
}

func caughtOf(h *Host, v codec.Value) caught {
	e := v.Elements()
	if len(e) != 3 || !e[0].Equal(str("threw")) {
		h.fail("the call must throw in PHP, it gave %s", shownValue(v))
	}
	return caught{e[1].Elements(), e[2]}
}

func (c caught) is(h *Host, class, message string, code int64) {
	if want := list(str(class), str(message), num(code)); !c.chain[0].Equal(want) {
		h.fail("PHP must catch %s, it catches %s", shownValue(want), shownValue(c.chain[0]))
	}
}

// catch answers a call of PHP with a Throw and tells what PHP caught.
func (h *Host) catch(handle int64, t frames.Throw) caught {
	h.prelude()
	id := h.call("pw_catch", rhandle(handle, noStub, 1))
	c := h.served(handle, "fails")
	t.ID = c.ID
	h.send(t)
	h.released(handle)
	return caughtOf(h, h.returned(id).Value)
}

var rebuildCases = []Case{
	{"rebuilt/exception", "X-8", "A Throw of a class that exists is thrown as that class: catch finds it.", shared, anyPHP, func(h *Host) {
		h.catch(500, frames.Throw{Class: "InvalidArgumentException", Message: "bad", Code: 12}).is(h, "InvalidArgumentException", "bad", 12)
	}},
	{"rebuilt/error", "X-8", "A Throw of an Error is thrown as that Error.", shared, anyPHP, func(h *Host) {
		h.catch(501, frames.Throw{Class: "TypeError", Message: "type", Code: 1}).is(h, "TypeError", "type", 1)
	}},
	{"rebuilt/own-class", "X-9", "catch (TransportException $e) works, and $e->getStatusCode() is right.", shared, anyPHP, func(h *Host) {
		c := h.catch(502, frames.Throw{Class: "PwTransport", Message: "not found", Code: 4, Properties: entries(str("statusCode"), num(404), str("headers"), list(str("a: b")))})
		c.is(h, "PwTransport", "not found", 4)
		if want := list(num(404), list(str("a: b")), str("unset")); !c.state.Equal(want) {
			h.fail("its state must be %s, it is %s", shownValue(want), shownValue(c.state))
		}
	}},
	{"rebuilt/inherited-private", "X-9", "A private property of a parent class is set.", shared, anyPHP, func(h *Host) {
		c := h.catch(503, frames.Throw{Class: "PwTransport", Message: "m", Properties: entries(str("secret"), str("told"))})
		if want := list(null(), list(), str("told")); !c.state.Equal(want) {
			h.fail("its state must be %s, it is %s", shownValue(want), shownValue(c.state))
		}
	}},
	{"rebuilt/undeclared", "X-9", "A property that the class does not declare is left out; the exception is thrown all the same.", shared, anyPHP, func(h *Host) {
		h.catch(504, frames.Throw{Class: "PwTransport", Message: "m", Code: 1, Properties: entries(str("noSuchProperty"), num(1))}).is(h, "PwTransport", "m", 1)
	}},
	{"rebuilt/previous", "X-9", "Previous exceptions are rebuilt by the same rules.", shared, anyPHP, func(h *Host) {
		c := h.catch(505, frames.Throw{Class: "LogicException", Message: "outer", Code: 1, Properties: entries(str("previous"),
			dict(str("class"), str("DomainException"), str("message"), str("inner"), str("code"), num(2), str("properties"),
				dict(str("previous"), dict(str("class"), str(`No\Such`), str("message"), str("root"), str("code"), num(3), str("properties"), list()))))})
		want := list(list(str("LogicException"), str("outer"), num(1)), list(str("DomainException"), str("inner"), num(2)), list(str("RuntimeException"), str("root"), num(3)))
		if got := list(c.chain...); !got.Equal(want) {
			h.fail("the chain must be %s, it is %s", shownValue(want), shownValue(got))
		}
	}},
	{"rebuilt/unknown-class", "X-10", "A Throw of a class that does not exist is a RuntimeException with its message and code.", shared, anyPHP, func(h *Host) {
		h.catch(506, frames.Throw{Class: `No\Such\Exception`, Message: "who", Code: 6}).is(h, "RuntimeException", "who", 6)
	}},
	{"rebuilt/odd-constructor", "X-10", "A class whose constructor has another shape is a RuntimeException.", shared, anyPHP, func(h *Host) {
		h.catch(507, frames.Throw{Class: "PwOdd", Message: "odd", Code: 7}).is(h, "RuntimeException", "odd", 7)
	}},
	{"rebuilt/abstract-class", "X-10", "An abstract class is a RuntimeException.", shared, anyPHP, func(h *Host) {
		h.catch(508, frames.Throw{Class: "PwAbstract", Message: "abstract", Code: 8}).is(h, "RuntimeException", "abstract", 8)
	}},
	{"rebuilt/not-throwable", "X-10", "A class that is not Throwable, and an interface, are a RuntimeException.", shared, anyPHP, func(h *Host) {
		h.catch(509, frames.Throw{Class: "ArrayObject", Message: "no", Code: 9}).is(h, "RuntimeException", "no", 9)
		h.catch(509, frames.Throw{Class: "Throwable", Message: "no", Code: 9}).is(h, "RuntimeException", "no", 9)
	}},
	{"rebuilt/message-of-bytes", "X-8", "A message that is no UTF-8 reaches PHP byte for byte.", shared, anyPHP, func(h *Host) {
		h.catch(510, frames.Throw{Class: "RuntimeException", Message: "\xff\x00", Code: -1}).is(h, "RuntimeException", "\xff\x00", -1)
	}},
	{"rebuilt/handle-in-properties", "X-9", "A handle in the properties is a stub in PHP.", shared, anyPHP, func(h *Host) {
		c := h.catch(511, frames.Throw{Class: "PwTransport", Message: "m", Properties: entries(str("statusCode"), codec.PhpClass("ArrayObject"))})
		if v, _ := c.state.Get(codec.IntKey(0)); !v.Equal(str("ArrayObject")) {
			h.fail("the pclass must arrive as a string, it is %s", shownValue(v))
		}
	}},
	{"rebuilt/uncaught", "X-7", "A Throw of the host that no code catches comes back as the Throw of the outer call, state and all.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(512, noStub, 1), str("f"))
		c := h.served(512, "f")
		h.send(frames.Throw{ID: c.ID, Class: "PwTransport", Message: "through", Code: 2, Properties: entries(str("statusCode"), num(500))})
		var t frames.Throw
		for t.Class == "" {
			switch f := h.receive().(type) {
			case frames.ReleaseRustHandle:
			case frames.Throw:
				t = f
			default:
				h.fail("the Throw of call %d must come, not %s", id, shown(f))
			}
		}
		h.throwIs(t, "PwTransport", "through", 2)
		if v := h.property(t, "statusCode"); !v.Equal(num(500)) {
			h.fail("statusCode must be 500, it is %s", shownValue(v))
		}
		h.drainReleases()
	}},
}

var survivalCases = []Case{
	{"survives/output", "C-9", "What called code prints does not reach the stream.", shared, anyPHP, func(h *Host) {
		h.expect(num(1), "__shirabe_eval", str(`echo "printed\n"; print 'more'; return 1;`))
		h.alive()
	}},
	{"survives/output-1-mib", "C-9", "1 MiB of output harms nothing, and goes to stdout.", ends, anyPHP, func(h *Host) {
		h.eval(`echo str_repeat('x', 1 << 20), 'the end of the output';`)
		h.alive()
		h.closeWrite()
		h.leaves()
		if !strings.HasSuffix(strings.TrimSpace(h.ending.Stdout), "the end of the output") {
			h.fail("the output must go to stdout")
		}
	}},
	{"survives/warning", "C-9", "A warning goes to stderr, not into the stream, and the call returns.", ends, anyPHP, func(h *Host) {
		h.expect(num(2), "__shirabe_eval", str(`trigger_error('pw careful', E_USER_WARNING); return 2;`))
		h.closeWrite()
		h.leaves()
		if !strings.Contains(h.ending.Stderr, "pw careful") {
			h.fail("the warning must stand on stderr")
		}
		if strings.Contains(h.ending.Stdout, "pw careful") {
			h.fail("the warning must not stand on stdout")
		}
	}},
	{"survives/notice-and-deprecation", "C-9", "Notices and deprecations do not end the child.", shared, anyPHP, func(h *Host) {
		h.expect(num(3), "__shirabe_eval", str(`trigger_error('n', E_USER_NOTICE); trigger_error('d', E_USER_DEPRECATED); $x = @$undefined['key']; return 3;`))
		h.alive()
	}},
	{"survives/output-buffer", "C-9", "Called code that leaves an output buffer open harms nothing.", shared, anyPHP, func(h *Host) {
		h.eval(`ob_start(); echo 'buffered'; return 1;`)
		h.alive()
		h.eval(`ob_end_clean();`)
	}},
	{"survives/closed-stdout", "C-9", "Called code that closes stdout, or writes to it afterwards, harms nothing.", ends, anyPHP, func(h *Host) {
		h.eval(`if (defined('STDOUT')) { fclose(STDOUT); } return 1;`)
		h.eval(`echo 'into nothing'; return 1;`)
		h.alive()
		h.closeWrite()
		h.leaves()
	}},
	{"survives/serialize-that-throws", "O-10", "An object whose __serialize and __sleep throw crosses as a handle.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.handleOf(h.eval(`return new PwUnfit;`))
		h.letGo(o)
	}},
	{"survives/destructor-that-throws", "X-1", "A destructor that throws while the call returns is the call's Throw, or one line on stderr; the child goes on.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("__shirabe_eval", str(`$l = new PwLoud; return 1;`))
		switch f := h.receive().(type) {
		case frames.Throw:
			if f.ID != id {
				h.fail("the Throw must have the id %d", id)
			}
		case frames.Return:
			if f.ID != id {
				h.fail("the Return must have the id %d", id)
			}
		default:
			h.fail("call %d must be answered, it got %s", id, shown(f))
		}
		h.alive()
	}},
	{"survives/destructor-of-thrown", "X-1", "A destructor that throws while an exception is let go of does not end the child.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throws(h.call("__shirabe_eval", str(`(function ($l) { throw new Exception('first'); })(new PwLoud);`)), "")
		h.alive()
	}},
	{"survives/error-handler", "X-1", "An error handler of called code that throws makes warnings Throws of their calls, and no end of the child.", shared, anyPHP, func(h *Host) {
		h.eval(`set_error_handler(function ($level, $text) { throw new ErrorException($text); }); return 1;`)
		h.throws(h.call("__shirabe_eval", str(`trigger_error('now thrown', E_USER_WARNING);`)), "now thrown")
		h.alive()
		h.eval(`restore_error_handler();`)
	}},
	{"survives/exception-handler", "X-1", "An exception handler of called code does not see what is answered with a Throw.", shared, anyPHP, func(h *Host) {
		h.eval(`set_exception_handler(function ($e) { exit(9); }); return 1;`)
		h.throws(h.call("__shirabe_eval", str(`throw new Exception('answered');`)), "answered")
		h.eval(`restore_exception_handler();`)
		h.alive()
	}},
	{"survives/changed-settings", "C-7", "Called code that changes error_reporting and the working folder harms nothing.", shared, anyPHP, func(h *Host) {
		h.eval(`error_reporting(0); chdir('/'); return 1;`)
		h.throws(h.call("__shirabe_eval", str(`throw new Exception('told');`)), "told")
		id := h.call("get_class", rhandle(520, scriptEvent, 1))
		h.released(520)
		h.returns(id, str(scriptEvent))
		h.eval(`error_reporting(-1);`)
	}},
	{"survives/changed-precision", "D-1", "Called code that changes serialize_precision changes no float on the wire.", shared, anyPHP, func(h *Host) {
		h.expect(float(0.1), "__shirabe_eval", str(`ini_set('serialize_precision', '3'); return 0.1;`))
		h.expect(float(1.23456789), "__shirabe_eval", str(`ini_set('serialize_precision', '3'); return 1.23456789;`))
		h.eval(`ini_set('serialize_precision', '-1');`)
	}},
	{"survives/deep-recursion", "X-1", "Code that recurses 5,000 deep is no problem.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_deep($n) { return $n === 0 ? 0 : 1 + pw_deep($n - 1); }`)
		h.expect(num(5000), "pw_deep", num(5000))
	}},
	{"survives/generator-that-throws", "X-1", "A generator that throws is a Throw of the call that drives it.", shared, anyPHP, func(h *Host) {
		o := h.handleOf(h.eval(`return (function () { throw new Exception('from within'); yield 1; })();`))
		h.throws(h.method(o, "current"), "from within")
		h.letGo(o)
	}},
}
