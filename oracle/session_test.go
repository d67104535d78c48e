package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// begin opens a session that the test ends.
func begin(t *testing.T, c *oracle.Client, ctx context.Context) *oracle.Session {
	t.Helper()
	s, err := c.Begin(ctx)
	require.NoError(t, err)
	t.Cleanup(s.End)
	return s
}

// eval runs PHP code.
func eval(t *testing.T, ctx context.Context, s *oracle.Session, code string) codec.Value {
	t.Helper()
	r, err := s.CallFunction(ctx, oracle.Call{Name: "__shirabe_eval", Args: []codec.Value{codec.String(code)}})
	require.NoError(t, err)
	return r.Value
}

func call(name string, args ...codec.Value) oracle.Call { return oracle.Call{Name: name, Args: args} }

func equal(t *testing.T, want, got codec.Value) {
	t.Helper()
	assert.True(t, want.Equal(got), "want %v, got %v", want, got)
}

// A chain of calls from the host to PHP and back, 200 deep, returns.
func TestDeepNesting(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	var deeper int64
	depth := 0
	deeper = objects.Add(oracle.Object{Class: "Chain", Keep: true, Methods: map[string]oracle.Method{
		"deeper": func(ctx context.Context, s *oracle.Session, call oracle.Call) (oracle.Reply, error) {
			depth++
			n, _ := call.Args[0].Int()
			if n == 0 {
				return oracle.Reply{Value: codec.String("bottom")}, nil
			}
			d, err := objects.Descriptor(deeper)
			if err != nil {
				return oracle.Reply{}, err
			}
			return s.CallFunction(ctx, oracle.Call{Name: "chain", Args: []codec.Value{d, codec.Int(n - 1)}})
		},
	}})
	s := begin(t, c, ctx)
	eval(t, ctx, s, `function chain($o, $n) { return $o->deeper($n) . '.'; }`)
	d, err := objects.Descriptor(deeper)
	require.NoError(t, err)
	r, err := s.CallFunction(ctx, call("chain", d, codec.Int(199)))
	require.NoError(t, err)
	text, _ := r.Value.Text()
	assert.Equal(t, len("bottom")+200, len(text))
	assert.Equal(t, 200, depth)
}

// Whatever the host does not serve is a Throw that says so, never null.
func TestUnserved(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	code := codec.String(`try { return ['returned', Phpwire\callRust(3, 'name')]; } catch (Throwable $e) { return [get_class($e), $e->getMessage()]; }`)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	v, err := c.CallFunction(ctx, "__shirabe_eval", code)
	require.NoError(t, err)
	equal(t, codec.List(codec.String("RuntimeException"), codec.String("nothing in the host answers name of object 3")), v)

	c = oracletest.Client(t, oracletest.Best(t), oracle.NewObjects(nil))
	v, err = c.CallFunction(ctx, "__shirabe_eval", code)
	require.NoError(t, err)
	equal(t, codec.List(codec.String("BadMethodCallException"), codec.String("object 3 of the host is unknown or was released")), v)
	v, err = c.CallFunction(ctx, "__shirabe_eval", codec.String(`try { return Phpwire\callRust(0, 'nothing'); } catch (Throwable $e) { return $e->getMessage(); }`))
	require.NoError(t, err)
	equal(t, codec.String("the runtime service has no nothing"), v)
}

// Many goroutines begin sessions on one child: never two at once, nobody waits in
// vain, and who gives up leaves.
func TestSessionsTakeTurns(t *testing.T) {
	ctx := oracletest.Context(t, 2*time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	s := begin(t, c, ctx)
	eval(t, ctx, s, `function enter($who) { $was = $GLOBALS['who'] ?? null; $GLOBALS['who'] = $who; return $was; }
		function leave($o, $who) { $o->pause(); $was = $GLOBALS['who']; $GLOBALS['who'] = null; return $was; }`)
	s.End()
	var inside, served, gaveUp atomic.Int64
	pause := objects.Add(oracle.Object{Class: "Pause", Keep: true, Methods: map[string]oracle.Method{
		"pause": func(ctx context.Context, s *oracle.Session, _ oracle.Call) (oracle.Reply, error) {
			return s.CallFunction(ctx, call("strlen", codec.String("nested")))
		},
	}})
	var g sync.WaitGroup
	for who := range int64(40) {
		g.Go(func() {
			for range 10 {
				wait, cancel := ctx, func() {}
				if who%4 == 0 {
					wait, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(3000))*time.Microsecond)
				}
				s, err := c.Begin(wait)
				cancel()
				if err != nil {
					assert.ErrorIs(t, err, context.DeadlineExceeded)
					gaveUp.Add(1)
					continue
				}
				assert.EqualValues(t, 1, inside.Add(1), "two sessions at once")
				r, err := s.CallFunction(ctx, call("enter", codec.Int(who)))
				if assert.NoError(t, err) {
					assert.True(t, r.Value.IsNull(), "%d is still inside", r.Value)
				}
				d, err := objects.Descriptor(pause)
				assert.NoError(t, err)
				r, err = s.CallFunction(ctx, call("leave", d, codec.Int(who)))
				if assert.NoError(t, err) {
					assert.True(t, r.Value.Equal(codec.Int(who)), "another was inside: %v", r.Value)
				}
				inside.Add(-1)
				served.Add(1)
				s.End()
			}
		})
	}
	done := make(chan struct{})
	go func() { g.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("somebody waits for a session that nobody has")
	}
	assert.EqualValues(t, 400, served.Load()+gaveUp.Load())
	assert.GreaterOrEqual(t, served.Load(), int64(300))
}

// A waiter that gives up leaves at once, and takes nobody's turn with it.
func TestCancelledWaiterLeaves(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	s := begin(t, c, ctx)
	short, cancel := context.WithCancel(ctx)
	gone := make(chan error)
	go func() { _, err := c.Begin(short); gone <- err }()
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	_, err := c.Begin(short)
	require.ErrorIs(t, err, context.Canceled)
	next := make(chan error)
	go func() {
		s, err := c.Begin(ctx)
		if err == nil {
			s.End()
		}
		next <- err
	}()
	s.End()
	require.NoError(t, <-next)
	_, err = s.CallFunction(ctx, call("strlen", codec.String("x")))
	require.ErrorIs(t, err, oracle.ErrClosed)
	require.ErrorIs(t, s.BumpEpoch(ctx, 1, 1), oracle.ErrClosed)
}

// While a session waits for a reply, a call of another goroutine with it is
// ErrBusy; one-way frames are sent.
func TestBusy(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	s := begin(t, c, ctx)
	eval(t, ctx, s, `function slow() { usleep(1500000); return 1; }`)
	done := make(chan error)
	go func() {
		for {
			if _, err := s.CallFunction(ctx, call("slow")); !errors.Is(err, oracle.ErrBusy) {
				done <- err
				return
			}
		}
	}()
	for {
		_, err := s.CallFunction(ctx, call("strlen", codec.String("x")))
		if err != nil {
			require.ErrorIs(t, err, oracle.ErrBusy)
			break
		}
	}
	require.NoError(t, s.BumpEpoch(ctx, 1, 1))
	require.NoError(t, s.ReleasePhpHandle(ctx, 12345))
	require.NoError(t, <-done)
}

// A handler may end the session: it is over when the outermost call is done.
func TestEndInHandler(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	objects.Serve("end", func(ctx context.Context, s *oracle.Session, _ oracle.Call) (oracle.Reply, error) {
		s.End()
		_, err := s.CallFunction(ctx, call("strlen", codec.String("x")))
		assert.ErrorIs(t, err, oracle.ErrClosed)
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		_, err = c.Begin(short)
		assert.ErrorIs(t, err, context.DeadlineExceeded, "the outer call still has the turn")
		return oracle.Reply{Value: codec.String("ended")}, nil
	})
	s := begin(t, c, ctx)
	equal(t, codec.String("ended"), eval(t, ctx, s, `return Phpwire\callRust(0, 'end');`))
	s.End()
	_, err := c.PHPVersion(ctx)
	require.NoError(t, err)
}

// A handler that panics, or calls t.FailNow, ends the child; the next session
// works.
func TestHandlerPanics(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	objects.Serve("panic", func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) { panic("in a handler") })
	assert.PanicsWithValue(t, "in a handler", func() {
		_, _ = c.CallFunction(ctx, "__shirabe_eval", codec.String(`return Phpwire\callRust(0, 'panic');`))
	})
	_, err := c.PHPVersion(ctx)
	require.NoError(t, err)
}

// A deadline that passes while a handler runs, or in a nested call, ends the
// child and reaches the caller.
func TestDeadlineWhileNested(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	objects.Serve("sleep", func(ctx context.Context, _ *oracle.Session, _ oracle.Call) (oracle.Reply, error) {
		<-ctx.Done()
		return oracle.Reply{}, nil
	})
	objects.Serve("nest", func(ctx context.Context, s *oracle.Session, _ oracle.Call) (oracle.Reply, error) {
		return s.CallFunction(ctx, call("sleep", codec.Int(3600)))
	})
	for _, method := range []string{"sleep", "nest"} {
		_, err := c.PHPVersion(ctx) // the child is there
		require.NoError(t, err)
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		_, err = c.CallFunction(short, "__shirabe_eval", codec.String(`return Phpwire\callRust(0, '`+method+`');`))
		cancel()
		var fatal *oracle.FatalError
		require.ErrorAs(t, err, &fatal, method)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	_, err := c.PHPVersion(ctx)
	require.NoError(t, err)
}

// Objects of PHP, out-parameters, and exceptions in both directions, on every PHP.
func TestSession(t *testing.T) {
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			t.Parallel()
			ctx := oracletest.Context(t, 2*time.Minute)
			objects := oracle.NewObjects(nil)
			s := begin(t, oracletest.Client(t, r, objects), ctx)
			outParams(t, ctx, s)
			phpObjects(t, ctx, s)
			exceptions(t, ctx, s, objects)
		})
	}
}

func outParams(t *testing.T, ctx context.Context, s *oracle.Session) {
	r, err := s.CallFunction(ctx, oracle.Call{Name: "preg_match", Args: []codec.Value{codec.String("/b(.)/"), codec.String("abc"), codec.Null()}, OutParams: []int{2}})
	require.NoError(t, err)
	equal(t, codec.Int(1), r.Value)
	matches, ok := r.OutParam(2)
	assert.True(t, ok)
	equal(t, codec.List(codec.String("bc"), codec.String("c")), matches)
	_, ok = r.OutParam(0)
	assert.False(t, ok)
	r, err = s.CallFunction(ctx, oracle.Call{Name: "sort", Args: []codec.Value{codec.List(codec.Int(2), codec.Int(1))}, OutParams: []int{0}})
	require.NoError(t, err)
	sorted, _ := r.OutParam(0)
	equal(t, codec.List(codec.Int(1), codec.Int(2)), sorted)
}

func phpObjects(t *testing.T, ctx context.Context, s *oracle.Session) {
	r, err := s.NewObject(ctx, "ArrayObject", codec.List(codec.Int(7)))
	require.NoError(t, err)
	h, ok := r.Value.PhpHandle()
	require.True(t, ok)
	assert.Equal(t, "ArrayObject", h.Class)
	assert.Contains(t, h.Implements, "Countable")
	r, err = s.CallPhpMethod(ctx, h.ID, call("count"))
	require.NoError(t, err)
	equal(t, codec.Int(1), r.Value)
	r, err = s.CallFunction(ctx, call("iterator_to_array", codec.NewPhpHandle(h)))
	require.NoError(t, err)
	equal(t, codec.List(codec.Int(7)), r.Value)
	require.NoError(t, s.ReleasePhpHandle(ctx, h.ID))
	_, err = s.CallPhpMethod(ctx, h.ID, call("count"))
	var throw *oracle.Throw
	require.ErrorAs(t, err, &throw)
	_, err = s.NewObject(ctx, "NoSuchClass")
	require.ErrorAs(t, err, &throw)
	assert.Contains(t, throw.Message, "NoSuchClass")
}

func exceptions(t *testing.T, ctx context.Context, s *oracle.Session, objects *oracle.Objects) {
	eval(t, ctx, s, `class TransportBase extends RuntimeException { private $secret; function secret() { return $this->secret; } }
		class TransportException extends TransportBase { private $statusCode; function getStatusCode() { return $this->statusCode; } }
		function transport($o) { try { return $o->fetch(); } catch (TransportException $e) { return [$e->getMessage(), $e->getCode(), $e->getStatusCode(), $e->secret(), $e->getPrevious() ? $e->getPrevious()->getMessage() : null]; } }
		function rethrow($o) { return $o->fetch(); }
		function pdo() { $e = new class('sql') extends RuntimeException { public $extra = [1]; function __construct($m) { parent::__construct($m, 0, new LogicException("root \xff", 9)); $this->code = 'HY000'; } }; throw $e; }`)
	entry := func(k string, v codec.Value) codec.Entry { return codec.Entry{Key: codec.StringKey(k), Value: v} }
	failure := &oracle.Throw{Class: "TransportException", Message: "not \xff found", Code: 3, Properties: []codec.Entry{
		entry("statusCode", codec.Int(404)), entry("secret", codec.String("inherited")),
		entry("previous", codec.Array(entry("class", codec.String("DomainException")), entry("message", codec.String("cause")), entry("code", codec.Int(1)), entry("properties", codec.List()))),
	}}
	h := objects.Add(oracle.Object{Class: "Downloader", Methods: map[string]oracle.Method{
		"fetch": func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
			return oracle.Reply{}, fmt.Errorf("wrapped: %w", failure)
		},
	}, Keep: true})
	d, err := objects.Descriptor(h)
	require.NoError(t, err)
	r, err := s.CallFunction(ctx, call("transport", d))
	require.NoError(t, err)
	equal(t, codec.List(codec.String("not \xff found"), codec.Int(3), codec.Int(404), codec.String("inherited"), codec.String("cause")), r.Value)

	_, err = s.CallFunction(ctx, call("rethrow", d))
	var back *oracle.Throw
	require.ErrorAs(t, err, &back)
	assert.Equal(t, "TransportException", back.Class)
	equal(t, codec.Array(failure.Properties[:2]...), only(back, "statusCode", "secret"))

	_, err = s.CallFunction(ctx, call("pdo"))
	var pdo *oracle.Throw
	require.ErrorAs(t, err, &pdo)
	assert.Zero(t, pdo.Code)
	equal(t, codec.Array(entry("code", codec.String("HY000")), entry("extra", codec.List(codec.Int(1)))), only(pdo, "code", "extra"))
	previous, _ := codec.Array(pdo.Properties...).Get(codec.StringKey("previous"))
	message, _ := previous.Get(codec.StringKey("message"))
	equal(t, codec.String("root \xff"), message)
}

// only picks properties of a Throw.
func only(t *oracle.Throw, names ...string) codec.Value {
	var es []codec.Entry
	for _, n := range names {
		v, _ := codec.Array(t.Properties...).Get(codec.StringKey(n))
		es = append(es, codec.Entry{Key: codec.StringKey(n), Value: v})
	}
	return codec.Array(es...)
}

// An error that is no Throw is a RuntimeException with its text, and a reply that
// cannot be encoded is one too.
func TestHandlerErrors(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(func(_ context.Context, class string) (string, bool, error) {
		return "", false, errors.New("the disk is gone")
	})
	objects.Serve("reserved", func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
		return oracle.Reply{Value: codec.Array(codec.Entry{Key: codec.StringKey("__rhandle"), Value: codec.Null()})}, nil
	})
	s := begin(t, oracletest.Client(t, oracletest.Best(t), objects), ctx)
	told := func(method string) string {
		v := eval(t, ctx, s, `try { return Phpwire\callRust(0, '`+method+`', ['A']); } catch (RuntimeException $e) { return $e->getMessage(); }`)
		text, _ := v.Text()
		return text
	}
	assert.Equal(t, "the disk is gone", told("__shirabe_find_file"))
	assert.Contains(t, told("reserved"), "__rhandle")
}

// PHP sends while the host does, when it lets go of many stubs: neither waits for
// the other.
func TestBothSend(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	s := begin(t, oracletest.Client(t, oracletest.Best(t), objects), ctx)
	eval(t, ctx, s, `function hold($stubs) { return array_map(function ($s) { return new ArrayObject([$s]); }, $stubs); }`)
	const many = 5000
	var stubs []codec.Value
	for range many {
		d, err := objects.Descriptor(objects.Add(oracle.Object{Class: event}))
		require.NoError(t, err)
		stubs = append(stubs, d)
	}
	r, err := s.CallFunction(ctx, call("hold", codec.List(stubs...)))
	require.NoError(t, err)
	require.Equal(t, many, objects.Held())
	for _, v := range r.Value.Elements() {
		h, _ := v.PhpHandle()
		require.NoError(t, s.ReleasePhpHandle(ctx, h.ID))
	}
	big := codec.String(string(make([]byte, 4<<20)))
	r, err = s.CallFunction(ctx, call("strlen", big))
	require.NoError(t, err)
	equal(t, codec.Int(4<<20), r.Value)
	assert.Zero(t, objects.Held())
}
