package php_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What every PHP does, silently.
var features = []struct {
	name string
	test func(c *child)
}{
	{"functions", functions},
	{"static methods", staticMethods},
	{"out-parameters", outParams},
	{"reserialize", reserialize},
	{"special payloads", special},
	{"describe", describe},
	{"build", build},
	{"floats", floats},
	{"facts", facts},
	{"nested calls", nestedCalls},
	{"replies out of order", repliesOutOfOrder},
	{"out-parameters of the host", outParamsOfTheHost},
	{"stubs", stubs},
	{"copies of stubs", copiesOfStubs},
	{"stubs in data", stubsInData},
	{"objects of PHP", phpObjects},
	{"exceptions to the host", exceptionsToTheHost},
	{"values that cannot cross", unfitValues},
	{"destructors that throw", destructorsThatThrow},
	{"exceptions to PHP", exceptionsToPHP},
	{"script autoloader", scriptAutoloader},
	{"frames in pieces", framesInPieces},
	{"large frames", largeFrames},
}

func TestFeaturesOnEveryPHP(t *testing.T) {
	for _, r := range everyPHP(t) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			c := start(t, r)
			for _, f := range features {
				ok := t.Run(f.name, func(t *testing.T) {
					c.t = t
					f.test(c)
				})
				c.t = t
				if !ok {
					t.Logf("stderr: %s", &c.stderr)
					c = start(t, r)
				}
			}
			require.Zero(t, c.end(), c.stderr.String())
			require.Empty(t, c.stderr.String(), "no version may have anything to complain about")
			require.Empty(t, c.stdout.String())
		})
	}
}

func TestNoiseHarmsNoFrame(t *testing.T) {
	for _, r := range everyPHP(t) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			c := start(t, r)
			c.eval(`echo 'noise'; trigger_error('careful'); return 1;`)
			c.eval(`class Loud { function __destruct() { throw new Exception('too late'); } }`)
			object := c.handle(c.eval(`return new Loud;`))
			c.send(releasePhpHandle, 0, num(object))
			c.alive()
			require.Contains(t, c.throws("__shirabe_eval", str(`function hold($l) { throw new Exception('first'); } hold(new Loud);`)), "first")
			c.alive()
			require.Zero(t, c.end())
			require.Equal(t, "noise", c.stdout.String())
			require.Contains(t, c.stderr.String(), "careful")
			require.Contains(t, c.stderr.String(), "phpwire: a destructor threw")
			require.Contains(t, c.stderr.String(), "too late")
		})
	}
}

func functions(c *child) {
	c.returns("i:3;", "strlen", str("abc"))
	c.returns(str("b\xffa"), "strrev", str("a\xffb"))
	c.returns("b:1;", "defined", str("PHP_VERSION"))
	c.returns(num(4), "constant", str("E_PARSE"))
	c.returns(str("\x7f\x00\x00\x01"), "inet_pton", str("127.0.0.1"))
	c.call("ini_set", str("serialize_precision"), str("3"))
	c.returns("d:0.1234567;", "floatval", str("0.1234567"))
	require.Contains(c.t, c.throws("constant", str("NO_SUCH")), "undefined constant NO_SUCH")
	require.Equal(c.t, list(str("BadFunctionCallException"), str("unknown function no_such"), num(0), list()), c.throws("no_such"))
	c.eval(`function wants(int $n) { return $n; }`)
	require.Contains(c.t, c.throws("wants", str("y")), str("TypeError"))
}

func staticMethods(c *child) {
	c.eval(`class Tools { static function twice($x) { return $x . $x; } private static function hidden() {} }`)
	ask := func(class, method string, args ...string) (byte, string) {
		return c.ask(callStaticMethod, str(class), str(method), list(args...), list())
	}
	tag, payload := ask("Tools", "twice", str("a"))
	require.EqualValues(c.t, returnValue, tag)
	require.Equal(c.t, list(str("aa"), list()), payload)
	for _, bad := range [][3]string{{"NoSuch", "f", "unknown class NoSuch"}, {"Tools", "nope", "Tools::nope"}, {"Tools", "hidden", "Tools::hidden"}} {
		tag, payload = ask(bad[0], bad[1])
		require.EqualValues(c.t, throwException, tag)
		require.Contains(c.t, payload, bad[2])
	}
}

func outParams(c *child) {
	tag, payload := c.ask(callFunction, str("preg_match"), list(str("/b(.)/"), str("abc")), list(num(2)))
	require.EqualValues(c.t, returnValue, tag)
	require.Equal(c.t, list(num(1), dict(num(2), list(str("bc"), str("c")))), payload)
	_, payload = c.ask(callFunction, str("sort"), list(list(num(3), num(1))), list(num(0)))
	require.Equal(c.t, list("b:1;", dict(num(0), list(num(1), num(3)))), payload)
	c.eval(`class Filler { static function fill(&$a, $b, &$c) { $a = new ArrayObject; $c .= $b; } }`)
	_, payload = c.ask(callStaticMethod, str("Filler"), str("fill"), list("N;", str("b"), str("c")), list(num(0), num(2)))
	require.Contains(c.t, payload, list("N;", "")[:9]) // the result
	require.Contains(c.t, payload, "ArrayObject")
	require.Contains(c.t, payload, num(2)+str("cb"))
	c.send(releasePhpHandle, 0, num(c.handle(payload)))
	tag, payload = c.ask(callFunction, str("sort"), list(list(num(3), num(1))), list(num(7)))
	require.EqualValues(c.t, throwException, tag)
	require.Contains(c.t, payload, "argument 7 of 1")
}

// notice is how unserialize reports a refusal.
func (c *child) notice(text string) string {
	if c.phpVersion() >= 80300 {
		return str("E_WARNING: unserialize(): " + text)
	}
	return str("E_NOTICE: unserialize(): " + text)
}

// separator is in none of the texts that helpers are asked about together.
const separator = "\xff--"

// together has a helper answer to texts, which must give this value.
func (c *child) together(want, helper string, texts ...string) {
	c.t.Helper()
	c.returns(want, helper, str(strings.Join(texts, separator)), str(separator))
}

// reserializes asks about one payload, to which the answer must be this, or none where the same bytes come out.
func (c *child) reserializes(payload string, answer ...string) {
	c.t.Helper()
	c.together(list(answer...), "__phpwire_reserialize", payload)
}

// describes asks about one payload, to which the answer must be this.
func (c *child) describes(payload, answer string) {
	c.t.Helper()
	c.together(list(answer), "__phpwire_describe", payload)
}

func reserialize(c *child) {
	c.reserializes("d:0.1;")
	c.reserializes("d:.1;", str("d:0.1;"))
	c.reserializes("b:0;")
	refused := list("b:0;", "N;", list(c.notice("Error at offset 0 of 2 bytes")))
	c.reserializes("x;", refused)
	c.together("a:3:{i:1;"+refused+"i:2;"+str("i:5;")+"i:4;"+list("b:0;", "N;", list())+"}", "__phpwire_reserialize", "N;", "x;", "i:+5;", "d:NAN;", "")
	c.together("a:1:{i:1;"+str("i:5;")+"}", "__phpwire_reserialize", `O:8:"stdClass":0:{}`, "i:+5;")
	c.together("a:1:{i:0;"+str("i:5;")+"}", "__phpwire_reserialize", "i:+5;", list(num(7), "R:2;"))
	extra := str("i:1;")
	if c.phpVersion() >= 80300 {
		extra = list("b:1;", str("i:1;"), list(c.notice("Extra data starting at offset 4 of 5 bytes")))
	}
	c.reserializes("i:1;x", extra)
	c.reserializes(`O:8:"stdClass":1:{s:1:"a";i:1;}`)
	endless := list("b:1;", "N;", list(str("E_USER_WARNING: phpwire: the value contains itself, so serialize() was not asked")))
	c.together("a:1:{i:1;"+endless+"}", "__phpwire_reserialize", str(";R:1;"), list("R:1;"), "N;")
}

// Every PHP is asked about references and objects behind every byte, everywhere: where it reads one, the worker must
// have seen that it may; objects that it sees nowhere are those that are made whatever classes are allowed.
func special(c *child) {
	c.eval(`
		if (PHP_VERSION_ID >= 80100) {
			eval('enum Colour { case Red; }');
		}
		function has_object($value) {
			$found = false;
			is_array($value) ? array_walk_recursive($value, function ($v) use (&$found) { $found = $found || is_object($v); }) : $found = is_object($value);
			return $found;
		}
		function has_itself($value) {
			error_clear_last();
			return is_array($value) && @count($value, COUNT_RECURSIVE) > 0 && error_get_last() !== null;
		}`)
	read := `R:1; O:8:"stdClass":0:{} C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}`
	if c.phpVersion() < 70300 {
		read = strings.Replace(read, "R:1;", "R:1; r:1;", 1)
	}
	if c.phpVersion() < 70400 {
		read += ` o:0:"}`
	}
	if c.phpVersion() >= 80100 {
		read += ` E:10:"Colour:Red";`
	}
	c.returns(str(read), "__shirabe_eval", str(`
		$overlooked = [];
		$seen = [];
		foreach (['R:1;', 'r:1;', 'O:8:"stdClass":0:{}', 'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}', 'E:10:"Colour:Red";', 'o:0:"}'] as $token) {
			foreach (['%s', '%sN;', 'a:1:{%s}', 'a:1:{%sN;}', 'a:1:{i:0%s}', 'a:1:{s:1:"k"%s}', 'a:1:{i:0;%s}',
				'a:2:{i:0;a:0:{}%sN;}', 'a:2:{i:0;a:0:{}i:1%s}', 'a:2:{i:0;N%sN;}'] as $where) {
				for ($byte = -1; $byte < 256; $byte++) {
					$bytes = \sprintf($where, ($byte < 0 ? '' : \chr($byte)) . $token);
					$value = @\unserialize($bytes);
					if (has_itself($value)) {
						$seen[$token] = true;
						$expected = [3 => true];
						$right = Phpwire\mayRefer($bytes);
					} elseif (has_object($value)) {
						$seen[$token] = true;
						$allowed = \print_r($value, true) === \print_r(@\unserialize($bytes, ['allowed_classes' => false]), true);
						$expected = $allowed ? [] : [3 => true];
						$right = true;
					} else {
						continue;
					}
					foreach (["\n", "\xff\xfe"] as $separator) {
						$right = $right && \array_diff_key($expected, Phpwire\special(\implode($separator, ['N;', ';R:', '', $bytes, 'N;']), $separator)) === [];
					}
					$right || $overlooked[] = $bytes;
				}
			}
		}
		return $overlooked ?: \implode(' ', \array_keys($seen));`))
}

func describe(c *child) {
	c.describes("a:3:{i:0;i:-5;i:1;d:NAN;i:2;s:1:\"\xff\";}", str(`{"t":"list","v":[{"t":"int","v":"-5"},{"t":"float","bits":"7ff8000000000000"},{"t":"string","b64":"/w=="}]}`))
	c.describes(`a:2:{s:1:"5";N;s:1:"a";b:1;}`, str(`{"t":"array","v":[[{"int":"5"},{"t":"null"}],[{"b64":"YQ=="},{"t":"bool","v":true}]]}`))
	c.describes(`a:0:{}`, str(`{"t":"list","v":[]}`))
	c.together(list(str(`{"t":"null"}`), str(`{"t":"list","v":[{"t":"int","v":"7"},{"t":"int","v":"7"}]}`)), "__phpwire_describe", "N;", "a:2:{i:0;i:7;i:1;R:2;}")
	c.describes(`a:1:{i:0;a:0:{}}`, str(`{"t":"list","v":[{"t":"list","v":[]}]}`))
	c.describes(`d:-0;`, str(`{"t":"float","bits":"8000000000000000"}`))
	c.describes(`O:3:"Foo":0:{}`, str(`{"t":"other","php":"object","class":"Rm9v"}`))
	c.describes("x", list("b:0;", "N;", list(c.notice("Error at offset 0 of 1 bytes"))))

	c.describes("a:1:{i:0;R:1;}", str(`{"t":"list","v":[{"t":"list","v":[{"t":"other","php":"recursion"}]}]}`))
	c.describes("a:2:{i:0;i:7;i:1;R:2;}", str(`{"t":"list","v":[{"t":"int","v":"7"},{"t":"int","v":"7"}]}`))
	bomb := list(num(0), num(0)) // in slot 2, then each of the lists names the one before it twice
	elements, slot := []string{bomb}, 2
	for range 40 {
		ref := fmt.Sprintf("R:%d;", slot)
		if len(elements) == 1 {
			slot += 3
		} else {
			slot++
		}
		elements = append(elements, list(ref, ref))
	}
	payload := c.call("__phpwire_describe", str(list(elements...)), str(separator))
	require.Contains(c.t, payload, "expansion")
	require.Less(c.t, len(payload), 1<<20)
	for _, depth := range []int{512, 4000} {
		deep := strings.Repeat("a:1:{i:0;", depth) + "N;" + strings.Repeat("}", depth)
		c.describes(deep, str(strings.Repeat(`{"t":"list","v":[`, depth)+`{"t":"null"}`+strings.Repeat("]}", depth)))
	}
}

func build(c *child) {
	c.together(list(str("N;"), str("b:1;")), "__phpwire_build", `{"t":"null"}`, `{"t":"bool","v":true}`)
	for json, want := range map[string]string{
		`{"t":"null"}`:                                                       "N;",
		`{"t":"bool","v":false}`:                                             "b:0;",
		`{"t":"int","v":"-9223372036854775808"}`:                             "i:-9223372036854775808;",
		`{"t":"float","bits":"8000000000000000"}`:                            "d:-0;",
		`{"t":"float","bits":"fff8000000000001"}`:                            "d:NAN;",
		`{"t":"float","bits":"3fb999999999999a"}`:                            "d:0.1;",
		`{"t":"string","b64":"/w=="}`:                                        str("\xff"),
		`{"t":"list","v":[{"t":"list","v":[]}]}`:                             list(list()),
		`{"t":"object","v":[[{"b64":"Nw=="},{"t":"list","v":[]}]]}`:          dict(num(7), list()),
		`{"t":"pclass","class":"QQ=="}`:                                      dict(str("__pclass"), str("A")),
		`{"t":"phandle","phandle":"8","class":"QQ==","implements":["Qg=="]}`: phandle(8, "A", "B"),
		`{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1"}`:           rhandle(3, "A", 1),
		`{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1","snapshot":[[{"b64":"QQ=="},{"t":"null"}]]}`:                 rhandle(3, "A", 1, str("A"), "N;"),
		`{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}],[{"b64":"LTA="},{"t":"null"}],[{"int":"5"},{"t":"bool","v":true}]]}`: dict(num(5), "b:1;", str("-0"), "N;"),
	} {
		c.together(list(str(want)), "__phpwire_build", json)
	}
	for _, bad := range []string{"{", `{"t":"x"}`, `{"t":"int","v":"9223372036854775808"}`, `{"t":"int","v":"1.0"}`, `{"t":"string","b64":"*"}`, `{"t":"float","bits":"12"}`, "5", `{"t":"list"}`} {
		require.Contains(c.t, c.call("__phpwire_build", str(bad), str(separator)), "b:0;i:1;N;", bad)
	}
	nest := strings.Repeat(`{"t":"array","v":[[{"int":"0"},`, 800) + `{"t":"null"}` + strings.Repeat("]]}", 800)
	c.together(list(str("N;"), str(strings.Repeat("a:1:{i:0;", 800)+"N;"+strings.Repeat("}", 800))), "__phpwire_build", `{"t":"null"}`, nest)
}

func floats(c *child) {
	const pi = "\x18\x2d\x44\x54\xfb\x21\x09\x40"
	const inf = "\x00\x00\x00\x00\x00\x00\xf0\x7f"
	c.returns(str("a:1:{i:0;d:3.141592653589793;}"), "__phpwire_floats", str(pi), num(-1))
	c.returns(str("a:2:{i:0;d:3.14;i:1;d:INF;}"), "__phpwire_floats", str(pi+inf), num(3))
	c.returns(str("a:0:{}"), "__phpwire_floats", str(""), num(3))
	c.returns(str("3.141592653589793\n"), "__phpwire_float_texts", str(pi+inf), num(-1), str("json_encode"))
	c.returns(str("d:3.14;\nd:INF;"), "__phpwire_float_texts", str(pi+inf), num(3), str("serialize"))
	c.returns(str("3.141592653589793\nINF"), "__phpwire_float_texts", str(pi+inf), num(-1), str("var_export"))
	c.returns(str(pi+inf), "__phpwire_parse_floats", str("a:2:{i:0;d:3.141592653589793;i:1;d:INF;}"))
	require.Contains(c.t, c.call("__phpwire_parse_floats", str("a:1:{i:0;i:3;}")), "b:0;i:1;N;")
	require.Contains(c.t, c.call("__phpwire_parse_floats", str("x")), "Error at offset")
	require.Contains(c.t, c.throws("__phpwire_floats", str("abc"), num(-1)), "no whole number of doubles")
	c.returns(str("d:0.1;"), "serialize", "d:0.1;") // the precision is what it was
}

// phpVersion gives PHP_VERSION_ID.
func (c *child) phpVersion() int {
	c.t.Helper()
	if c.version == 0 {
		_, err := fmt.Sscanf(c.call("constant", str("PHP_VERSION_ID")), "a:2:{i:0;i:%d;", &c.version)
		require.NoError(c.t, err)
	}
	return c.version
}

func facts(c *child) {
	payload := c.call("__phpwire_hello")
	for _, key := range []string{"protocol", "php", "version_id", "int_size", "size_t_bits", "os", "machine", "sapi", "pid", "extensions", "weak_reference", "enums", "extra_data_warns"} {
		require.Contains(c.t, payload, str(key))
	}
	require.Contains(c.t, c.call("diagnose"), str("php_version"))
	require.Contains(c.t, c.call("__phpwire_phpinfo", num(1)), "PHP Version")
	for _, what := range []string{"unserialize", "serialize", "reserialize"} {
		require.Contains(c.t, c.call("__phpwire_time", str(what), str("i:1;"), num(10)), "d:")
	}
	require.Contains(c.t, c.throws("__phpwire_time", str("else"), str("i:1;"), num(10)), "no such work")
	for what, payload := range map[string]string{"reserialize": "i:1;", "describe": "i:1;", "build": `{"t":"null"}`, "floats": "12345678"} {
		require.Contains(c.t, c.call("__phpwire_time_alone", str(what), list(str(payload)), num(10)), "d:")
	}
	require.Contains(c.t, c.throws("__phpwire_time_alone", str("else"), list(), num(10)), "no such work")
	c.returns(list(num(1), rhandle(1, "A", 1)), "__shirabe_oracle_roundtrip", list(num(1), rhandle(1, "A", 1))) // as they are
}

func nestedCalls(c *child) {
	c.eval(`function down($n) { return $n === 0 ? 'bottom' : Phpwire\callRust(0, 'again', [$n - 1]) . '.'; }`)
	const depth = 200
	var ids []uint64
	for i := range depth {
		c.send(callFunction, uint64(2*i+101), str("down"), list(num(depth-i)), list())
		ids = append(ids, c.serves(num(0), str("again"), list(num(depth-i-1)), list()))
	}
	c.send(callFunction, 9999, str("down"), list(num(0)), list())
	c.expect(returnValue, 9999, str("bottom"), list())
	answer := "bottom"
	for i := depth - 1; i >= 0; i-- {
		c.send(returnValue, ids[i], str(answer), list())
		answer += "."
		c.expect(returnValue, uint64(2*i+101), str(answer), list())
	}
}

// A host may answer the outer call first: PHP keeps the reply until the inner call is done.
func repliesOutOfOrder(c *child) {
	c.send(callFunction, 201, str("down"), list(num(1)), list())
	outer := c.serves(num(0), str("again"), list(num(0)), list())
	c.send(callFunction, 203, str("down"), list(num(2)), list())
	inner := c.serves(num(0), str("again"), list(num(1)), list())
	c.send(returnValue, outer, str("o"), list())
	c.send(returnValue, inner, str("i"), list())
	c.expect(returnValue, 203, str("i."), list())
	c.expect(returnValue, 201, str("o."), list())
}

func outParamsOfTheHost(c *child) {
	c.send(callFunction, 3, str("__shirabe_eval"), list(str(`$r = Phpwire\callRust(7, 'parse', ['a', &$rest], [1]); return [$r, $rest];`)), list())
	id := c.serves(num(7), str("parse"), list(str("a"), "N;"), list(num(1)))
	c.send(returnValue, id, "b:1;", dict(num(1), str("tail")))
	c.expect(returnValue, 3, list("b:1;", str("tail")), list())
	require.Contains(c.t, c.throws("__shirabe_eval", str(`return Phpwire\callRust(7, 'parse', ['a'], [1]);`)), "parse has no argument 1 to give back")
}

const event = `Composer\Script\Event`

func stubs(c *child) {
	c.eval(`$GLOBALS['kept'] = []; function keep($e) { $GLOBALS['kept'][] = $e; }
		function kept() { return $GLOBALS['kept']; } function drop() { $GLOBALS['kept'] = []; return count(kept()); }
		function same() { return $GLOBALS['kept'][0] === $GLOBALS['kept'][1]; }
		function dev() { return $GLOBALS['kept'][0]->isDevMode(); }
		function is_event($e) { return $e instanceof Composer\Script\Event && $e instanceof Composer\EventDispatcher\Event; }`)
	c.returns("N;", "keep", rhandle(5, event, 1, str("isDevMode"), "b:1;"))
	c.returns("N;", "keep", rhandle(5, event, 1))
	if c.phpVersion() >= 70400 {
		c.returns("b:1;", "same")
	}
	c.returns("b:1;", "is_event", rhandle(5, event, 1))
	c.returns("b:1;", "dev") // the snapshot
	c.returns(list(rhandle(5, event, 1), rhandle(5, event, 1)), "kept")

	c.send(epochBump, 0, num(5), num(2))
	c.send(epochBump, 0, num(99), num(2)) // nobody has that one
	c.send(callFunction, 31, str("dev"), list(), list())
	c.send(returnValue, c.serves(num(5), str("isDevMode"), list(), list()), "b:0;", list())
	c.expect(returnValue, 31, "b:0;", list())
	c.returns(list(rhandle(5, event, 2), rhandle(5, event, 2)), "kept")
	c.returns("b:1;", "is_event", rhandle(5, event, 1, str("isDevMode"), "b:1;")) // out of date
	c.send(callFunction, 33, str("dev"), list(), list())
	c.send(returnValue, c.serves(num(5), str("isDevMode"), list(), list()), "b:0;", list())
	c.expect(returnValue, 33, "b:0;", list())
	c.returns("b:1;", "is_event", rhandle(5, event, 3, str("isDevMode"), "b:1;"))
	c.returns("b:1;", "dev")

	c.send(callFunction, 33, str("drop"), list(), list())
	c.expect(releaseRustHandle, 0, num(5))
	c.expect(returnValue, 33, num(0), list())

	// Arguments that nobody keeps are released before the reply; a class without a stub is served too.
	c.eval(`function call($any) { return [get_class($any), $any->method(1, 'two')]; }`)
	c.send(callFunction, 35, str("call"), list(rhandle(6, `No\Stub`, 1)), list())
	c.send(returnValue, c.serves(num(6), str("method"), list(num(1), str("two")), list()), "N;", list())
	c.expect(releaseRustHandle, 0, num(6))
	c.expect(returnValue, 35, list(str(`Phpwire\AnyProxy`), "N;"), list())

	require.Contains(c.t, c.throws("__shirabe_eval", str(`return new Composer\Script\Event('a', null, null);`)), "comes from there only")
}

func copiesOfStubs(c *child) {
	c.returns("N;", "keep", rhandle(15, event, 1))
	c.eval(`$GLOBALS['kept'][] = clone $GLOBALS['kept'][0]; array_shift($GLOBALS['kept']);`)
	c.returns(list(rhandle(15, event, 1)), "kept")
	c.returns("N;", "keep", rhandle(15, event, 1))
	c.send(callFunction, 37, str("drop"), list(), list())
	c.expect(releaseRustHandle, 0, num(15)) // once
	c.expect(returnValue, 37, num(0), list())
	c.send(callFunction, 39, str("serialize"), list(rhandle(16, event, 1)), list())
	c.expect(releaseRustHandle, 0, num(16))
	tag, _, payload := c.receive()
	require.EqualValues(c.t, throwException, tag)
	require.Contains(c.t, payload, "cannot be serialized")
}

func stubsInData(c *child) {
	// The release of a stub that only the result holds stands before the reply that names it.
	c.send(callFunction, 45, str("current"), list(list(rhandle(19, event, 1))), list())
	c.expect(releaseRustHandle, 0, num(19))
	c.expect(returnValue, 45, rhandle(19, event, 1), list())
	c.eval(`function pick($a) { return $a['x'][1]->getName(); }`)
	deep := dict(str("x"), list(num(1), rhandle(17, event, 1, str("getName"), str("post-install-cmd"))))
	c.send(callFunction, 41, str("pick"), list(deep), list())
	c.expect(releaseRustHandle, 0, num(17))
	c.expect(returnValue, 41, str("post-install-cmd"), list())
	// The keys may come in any order.
	c.send(callFunction, 43, str("is_event"), list(dict(str("__epoch"), num(1), str("__class"), str(event), str("__rhandle"), num(18))), list())
	c.expect(releaseRustHandle, 0, num(18))
	c.expect(returnValue, 43, "b:1;", list())
}

func phpObjects(c *child) {
	c.eval(`interface Shape {} class Base0 {} class Circle extends Base0 implements Shape, Countable { private $n; function __construct($n) { $this->n = $n; }
		#[ReturnTypeWillChange]
		function count() { return $this->n; } private function hidden() {} }
		function last($a) { static $s; $was = $s; $s = $a; return $was === $a ? [$a, [$a]] : null; }`)
	_, payload := c.ask(newObject, str("Circle"), list(num(2)))
	id := c.handle(payload)
	object := func() string { return phandle(id, "Circle", "Countable", "Shape") }
	require.Equal(c.t, list(object(), list()), payload)
	_, payload = c.ask(callPhpMethod, num(id), str("count"), list(), list())
	require.Equal(c.t, list(num(2), list()), payload)
	c.returns(num(2), "count", object())
	c.returns("N;", "last", object())
	c.returns(list(object(), list(object())), "last", object()) // one handle

	tag, payload := c.ask(callPhpMethod, num(id), str("hidden"), list(), list())
	require.EqualValues(c.t, throwException, tag)
	require.Contains(c.t, payload, "no public method Circle::hidden")
	c.send(releasePhpHandle, 0, num(id))
	c.send(releasePhpHandle, 0, num(id))
	tag, payload = c.ask(callPhpMethod, num(id), str("count"), list(), list())
	require.EqualValues(c.t, throwException, tag)
	require.Contains(c.t, payload, "is unknown or was released")
	require.Contains(c.t, c.throws("count", object()), "is unknown or was released")
	tag, payload = c.ask(newObject, str("Shape"), list())
	require.EqualValues(c.t, throwException, tag)
	require.Contains(c.t, payload, "unknown class Shape")

	c.returns(str("Circle"), "strval", dict(str("__pclass"), str("Circle")))
	codes := map[string]string{
		`return function () { return 'called'; };`: "Closure",
		`return (function () { yield 1; })();`:     "Generator",
		`return new class { function __serialize(): array { throw new Exception('no'); } function __sleep() { throw new Exception('no'); } };`: "class@anonymous",
	}
	if c.phpVersion() >= 80100 {
		codes[`enum Suit { case Hearts; } return Suit::Hearts;`] = "UnitEnum"
	}
	for code, class := range codes {
		payload = c.eval(code)
		require.Contains(c.t, payload, class)
		if class == "Closure" {
			_, result := c.ask(callPhpMethod, num(c.handle(payload)), str("__invoke"), list(), list())
			require.Equal(c.t, list(str("called"), list()), result)
		}
		c.send(releasePhpHandle, 0, num(c.handle(payload)))
	}
}

func exceptionsToTheHost(c *child) {
	c.eval(`class A extends Exception { private $secret = 'a'; private $own = 'parent'; protected $list = [1]; static $shared = 1; }
		class B extends A { private $secret = 'b'; public $object; public $file2; }
		class OddCode extends RuntimeException { function __construct($m) { parent::__construct($m); $this->code = 'HY000'; } }`)
	payload := c.throws("__shirabe_eval", str(`$e = new B("\xff", 5, new OddCode('inner')); $e->object = new stdClass; $e->file2 = opendir('.'); throw $e;`))
	id := c.handle(payload)
	// The order is PHP's own, which differs between versions.
	for _, part := range []string{
		"a:4:{i:0;" + str("B") + "i:1;" + str("\xff") + "i:2;" + num(5) + "i:3;a:6:{",
		str("secret") + str("b"), str("own") + str("parent"), str("list") + list(num(1)), str("object") + phandle(id, "stdClass"),
		str("file2") + str("(a resource cannot cross the wire)"),
		str("previous") + dict(str("class"), str("OddCode"), str("message"), str("inner"), str("code"), num(0), str("properties"), dict(str("code"), str("HY000"))),
	} {
		require.Contains(c.t, payload, part)
	}
	require.Contains(c.t, c.throws("__shirabe_eval", str(`return 1 +;`)), "ParseError")
	require.Contains(c.t, c.throws("__shirabe_eval", str(`throw new ErrorException('m', 1, 512);`)), list(str("ErrorException"), str("m"), num(1), dict(str("severity"), num(512))))
	require.Contains(c.t, c.throws("__shirabe_require", str("/no/such/file.php")), "cannot read")
	require.Contains(c.t, c.throws("__shirabe_eval", str(`$e = null; for ($i = 0; $i < 1000; $i++) $e = new Exception("e$i", 0, $e); throw $e;`)), "e999")
	huge := c.throws("__shirabe_eval", str(`throw new Exception(str_repeat('x', 268435456));`))
	require.Less(c.t, len(huge), 70000)
	require.Contains(c.t, huge, "268435456 bytes")
}

func unfitValues(c *child) {
	for code, why := range map[string]string{
		`return [fopen('php://memory', 'r')];`:                                                 "a resource cannot cross the wire",
		`return fopen('php://memory', 'r');`:                                                   "a resource cannot cross the wire",
		`$f = fopen('php://memory', 'r'); fclose($f); return [$f];`:                            "a resource (closed) cannot cross the wire",
		`$a = [1]; $a[] = &$a; return $a;`:                                                     "contains itself",
		`$a = 1; for ($i = 0; $i < 511; $i++) $a = [$a]; return $a;`:                           "nests more than 510",
		`return ['__rhandle' => 1];`:                                                           "__rhandle",
		`return [['__phandle' => null, 'x' => 1]];`:                                            "__phandle",
		`return ['__pclass' => 'X'];`:                                                          "__pclass",
		`return array_fill(0, 1000, str_repeat('x', 10 << 20));`:                               "does not fit into a frame",
		`return str_repeat('x', 268435456);`:                                                   "does not fit into a frame",
		`$a = str_repeat('x', 1 << 20); for ($i = 0; $i < 40; $i++) $a = [$a, $a]; return $a;`: "does not fit into a frame",
	} {
		require.Contains(c.t, c.throws("__shirabe_eval", str(code)), why, code)
	}
	c.eval(`$a = 1; for ($i = 0; $i < 510; $i++) $a = [$a]; return $a;`)
	c.returns(dict(str("__pclass"), num(1), str("x"), num(1)), "__shirabe_eval", str(`return ['__pclass' => 1, 'x' => 1];`))
	c.returns(list(num(1), num(1)), "__shirabe_eval", str(`$a = 1; return [&$a, &$a];`))
	// Looking at a value must not change the variables that it refers to.
	c.returns(num(1), "__shirabe_eval", str(`$GLOBALS['o'] = function () {}; $GLOBALS['a'] = ['o' => &$GLOBALS['o']]; return 1;`))
	payload := c.call("__shirabe_eval", str(`return $GLOBALS['a'];`))
	c.send(releasePhpHandle, 0, num(c.handle(payload)))
	c.returns(str("Closure"), "__shirabe_eval", str(`return get_class($GLOBALS['o']);`))
}

func destructorsThatThrow(c *child) {
	c.eval(`class Bomb { function __destruct() { throw new Exception('from a destructor'); } }`)
	require.Contains(c.t, c.throws("__shirabe_eval", str(`new Bomb; return 1;`)), "from a destructor")
	require.Contains(c.t, c.throws("__shirabe_eval", str(`$b = new Bomb; return 1;`)), "from a destructor")
	c.alive()
}

func exceptionsToPHP(c *child) {
	c.eval(`class BaseTransport extends RuntimeException { private $status; function getStatusCode() { return $this->status; } }
		class TransportException extends BaseTransport { protected $headers; function getHeaders() { return $this->headers; } }
		class OddShape extends Exception { function __construct(array $parts) {} }
		class Prefixed extends Exception { function __construct($m, $c = 0) { parent::__construct("prefix $m", $c); } }
		abstract class Half extends Exception {}
		class Typed extends Exception { function __construct(string $m, ?int $c = null, ?Throwable $p = null, array $more = []) { parent::__construct($m, (int) $c, $p); } }
		class Failing extends Error {}
		function attempt() { try { Phpwire\callRust(0, 'f'); } catch (TransportException $e) {
			return [get_class($e), $e->getMessage(), $e->getCode(), $e->getStatusCode(), $e->getHeaders(), get_class($e->getPrevious())];
		} catch (Throwable $e) { return [get_class($e), $e->getMessage(), $e->getCode()]; } }`)
	attempt := func(want string, fields ...string) {
		c.t.Helper()
		c.send(callFunction, 51, str("attempt"), list(), list())
		c.send(throwException, c.serves(num(0), str("f"), list(), list()), fields...)
		c.expect(returnValue, 51, want, list())
	}
	attempt(list(str("TransportException"), str("gone \xff"), num(3), num(404), list(str("h")), str("LogicException")),
		str("TransportException"), str("gone \xff"), num(3), dict(str("status"), num(404), str("headers"), list(str("h")), str("unknown"), num(1),
			str("previous"), dict(str("class"), str("LogicException"), str("message"), str("why"), str("code"), num(0), str("properties"), list())))
	for _, exact := range []string{"LogicException", "Exception", "Error", "Typed", "Failing", "ErrorException"} {
		attempt(list(str(exact), str("m"), num(4)), str(exact), str("m"), num(4), list())
	}
	for _, other := range []string{"OddShape", "Prefixed", "Half", `No\Such`, "ArrayObject", "Throwable"} {
		attempt(list(str("RuntimeException"), str("m"), num(4)), str(other), str("m"), num(4))
	}
	if c.phpVersion() >= 80100 {
		c.eval(`class Sealed extends TransportException { public readonly array $seal; function getHeaders() { return $this->seal; } }`)
		attempt(list(str("Sealed"), str("m"), num(4), num(404), list(num(1)), str("Error")), str("Sealed"), str("m"), num(4),
			dict(str("seal"), list(num(1)), str("status"), num(404), str("previous"), dict(str("class"), str("Error"), str("message"), str("e"))))
	}
	attempt(list(str("RuntimeException"), str("m"), str("HY000")), str("RuntimeException"), str("m"), num(0), dict(str("code"), str("HY000")))
}

func scriptAutoloader(c *child) {
	file := filepath.Join(c.dir, "Late.php")
	require.NoError(c.t, os.WriteFile(file, []byte(`<?php class Late { static function hi() { return 'hi'; } }`), 0o600))
	c.returns("b:1;", "__shirabe_enable_script_autoloader")
	c.returns("b:1;", "__shirabe_enable_script_autoloader")
	c.send(callStaticMethod, 71, str("Late"), str("hi"), list(), list())
	c.send(returnValue, c.serves(num(0), str("__shirabe_find_file"), list(str("Late")), list()), str(file), list())
	c.expect(returnValue, 71, str("hi"), list())
	c.send(callFunction, 73, str("class_exists"), list(str("Never")), list())
	c.send(returnValue, c.serves(num(0), str("__shirabe_find_file"), list(str("Never")), list()), "N;", list())
	c.expect(returnValue, 73, "b:0;", list())
	// Stubs come first, whatever a required file puts before them.
	hijack := filepath.Join(c.dir, "hijack.php")
	require.NoError(c.t, os.WriteFile(hijack, []byte(`<?php spl_autoload_register(function ($c) { if ($c === 'Late2') { throw new Exception('too early'); } }, true, true);`), 0o600))
	c.returns("N;", "__shirabe_require", str(hijack))
	c.returns(str("object"), "__shirabe_eval", str(`$f = spl_autoload_functions()[0]; return gettype($f);`))
}

func framesInPieces(c *child) {
	for _, b := range frame(callFunction, 1, list(str("strlen"), list(str("abc")), list())) {
		c.write([]byte{b})
	}
	c.expect(returnValue, 1, num(3), list())
	c.write(append(append(frame(epochBump, 0, list(num(1), num(1))), frame(callFunction, 3, list(str("strlen"), list(str("a")), list()))...),
		frame(callFunction, 5, list(str("strlen"), list(str("ab")), list()))...))
	c.expect(returnValue, 3, num(1), list())
	c.expect(returnValue, 5, num(2), list())
}

func largeFrames(c *child) {
	for _, size := range []int{65000, 65536, 70000, 10 << 20} {
		big := str(strings.Repeat("x", size))
		require.True(c.t, c.call("__phpwire_echo", big) == list(big, list()), size)
		c.alive()
	}
}
