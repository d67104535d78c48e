package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"phpwire/fuzz/mutants/active"
)

// verdict is what the corpus makes of a mutant: a line of fuzz/mutants/judge.
type verdict struct {
	Number int    `json:"number"`
	Caught bool   `json:"caught"`
	Case   string `json:"case"`
	What   string `json:"what"`
	Last   bool   `json:"last"` // the process has ended
	// Question is what showed it, where inputs were sought.
	Question json.RawMessage `json:"question"`
}

// judgeProcess is a running fuzz/mutants/judge.
type judgeProcess struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan verdict // closed when the process has ended
}

func startJudge(ctx context.Context, program []string) (*judgeProcess, error) {
	p := &judgeProcess{cmd: exec.CommandContext(ctx, program[0], program[1:]...), lines: make(chan verdict)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in = in
	go func() {
		defer close(p.lines)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v verdict
			if json.Unmarshal(lines.Bytes(), &v) == nil {
				p.lines <- v
			}
		}
	}()
	return p, nil
}

func (p *judgeProcess) end() {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	for range p.lines {
	}
	_ = p.cmd.Wait() // how it ended does not matter
}

// mostWall is how long the judge may say nothing. It measures its own CPU time
// and gives up much earlier, unless it sleeps.
const mostWall = 10 * time.Minute

// ask judges one mutant; without a verdict it has taken the process with it.
func (p *judgeProcess) ask(number int, first string) (v verdict, alive bool) {
	if _, err := fmt.Fprintln(p.in, number, first); err != nil {
		return verdict{Number: number, Caught: true, What: "the process is gone"}, false
	}
	timer := time.NewTimer(mostWall)
	defer timer.Stop()
	select {
	case v, ok := <-p.lines:
		if ok {
			return v, !v.Last
		}
		return verdict{Number: number, Caught: true, What: "kills the process"}, false
	case <-timer.C:
		return verdict{Number: number, Caught: true, What: "sleeps"}, false
	}
}

// batch is how many mutants a process judges between two looks at whether the
// reference itself still passes in it.
const batch = 100

// judgeAll has the corpus judge mutants by their numbers. First names the cases to
// begin with.
func judgeAll(ctx context.Context, program []string, numbers []int, first map[int]string, told func(verdict)) error {
	for len(numbers) > 0 {
		n := min(batch, len(numbers))
		verdicts, clean, err := judgeBatch(ctx, program, numbers[:n], first)
		if err != nil {
			return err
		}
		if !clean { // one of them left something behind: each in a process of its own
			verdicts = verdicts[:0]
			for _, number := range numbers[:n] {
				one, _, err := judgeBatch(ctx, program, []int{number}, first)
				if err != nil {
					return err
				}
				verdicts = append(verdicts, one...)
			}
		}
		for _, v := range verdicts {
			told(v)
		}
		numbers = numbers[n:]
	}
	return ctx.Err()
}

func judgeBatch(ctx context.Context, program []string, numbers []int, first map[int]string) (verdicts []verdict, clean bool, err error) {
	var p *judgeProcess
	defer func() {
		if p != nil {
			p.end()
		}
	}()
	for _, number := range numbers {
		if p == nil {
			if p, err = startJudge(ctx, program); err != nil {
				return nil, false, err
			}
		}
		v, alive := p.ask(number, first[number])
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		v.Number = number
		verdicts = append(verdicts, v)
		if !alive {
			p.end()
			p = nil
		}
	}
	if p == nil || len(numbers) == 1 {
		return verdicts, true, nil
	}
	v, alive := p.ask(0, "")
	if !alive || v.Caught {
		fmt.Fprintf(os.Stderr, "one of %v left something behind: %s %s\n", numbers, v.Case, v.What)
		return verdicts, false, ctx.Err()
	}
	return verdicts, true, ctx.Err()
}

// runner runs commands on a mutant.
type runner struct {
	dir     string
	timeout time.Duration
}

// fails runs a program with a mutant switched on, and tells whether it fails, or
// does not end in time.
func (r *runner) fails(ctx context.Context, number int, dir, program string, args ...string) (bool, string, error) {
	bounded, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	cmd := exec.CommandContext(bounded, program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", active.Variable, number), "PHPWIRE_WASM=/none")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	output, err := os.Create(filepath.Join(r.dir, "output"))
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
	if err != nil && !errors.As(err, &exit) && bounded.Err() == nil {
		return false, "", err
	}
	text, readErr := os.ReadFile(output.Name())
	return err != nil, firstLine(string(text)), readErr
}

// firstLine is the first line that says what failed.
func firstLine(said string) string {
	for _, line := range strings.Split(said, "\n") {
		for _, sign := range []string{"FAILED 1 ", "panic:", "phpwire:", "--- FAIL:", "fatal error:"} {
			if strings.HasPrefix(strings.TrimSpace(line), sign) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
