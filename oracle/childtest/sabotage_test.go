package childtest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle"
	"phpwire/oracle/childtest"
	"phpwire/oracle/oracletest"
	"phpwire/php"
	"phpwire/reports"
)

// sabotage is a worker that was broken on purpose: a piece of its source is
// replaced by another, and a case must name the fault.
type sabotage struct {
	name, file, good, bad string
	named                 string // the id of the case that must fail
}

var sabotages = []sabotage{
	{"a release is dropped", "handles", `Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id]));`, ``, "releases/once"},
	{"a release is sent twice", "handles", `Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id]));`,
		`Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id])); Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id]));`, "releases/once"},
	{"copies are not counted", "handles", `$handle->stubs++;
    }`, `}`, "releases/clone"},
	{"an answer has the wrong id", "calls", `Frames::write($tag, $id, $payload);`, `Frames::write($tag, $id + 2, $payload);`, "start/first-call"},
	{"a throw has the wrong id", "calls", `Frames::write($tag, $id, $payload);`, `Frames::write($tag, $tag === THROW_EXCEPTION ? $id + 2 : $id, $payload);`, "replies/throw-is-one"},
	{"a throw is swallowed", "calls", `$tag = THROW_EXCEPTION;`, `$tag = RETURN_VALUE; $payload = \serialize([null, []]);`, "throws/exception"},
	{"a call is answered twice", "calls", `Frames::write($tag, $id, $payload);`, `Frames::write($tag, $id, $payload); Frames::write($tag, $id, $payload);`, "replies/one-each"},
	{"one-way frames are answered", "calls", `if (!$oneWay) {
            Frames::write`, `if (true) {
            Frames::write`, "one-way/not-answered"},
	{"a 10-byte frame cut short is accepted", "frames", `if ($bytes === '' && $part === 'head') {`, `if ($part === 'head') {`, "end/after-10-bytes"},
	{"a payload cut short is accepted", "frames", `self::violation("the stream ended inside a frame's $part`, `exit(0); self::violation("the stream ended inside a frame's $part`, "end/one-byte-short"},
	{"an unknown function is null", "calls", `throw new \BadFunctionCallException("unknown function $name");`, `return Values::payload([null, []]);`, "functions/unknown"},
	{"lengths above the limit are waited for", "frames", `if ($n < 0 || $n > MAX_PAYLOAD) {`, `if ($n < 0) {`, "lengths/above-256-mib"},
	{"negative lengths are waited for", "frames", `if ($n < 0 || $n > MAX_PAYLOAD) {`, `if ($n > MAX_PAYLOAD) {`, "lengths/2-to-63"},
	{"a line end behind the payload is accepted", "frames", `$payload = self::BEFORE . $payload . self::AFTER;`, `$payload = self::BEFORE . \rtrim($payload) . self::AFTER;`, "payloads/newline-after"},
	{"ints out of range are clamped", "frames", `if (\error_get_last() !== $said) {`, `if (false) {`, "values/int-out-of-range"},
	{"objects are revived", "frames", `['allowed_classes' => false]`, `[]`, "values/no-revival"},
	{"unknown tags are ignored", "calls", `Frames::violation(name($tag) . ' is nothing that a host sends');`, `return;`, "tags/unknown-0a"},
	{"even ids are accepted", "calls", `if ($oneWay ? $id !== 0 : ($id & 1) === 0) {`, `if ($oneWay && $id !== 0) {`, "ids/even-call-function"},
	{"one-way frames may have ids", "calls", `if ($oneWay ? $id !== 0 : ($id & 1) === 0) {`, `if (!$oneWay && ($id & 1) === 0) {`, "ids/bump-with-id"},
	{"the child counts in odd numbers", "session", `private static $lastId = 0;`, `private static $lastId = 1;`, "ids/child-counts-even"},
	{"replies to nobody are ignored", "session", `if (!\array_key_exists($id, self::$replies) || self::$replies[$id] !== null) {`, `if (!\array_key_exists($id, self::$replies)) { return; }
        if (self::$replies[$id] !== null) {`, "ids/return-to-nobody"},
	{"extra fields are ignored", "fields", `if (!isset($types[$n])) {`, `if (!isset($types[$n])) { return; }
            if (false) {`, "fields/CallFunction/extra"},
	{"missing fields are ignored", "fields", `if ($n !== \count($types)`, `if (false && $n !== \count($types)`, "fields/EpochBump/missing"},
	{"types are not checked", "fields", `self::wrong($tag, $n - 1, $v, $type);`, ``, "fields/EpochBump/epoch--1"},
	{"violations leave with 0", "frames", `self::complain("protocol violation: $what");
        exit(70);`, `self::complain("protocol violation: $what");
        exit(0);`, "tags/unknown-ff"},
	{"violations say nothing", "frames", `self::complain("protocol violation: $what");`, ``, "payloads/null"},
	{"the end of the stream is an error", "session", `exit(0);`, `exit(1);`, "end/waiting"},
	{"waiting, the child serves nobody", "session", `Calls::answer($tag, $frame[1], $frame[2], $frame[3]);`, `if ($awaited === 0 || $tag > 3) { Calls::answer($tag, $frame[1], $frame[2], $frame[3]); }`, "nesting/2"},
	{"a bump keeps the snapshot", "handles", `$handle->epoch = $epoch;
            $handle->snapshot = null;`, `$handle->epoch = $epoch;`, "snapshots/bump"},
	{"a bump does nothing", "handles", `if ($handle !== null && $epoch >= $handle->epoch) {`, `if (false) {`, "epochs/bump"},
	{"a bump lowers the epoch", "handles", `if ($handle !== null && $epoch >= $handle->epoch) {`, `if ($handle !== null) {`, "epochs/lower-bump"},
	{"old snapshots replace new ones", "handles", `if ($d['__epoch'] > $handle->epoch || ($d['__epoch'] === $handle->epoch && $snapshot !== null)) {`, `if (true) {`, "snapshots/lower-ignored"},
	{"stubs are not interned", "handles", `$handle->stub = \WeakReference::create($stub);`, ``, "stubs/identity"},
	{"stubs are held strongly", "handles", `$handle->stub = \WeakReference::create($stub);`, `$handle->stub = \WeakReference::create($stub); $GLOBALS['pw_strong'][] = $stub;`, "stubs/identity-weak"},
	{"a handle changes its class", "handles", `if ($handle->class !== $d['__class']) {`, `if (false) {`, "stubs/class-stays"},
	{"numbers of objects are used again", "handles", `unset(self::$held[$id]);`, `unset(self::$held[$id]); self::$last = $id - 1;`, "php-objects/number-not-reused"},
	{"an object gets a new handle each time", "handles", `if (!isset(self::$ids[$key])) {`, `if (true) {`, "php-objects/one-handle"},
	{"objects are never let go of", "handles", `unset(self::$held[$id]);`, ``, "php-objects/released"},
	{"an unknown object is made", "handles", `throw new \OutOfBoundsException("phandle $id is unknown or was released");`, `return new \ArrayObject();`, "php-objects/unknown"},
	{"interfaces are not sorted", "handles", `\sort($implements);`, `\rsort($implements);`, "php-objects/descriptor"},
	{"descriptors deep inside stay arrays", "values", `$v[$k] = self::in($e);`, ``, "stubs/deep-in-arguments"},
	{"stubs go back with their snapshot", "proxy", `'__epoch' => $h->epoch];`, `'__epoch' => $h->epoch] + ($h->snapshot ? ['__snapshot' => $h->snapshot] : []);`, "stubs/back"},
	{"snapshots answer calls with arguments", "proxy", `if ($args === [] && $h->snapshot`, `if ($h->snapshot`, "snapshots/arguments"},
	{"stubs can be serialized", "proxy", `public function __sleep()
    {`, `public function __sleep()
    {
        return [];`, "stubs/no-serialize"},
	{"out-parameters are not written back", "calls", `$out[$position] = Values::out($args[$position]);`, ``, "out-params/preg-match"},
	{"messages are made printable", "throwables", `'message' => $e->getMessage(),`, `'message' => \preg_replace('/[^ -~]/', '?', $e->getMessage()),`, "throws/message-of-bytes"},
	{"codes that are no ints are lost", "throwables", `$properties['code'] = self::safe($code);`, ``, "throws/code-that-is-no-int"},
	{"previous exceptions are lost", "throwables", `if ($previous !== null) {`, `if (false) {`, "throws/previous"},
	{"every exception is a RuntimeException", "throwables", `$e = self::build($class, $message, $code, $properties);`, `$e = null;`, "rebuilt/own-class"},
	{"private state of parents is not set", "throwables", `$class; $class = $class->getParentClass()) {`, `$class; $class = null) {`, "rebuilt/inherited-private"},
	{"causes are not rebuilt", "throwables", `self::chain($e, $value);`, ``, "rebuilt/previous"},
	{"a rebuilt exception holds its arguments", "throwables", `unset($trace[$i]['args']);`, ``, "rebuilt/previous"},
	{"an array that contains itself is sent", "values", `if ($depth === 0) {`, `if ($depth === 0) { return null; }
        if (false) {`, "values/contains-itself"},
	{"reserved keys are sent", "values", `throw new \UnexpectedValueException('an array with the reserved key '`, `return null; throw new \UnexpectedValueException('an array with the reserved key '`, "values/reserved-keys"},
	{"references are sent", "values", `if (\strpos($payload, ';R:') !== false) {`, `if (false) {`, "values/references"},
	{"classes are asked for without leave", "scripts", `function registerStubs(?string $folder = null): void
{`, `function registerStubs(?string $folder = null): void
{
    enableScriptAutoloader();`, "helpers/autoloader-off"},
}

// Each fault is named by a case that fails on the broken worker. That the same
// case passes on the whole one is what TestWorker shows.
func TestSabotage(t *testing.T) {
	runtime := oracletest.Best(t)
	for _, s := range sabotages {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cases, err := childtest.Match(s.named)
			require.NoError(t, err)
			require.Len(t, cases, 1, s.named)
			results, err := childtest.Run(oracletest.Context(t, 5*time.Minute), childtest.Options{
				Subjects: []childtest.Subject{s.subject(t, runtime)}, Cases: cases, Limit: 10 * time.Second,
			})
			require.NoError(t, err)
			assert.NotEmpty(t, results[0].Outcome, "nobody noticed; the conversation:\n%s", &results[0])
			assert.NotEmpty(t, results[0].Fault)
		})
	}
}

// subject is the broken worker.
func (s sabotage) subject(t *testing.T, r oracle.Runtime) childtest.Subject {
	return childtest.Subject{Name: s.name, Kind: reports.ColumnNative, Launch: func(ctx context.Context) (*oracle.Wire, error) {
		return oracle.Launch(ctx, r, func(folder string) (string, error) {
			worker, err := php.Write(folder)
			if err != nil {
				return "", err
			}
			path := filepath.Join(folder, "runtime", s.file+".php")
			source, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			if n := strings.Count(string(source), s.good); n == 0 {
				t.Errorf("%s.php does not have %q any more", s.file, s.good)
			}
			return worker, os.WriteFile(path, []byte(strings.Replace(string(source), s.good, s.bad, 1)), 0o600)
		})
	}}
}
