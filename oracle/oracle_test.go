package oracle_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// each runs a test on every PHP at hand.
func each(t *testing.T, test func(*testing.T, *oracle.Client, context.Context)) {
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			test(t, oracletest.Client(t, r, nil), oracletest.Context(t, 3*time.Minute))
		})
	}
}

func TestCalls(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		v, err := c.CallFunction(ctx, "strrev", codec.String("\xffab"))
		require.NoError(t, err)
		assert.Equal(t, codec.String("ba\xff").String(), v.String())

		v, err = c.CallStaticMethod(ctx, "DateTimeZone", "listAbbreviations")
		require.NoError(t, err)
		assert.Equal(t, codec.KindArray, v.Kind())

		version, err := c.PHPVersion(ctx)
		require.NoError(t, err)
		assert.Equal(t, c.Runtime().Version, version)
		has, err := c.HasConstant(ctx, "PHP_INT_MAX")
		require.NoError(t, err)
		assert.True(t, has)
		has, err = c.HasConstant(ctx, "NO_SUCH_CONSTANT")
		require.NoError(t, err)
		assert.False(t, has)
		v, err = c.Constant(ctx, "PHP_INT_MAX")
		require.NoError(t, err)
		assert.True(t, v.Equal(codec.Int(math.MaxInt64)), "%v", v)
		packed, ok, err := c.InetPton(ctx, "127.0.0.1")
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, "\x7f\x00\x00\x01", string(packed))
		_, ok, err = c.InetPton(ctx, "nowhere")
		require.NoError(t, err)
		assert.False(t, ok)
		has, err = c.HasExtension(ctx, "json")
		require.NoError(t, err)
		assert.True(t, has)
		_, ok, err = c.ExtensionVersion(ctx, "json")
		require.NoError(t, err)
		assert.True(t, ok)
		text, err := c.Info(ctx, 1)
		require.NoError(t, err)
		assert.Contains(t, text, version)
		v, err = c.Diagnose(ctx)
		require.NoError(t, err)
		assert.NotZero(t, v.Len())
		facts, err := c.Facts(ctx)
		require.NoError(t, err)
		assert.Equal(t, 64, facts.IntBits)
		assert.Contains(t, facts.Extensions, "json")
	})
}

func TestThrows(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		for call, err := range map[string]func() (codec.Value, error){
			"an unknown function": func() (codec.Value, error) { return c.CallFunction(ctx, "no_such_function") },
			"an unknown class":    func() (codec.Value, error) { return c.CallStaticMethod(ctx, "NoSuchClass", "m") },
			"an unknown method":   func() (codec.Value, error) { return c.CallStaticMethod(ctx, "DateTime", "noSuchMethod") },
			"an unknown constant": func() (codec.Value, error) { return c.Constant(ctx, "NO_SUCH_CONSTANT") },
			"an exception": func() (codec.Value, error) {
				return c.CallFunction(ctx, "__shirabe_eval", codec.String(`throw new LogicException("no");`))
			},
		} {
			_, err := err()
			var throw *oracle.Throw
			require.ErrorAs(t, err, &throw, call)
			assert.NotEmpty(t, throw.Class)
			assert.NotEmpty(t, throw.Message)
		}
		_, err := c.CallFunction(ctx, "strlen", codec.String("still there"))
		require.NoError(t, err)
	})
}

func TestQuestions(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		answers, err := c.Reserialize(ctx, [][]byte{[]byte(`i:5;`), []byte(`a:1:{s:1:"5";d:1.0;}`), []byte(`x`), []byte(`i:9223372036854775808;`), []byte(`b:0;`)})
		require.NoError(t, err)
		require.Len(t, answers, 5)
		assert.Equal(t, oracle.Answer{Accepted: true, Bytes: []byte(`i:5;`)}, answers[0])
		assert.Equal(t, oracle.Answer{Accepted: true, Bytes: []byte(`a:1:{i:5;d:1;}`)}, answers[1])
		assert.False(t, answers[2].Accepted)
		assert.Contains(t, strings.Join(answers[2].Warnings, "\n"), "Error at offset 0 of 1 bytes")
		assert.True(t, answers[3].Accepted)
		assert.Len(t, answers[3].Warnings, 1, "the text differs: ERANGE has another name in WebAssembly")
		assert.False(t, answers[3].Clean())
		assert.True(t, answers[4].Clean())

		answers, err = c.Describe(ctx, [][]byte{[]byte(`a:2:{s:1:"5";d:.5;i:7;a:1:{i:0;N;}}`), []byte(`O:1:"A":0:{}`), []byte(`i:`)})
		require.NoError(t, err)
		assert.Equal(t, `{"t":"array","v":[[{"int":"5"},{"t":"float","bits":"3fe0000000000000"}],[{"int":"7"},{"t":"list","v":[{"t":"null"}]}]]}`, string(answers[0].Bytes))
		assert.Contains(t, string(answers[1].Bytes), `"other"`)
		assert.False(t, answers[2].Accepted)

		answers, err = c.Build(ctx, [][]byte{[]byte(`{"t":"array","v":[[{"b64":"NQ=="},{"t":"float","bits":"7ff8000000000000"}]]}`), []byte(`{"t":"nonsense"}`)})
		require.NoError(t, err)
		assert.Equal(t, `a:1:{i:5;d:NAN;}`, string(answers[0].Bytes))
		assert.False(t, answers[1].Accepted)
		assert.NotEmpty(t, answers[1].Warnings)

		texts, err := c.Floats(ctx, []float64{0.1, 1e25, math.Inf(-1), math.Copysign(0, -1)}, -1)
		require.NoError(t, err)
		assert.Equal(t, "0.1 1.0E+25 -INF -0", string(joinBytes(texts)))
		texts, err = c.Floats(ctx, []float64{0.1}, 17)
		require.NoError(t, err)
		assert.Equal(t, "0.10000000000000001", string(joinBytes(texts)))
		fs, err := c.ParseFloats(ctx, [][]byte{[]byte("1e400"), []byte("-.0"), []byte("NAN")})
		require.NoError(t, err)
		assert.Equal(t, []uint64{math.Float64bits(math.Inf(1)), 1 << 63, 0x7ff8000000000000},
			[]uint64{math.Float64bits(fs[0]), math.Float64bits(fs[1]), math.Float64bits(fs[2])})
		_, err = c.ParseFloats(ctx, [][]byte{[]byte("x")})
		require.Error(t, err)
	})
}

func joinBytes(texts [][]byte) []byte {
	var all []byte
	for i, t := range texts {
		if i > 0 {
			all = append(all, ' ')
		}
		all = append(all, t...)
	}
	return all
}

// A batch of more than one frame comes back whole and in order.
func TestLargeBatch(t *testing.T) {
	c := oracletest.Client(t, oracletest.Best(t), nil)
	payloads := make([][]byte, 25_000)
	for i := range payloads {
		payloads[i], _ = codec.Encode(codec.Int(int64(i)))
	}
	answers, err := c.Reserialize(oracletest.Context(t, time.Minute), payloads)
	require.NoError(t, err)
	require.Len(t, answers, len(payloads))
	for i := range payloads {
		require.Equal(t, string(payloads[i]), string(answers[i].Bytes))
	}
}

// Whatever ends a child is a fatal error that says how, and the next call gets a
// new child.
func TestFatalErrors(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		for how, want := range map[string]struct {
			status int
			text   string
		}{
			"exit":       {3, "exit status 3"},
			"memory":     {255, "emory"}, // PHP's limit is exhausted, or WebAssembly is out of memory
			"half-frame": {0, "exit status 0"},
		} {
			_, err := c.CallFunction(ctx, "__phpwire_misbehave", codec.String(how))
			var fatal *oracle.FatalError
			require.ErrorAs(t, err, &fatal, how)
			assert.Equal(t, want.status, fatal.Status, "%v", err)
			assert.Contains(t, err.Error(), want.text)
			assert.Contains(t, err.Error(), c.Runtime().Name())
			_, err = c.PHPVersion(ctx)
			require.NoError(t, err, "after %s", how)
		}

		_, err := c.CallFunction(ctx, "__phpwire_misbehave", codec.String("garbage"))
		var broken *frames.Error
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, frames.TooLong, broken.Kind)

		v, err := c.CallFunction(ctx, "__phpwire_misbehave", codec.String("stdout"))
		require.NoError(t, err, "what goes to stdout disturbs nothing")
		assert.True(t, v.Equal(codec.Bool(true)))

		short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err = c.CallFunction(short, "__phpwire_misbehave", codec.String("sleep"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		var fatal *oracle.FatalError
		require.ErrorAs(t, err, &fatal)
		assert.True(t, fatal.Killed)
		assert.Less(t, time.Since(began), 30*time.Second, "it sleeps for an hour")
		_, err = c.PHPVersion(ctx)
		require.NoError(t, err)

		// Killed from outside, between two calls.
		v, err = c.CallFunction(ctx, "getmypid")
		require.NoError(t, err)
		if pid, _ := v.Int(); c.Runtime().Kind == oracle.Native {
			require.NoError(t, syscall.Kill(int(pid), syscall.SIGKILL))
			if _, err = c.PHPVersion(ctx); err != nil { // its death may be noticed now, or have been before
				require.ErrorAs(t, err, &fatal)
				assert.Equal(t, syscall.SIGKILL, fatal.Signal, "%v", err)
			}
			_, err = c.PHPVersion(ctx)
			require.NoError(t, err)
		}
	})
}

func TestKilledInACall(t *testing.T) {
	c := oracletest.Client(t, oracletest.Best(t), nil)
	_, err := c.CallFunction(oracletest.Context(t, time.Minute), "__phpwire_misbehave", codec.String("kill"))
	var fatal *oracle.FatalError
	require.ErrorAs(t, err, &fatal)
	if fatal.Signal != 0 {
		assert.Equal(t, syscall.SIGKILL, fatal.Signal)
		assert.Contains(t, err.Error(), "signal 9")
	} else {
		assert.Equal(t, 137, fatal.Status)
	}
}

func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	dies := filepath.Join(dir, "dies")
	require.NoError(t, os.WriteFile(dies, []byte("#!/bin/sh\necho broken build >&2\nexit 9\n"), 0o700))
	_, err := oracle.NewClient(oracle.Runtime{Version: "0.0.0", Kind: oracle.Native, Path: dies}, nil).PHPVersion(t.Context())
	var fatal *oracle.FatalError
	require.ErrorAs(t, err, &fatal)
	assert.Equal(t, 9, fatal.Status)
	assert.Contains(t, err.Error(), "broken build")

	sleeps := filepath.Join(dir, "sleeps")
	require.NoError(t, os.WriteFile(sleeps, []byte("#!/bin/sh\nsleep 1000 & wait\n"), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = oracle.NewClient(oracle.Runtime{Version: "0.0.0", Kind: oracle.Native, Path: sleeps}, nil).PHPVersion(ctx)
	require.ErrorAs(t, err, &fatal)
	assert.True(t, errors.Is(err, context.DeadlineExceeded), "%v", err)

	_, err = oracle.NewClient(oracle.Runtime{Version: "0.0.0", Kind: oracle.Native, Path: filepath.Join(dir, "nothing")}, nil).PHPVersion(t.Context())
	require.ErrorContains(t, err, "does not start")
}

// 200 MiB cross to PHP and back in one frame.
func TestLargePayload(t *testing.T) {
	c := oracletest.Client(t, oracletest.Best(t), nil)
	big := strings.Repeat("0123456789abcdef", 200<<20/16)
	v, err := c.CallFunction(oracletest.Context(t, time.Minute), "__phpwire_echo", codec.String(big))
	require.NoError(t, err)
	text, _ := v.Text()
	assert.True(t, text == big)

	_, err = c.CallFunction(oracletest.Context(t, time.Minute), "strlen", codec.String(strings.Repeat("x", frames.MaxLength)))
	var e *frames.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, frames.TooLong, e.Kind)
	_, err = c.PHPVersion(t.Context())
	require.NoError(t, err, "a frame that was never sent ends nothing")
}

func TestNothingStays(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	stale := filepath.Join(temp, "phpwire-999999999-x")
	require.NoError(t, os.Mkdir(stale, 0o700))
	c := oracle.NewClient(oracletest.Best(t), nil)
	v, err := c.CallFunction(t.Context(), "getmypid")
	require.NoError(t, err)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	for _, e := range left {
		assert.NotContains(t, e.Name(), "phpwire-"+itoa(os.Getpid()), "the folder goes once the child runs")
	}
	c.Close()
	pid, _ := v.Int()
	assert.Equal(t, syscall.ESRCH, syscall.Kill(int(pid), 0), "the child is ended and reaped")
	_, err = c.PHPVersion(t.Context())
	assert.ErrorIs(t, err, oracle.ErrClosed)
}

func itoa(n int) string { return codec.Int(int64(n)).String() }

func TestSelect(t *testing.T) {
	f := oracle.Found{PHPs: []oracle.Runtime{
		{Version: "8.2.1", Kind: oracle.Native, Path: "/usr/bin/php"},
		{Version: "7.4.33", Kind: oracle.Wasm}, {Version: "8.2.33", Kind: oracle.Wasm}, {Version: "8.10.0", Kind: oracle.Wasm},
	}}
	for selection, want := range map[string]string{
		"": "8.2.1 native", "all": "8.2.1 native, 7.4.33 wasm, 8.2.33 wasm, 8.10.0 wasm", "wasm": "7.4.33 wasm, 8.2.33 wasm, 8.10.0 wasm",
		"8.2": "8.2.1 native, 8.2.33 wasm", "8.2 wasm": "8.2.33 wasm", "7.4, 8.2.1": "7.4.33 wasm, 8.2.1 native",
	} {
		picked, err := f.Select(t.Context(), selection)
		require.NoError(t, err, selection)
		var names []string
		for _, r := range picked {
			names = append(names, r.Name())
		}
		assert.Equal(t, want, strings.Join(names, ", "), selection)
	}
	_, err := f.Select(t.Context(), "5.6")
	require.ErrorIs(t, err, oracle.ErrNoPHP)
	_, err = oracle.Found{Missing: []oracle.Missing{{What: "a native PHP", Why: "none", Get: "apt-get install php-cli"}}}.Select(t.Context(), "")
	require.ErrorContains(t, err, "apt-get install php-cli")
	_, err = f.Select(t.Context(), "/bin/true")
	require.ErrorContains(t, err, "is no PHP")
}
