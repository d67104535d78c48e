package oracle_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
	"phpwire/php"
)

// Random programs run on the live child beside a small model of what it must do.
//
//	go test ./oracle -run TestModel -programs 10000 -seed 7
var (
	programs = flag.Int("programs", 300, "how many random programs TestModel runs")
	seed     = flag.Int64("seed", 0, "what TestModel makes them from (default the time)")
)

// Sizes of the model's world.
const (
	slots         = 3  // objects of each side
	mostNested    = 8  // calls of PHP that the host has not answered
	programLength = 14 // commands
)

// kind is what a command does.
type kind int

const (
	echo         kind = iota
	throw             // PHP throws
	unknown           // a function that does not exist
	add               // to a sum that PHP keeps
	sortOut           // an out-parameter
	newObject         // of PHP, in a slot
	increment         // a method of it
	boom              // a method of it that throws
	letGo             // of it
	keep              // PHP gets a handle of a host object, and keeps it
	get               // PHP calls the host object
	change            // the host object changes, and PHP is told
	changeSilent      // it changes, and PHP is not told
	back              // the stub comes back
	drop              // PHP lets go of the stub
	open              // PHP calls the host, which does not answer yet
	answer            // the host answers the innermost of these calls
	answerThrow       // with a throw that PHP catches
	answerError       // with an error that PHP does not catch
	strayOneWays      // frames for handles that nobody has
	exit              // the child ends by itself
	kill              // it is killed
)

var kindNames = [...]string{"echo", "throw", "unknown", "add", "sort", "new", "increment", "boom", "letGo", "keep", "get", "change", "changeSilently",
	"back", "drop", "open", "answer", "answerWithThrow", "answerWithError", "strayOneWays", "exit", "kill"}

// weights say how often a kind is drawn. A death costs the start of a child.
var weights = [...]int{echo: 4, throw: 4, unknown: 2, add: 6, sortOut: 2, newObject: 6, increment: 8, boom: 3, letGo: 5, keep: 8, get: 12, change: 6,
	changeSilent: 6, back: 5, drop: 5, open: 10, answer: 7, answerThrow: 3, answerError: 3, strayOneWays: 3}

// deaths is how many of a thousand commands end the child.
const deaths = 3

// command is one step of a program: what, with which slot and which number.
type command struct {
	kind    kind
	slot, n int64
}

func (c command) String() string { return fmt.Sprintf("%s(%d, %d)", kindNames[c.kind], c.slot, c.n) }

// model is what the child must be like.
type model struct {
	sum     int64
	objects [slots]struct {
		held bool
		n    int64
	}
	hosts [slots]struct {
		value, epoch int64
		kept         bool
		snapshot     bool
		seen         int64 // the value of the snapshot
	}
	depth  int
	expect string // of the last command
}

// after gives the model after a command.
func (m model) after(c command) model {
	object, host := &m.objects[c.slot], &m.hosts[c.slot]
	switch c.kind {
	case echo:
		m.expect = fmt.Sprint(c.n)
	case throw:
		m.expect = fmt.Sprintf("throw DomainException thrown %d", c.n)
	case unknown:
		m.expect = "throw BadFunctionCallException unknown function no_such_function"
	case add:
		m.sum += c.n
		m.expect = fmt.Sprint(m.sum)
	case sortOut:
		m.expect = fmt.Sprintf("true [-1, %d, 100]", c.n)
	case newObject:
		object.held, object.n = true, c.n
		m.expect = "new"
	case increment:
		object.n++
		m.expect = fmt.Sprint(object.n)
		if !object.held {
			m.expect = "throw OutOfBoundsException"
		}
	case boom:
		m.expect = fmt.Sprintf("throw LogicException boom %d", object.n)
		if !object.held {
			m.expect = "throw OutOfBoundsException"
		}
	case letGo:
		object.held = false
		m.expect = "done"
	case keep:
		m.expect = fmt.Sprint(host.kept)
		if !host.kept {
			host.kept, host.epoch = true, 1
		}
		host.snapshot, host.seen = true, host.value
	case get:
		switch {
		case !host.kept:
			m.expect = "null"
		case host.snapshot:
			m.expect = fmt.Sprint(host.seen)
		default:
			m.expect = fmt.Sprint(host.value)
		}
	case change:
		host.value = c.n
		host.epoch++
		host.snapshot = false
		m.expect = "done"
	case changeSilent:
		host.value = c.n
		m.expect = "done"
	case back:
		m.expect = "null"
		if host.kept {
			m.expect = fmt.Sprintf("rhandle epoch %d", host.epoch)
		}
	case drop:
		host.kept = false
		m.expect = "null"
	case open:
		m.expect = "full"
		if m.depth < mostNested {
			m.depth++
			m.expect = "open"
		}
	case answer, answerThrow, answerError:
		switch {
		case m.depth == 0:
			m.expect = "nothing open"
		case c.kind == answer:
			m.expect = fmt.Sprintf("[%q, %d]", "returned", c.n)
		case c.kind == answerThrow:
			m.expect = fmt.Sprintf("[%q, %q, %d]", "caught", "from the host", c.n)
		case c.kind == answerError:
			m.expect = fmt.Sprintf("throw RuntimeException error %d", c.n)
		}
		m.depth = max(m.depth-1, 0)
	case strayOneWays:
		m.expect = "done"
	case exit:
		m = model{expect: fmt.Sprintf("fatal status %d, %d more", c.n, m.depth)}
	case kill:
		m = model{expect: fmt.Sprintf("fatal signal 9, %d more", m.depth)}
	}
	kept := 0
	for _, h := range m.hosts {
		if h.kept {
			kept++
		}
	}
	m.expect += fmt.Sprintf("; PHP holds %d", kept)
	return m
}

// world is the live child beside the model.
type world struct {
	ctx     context.Context
	client  *oracle.Client
	objects *oracle.Objects
	session *oracle.Session
	phps    [slots]int64 // handles, the released ones too
	hosts   [slots]struct {
		value  int64
		handle int64 // while PHP keeps it
	}
	calls  []*nested
	opened chan *nested
	model  model
	broken bool // it differs from the model: nothing more of this program is run
}

// nested is a call of PHP that waits for the host's answer.
type nested struct {
	answer chan func() (oracle.Reply, error)
	result chan string // of the outer call
}

const worldPHP = `
function m_reset() { $GLOBALS['m_sum'] = 0; $GLOBALS['m_kept'] = []; }
function m_echo($v) { return $v; }
function m_throw($n) { throw new DomainException("thrown $n", $n); }
function m_add($n) { return $GLOBALS['m_sum'] += $n; }
function m_keep($i, $o) { $same = isset($GLOBALS['m_kept'][$i]) && $GLOBALS['m_kept'][$i] === $o; $GLOBALS['m_kept'][$i] = $o; return $same; }
function m_get($i) { return isset($GLOBALS['m_kept'][$i]) ? $GLOBALS['m_kept'][$i]->getName() : null; }
function m_back($i) { return $GLOBALS['m_kept'][$i] ?? null; }
function m_drop($i) { unset($GLOBALS['m_kept'][$i]); }
function m_open() { try { return ['returned', Phpwire\callRust(0, 'nest')]; } catch (DomainException $e) { return ['caught', $e->getMessage(), $e->getCode()]; } }
class MCounter { public $n; function __construct($n) { $this->n = $n; } function inc() { return ++$this->n; } function boom() { throw new LogicException("boom $this->n"); } }
m_reset();
`

func newWorld(ctx context.Context, client func(oracle.Dispatcher) *oracle.Client) *world {
	w := &world{ctx: ctx, objects: oracle.NewObjects(nil), opened: make(chan *nested)}
	w.objects.Serve("nest", func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
		n := w.calls[len(w.calls)-1]
		w.opened <- n
		return (<-n.answer)()
	})
	w.client = client(w.objects)
	return w
}

// reset makes the world as it was in the beginning.
func (w *world) reset() {
	if w.session == nil {
		s, err := w.client.Begin(w.ctx)
		if err != nil {
			w.broken = true
			return
		}
		w.session = s
		w.call("__shirabe_eval", codec.String(worldPHP))
	}
	w.call("m_reset")
	w.objects.ChildGone() // what the last program should have released is none of this one's business
	for i, h := range w.phps {
		if h != 0 {
			_ = w.session.ReleasePhpHandle(w.ctx, h)
		}
		w.phps[i] = 0
		w.hosts[i].value, w.hosts[i].handle = 0, 0
	}
	w.model, w.broken = model{}, false
}

// settle answers what is open, so that the next program finds an idle child.
func (w *world) settle() {
	for len(w.calls) > 0 {
		w.answer(func() (oracle.Reply, error) { return oracle.Reply{}, nil })
	}
	if w.broken && w.session != nil { // whatever it is like: the next program gets a new one
		_ = syscall.Kill(w.session.Pid(), syscall.SIGKILL)
		w.call("m_echo") // which waits for its end
		w.lost()
	}
}

// lost forgets a child that has ended.
func (w *world) lost() {
	w.session.End()
	w.session = nil
	w.phps = [slots]int64{}
	w.objects.ChildGone()
	for i := range w.hosts {
		w.hosts[i].value, w.hosts[i].handle = 0, 0
	}
}

func told(r oracle.Reply, err error) string {
	var throw *oracle.Throw
	var fatal *oracle.FatalError
	switch {
	case errors.As(err, &fatal):
		if fatal.Signal != 0 {
			return fmt.Sprintf("fatal signal %d", int(fatal.Signal))
		}
		return fmt.Sprintf("fatal status %d", fatal.Status)
	case errors.As(err, &throw):
		if throw.Class == "OutOfBoundsException" {
			return "throw " + throw.Class
		}
		return fmt.Sprintf("throw %s %s", throw.Class, throw.Message)
	case err != nil:
		return "error " + err.Error()
	}
	if h, ok := r.Value.RustHandle(); ok {
		return fmt.Sprintf("rhandle epoch %d", h.Epoch)
	}
	s := r.Value.String()
	for _, p := range r.OutParams {
		s += " " + p.Value.String()
	}
	return s
}

func (w *world) call(function string, args ...codec.Value) string {
	return told(w.session.CallFunction(w.ctx, oracle.Call{Name: function, Args: args}))
}

func (w *world) method(slot int64, name string) string {
	h := w.phps[slot]
	if h == 0 {
		h = 1 << 40
	}
	return told(w.session.CallPhpMethod(w.ctx, h, oracle.Call{Name: name}))
}

func done(err error) string {
	if err != nil {
		return err.Error()
	}
	return "done"
}

// answer replies to the innermost open call of PHP and gives what the outer call
// then returns.
func (w *world) answer(reply func() (oracle.Reply, error)) string {
	n := w.calls[len(w.calls)-1]
	w.calls = w.calls[:len(w.calls)-1]
	n.answer <- reply
	return <-n.result
}

// died ends the world's child and unwinds what was open on it.
func (w *world) died(result string) string {
	more := 0
	for len(w.calls) > 0 {
		r := w.answer(func() (oracle.Reply, error) { return oracle.Reply{}, nil })
		if !strings.HasPrefix(r, "fatal") {
			return "an outer call gives " + r
		}
		more++
	}
	w.lost()
	return fmt.Sprintf("%s, %d more", result, more)
}

// run does what a command says and tells what came of it.
func (w *world) run(c command) string {
	result := w.do(c)
	return fmt.Sprintf("%s; PHP holds %d", result, w.objects.Held())
}

func (w *world) do(c command) string {
	if w.session == nil {
		w.reset()
		if w.session == nil {
			return "no session"
		}
	}
	n, slot := codec.Int(c.n), codec.Int(c.slot)
	host := &w.hosts[c.slot]
	switch c.kind {
	case echo:
		return w.call("m_echo", n)
	case throw:
		return w.call("m_throw", n)
	case unknown:
		return w.call("no_such_function", n)
	case add:
		return w.call("m_add", n)
	case sortOut:
		return told(w.session.CallFunction(w.ctx, oracle.Call{Name: "sort", Args: []codec.Value{codec.List(codec.Int(100), n, codec.Int(-1))}, OutParams: []int{0}}))
	case newObject:
		r, err := w.session.NewObject(w.ctx, "MCounter", n)
		h, ok := r.Value.PhpHandle()
		if !ok {
			return told(r, err)
		}
		if old := w.phps[c.slot]; old != 0 {
			_ = w.session.ReleasePhpHandle(w.ctx, old)
		}
		w.phps[c.slot] = h.ID
		return "new"
	case increment:
		return w.method(c.slot, "inc")
	case boom:
		return w.method(c.slot, "boom")
	case letGo:
		return done(w.session.ReleasePhpHandle(w.ctx, max(w.phps[c.slot], 0)))
	case keep:
		if host.handle == 0 {
			host.handle = w.objects.Add(w.object(c.slot))
		}
		d, err := w.objects.Descriptor(host.handle)
		if err != nil {
			return err.Error()
		}
		return w.call("m_keep", slot, d)
	case get:
		return w.call("m_get", slot)
	case change:
		host.value = c.n
		if host.handle == 0 {
			return "done"
		}
		return done(w.objects.Changed(w.ctx, w.session, host.handle))
	case changeSilent:
		host.value = c.n
		return "done"
	case back:
		return w.call("m_back", slot)
	case drop:
		host.handle = 0
		return w.call("m_drop", slot)
	case open:
		if len(w.calls) == mostNested {
			return "full"
		}
		call := &nested{answer: make(chan func() (oracle.Reply, error)), result: make(chan string, 1)}
		w.calls = append(w.calls, call)
		session := w.session
		go func() { call.result <- told(session.CallFunction(w.ctx, oracle.Call{Name: "m_open"})) }()
		select {
		case <-w.opened:
			return "open"
		case r := <-call.result:
			w.calls = w.calls[:len(w.calls)-1]
			return r
		}
	case answer, answerThrow, answerError:
		if len(w.calls) == 0 {
			return "nothing open"
		}
		return w.answer(func() (oracle.Reply, error) {
			switch c.kind {
			case answerThrow:
				return oracle.Reply{}, &oracle.Throw{Class: "DomainException", Message: "from the host", Code: c.n}
			case answerError:
				return oracle.Reply{}, fmt.Errorf("error %d", c.n)
			}
			return oracle.Reply{Value: n}, nil
		})
	case strayOneWays:
		return done(errors.Join(w.session.BumpEpoch(w.ctx, 1<<41, c.n), w.session.ReleasePhpHandle(w.ctx, 1<<41+c.n)))
	case exit:
		return w.died(w.call("__shirabe_eval", codec.String(fmt.Sprintf("exit(%d);", c.n))))
	}
	_ = syscall.Kill(w.session.Pid(), syscall.SIGKILL)
	return w.died(w.call("m_echo", n))
}

// object is the object of the host in a slot.
func (w *world) object(slot int64) oracle.Object {
	return oracle.Object{
		Class: event,
		Methods: map[string]oracle.Method{"getName": func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
			return oracle.Reply{Value: codec.Int(w.hosts[slot].value)}, nil
		}},
		Snapshot: func() []codec.Entry {
			return []codec.Entry{{Key: codec.StringKey("getName"), Value: codec.Int(w.hosts[slot].value)}}
		},
	}
}

// The methods of gopter's Command.

func (c command) Run(sut commands.SystemUnderTest) commands.Result {
	w := sut.(*world)
	if w.broken {
		return nil
	}
	result := w.run(c)
	w.model = w.model.after(c)
	w.broken = result != w.model.expect
	return result
}

func (c command) NextState(s commands.State) commands.State { return s.(model).after(c) }
func (c command) PreCondition(commands.State) bool          { return true }

func (c command) PostCondition(s commands.State, result commands.Result) *gopter.PropResult {
	if want := s.(model).expect; result != nil && result != want {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{fmt.Sprintf("%v: the child gives %q, the model %q", c, result, want)}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// genCommand draws a command.
func genCommand() gopter.Gen {
	total := 0
	for _, w := range weights {
		total += w
	}
	return gen.UInt32().Map(func(random uint32) commands.Command {
		r := int64(random)
		c := command{slot: r % slots, n: r / slots % 10}
		r = r / slots / 10
		if r%1000 < deaths {
			c.kind = exit + kind(r%2)
			return c
		}
		pick := int(r / 1000 % int64(total))
		for k, w := range weights {
			if pick -= w; pick < 0 {
				c.kind = kind(k)
				break
			}
		}
		return c
	})
}

// checkModel runs programs and gives the result.
func checkModel(w *world, programs int, seed int64) *gopter.TestResult {
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.MinSuccessfulTests, parameters.MaxSize, parameters.Workers = programs, programLength, 1
	return commands.Prop(&commands.ProtoCommands{
		InitialStateGen: gen.Const(model{}),
		GenCommandFunc:  func(commands.State) gopter.Gen { return genCommand() },
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
			w.reset()
			return w
		},
		DestroySystemUnderTestFunc: func(commands.SystemUnderTest) { w.settle() },
	}).Check(parameters)
}

func TestModel(t *testing.T) {
	if *seed == 0 {
		*seed = time.Now().UnixNano()
	}
	ctx := oracletest.Context(t, 30*time.Minute)
	runtime := oracletest.Best(t)
	w := newWorld(ctx, func(d oracle.Dispatcher) *oracle.Client { return oracletest.Client(t, runtime, d) })
	began := time.Now()
	result := checkModel(w, *programs, *seed)
	t.Logf("%d programs in %.1f s; repeat with -programs %d -seed %d", result.Succeeded, time.Since(began).Seconds(), *programs, *seed)
	if !result.Passed() {
		t.Fatalf("%s\n%s\nrepeat: go test ./oracle -run TestModel -programs %d -seed %d", result.Labels, shortest(result), *programs, *seed)
	}
}

// shortest is the program that still fails.
func shortest(r *gopter.TestResult) string {
	var programs []string
	for _, a := range r.Args {
		_, program, _ := strings.Cut(a.String(), "sequential=")
		programs = append(programs, program)
	}
	return strings.Join(programs, "\n")
}

// The model notices a worker that is broken, and shrinks what shows it.
func TestModelNotices(t *testing.T) {
	runtime := oracletest.Best(t)
	for _, broken := range []struct {
		name, file, good, bad string
		most                  int // commands of the shortest program
	}{
		{"a bump is lost", "handles", `if ($handle !== null && $epoch >= $handle->epoch) {`, `if (false) {`, 3},
		{"a release is lost", "handles", `Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id]));`, ``, 2},
		{"replies are mixed up", "session", `self::$replies[$id] = $frame;`, `$frame[2][0] = \is_int($frame[2][0]) && \count(self::$replies) > 1 ? 77 : $frame[2][0]; self::$replies[$id] = $frame;`, 3},
		{"objects are not let go of", "handles", `unset(self::$held[$id]);`, ``, 3},
	} {
		t.Run(broken.name, func(t *testing.T) {
			ctx := oracletest.Context(t, 5*time.Minute)
			w := newWorld(ctx, func(d oracle.Dispatcher) *oracle.Client {
				c := oracle.NewClientOf(runtime, d, func(folder string) (string, error) {
					worker, err := php.Write(folder)
					if err != nil {
						return "", err
					}
					path := filepath.Join(folder, "runtime", broken.file+".php")
					source, err := os.ReadFile(path)
					if err != nil {
						return "", err
					}
					require.Contains(t, string(source), broken.good)
					return worker, os.WriteFile(path, []byte(strings.Replace(string(source), broken.good, broken.bad, 1)), 0o600)
				})
				t.Cleanup(c.Close)
				return c
			})
			result := checkModel(w, 1000, 1)
			require.False(t, result.Passed())
			assert.LessOrEqual(t, strings.Count(shortest(result), "("), broken.most, "%s", shortest(result))
			t.Log(shortest(result), result.Labels)
		})
	}
}
