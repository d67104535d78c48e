package ports

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"phpwire/ports/port"
)

// maxLine is the longest answer that is read, in bytes. The largest inputs of the
// corpus have answers of less than a tenth of it.
const maxLine = 64 << 20

// tailBytes is how much of a port's standard error is kept.
const tailBytes = 4 << 10

// process is one running copy of a port, in a process group of its own.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	in     *bufio.Reader // of stdout
	stderr tail
	exited chan struct{}

	mu   sync.Mutex
	over string // why we ended it, if we did
}

// startProcess starts a command of the shell.
func startProcess(command string) (*process, error) {
	fromUs, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer fromUs.Close()
	stdout, toUs, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	defer toUs.Close()
	p := &process{cmd: exec.Command("sh", "-c", command), stdin: stdin, stdout: stdout, in: bufio.NewReaderSize(stdout, 64<<10), exited: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = fromUs, toUs, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second // a grandchild may hold standard error
	if err := p.cmd.Start(); err != nil {
		stdin.Close()
		stdout.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // ProcessState has the outcome
		close(p.exited)
	}()
	return p, nil
}

// group is the process group of the port.
func (p *process) group() int { return p.cmd.Process.Pid }

// kill ends the whole group. The first reason that is given stays, unless the port
// has ended by itself.
func (p *process) kill(why string) {
	select {
	case <-p.exited: // what it started may still be there
	default:
		p.mu.Lock()
		if p.over == "" {
			p.over = why
		}
		p.mu.Unlock()
	}
	_ = syscall.Kill(-p.group(), syscall.SIGKILL) // it may be gone
}

// end closes the port's standard input, gives it a moment to leave, and ends it.
func (p *process) end() {
	p.stdin.Close()
	select {
	case <-p.exited:
	case <-time.After(200 * time.Millisecond):
	}
	p.kill("ended, for it went on without standard output") // also what it started
	<-p.exited
	p.stdout.Close()
}

// death tells how the port ended; it waits for that.
func (p *process) death() string {
	<-p.exited
	p.mu.Lock()
	over := p.over
	p.mu.Unlock()
	how := over
	if how == "" {
		how = p.cmd.ProcessState.String()
		// The shell tells the signal that ended its command so.
		if status := p.cmd.ProcessState.ExitCode(); status > 128 {
			how += " (" + syscall.Signal(status-128).String() + ")"
		}
	}
	if text := strings.TrimSpace(p.stderr.String()); text != "" {
		how += "; stderr: " + text
	}
	return how
}

// errNoise says that the port wrote what is no answer, errTimeout that it did not
// answer in time, errDied that it ended.
var (
	errNoise   = errors.New("garbage")
	errTimeout = errors.New("no answer in time")
	errDied    = errors.New("ended")
)

// roundTrip sends a line and reads one, until the deadline. Whatever the error,
// the process is of no use any more.
func (p *process) roundTrip(line []byte, deadline time.Time) ([]byte, error) {
	if p.in.Buffered() > 0 {
		return nil, fmt.Errorf("%w: it writes without being asked: %s", errNoise, p.pending())
	}
	if err := p.write(line, deadline); err != nil {
		return nil, err
	}
	_ = p.stdout.SetReadDeadline(deadline)
	answer, err := p.readLine()
	switch {
	case err == nil && p.in.Buffered() > 0:
		return nil, fmt.Errorf("%w: more than one line: %s", errNoise, p.pending())
	case err == nil:
		return answer, nil
	case errors.Is(err, errNoise):
		return nil, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		if len(answer) > 0 {
			return nil, fmt.Errorf("%w; it wrote %s without an end of the line", errTimeout, port.Brief(answer))
		}
		return nil, errTimeout
	case len(answer) > 0:
		return nil, fmt.Errorf("%w in the middle of its answer %s", errDied, port.Brief(answer))
	}
	return nil, errDied
}

func (p *process) write(line []byte, deadline time.Time) error {
	_ = p.stdin.SetWriteDeadline(deadline)
	_, err := p.stdin.Write(line)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		// One that floods its standard output does not read either.
		_ = p.stdout.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if b, _ := p.in.Peek(1); len(b) > 0 {
			return fmt.Errorf("%w: it writes and does not read: %s", errNoise, p.pending())
		}
		return fmt.Errorf("%w: it does not read the question", errTimeout)
	}
	return errDied
}

func (p *process) pending() string {
	b, _ := p.in.Peek(p.in.Buffered())
	return port.Brief(b)
}

// readLine reads a line without its end. On an error it returns what came.
func (p *process) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := p.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case len(line) > maxLine:
			return nil, fmt.Errorf("%w: a line of more than %d bytes: %s", errNoise, maxLine, port.Brief(line))
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return line, err
		}
	}
}

// tail is a writer that keeps the last bytes.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-tailBytes):]...)
	if extra := len(t.kept) - tailBytes; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
