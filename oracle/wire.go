package oracle

import (
	"context"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"phpwire/php"
)

// Wire is a running child and the host's end of its stream, on which nothing was
// said yet: for those who speak the frames themselves. Everybody else has a
// [Client]. The holder must call [Wire.End].
type Wire struct {
	process *process
	folder  string
}

// Ending tells how a child ended.
type Ending struct {
	Killed bool           // it did not leave by itself in time
	Status int            // its exit status
	Signal syscall.Signal // what ended it, if it was a signal
	Stdout string         // the last bytes that it wrote there
	Stderr string
}

// Launch starts the worker under r and waits until it is connected. Write puts
// the worker into a new folder and returns the path of its file; nil writes ours.
func Launch(ctx context.Context, r Runtime, write func(folder string) (worker string, err error)) (*Wire, error) {
	if write == nil {
		write = php.Write
	}
	launch := startNative
	if r.Kind == Wasm {
		launch = startWasm
	}
	return launchIn(ctx, func(ctx context.Context, folder string) (*process, error) {
		worker, err := write(folder)
		if err != nil {
			return nil, err
		}
		return launch(ctx, r, folder, worker)
	})
}

// LaunchCommand starts any program as a child and waits until it is connected.
// The command is one of the shell; it is given the address of the stream, like
// unix:///tmp/x/wire.sock, as its last argument (clause C-7).
func LaunchCommand(ctx context.Context, command string) (*Wire, error) {
	return launchIn(ctx, func(ctx context.Context, folder string) (*process, error) {
		return listen(ctx, command, folder, func(address string) *exec.Cmd {
			return exec.Command("sh", "-c", "exec "+command+` "$0"`, "unix://"+address)
		})
	})
}

func launchIn(ctx context.Context, launch func(context.Context, string) (*process, error)) (*Wire, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	folder, err := newFolder()
	if err != nil {
		return nil, err
	}
	p, err := launch(ctx, folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	return &Wire{p, folder}, nil
}

// Conn is the host's end of the stream.
func (w *Wire) Conn() *net.UnixConn { return w.process.conn }

// Pid is the number of the child's process.
func (w *Wire) Pid() int { return w.process.cmd.Process.Pid }

// Exited is closed when the child has ended.
func (w *Wire) Exited() <-chan struct{} { return w.process.exited }

// End closes the stream, waits as long as grace for the child to leave, ends it
// if it does not, and tells how it ended. It is called once.
func (w *Wire) End(grace time.Duration) Ending {
	killed := w.process.end(grace)
	<-w.process.exited
	os.RemoveAll(w.folder)
	e := Ending{Killed: killed, Stdout: w.process.stdout.String(), Stderr: w.process.stderr.String()}
	if status, ok := w.process.cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		if status.Signaled() {
			e.Signal = status.Signal()
		} else {
			e.Status = status.ExitStatus()
		}
	}
	return e
}
