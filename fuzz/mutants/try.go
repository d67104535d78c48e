package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// fate is what became of a mutant.
type fate struct {
	ID string `json:"id"`
	// Builds is false for what is no program: it does not count.
	Builds bool `json:"builds"`
	// Corpus and Run tell whether these caught it; nil where they were not asked.
	Corpus  *bool   `json:"corpus,omitempty"`
	Run     *bool   `json:"run,omitempty"`
	Seconds float64 `json:"seconds"`
}

func caught(b *bool) bool { return b != nil && *b }

// trial puts mutants in the place of the sound source and asks the commands
// whether they notice. The module's files stay as they are: the go command is
// given an overlay.
type trial struct {
	corpus, run string
	timeout     time.Duration
	onlyLeft    bool // ask run only of what the corpus did not catch
	dir         string
}

func (t *trial) try(ctx context.Context, m *mutant) (fate, error) {
	began := time.Now()
	f := fate{ID: m.ID}
	source, err := os.ReadFile(m.File)
	if err != nil {
		return f, err
	}
	path, err := filepath.Abs(m.File)
	if err != nil {
		return f, err
	}
	changed, overlay := filepath.Join(t.dir, "mutant.go"), filepath.Join(t.dir, "overlay.json")
	if err := os.WriteFile(changed, m.apply(source), 0o600); err != nil {
		return f, err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return f, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return f, err
	}
	if failed, _, err := t.command(ctx, overlay, "go build -o "+filepath.Join(t.dir, "build")+" ./"+filepath.Dir(m.File)); err != nil || failed {
		return f, err
	}
	f.Builds = true
	ask := func(command string) (*bool, error) {
		if command == "" {
			return nil, nil
		}
		failed, _, err := t.command(ctx, overlay, command)
		return &failed, err
	}
	if f.Corpus, err = ask(t.corpus); err != nil {
		return f, err
	}
	if !t.onlyLeft || !caught(f.Corpus) {
		if f.Run, err = ask(t.run); err != nil {
			return f, err
		}
	}
	f.Seconds = time.Since(began).Seconds()
	return f, nil
}

// command runs a shell command on the mutated module, and tells whether it
// failed, and what it said. One that does not end in time has failed.
func (t *trial) command(ctx context.Context, overlay, command string) (failed bool, said string, err error) {
	bounded, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	cmd := exec.CommandContext(bounded, "sh", "-c", command)
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay), "OUT="+filepath.Join(t.dir, "out"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	output, err := os.Create(filepath.Join(t.dir, "output"))
	if err != nil {
		return false, "", err
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output
	err = cmd.Run()
	if ctx.Err() != nil {
		return false, "", ctx.Err()
	}
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) || bounded.Err() != nil {
		text, readErr := os.ReadFile(output.Name())
		return err != nil, string(text), readErr
	}
	return false, "", err
}
