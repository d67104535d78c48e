package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"phpwire/ports/group"
	"phpwire/ports/port"
	"phpwire/reports"
)

// Limits of a call that is replayed.
const (
	callLimit   = 60 * time.Second // until a call that must end has ended
	callMemory  = 1 << 30          // bytes
	callOutput  = 1 << 20          // bytes of either stream that are kept
	memoryEvery = 50 * time.Millisecond
)

// Replayed is what became of a claim that was put to the library alone.
type Replayed struct {
	Line  string // of a shell
	Shown bool   // that the library does what is claimed
	Says  string // what it did, where that is something else
}

// Replay runs the call of a failure, without us, and tells whether the library does
// what the failure says. The limit is how long a call must take to hang. An error is
// that of a program that cannot be started.
func (a *Adapter) Replay(ctx context.Context, f *reports.Failure, limit time.Duration) (*Replayed, error) {
	r := &Replayed{Line: a.LineOf(f)}
	if r.Line == "" {
		return nil, errNoCall
	}
	if f.Outcome != reports.Hung {
		limit = callLimit
	}
	got, err := a.run(ctx, r.Line, limit)
	if err != nil {
		return nil, err
	}
	side := f.Sides[len(f.Sides)-1]
	// What grows without an end hangs or is ended, whichever limit it meets first.
	endless := side.Verdict == reports.Hang && got.grew
	if got.verdict != side.Verdict && !endless {
		r.Says = fmt.Sprintf("%s, and not %s: %s", got.verdict, side.Verdict, reports.Brief(got.says()))
		return r, nil
	}
	if side.Verdict != reports.Accepted {
		r.Shown = true
		return r, nil
	}
	if operation(f) != port.Decode {
		r.Shown = bytes.Equal(got.out, side.Bytes)
	} else {
		r.Shown, err = a.printed(ctx, f, got.out)
	}
	if !r.Shown {
		r.Says = "prints " + reports.Brief(got.out)
	}
	return r, err
}

// printed tells whether what a call printed is the value that the failure says, and
// none that PHP has.
func (a *Adapter) printed(ctx context.Context, f *reports.Failure, out []byte) (bool, error) {
	claimed := f.Sides[len(f.Sides)-1]
	shown, err := a.shown(ctx, claimed)
	if err != nil && !errors.Is(err, errNoLiteral) || err == nil && a.Call.alike(shown) != a.Call.alike(string(out)) {
		return false, err
	}
	for _, other := range f.Sides[:len(f.Sides)-1] {
		if !strings.HasPrefix(other.Name, "PHP") || other.Verdict != reports.Accepted {
			continue
		}
		shown, err := a.shown(ctx, other)
		if err != nil && !errors.Is(err, errNoLiteral) || err == nil && shown == string(out) {
			return false, err
		}
	}
	return true, nil
}

// shown is the value of a side, as a call prints it.
func (a *Adapter) shown(ctx context.Context, side reports.Side) (string, error) {
	if side.Value == nil {
		return "", errNoLiteral
	}
	program, err := a.Call.showing(side.Value)
	if err != nil {
		return "", errNoLiteral
	}
	got, err := a.run(ctx, a.line(program), callLimit)
	if err == nil && got.verdict != reports.Accepted {
		err = fmt.Errorf("%s does not run: %s", program, got.err)
	}
	if err != nil {
		return "", err
	}
	return string(got.out), nil
}

// outcome is what a program did.
type outcome struct {
	verdict  reports.Verdict
	out, err []byte
	grew     bool // it was ended for its memory
}

func (o *outcome) says() []byte {
	if len(o.err) > 0 {
		return o.err
	}
	return o.out
}

// run runs a line of a shell, in a process group and with temporary files of its own.
func (a *Adapter) run(ctx context.Context, line string, limit time.Duration) (*outcome, error) {
	dir, err := os.MkdirTemp("", "phpwire-call-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var out, errs limited
	cmd := exec.Command("sh", "-c", line)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pid := cmd.Process.Pid
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	verdict, grew := reports.Verdict(""), false
	for {
		select {
		case <-ended: // ProcessState tells how
			_ = syscall.Kill(-pid, syscall.SIGKILL) // what it left behind
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if verdict == "" {
				verdict = a.verdict(cmd, errs.kept.String())
			}
			return &outcome{verdict, out.kept.Bytes(), errs.kept.Bytes(), grew}, nil
		case <-deadline.C:
			verdict = reports.Hang
		case <-tick.C:
			if verdict != "" || group.Memory(map[int]bool{pid: true})[pid] < callMemory {
				continue
			}
			verdict, grew = reports.Crash, true
		case <-ctx.Done():
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// verdict is what the end of a program means.
func (a *Adapter) verdict(cmd *exec.Cmd, stderr string) reports.Verdict {
	status := cmd.ProcessState.ExitCode()
	switch {
	case status == 0:
		return reports.Accepted
	case status < 0 || status > 128 && status <= 128+64: // a signal, as the shell tells it
		return reports.Crash
	case a.Call.Crash != "" && strings.Contains(stderr, a.Call.Crash):
		return reports.Crash
	}
	return reports.Refused
}

// limited keeps the beginning of what is written.
type limited struct{ kept bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	l.kept.Write(b[:min(len(b), callOutput-l.kept.Len())])
	return len(b), nil
}

var _ io.Writer = (*limited)(nil)
