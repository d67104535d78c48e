package oracle_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// The scenarios in whose midst a child is killed. Each goes on until it fails.
var scenarios = map[string]func(ctx context.Context, s *oracle.Session) error{
	"short calls": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("strlen", codec.String("x")))
		return err
	}),
	"one long call": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("usleep", codec.Int(3_600_000_000)))
		return err
	}),
	"large frames to PHP": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("strlen", codec.String(large)))
		return err
	}),
	"large frames from PHP": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("str_repeat", codec.String("x"), codec.Int(int64(len(large)))))
		return err
	}),
	"nested calls": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("__shirabe_eval", codec.String(`return Phpwire\callRust(0, 'nest', [25]);`)))
		return err
	}),
	"a handler that takes its time": forever(func(ctx context.Context, s *oracle.Session) error {
		_, err := s.CallFunction(ctx, call("__shirabe_eval", codec.String(`return Phpwire\callRust(0, 'think');`)))
		return err
	}),
	"objects": forever(func(ctx context.Context, s *oracle.Session) error {
		r, err := s.NewObject(ctx, "ArrayObject")
		if err != nil {
			return err
		}
		h, _ := r.Value.PhpHandle()
		_, err = s.CallPhpMethod(ctx, h.ID, call("count"))
		if err != nil {
			return err
		}
		return s.ReleasePhpHandle(ctx, h.ID)
	}),
	"one-way frames": forever(func(ctx context.Context, s *oracle.Session) error { return s.BumpEpoch(ctx, 1, 1) }),
}

var large = strings.Repeat("0123456789abcdef", 16<<20/16)

func forever(step func(context.Context, *oracle.Session) error) func(context.Context, *oracle.Session) error {
	return func(ctx context.Context, s *oracle.Session) error {
		for {
			if err := step(ctx, s); err != nil {
				return err
			}
		}
	}
}

// Killing the child at any point of any scenario gives the fatal error, in far
// less than a second, and the next session works.
func TestKilledAnywhere(t *testing.T) {
	ctx := oracletest.Context(t, 5*time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	objects.Serve("nest", func(ctx context.Context, s *oracle.Session, call_ oracle.Call) (oracle.Reply, error) {
		n, _ := call_.Args[0].Int()
		if n == 0 {
			return oracle.Reply{}, nil
		}
		code := codec.String(`return Phpwire\callRust(0, 'nest', [` + codec.Int(n-1).String() + `]);`)
		return s.CallFunction(ctx, call("__shirabe_eval", code))
	})
	objects.Serve("think", func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
		time.Sleep(5 * time.Millisecond)
		return oracle.Reply{}, nil
	})
	var took []time.Duration
	for name, scenario := range scenarios {
		for range 4 {
			s, err := c.Begin(ctx)
			require.NoError(t, err, name)
			_, err = s.CallFunction(ctx, call("strlen", codec.String("the session works")))
			require.NoError(t, err, name)
			killed := make(chan time.Time, 1)
			time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() {
				killed <- time.Now()
				_ = syscall.Kill(s.Pid(), syscall.SIGKILL)
			})
			err = scenario(ctx, s)
			took = append(took, time.Since(<-killed))
			var fatal *oracle.FatalError
			require.ErrorAs(t, err, &fatal, name)
			assert.Equal(t, syscall.SIGKILL, fatal.Signal, "%s: %v", name, err)
			_, err = s.CallFunction(ctx, call("strlen", codec.String("x")))
			require.ErrorAs(t, err, &fatal, "%s: the session stays lost", name)
			s.End()
		}
	}
	_, err := c.PHPVersion(ctx)
	require.NoError(t, err)
	slices.Sort(took)
	t.Logf("from the kill to the error: median %v, slowest %v", took[len(took)/2], took[len(took)-1])
	// The machine may be busy: that not one of them waits is seen by the median.
	assert.Less(t, took[len(took)/2], time.Second)
	assert.Less(t, took[len(took)-1], 20*time.Second)
}

// A child that is killed while nobody has a session is replaced before the next.
func TestKilledWhileIdle(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	for range 5 {
		s, err := c.Begin(ctx)
		require.NoError(t, err)
		pid := s.Pid()
		s.End()
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		require.Eventually(t, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH }, 30*time.Second, time.Millisecond)
		_, err = c.PHPVersion(ctx)
		require.NoError(t, err)
	}
}
