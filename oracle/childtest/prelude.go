package childtest

import (
	"strings"

	"phpwire/codec"
)

// prelude is PHP that many cases need; it runs from PHP 7.2 on.
const prelude = `
$GLOBALS['pw_kept'] = [];
function pw_keep($x) { $GLOBALS['pw_kept'][] = $x; }
function pw_kept() { return $GLOBALS['pw_kept']; }
function pw_drop() { $GLOBALS['pw_kept'] = []; }
function pw_same($a, $b) { return $a === $b; }
function pw_call($o, $method, ...$args) { return $o->$method(...$args); }
function pw_first_kept($method, ...$args) { return $GLOBALS['pw_kept'][0]->$method(...$args); }
function pw_down($o, $n) { return $n === 0 ? 'bottom' : $o->again($n - 1) . '.'; }
function pw_catch($o) {
    try {
        return ['returned', $o->fails()];
    } catch (\Throwable $e) {
        $chain = [];
        for ($p = $e; $p; $p = $p->getPrevious()) { $chain[] = [get_class($p), $p->getMessage(), $p->getCode()]; }
        return ['threw', $chain, $e instanceof PwTransport ? [$e->getStatusCode(), $e->getHeaders(), $e->isSecret()] : null];
    }
}
class PwBase extends \RuntimeException {
    private $secret = 'unset';
    protected $headers = [];
    function isSecret() { return $this->secret; }
    function getHeaders() { return $this->headers; }
}
class PwTransport extends PwBase {
    private $statusCode;
    function getStatusCode() { return $this->statusCode; }
    static function make($message, $code, $status, $previous = null) {
        $e = new self($message, $code, $previous);
        $e->statusCode = $status;
        return $e;
    }
}
class PwOdd extends \Exception { function __construct(array $parts) { parent::__construct(implode($parts)); } }
abstract class PwAbstract extends \Exception {}
interface PwShape {}
class PwThing implements \Countable, PwShape {
    public $log;
    private $n;
    function __construct($n = 0) { if ($n < 0) { throw new \DomainException('negative'); } $this->n = $n; }
    #[\ReturnTypeWillChange]
    function count() { return $this->n; }
    function fill(&$into, $what) { $into = $what; return $this->n; }
    function self() { return $this; }
    private function hidden() { return 'hidden'; }
    static function twice($x) { return $x . $x; }
    private static function hiddenStatic() {}
    static function fillStatic(&$a, $b, &$c) { $a = $b; $c .= $b; }
}
class PwMany { function __call($name, $args) { return [$name, $args]; } static function __callStatic($name, $args) { return [$name, $args]; } }
class PwGone { function __destruct() { $GLOBALS['pw_gone'] = ($GLOBALS['pw_gone'] ?? 0) + 1; } }
function pw_gone() { return $GLOBALS['pw_gone'] ?? 0; }
class PwLoud { function __destruct() { throw new \Exception('too late'); } }
class PwUnfit {
    function __serialize(): array { throw new \Exception('not me'); }
    function __sleep() { throw new \Exception('not me'); }
}
`

// Values, in short.

func str(s string) codec.Value              { return codec.String(s) }
func num(n int64) codec.Value               { return codec.Int(n) }
func boolean(b bool) codec.Value            { return codec.Bool(b) }
func null() codec.Value                     { return codec.Null() }
func list(vs ...codec.Value) codec.Value    { return codec.List(vs...) }
func float(f float64) codec.Value           { return codec.Float(f) }
func phandle(h codec.PhpHandle) codec.Value { return codec.NewPhpHandle(h) }

// dict is an array: keys and values alternate.
func dict(pairs ...codec.Value) codec.Value { return codec.Array(entries(pairs...)...) }

func entries(pairs ...codec.Value) []codec.Entry {
	var es []codec.Entry
	for i := 0; i < len(pairs); i += 2 {
		key := codec.Key{}
		if n, ok := pairs[i].Int(); ok {
			key = codec.IntKey(n)
		} else {
			text, _ := pairs[i].Text()
			key = codec.StringKey(text)
		}
		es = append(es, codec.Entry{Key: key, Value: pairs[i+1]})
	}
	return es
}

// rhandle is the descriptor of an object of the host.
func rhandle(id int64, class string, epoch int64) codec.Value {
	return codec.NewRustHandle(codec.RustHandle{ID: id, Class: class, Epoch: epoch})
}

// snapshot is such a descriptor with a snapshot.
func snapshot(id int64, class string, epoch int64, pairs ...codec.Value) codec.Value {
	s := dict(pairs...)
	return codec.NewRustHandle(codec.RustHandle{ID: id, Class: class, Epoch: epoch, Snapshot: &s})
}

// The stub classes that every child has, and a name that has none.
const (
	event       = `Composer\EventDispatcher\Event`
	scriptEvent = `Composer\Script\Event`
	noStub      = `Pw\No\Stub`
)

// wire gives the payload of values that the codec writes.
func wire(v codec.Value) string {
	b, err := codec.Encode(v)
	if err != nil {
		panic("childtest: a case's own value: " + err.Error())
	}
	return string(b)
}

// fields gives the payload of a frame whose fields are payloads.
func fields(payloads ...string) string {
	var s strings.Builder
	s.WriteString("a:" + itoa(len(payloads)) + ":{")
	for i, p := range payloads {
		s.WriteString("i:" + itoa(i) + ";" + p)
	}
	s.WriteString("}")
	return s.String()
}
