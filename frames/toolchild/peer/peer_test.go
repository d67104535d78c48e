package peer

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

func start(t *testing.T, role Role, faults ...string) *Peer {
	t.Helper()
	command, err := Install(t.TempDir())
	require.NoError(t, err)
	p, err := Start(Options{Command: command, Role: role, Root: t.TempDir(), Generation: 1, Faults: faults})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// A missing Node is an error that says what installs it.
func TestInstallWithoutNode(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := Install(t.TempDir())
	missing := new(MissingError)
	require.ErrorAs(t, err, &missing)
	assert.EqualError(t, err, "node is not installed; apt-get install nodejs installs it")
}

func TestAPeerThatDoesNotStartSaysWhy(t *testing.T) {
	p := start(t, Child, "no-such-fault")
	assert.ErrorContains(t, p.Greet(10*time.Second), "no fault is called no-such-fault")
	assert.Equal(t, 2, p.Close())
}

func TestTimeoutAndEnd(t *testing.T) {
	p := start(t, Server)
	require.NoError(t, p.Greet(10*time.Second))
	_, err := p.Receive(time.Millisecond)
	silent := new(TimeoutError)
	require.ErrorAs(t, err, &silent)
	require.NoError(t, p.SendBytes([]byte("\xff\xff\xff\xff")))
	_, err = p.Receive(10 * time.Second)
	assert.ErrorIs(t, err, io.EOF)
	assert.Equal(t, 2, p.Close())
	assert.Contains(t, p.Stderr(), "a frame of 4294967295 bytes")
}

// What a peer sends is judged: this side takes nothing that is no message.
func TestWhatAPeerSendsIsJudged(t *testing.T) {
	for program, code := range map[string]toolchild.Code{
		`printf '\0\0\0\2{}'`:                               toolchild.Refused,
		`printf '\0\0\0\23{"type":"shutdown"}'`:             toolchild.WrongDirection,
		`printf '\1\0\0\1'`:                                 toolchild.Oversize,
		`printf '\0\0'`:                                     toolchild.Truncated,
		`echo this is no frame at all; exec cat >/dev/null`: toolchild.Oversize,
	} {
		p, err := Start(Options{Command: []string{"sh", "-c", program}, Role: Child, Root: t.TempDir()})
		require.NoError(t, err)
		failure := new(toolchild.Error)
		_, err = p.Receive(10 * time.Second)
		if assert.ErrorAs(t, err, &failure, program) {
			assert.Equal(t, code, failure.Code, program)
		}
		p.Kill()
	}
}

// Messages that are not awaited keep, in their order.
func TestAwaitKeepsTheOthers(t *testing.T) {
	p := start(t, Child)
	require.NoError(t, p.Greet(10*time.Second))
	first, err := p.Ask("echo", 1, nil)
	require.NoError(t, err)
	second, err := p.Ask("echo", 2, nil)
	require.NoError(t, err)
	reply, err := p.Answer(10*time.Second, second)
	require.NoError(t, err)
	assert.Equal(t, "2", string(reply.Value))
	message, err := p.Receive(10 * time.Second)
	require.NoError(t, err)
	assert.Equal(t, first, message.Text("jobId"))
}
