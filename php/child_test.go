package php_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
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

// A runtime is a PHP to run the worker on: a WebAssembly version, or the php on PATH.
type runtime struct{ wasm string }

func (r runtime) String() string {
	if r.wasm == "" {
		return "native"
	}
	return "wasm-" + r.wasm
}

// native is the php on PATH.
func native(t *testing.T) runtime {
	t.Helper()
	_, err := exec.LookPath("php")
	require.NoError(t, err, "no php on PATH; on Debian: apt-get install php-cli")
	return runtime{}
}

// everyPHP lists the native php and all installed WebAssembly versions.
func everyPHP(t *testing.T) []runtime {
	t.Helper()
	var all []runtime
	if _, err := exec.LookPath("php"); err == nil {
		all = append(all, runtime{})
	}
	if out, err := exec.Command("node", "wasm/host.mjs", "--list").Output(); err == nil {
		var builds []struct{ Version string }
		require.NoError(t, json.Unmarshal(out, &builds), "%s", out)
		for _, b := range builds {
			all = append(all, runtime{wasm: b.Version})
		}
	}
	require.NotEmpty(t, all, "no PHP at all; on Debian: apt-get install php-cli, or for WebAssembly: npm ci --prefix php/wasm")
	return all
}

// child is a worker under test, and the host's end of its stream.
type child struct {
	t              *testing.T
	cmd            *exec.Cmd
	conn           *net.UnixConn
	stdout, stderr bytes.Buffer
	id             uint64 // of the last call by ask
	rust           uint64 // of the child's last call
	version        int    // PHP_VERSION_ID
	dir            string // that PHP can read
	finished       bool
}

// start runs the embedded worker.
func start(t *testing.T, r runtime) *child {
	t.Helper()
	dir := t.TempDir()
	worker, err := php.Write(dir)
	require.NoError(t, err)
	c := &child{t: t, id: 1, dir: dir}
	args := []string{"-n", "-d", "serialize_precision=-1", "-d", "memory_limit=2G", "-d", "display_errors=stderr", worker}
	if r.wasm != "" {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		require.NoError(t, err)
		ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
		defer theirs.Close()
		conn, err := net.FileConn(ours)
		require.NoError(t, err)
		require.NoError(t, ours.Close())
		c.conn = conn.(*net.UnixConn)
		c.cmd = exec.Command("node", append(append([]string{"wasm/host.mjs", r.wasm}, args...), "/dev/wire")...)
		c.cmd.ExtraFiles = []*os.File{theirs}
		c.run()
	} else {
		socket := filepath.Join(dir, "s")
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
		require.NoError(t, err)
		defer listener.Close()
		require.NoError(t, listener.SetDeadline(time.Now().Add(30*time.Second)))
		c.cmd = exec.Command("php", append(args, "unix://"+socket)...)
		c.run()
		c.conn, err = listener.AcceptUnix()
		require.NoError(t, err, "%s", &c.stderr)
	}
	return c
}

func (c *child) run() {
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	require.NoError(c.t, c.cmd.Start())
	c.t.Cleanup(func() { c.end() })
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

// serves receives a call to the host, which must be this one, and gives its id.
func (c *child) serves(fields ...string) uint64 {
	c.t.Helper()
	c.rust += 2
	c.expect(callRustMethod, c.rust, fields...)
	return c.rust
}

// handle is the number of the object in a payload.
func (c *child) handle(payload string) int {
	c.t.Helper()
	m := regexp.MustCompile(`"__phandle";i:(\d+);`).FindStringSubmatch(payload)
	require.NotNil(c.t, m, payload)
	id, err := strconv.Atoi(m[1])
	require.NoError(c.t, err)
	return id
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
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(60*time.Second)))
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
