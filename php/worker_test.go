package php_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"phpwire/php"
)

const (
	callFunction = iota
	callStaticMethod
	newObject
	callPhpMethod
	callRustMethod
	returnValue
	throwException
	releaseRustHandle
	releasePhpHandle
	epochBump
)

// child is a worker under test, and the host's end of its stream.
type child struct {
	t              *testing.T
	cmd            *exec.Cmd
	conn           net.Conn
	stdout, stderr bytes.Buffer
	id             uint64
	finished       bool
}

// start runs the embedded worker on the native php.
func start(t *testing.T) *child {
	t.Helper()
	dir := t.TempDir()
	worker, err := php.Write(dir)
	require.NoError(t, err)
	binary, err := exec.LookPath("php")
	require.NoError(t, err, "no php on PATH: apt-get install php-cli")
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer listener.Close()

	c := &child{t: t, id: 1}
	c.cmd = exec.Command(binary, "-n", "-d", "serialize_precision=-1", "-d", "memory_limit=2G",
		"-d", "display_errors=stderr", worker, "unix://"+socket)
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	require.NoError(t, c.cmd.Start())
	t.Cleanup(func() { c.end() })
	require.NoError(t, listener.(*net.UnixListener).SetDeadline(time.Now().Add(10*time.Second)))
	c.conn, err = listener.Accept()
	require.NoError(t, err)
	require.NoError(t, c.conn.SetDeadline(time.Now().Add(60*time.Second)))
	return c
}

// end closes the stream and gives the child's exit status.
func (c *child) end() int {
	if c.finished {
		return c.cmd.ProcessState.ExitCode()
	}
	c.finished = true
	if c.conn != nil {
		c.conn.Close()
	}
	timer := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	err := c.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Errorf("wait for the child: %v", err)
	}
	return c.cmd.ProcessState.ExitCode()
}

func (c *child) write(raw []byte) {
	c.t.Helper()
	_, err := c.conn.Write(raw)
	require.NoError(c.t, err, "%s", &c.stderr)
}

func frame(tag byte, id uint64, payload string) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(payload))+9)
	b = append(b, tag)
	b = binary.LittleEndian.AppendUint64(b, id)
	return append(b, payload...)
}

func (c *child) send(tag byte, id uint64, fields ...string) {
	c.t.Helper()
	c.write(frame(tag, id, list(fields...)))
}

func (c *child) receive() (tag byte, id uint64, payload string) {
	c.t.Helper()
	var head [17]byte
	if _, err := io.ReadFull(c.conn, head[:]); err != nil {
		c.end()
		c.t.Fatalf("no frame: %v; stderr: %s", err, &c.stderr)
	}
	body := make([]byte, binary.LittleEndian.Uint64(head[:])-9)
	_, err := io.ReadFull(c.conn, body)
	require.NoError(c.t, err)
	return head[8], binary.LittleEndian.Uint64(head[9:]), string(body)
}

// expect receives a frame that must be this one.
func (c *child) expect(tag byte, id uint64, fields ...string) {
	c.t.Helper()
	gotTag, gotID, payload := c.receive()
	require.Equal(c.t, fmt.Sprintf("tag %d id %d %s", tag, id, list(fields...)), fmt.Sprintf("tag %d id %d %s", gotTag, gotID, payload))
}

// ask sends a request and gives the tag and payload of its reply.
func (c *child) ask(tag byte, fields ...string) (byte, string) {
	c.t.Helper()
	c.id += 2
	c.send(tag, c.id, fields...)
	got, id, payload := c.receive()
	require.Equal(c.t, c.id, id)
	return got, payload
}

// call calls a function and gives the payload of its Return.
func (c *child) call(name string, args ...string) string {
	c.t.Helper()
	tag, payload := c.ask(callFunction, str(name), list(args...), list())
	require.EqualValues(c.t, returnValue, tag, payload)
	return payload
}

// returns calls a function, which must return this value.
func (c *child) returns(value string, name string, args ...string) {
	c.t.Helper()
	require.Equal(c.t, list(value, list()), c.call(name, args...))
}

// throws calls a function and gives the payload of its Throw.
func (c *child) throws(name string, args ...string) string {
	c.t.Helper()
	tag, payload := c.ask(callFunction, str(name), list(args...), list())
	require.EqualValues(c.t, throwException, tag, payload)
	return payload
}

// eval runs a snippet of PHP and gives the payload of its Return.
func (c *child) eval(code string) string {
	c.t.Helper()
	return c.call("__shirabe_eval", str(code))
}

// alive checks that the child still answers.
func (c *child) alive() {
	c.t.Helper()
	c.returns("i:3;", "strlen", str("abc"))
}

func str(s string) string { return fmt.Sprintf("s:%d:\"%s\";", len(s), s) }
func num(n int) string    { return fmt.Sprintf("i:%d;", n) }

func list(values ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a:%d:{", len(values))
	for i, v := range values {
		fmt.Fprintf(&b, "i:%d;%s", i, v)
	}
	return b.String() + "}"
}

// dict takes keys and values in turn.
func dict(kv ...string) string {
	return fmt.Sprintf("a:%d:{%s}", len(kv)/2, strings.Join(kv, ""))
}

func rhandle(id int, class string, epoch int, snapshot ...string) string {
	kv := []string{str("__rhandle"), num(id), str("__class"), str(class), str("__epoch"), num(epoch)}
	if len(snapshot) > 0 {
		kv = append(kv, str("__snapshot"), dict(snapshot...))
	}
	return dict(kv...)
}

func phandle(id int, class string, implements ...string) string {
	for i, name := range implements {
		implements[i] = str(name)
	}
	return dict(str("__phandle"), num(id), str("__class"), str(class), str("__implements"), list(implements...))
}

func TestWriteKeepsTheFilesPrivate(t *testing.T) {
	dir := t.TempDir()
	worker, err := php.Write(dir)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "worker.php"), worker)
	for path, mode := range map[string]os.FileMode{"worker.php": 0o600, "runtime": os.ModeDir | 0o700, "stubs/Composer/Script/Event.php": 0o600} {
		info, err := os.Stat(filepath.Join(dir, path))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
	_, err = php.Write(filepath.Join(dir, "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCallFunction(t *testing.T) {
	c := start(t)
	c.returns("i:3;", "strlen", str("abc"))
	c.returns(str("b\xffa"), "strrev", str("a\xffb"))
	c.returns("b:1;", "defined", str("PHP_VERSION"))
	c.returns(num(4), "constant", str("E_PARSE"))
	c.returns(str("\x7f\x00\x00\x01"), "inet_pton", str("127.0.0.1"))
	require.Contains(t, c.throws("constant", str("NO_SUCH")), "undefined constant NO_SUCH")
	require.Equal(t, list(str("BadFunctionCallException"), str("unknown function no_such"), num(0), list()), c.throws("no_such"))
	require.Contains(t, c.throws("str_repeat", str("x"), str("y")), str("TypeError"))
	require.Contains(t, c.call("diagnose"), str("php_version"))
	require.Contains(t, c.call("__phpwire_phpinfo", num(1)), "PHP Version")
	require.Contains(t, c.call("__phpwire_hello"), str("size_t_bits")+num(64))
	require.Zero(t, c.end(), c.stderr.String())
	require.Empty(t, c.stderr.String())
}

func TestCallStaticMethod(t *testing.T) {
	c := start(t)
	tag, payload := c.ask(callStaticMethod, str("DateTime"), str("getLastErrors"), list(), list())
	require.EqualValues(t, returnValue, tag)
	require.Equal(t, list("b:0;", list()), payload)
	tag, payload = c.ask(callStaticMethod, str("NoSuch"), str("f"), list(), list())
	require.EqualValues(t, throwException, tag)
	require.Contains(t, payload, "unknown class NoSuch")
	tag, payload = c.ask(callStaticMethod, str("DateTime"), str("nope"), list(), list())
	require.EqualValues(t, throwException, tag)
	require.Contains(t, payload, "DateTime::nope")
}

func TestOutParams(t *testing.T) {
	c := start(t)
	tag, payload := c.ask(callFunction, str("preg_match"), list(str("/b(.)/"), str("abc")), list(num(2)))
	require.EqualValues(t, returnValue, tag)
	require.Equal(t, list(num(1), dict(num(2), list(str("bc"), str("c")))), payload)
	_, payload = c.ask(callFunction, str("sort"), list(list(num(3), num(1))), list(num(0)))
	require.Equal(t, list("b:1;", dict(num(0), list(num(1), num(3)))), payload)
	tag, payload = c.ask(callFunction, str("sort"), list(list(num(3), num(1))), list(num(7)))
	require.EqualValues(t, throwException, tag)
	require.Contains(t, payload, "argument 7 of 1")
}

func TestOracleAnswers(t *testing.T) {
	c := start(t)
	c.returns("b:1;", "__phpwire_reserialize", str("d:0.1;"))
	c.returns(str("d:0.1;"), "__phpwire_reserialize", str("d:.1;"))
	c.returns("b:1;", "__phpwire_reserialize", str("b:0;"))
	refused := list("b:0;", "N;", list(str("E_NOTICE: unserialize(): Error at offset 0 of 2 bytes")))
	if strings.Contains(c.call("phpversion"), `"8.3`) || strings.Contains(c.call("phpversion"), `"8.4`) || strings.Contains(c.call("phpversion"), `"8.5`) {
		refused = strings.Replace(refused, "s:54:\"E_NOTICE", "s:55:\"E_WARNING", 1)
	}
	c.returns(refused, "__phpwire_reserialize", str("x;"))
	c.returns(list("b:1;", refused, str("i:5;")), "__phpwire_reserialize_batch", list(str("N;"), str("x;"), str("i:+5;")))
	c.returns(str(`{"t":"list","v":[{"t":"int","v":"-5"},{"t":"float","bits":"7ff8000000000000"},{"t":"string","b64":"/w=="}]}`),
		"__phpwire_describe", str("a:3:{i:0;i:-5;i:1;d:NAN;i:2;s:1:\"\xff\";}"))
	c.returns(str(`{"t":"array","v":[[{"int":"5"},{"t":"null"}],[{"b64":"YQ=="},{"t":"bool","v":true}]]}`),
		"__phpwire_describe", str(`a:2:{s:1:"5";N;s:1:"a";b:1;}`))
	c.returns(str(`{"t":"other","php":"object","class":"Rm9v"}`), "__phpwire_describe", str(`O:3:"Foo":0:{}`))
	c.returns(str(`{"t":"list","v":[{"t":"list","v":[{"t":"other","php":"recursion"}]}]}`), "__phpwire_describe", str("a:1:{i:0;R:1;}"))
	deep := strings.Repeat("a:1:{i:0;", 4000) + "N;" + strings.Repeat("}", 4000)
	c.returns(str(strings.Repeat(`{"t":"list","v":[`, 4000)+`{"t":"null"}`+strings.Repeat("]}", 4000)), "__phpwire_describe", str(deep))
	c.returns(list(str("d:-0;"), str(`a:1:{i:5;s:1:"`+"\xff"+`";}`), str(dict(str("__rhandle"), num(3), str("__class"), str("A"), str("__epoch"), num(1))),
		str(`a:1:{i:7;a:0:{}}`)),
		"__phpwire_build_batch", list(str(`{"t":"float","bits":"8000000000000000"}`), str(`{"t":"array","v":[[{"b64":"NQ=="},{"t":"string","b64":"/w=="}]]}`),
			str(`{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1"}`), str(`{"t":"object","v":[[{"b64":"Nw=="},{"t":"list","v":[]}]]}`)))
	require.Contains(t, c.call("__phpwire_build", str("{")), "b:0;i:1;N;")
	pi := "\x18\x2d\x44\x54\xfb\x21\x09\x40"
	c.returns(str("a:1:{i:0;d:3.141592653589793;}"), "__phpwire_floats", str(pi), num(-1))
	c.returns(str("a:1:{i:0;d:3.14;}"), "__phpwire_floats", str(pi), num(3))
	c.returns(str("3.141592653589793"), "__phpwire_float_texts", str(pi), num(-1), str("json_encode"))
	c.returns(str(pi), "__phpwire_parse_floats", str("a:1:{i:0;d:3.141592653589793;}"))
	c.returns(str("d:0.1;"), "serialize", "d:0.1;")
	require.Contains(t, c.call("__phpwire_time", str("reserialize"), str("i:1;"), num(100)), "d:")
	require.Zero(t, c.end())
	require.Empty(t, c.stderr.String())
}

func TestNestedCalls(t *testing.T) {
	c := start(t)
	c.eval(`function down($n) { return $n === 0 ? 'bottom' : Phpwire\callRust(0, 'again', [$n - 1]) . '.'; }`)
	const depth = 200
	for i := range depth {
		c.send(callFunction, uint64(2*i+101), str("down"), list(num(depth-i)), list())
		c.expect(callRustMethod, uint64(2*i+2), num(0), str("again"), list(num(depth-i-1)), list())
	}
	c.send(callFunction, 9999, str("down"), list(num(0)), list())
	c.expect(returnValue, 9999, str("bottom"), list())
	answer := "bottom"
	for i := depth - 1; i >= 0; i-- {
		c.send(returnValue, uint64(2*i+2), str(answer), list())
		answer += "."
		c.expect(returnValue, uint64(2*i+101), str(answer), list())
	}
	c.alive()
}

func TestOutParamsOfTheHost(t *testing.T) {
	c := start(t)
	c.send(callFunction, 3, str("__shirabe_eval"), list(str(`$r = Phpwire\callRust(7, 'parse', ['a', &$rest], [1]); return [$r, $rest];`)), list())
	c.expect(callRustMethod, 2, num(7), str("parse"), list(str("a"), "N;"), list(num(1)))
	c.send(returnValue, 2, "b:1;", dict(num(1), str("tail")))
	c.expect(returnValue, 3, list("b:1;", str("tail")), list())
}

func TestStubs(t *testing.T) {
	const event = "Composer\\Script\\Event"
	c := start(t)
	c.eval(`$GLOBALS['kept'] = []; function keep($e) { $GLOBALS['kept'][] = $e; }
		function kept() { return $GLOBALS['kept']; } function drop() { $GLOBALS['kept'] = []; return count(kept()); }
		function same() { return $GLOBALS['kept'][0] === $GLOBALS['kept'][1]; }
		function dev() { return $GLOBALS['kept'][0]->isDevMode(); }`)
	c.returns("N;", "keep", rhandle(5, event, 1, str("isDevMode"), "b:1;"))
	c.returns("N;", "keep", rhandle(5, event, 1))
	c.returns("b:1;", "same")
	c.returns("b:1;", "dev") // the snapshot
	c.returns(list(rhandle(5, event, 1), rhandle(5, event, 1)), "kept")

	c.send(epochBump, 0, num(5), num(2))
	c.send(callFunction, 31, str("dev"), list(), list())
	c.expect(callRustMethod, 2, num(5), str("isDevMode"), list(), list())
	c.send(returnValue, 2, "b:0;", list())
	c.expect(returnValue, 31, "b:0;", list())
	c.returns(list(rhandle(5, event, 2), rhandle(5, event, 2)), "kept")

	c.send(callFunction, 33, str("drop"), list(), list())
	c.expect(releaseRustHandle, 0, num(5))
	c.expect(returnValue, 33, num(0), list())

	// Arguments that nobody keeps are released before the reply; a class without a stub is served too.
	c.send(callFunction, 35, str("get_class"), list(rhandle(6, "No\\Stub", 1)), list())
	c.expect(releaseRustHandle, 0, num(6))
	c.expect(returnValue, 35, str("Phpwire\\AnyProxy"), list())
	require.Contains(t, c.throws("__shirabe_eval", str(`return new Composer\Script\Event('a', null, null);`)), "comes from there only")
	require.Zero(t, c.end(), c.stderr.String())
	require.Empty(t, c.stderr.String())
}

func TestPhpObjects(t *testing.T) {
	c := start(t)
	_, payload := c.ask(newObject, str("ArrayObject"), list(list(num(1), num(2))))
	object := phandle(1, "ArrayObject", "ArrayAccess", "Countable", "IteratorAggregate", "Serializable", "Traversable")
	require.Equal(t, list(object, list()), payload)
	_, payload = c.ask(callPhpMethod, num(1), str("count"), list(), list())
	require.Equal(t, list(num(2), list()), payload)
	c.returns(object, "__shirabe_oracle_roundtrip", object)
	c.returns(num(2), "count", object)
	c.eval(`function same2($a) { static $s; $was = $s; $s = $a; return $was === $a ? $a : null; }`)
	c.returns("N;", "same2", object)
	c.returns(object, "same2", object)
	c.send(releasePhpHandle, 0, num(1))
	tag, payload := c.ask(callPhpMethod, num(1), str("count"), list(), list())
	require.EqualValues(t, throwException, tag)
	require.Contains(t, payload, "phandle 1 is unknown or was released")
	require.Contains(t, c.throws("count", object), "phandle 1 is unknown or was released")
	c.returns(str("ArrayObject"), "strval", dict(str("__pclass"), str("ArrayObject")))
	for code, class := range map[string]string{
		`return function () {};`: "Closure", `return (function () { yield 1; })();`: "Generator",
		`return new class { function __serialize(): array { throw new Exception('no'); } };`: "class@anonymous",
	} {
		require.Contains(t, c.eval(code), class)
	}
	require.Zero(t, c.end(), c.stderr.String())
}

func TestThrowsReachTheHost(t *testing.T) {
	c := start(t)
	c.eval(`class A extends Exception { private $secret = 'a'; protected $list = [1]; }
		class B extends A { private $secret = 'b'; public $object; }
		class Pdo extends RuntimeException { function __construct($m) { parent::__construct($m); $this->code = 'HY000'; } }`)
	payload := c.throws("__shirabe_eval", str(`$e = new B("\xff", 5, new Pdo('inner')); $e->object = new stdClass; throw $e;`))
	require.Equal(t, list(str("B"), str("\xff"), num(5), dict(
		str("secret"), str("b"), str("list"), list(num(1)), str("object"), phandle(1, "stdClass"),
		str("previous"), dict(str("class"), str("Pdo"), str("message"), str("inner"), str("code"), num(0),
			str("properties"), dict(str("code"), str("HY000"))))), payload)
	require.Contains(t, c.throws("__shirabe_eval", str(`return [fopen('php://memory', 'r')];`)), "a resource cannot cross the wire")
	require.Contains(t, c.throws("__shirabe_eval", str(`$a = [1]; $a[] = &$a; return $a;`)), "contains itself")
	require.Contains(t, c.throws("__shirabe_eval", str(`$a = 1; for ($i = 0; $i < 511; $i++) $a = [$a]; return $a;`)), "nests more than 510")
	c.eval(`$a = 1; for ($i = 0; $i < 510; $i++) $a = [$a]; return $a;`)
	require.Contains(t, c.throws("__shirabe_eval", str(`return ['__rhandle' => 1];`)), "__rhandle")
	require.Contains(t, c.throws("__shirabe_eval", str(`return str_repeat('x', 268435456);`)), "does not fit into a frame")
	require.Contains(t, c.throws("__shirabe_eval", str(`$a = str_repeat('x', 1 << 20); for ($i = 0; $i < 40; $i++) $a = [$a, $a]; return $a;`)), "does not fit into a frame")
	require.Contains(t, c.throws("__shirabe_eval", str(`return 1 +;`)), "ParseError")
	require.Contains(t, c.throws("__shirabe_eval", str(`class D { function __destruct() { throw new Exception('from a destructor'); } } new D; return 1;`)), "from a destructor")
	require.Contains(t, c.throws("__shirabe_eval", str(`function with($d) { throw new Exception('outer'); } with(new D);`)), "outer")
	require.Contains(t, c.throws("__shirabe_require", str("/no/such/file.php")), "cannot read")
	c.returns(list(num(1), num(1)), "__shirabe_eval", str(`$a = 1; return [&$a, &$a];`))
	c.eval(`echo 'noise'; trigger_error('careful'); return $undefined;`)
	require.Zero(t, c.end())
	require.Equal(t, "noise", c.stdout.String())
	require.Contains(t, c.stderr.String(), "careful")
}

func TestThrowsReachPhp(t *testing.T) {
	c := start(t)
	c.eval(`class Base extends RuntimeException { private $status; function getStatusCode() { return $this->status; } }
		class TransportException extends Base { protected $headers; function getHeaders() { return $this->headers; } }
		class Odd extends Exception { function __construct(array $parts) {} }
		class Prefix extends Exception { function __construct($m, $c = 0) { parent::__construct("prefix $m", $c); } }
		function attempt() { try { Phpwire\callRust(0, 'f'); } catch (TransportException $e) {
			return [get_class($e), $e->getMessage(), $e->getCode(), $e->getStatusCode(), $e->getHeaders(), get_class($e->getPrevious())];
		} catch (Exception $e) { return [get_class($e), $e->getMessage(), $e->getCode()]; } }`)
	id := uint64(0)
	attempt := func(want string, fields ...string) {
		t.Helper()
		id += 2
		c.send(callFunction, 51, str("attempt"), list(), list())
		c.expect(callRustMethod, id, num(0), str("f"), list(), list())
		c.send(throwException, id, fields...)
		c.expect(returnValue, 51, want, list())
	}
	attempt(list(str("TransportException"), str("gone \xff"), num(3), num(404), list(str("h")), str("LogicException")),
		str("TransportException"), str("gone \xff"), num(3), dict(str("status"), num(404), str("headers"), list(str("h")), str("unknown"), num(1),
			str("previous"), dict(str("class"), str("LogicException"), str("message"), str("why"), str("code"), num(0), str("properties"), list())))
	attempt(list(str("RuntimeException"), str("m"), num(4)), str("Odd"), str("m"), num(4), list())
	attempt(list(str("RuntimeException"), str("m"), num(4)), str("Prefix"), str("m"), num(4))
	attempt(list(str("RuntimeException"), str("m"), num(4)), str("No\\Such"), str("m"), num(4), list())
	attempt(list(str("RuntimeException"), str("m"), num(4)), str("ArrayObject"), str("m"), num(4), list())
	attempt(list(str("LogicException"), str("m"), num(4)), str("LogicException"), str("m"), num(4), list())
}

func TestScriptAutoloader(t *testing.T) {
	c := start(t)
	file := filepath.Join(t.TempDir(), "Late.php")
	require.NoError(t, os.WriteFile(file, []byte(`<?php class Late { static function hi() { return 'hi'; } }`), 0o600))
	c.returns("b:1;", "__shirabe_enable_script_autoloader")
	c.send(callStaticMethod, 71, str("Late"), str("hi"), list(), list())
	c.expect(callRustMethod, 2, num(0), str("__shirabe_find_file"), list(str("Late")), list())
	c.send(returnValue, 2, str(file), list())
	c.expect(returnValue, 71, str("hi"), list())
	c.send(callFunction, 73, str("class_exists"), list(str("Never")), list())
	c.expect(callRustMethod, 4, num(0), str("__shirabe_find_file"), list(str("Never")), list())
	c.send(returnValue, 4, "N;", list())
	c.expect(returnValue, 73, "b:0;", list())
}

func TestProtocolViolationsEndTheChild(t *testing.T) {
	good := list(str("strlen"), list(str("a")), list())
	for name, test := range map[string]struct {
		raw  []byte
		want string
	}{
		"length 8":            {binary.LittleEndian.AppendUint64(nil, 8), "stream ended inside a frame's head, after 8 of 17 bytes"},
		"short length":        {append(binary.LittleEndian.AppendUint64(nil, 8), frame(0, 1, good)[8:]...), "length 8, allowed are 9 to 268435456"},
		"too long":            {append(binary.LittleEndian.AppendUint64(nil, 268435457), frame(0, 1, good)[8:]...), "length 268435457"},
		"far too long":        {append(binary.LittleEndian.AppendUint64(nil, 1<<63), frame(0, 1, good)[8:]...), "length 9223372036854775808"},
		"cut short":           {frame(0, 1, good)[:30], "stream ended inside a frame's payload, after 13 of 55 bytes"},
		"unknown tag":         {frame(10, 1, good), "unknown tag (0x0a)"},
		"wrong direction":     {frame(4, 1, list("i:0;", str("f"), list(), list())), "CallRustMethod (0x04) is nothing that a host sends"},
		"even id":             {frame(0, 2, good), "CallFunction (0x00) with id 2"},
		"one-way with an id":  {frame(9, 1, list(num(1), num(1))), "EpochBump (0x09) with id 1"},
		"reply to nobody":     {frame(5, 2, list("N;", list())), "Return (0x05) with id 2, which replies to no call"},
		"no list":             {frame(0, 1, "i:5;"), "CallFunction (0x00): the payload is not the serialize() of one list"},
		"no payload":          {frame(0, 1, ""), "the payload is not"},
		"no serialize":        {frame(0, 1, "rubbish"), "the payload is not"},
		"bytes after it":      {frame(0, 1, good+"x"), "the payload is not"},
		"a brace after it":    {frame(0, 1, good+"}"), "the payload is not"},
		"a value after it":    {frame(0, 1, good+"i:0;"), "the payload is not"},
		"missing field":       {frame(0, 1, list(str("strlen"), list())), `field 2 "out_param_positions" is missing`},
		"extra field":         {frame(0, 1, list(str("strlen"), list(), list(), "N;")), "field 3 is one too many"},
		"extra empty field":   {frame(0, 1, list(str("strlen"), list(), list(), list())), "field 3 is one too many"},
		"wrong type":          {frame(0, 1, list(str("strlen"), str("a"), list())), `field 1 "args" is string, not list`},
		"args are no list":    {frame(0, 1, list(str("strlen"), dict(num(1), str("a")), list())), `field 1 "args" is an array that is no list, not list`},
		"bad positions":       {frame(0, 1, list(str("strlen"), list(), list(str("a")))), `field 2 "out_param_positions" is a list, not ints`},
		"keys out of order":   {frame(0, 1, dict(num(1), list(), num(0), str("strlen"), num(2), list())), "the payload is no list: key 1 where 0 belongs"},
		"malformed rhandle":   {frame(0, 1, list(str("count"), list(dict(str("__rhandle"), num(1))), list())), "__rhandle that is no descriptor"},
		"malformed phandle":   {frame(0, 1, list(str("count"), list(dict(str("__phandle"), num(1))), list())), "__phandle that is no descriptor"},
		"release as a string": {frame(8, 0, list(str("1"))), `ReleasePhpHandle (0x08): field 0 "phandle" is string, not int`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			c.write(test.raw)
			if strings.Contains(test.want, "stream ended") {
				require.NoError(t, c.conn.(*net.UnixConn).CloseWrite())
			}
			_, err := c.conn.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, 70, c.end())
			require.Contains(t, c.stderr.String(), "phpwire: protocol violation: ")
			require.Contains(t, c.stderr.String(), test.want)
			require.Equal(t, 1, strings.Count(c.stderr.String(), "\n"), c.stderr.String())
		})
	}
}

func TestFramesInPieces(t *testing.T) {
	c := start(t)
	for _, b := range frame(callFunction, 1, list(str("strlen"), list(str("abc")), list())) {
		c.write([]byte{b})
	}
	c.expect(returnValue, 1, num(3), list())
	c.write(append(append(frame(epochBump, 0, list(num(1), num(1))), frame(callFunction, 3, list(str("strlen"), list(str("a")), list()))...),
		frame(callFunction, 5, list(str("strlen"), list(str("ab")), list()))...))
	c.expect(returnValue, 3, num(1), list())
	c.expect(returnValue, 5, num(2), list())
}

func TestLargeFrames(t *testing.T) {
	c := start(t)
	big := strings.Repeat("0123456789abcdef", 200<<16)
	begin := time.Now()
	payload := c.call("__phpwire_echo", str(big))
	require.Equal(t, len(list(str(big), list())), len(payload))
	require.True(t, payload == list(str(big), list()))
	t.Logf("200 MiB there and back in %v", time.Since(begin))
}

func TestMisbehaviour(t *testing.T) {
	for how, status := range map[string]int{"exit": 3, "memory": 255, "kill": -1, "half-frame": 0} {
		t.Run(how, func(t *testing.T) {
			c := start(t)
			c.send(callFunction, 1, str("__phpwire_misbehave"), list(str(how)), list())
			_, err := io.ReadAll(c.conn)
			require.NoError(t, err)
			require.Equal(t, status, c.end())
		})
	}
	c := start(t)
	c.returns("b:1;", "__phpwire_misbehave", str("stdout"))
	require.Zero(t, c.end())
	require.Equal(t, 1<<20, c.stdout.Len())
}
