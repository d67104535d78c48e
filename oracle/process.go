package oracle

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// How long things may take that no caller sets a deadline for.
const (
	startTimeout = 30 * time.Second // a child must connect within
	endTimeout   = 2 * time.Second  // a child must exit within, when its stream has ended
)

// process is a running child and its end of the stream.
type process struct {
	php    string
	cmd    *exec.Cmd
	conn   *net.UnixConn
	stderr tail
	stdout tail
	exited chan struct{} // closed when the process is reaped
	once   sync.Once
}

// start runs the worker under r, as in [Launch], and waits until it answers. The
// folder it starts from is gone when start returns: then a child needs no file
// any more, and nothing stays, however this process ends.
func start(ctx context.Context, r Runtime, write func(folder string) (worker string, err error)) (*child, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	w, err := Launch(ctx, r, write)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(w.folder)
	c, err := newChild(w.process)
	if err != nil {
		return nil, err
	}
	return c, c.greet(ctx)
}

// startNative has the child connect to a Unix socket that only this user can
// reach.
func startNative(ctx context.Context, r Runtime, dir, worker string) (*process, error) {
	args := append(append([]string{}, settings...), worker)
	return listen(ctx, r.Name(), dir, func(address string) *exec.Cmd {
		cmd := exec.Command(r.Path, append(args, "unix://"+address)...)
		cmd.Env = environment()
		return cmd
	})
}

// environment is that of a native child. The C library of many Linux systems
// copies strings of 8 KiB and more with one instruction, which some machines are
// 15 times slower at than at a plain loop. Whoever sets tunables knows better.
func environment() []string {
	const tunables = "GLIBC_TUNABLES"
	env := os.Environ()
	if os.Getenv(tunables) == "" {
		env = append(env, tunables+"=glibc.cpu.x86_rep_movsb_threshold=1073741824")
	}
	return env
}

// listen starts a program with the address of a new socket in dir and waits for
// it to connect.
func listen(ctx context.Context, name, dir string, command func(address string) *exec.Cmd) (*process, error) {
	path := filepath.Join(dir, "wire.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, err
	}
	p, err := run(name, command(path))
	if err != nil {
		return nil, err
	}
	accepting := make(chan struct{})
	defer close(accepting)
	go func() {
		select {
		case <-p.exited:
		case <-ctx.Done():
		case <-accepting:
		}
		listener.Close()
	}()
	conn, err := listener.AcceptUnix()
	if err != nil {
		return nil, p.failStart(ctx, err)
	}
	p.conn = conn
	return p, nil
}

// startWasm hands the child one end of a pair of sockets as descriptor 3.
func startWasm(ctx context.Context, r Runtime, dir, worker string) (*process, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	host, err := writeHost(dir)
	if err != nil {
		return nil, err
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "wire"), os.NewFile(uintptr(pair[1]), "wire")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, err
	}
	args := append([]string{host, r.Series()}, settings...)
	cmd := exec.Command(node, append(args, worker, "/dev/wire")...)
	cmd.Env = append(os.Environ(), envWasm+"="+r.Path)
	cmd.ExtraFiles = []*os.File{theirs}
	p, err := run(r.Name(), cmd)
	if err != nil {
		conn.Close()
		return nil, err
	}
	p.conn = conn.(*net.UnixConn)
	return p, nil
}

// run starts cmd in a process group of its own, ended with this process.
func run(name string, cmd *exec.Cmd) (*process, error) {
	p := &process{php: name, cmd: cmd, exited: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.stdout, &p.stderr
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := spawn(cmd.Start); err != nil {
		return nil, fmt.Errorf("PHP %s does not start: %w", name, err)
	}
	go func() {
		_ = cmd.Wait() // how it ended stands in cmd.ProcessState
		close(p.exited)
	}()
	return p, nil
}

// The kernel ends a child when the thread that started it ends, not when the
// process does. So all are started by one thread that never ends.
var (
	spawnOnce sync.Once
	spawning  = make(chan func())
)

func spawn(start func() error) error {
	spawnOnce.Do(func() {
		go func() {
			runtime.LockOSThread()
			for f := range spawning {
				f()
			}
		}()
	})
	done := make(chan error)
	spawning <- func() { done <- start() }
	return <-done
}

// end closes the stream, gives the child a moment to leave, kills it if it does
// not, and reaps it.
func (p *process) end(grace time.Duration) (killed bool) {
	p.once.Do(func() {
		if p.conn != nil {
			p.conn.Close()
		}
		select {
		case <-p.exited:
			return
		default:
		}
		if grace > 0 {
			timer := time.NewTimer(grace)
			defer timer.Stop()
			select {
			case <-p.exited:
				return
			case <-timer.C:
			}
		}
		killed = true
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.exited
	})
	return killed
}

// failStart is the error for a child that never connected.
func (p *process) failStart(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
		p.end(0)
		return p.fatal("start", fmt.Errorf("it did not connect: %w", err), true)
	}
	p.end(endTimeout)
	return p.fatal("start", fmt.Errorf("it ended before it connected: %w", err), false)
}

// fatal builds the error for a child that has ended.
func (p *process) fatal(op string, err error, killed bool) *FatalError {
	e := &FatalError{PHP: p.php, Op: op, Err: err, Killed: killed, Stderr: p.stderr.String()}
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && !killed {
		if status.Signaled() {
			e.Signal = status.Signal()
		} else {
			e.Status = status.ExitStatus()
		}
	}
	return e
}

// failed ends the child because of err, which a read or a write of its stream
// gave, or ctx. Where the stream ended, the child is given time to say why.
func (p *process) failed(ctx context.Context, op string, err error) *FatalError {
	if cause := ctx.Err(); cause != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		err = cause
	}
	grace := time.Duration(0)
	if streamEnded(err) {
		grace = endTimeout
	}
	killed := p.end(grace)
	return p.fatal(op, err, killed)
}
