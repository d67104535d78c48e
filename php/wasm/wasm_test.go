package wasm_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/php/wasm"
)

const (
	echoesUntilTheEnd = 5
	cannotWrite       = 6
)

type build struct {
	Version        string
	PHP            string
	Package        string
	PackageVersion string
	Loadable       bool
}

// installed lists the versions to test, and fails when there is none.
func installed(t *testing.T) []build {
	t.Helper()
	_, err := exec.LookPath("node")
	require.NoError(t, err, "Node 20 or later runs these tests; on Debian: apt-get install nodejs npm")
	out, err := exec.Command("node", "host.mjs", "--list").Output()
	require.NoError(t, err)
	var builds []build
	require.NoError(t, json.Unmarshal(out, &builds), "%s", out)
	require.NotEmpty(t, builds, "no PHP for WebAssembly is installed; this installs all: npm ci --prefix php/wasm")
	return builds
}

// everyVersion runs a test once for every installed version.
func everyVersion(t *testing.T, test func(t *testing.T, b build)) {
	for _, b := range installed(t) {
		t.Run(b.Version, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// oneVersion is the newest installed version, for what is the host's doing and no PHP's.
func oneVersion(t *testing.T) build {
	builds := installed(t)
	return builds[len(builds)-1]
}

// child is a running host with testdata/echo.php inside.
type child struct {
	*exec.Cmd
	wire           *net.UnixConn
	stdout, stderr *bytes.Buffer
	hello          map[string]any
}

func start(t *testing.T, b build, change ...func(*exec.Cmd)) *child {
	t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	conn, err := net.FileConn(ours)
	require.NoError(t, err)
	require.NoError(t, ours.Close())

	c := &child{wire: conn.(*net.UnixConn), stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	c.Cmd = exec.Command("node", "host.mjs", b.Version, "-n", "-d", "serialize_precision=-1", "-d", "memory_limit=1G",
		"-d", "display_errors=stderr", "testdata/echo.php", "/dev/wire", "-x", "two words")
	c.Stdout, c.Stderr = c.stdout, c.stderr
	c.ExtraFiles = []*os.File{theirs}
	c.Env = append(os.Environ(), "PHPWIRE_TEST=seen")
	for _, f := range change {
		f(c.Cmd)
	}
	require.NoError(t, c.Start())
	require.NoError(t, theirs.Close())
	t.Cleanup(func() {
		_ = c.wire.Close()
		if c.ProcessState == nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	require.NoError(t, c.wire.SetDeadline(time.Now().Add(time.Minute)))
	hello, err := c.receive()
	require.NoError(t, err, "stderr: %s", c.stderr)
	require.NoError(t, json.Unmarshal(hello, &c.hello))
	return c
}

func frame(message []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(message))), message...)
}

func (c *child) send(message []byte) error {
	_, err := c.wire.Write(frame(message))
	return err
}

func (c *child) receive() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(c.wire, length[:]); err != nil {
		return nil, err
	}
	message := make([]byte, binary.LittleEndian.Uint32(length[:]))
	_, err := io.ReadFull(c.wire, message)
	return message, err
}

func (c *child) echoes(t *testing.T, message []byte) {
	t.Helper()
	require.NoError(t, c.send(message))
	back, err := c.receive()
	require.NoError(t, err, "stderr: %s", c.stderr)
	require.True(t, bytes.Equal(message, back), "%d bytes went in, %d other bytes came back", len(message), len(back))
}

// status waits for the process to end.
func (c *child) status(t *testing.T) int {
	t.Helper()
	watchdog := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer watchdog.Stop()
	if err := c.Wait(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return c.ProcessState.ExitCode()
}

func TestPHPIsTheVersionAskedFor(t *testing.T) {
	everyVersion(t, func(t *testing.T, b build) {
		assert.True(t, b.Loadable)
		assert.True(t, strings.HasPrefix(b.PHP, b.Version+"."), b.PHP)
		script, err := filepath.Abs("testdata/echo.php")
		require.NoError(t, err)
		assert.Equal(t, map[string]any{
			"php":       b.PHP,
			"int_size":  8.0,
			"precision": "-1",
			"memory":    "1G",
			"args":      []any{"-x", "two words"},
			"file":      script,
			"below":     "from below",
			"env":       "seen",
		}, start(t, b).hello)
	})
}

func TestMessagesCrossUnharmed(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	large := make([]byte, 10<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(large)
	everyVersion(t, func(t *testing.T, b build) {
		c := start(t, b)
		c.echoes(t, nil)
		c.echoes(t, all)
		c.echoes(t, large)

		// What PHP has read ahead must survive its next write.
		_, err := c.wire.Write(bytes.Join([][]byte{frame([]byte("one")), frame(all), frame(nil), frame([]byte("two"))}, nil))
		require.NoError(t, err)
		for _, want := range []string{"one", string(all), "", "two"} {
			got, err := c.receive()
			require.NoError(t, err)
			require.Equal(t, want, string(got))
		}

		require.NoError(t, c.wire.CloseWrite())
		assert.Equal(t, echoesUntilTheEnd, c.status(t))
		assert.Equal(t, "printed\x00raw\n", c.stdout.String())
		assert.Empty(t, c.stderr.String())
	})
}

func TestDeepNestingPassesAndTooDeepIsACrashThatIsTold(t *testing.T) {
	everyVersion(t, func(t *testing.T, b build) {
		c := start(t, b)
		for _, depth := range []string{"deep:512", "deep:4096", "deep:10000"} {
			require.NoError(t, c.send([]byte(depth)))
			answer, err := c.receive()
			require.NoError(t, err, "%s, stderr: %s", depth, c.stderr)
			assert.Equal(t, "same", string(answer), depth)
		}
		require.NoError(t, c.send([]byte("deep:1000000")))
		assert.Equal(t, 134, c.status(t))
		assert.Equal(t, "phpwire wasm: PHP crashed: RangeError: Maximum call stack size exceeded\n", c.stderr.String())
	})
}

func TestUncaughtExceptionIsOnStderr(t *testing.T) {
	everyVersion(t, func(t *testing.T, b build) {
		c := start(t, b)
		require.NoError(t, c.send([]byte("throw")))
		assert.Equal(t, 255, c.status(t))
		assert.Contains(t, c.stderr.String(), "Uncaught DomainException: bäd in "+c.hello["file"].(string))
	})
}

func TestPHPLearnsThatNobodyReads(t *testing.T) {
	c := start(t, oneVersion(t))
	require.NoError(t, c.send(make([]byte, 4<<20)))
	require.NoError(t, c.wire.Close())
	assert.Equal(t, cannotWrite, c.status(t))
}

func TestUnreadBytesAtTheEndAreAnEndToo(t *testing.T) {
	c := start(t, oneVersion(t))
	// A socket that is closed with bytes unread resets the connection.
	require.NoError(t, c.send([]byte("never read")))
	_, err := c.wire.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, c.wire.Close())
	assert.Equal(t, echoesUntilTheEnd, c.status(t))
	assert.Empty(t, c.stderr.String())
}

func TestNonBlockingDescriptorWorks(t *testing.T) {
	var same int // shares its mode with the descriptor that the child gets
	c := start(t, oneVersion(t), func(cmd *exec.Cmd) {
		var err error
		same, err = syscall.Dup(int(cmd.ExtraFiles[0].Fd()))
		require.NoError(t, err)
		syscall.CloseOnExec(same)
	})
	require.NoError(t, syscall.SetNonblock(same, true))
	require.NoError(t, syscall.Close(same))
	c.echoes(t, []byte("the read that was under way"))
	large := bytes.Repeat([]byte("much"), 1<<20)
	require.NoError(t, c.send(large))
	time.Sleep(200 * time.Millisecond) // until PHP cannot write on
	back, err := c.receive()
	require.NoError(t, err)
	assert.True(t, bytes.Equal(large, back))
}

func TestKilledHostLeavesNothingBehind(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			c := start(t, oneVersion(t))
			require.NoError(t, c.Process.Signal(signal))
			assert.Equal(t, -1, c.status(t))
			assert.Equal(t, signal, c.ProcessState.Sys().(syscall.WaitStatus).Signal())
			// The stream ends only when no process holds its other end any more.
			_, err := c.receive()
			assert.True(t, errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET), "%v", err)
		})
	}
}

func TestWrongUseIsToldInOneLine(t *testing.T) {
	empty := t.TempDir()
	script := "testdata/echo.php"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"8.4", script}, "PHP 8.4 for WebAssembly is not installed in " + empty +
			"; this installs it: npm install --prefix " + empty + " @php-wasm/node-8-4@3.1.56"},
		{[]string{"5.6", script}, "there is no PHP 5.6 for WebAssembly, only 7.2 to 8.5"},
		{[]string{"8.4"}, "usage: "},
		{[]string{}, "usage: "},
		{[]string{"8.4", "-z", script}, "option -z is not understood"},
	} {
		cmd := exec.Command("node", append([]string{"host.mjs"}, test.args...)...)
		cmd.Env = append(os.Environ(), "PHPWIRE_WASM="+empty)
		out, err := cmd.CombinedOutput()
		require.ErrorAs(t, err, new(*exec.ExitError))
		assert.Equal(t, 2, cmd.ProcessState.ExitCode())
		assert.Contains(t, string(out), "phpwire wasm: "+test.want)
		assert.Equal(t, 1, bytes.Count(out, []byte("\n")), "%s", out)
	}
}

func TestMissingScriptIsTold(t *testing.T) {
	out, err := exec.Command("node", "host.mjs", oneVersion(t).Version, "testdata/none.php").CombinedOutput()
	require.ErrorAs(t, err, new(*exec.ExitError))
	assert.Equal(t, "phpwire wasm: cannot open testdata/none.php: ENOENT\n", string(out))
}

func TestEmbeddedHostRunsFromAnyFolder(t *testing.T) {
	packages, err := filepath.Abs(".")
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, wasm.Files))
	c := start(t, oneVersion(t), func(cmd *exec.Cmd) {
		cmd.Args[1] = filepath.Join(folder, "host.mjs")
		cmd.Env = append(cmd.Env, "PHPWIRE_WASM="+packages)
	})
	c.echoes(t, []byte("hello"))
}

func TestLockNamesNoRegistry(t *testing.T) {
	lock, err := fs.ReadFile(wasm.Files, "package-lock.json")
	require.NoError(t, err)
	assert.NotContains(t, string(lock), "://")
}
