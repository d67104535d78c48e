package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"phpwire/fuzz/bench/timing"
)

// peers is the program with the other Go codecs, which has a module of its own.
type peers struct {
	cmd       *exec.Cmd
	questions io.WriteCloser
	answers   *json.Decoder
	stderr    strings.Builder
	libraries map[string]timing.Library
}

// startPeers builds the program in a folder and starts it.
func startPeers(ctx context.Context, folder string) (*peers, error) {
	source, err := peersSource()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(folder, "peers")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the other Go codecs cannot be built: %w\n%sto get them: make bench", err, out)
	}
	p := &peers{cmd: exec.CommandContext(ctx, program)}
	p.cmd.Stderr = &p.stderr
	if p.questions, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.answers = json.NewDecoder(out)
	var hello timing.Greeting
	if err := p.answers.Decode(&hello); err != nil {
		return nil, p.ended(err)
	}
	p.libraries = hello.Libraries
	return p, nil
}

// peersSource is the program's folder in the checkout that holds the working folder
// or this program.
func peersSource() (string, error) {
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			source := filepath.Join(dir, "fuzz", "bench", "peers")
			if _, err := os.Stat(filepath.Join(source, "go.mod")); err == nil {
				return source, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("the other Go codecs are in fuzz/bench/peers of a checkout, and there is none here; to get them, in a checkout: make bench")
}

// names are the libraries, in order.
func (p *peers) names() []string {
	var names []string
	for name := range p.libraries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p *peers) ask(q timing.Question) (timing.Answer, error) {
	var a timing.Answer
	if err := json.NewEncoder(p.questions).Encode(q); err != nil {
		return a, p.ended(err)
	}
	if err := p.answers.Decode(&a); err != nil {
		return a, p.ended(err)
	}
	return a, nil
}

// ended is the error for a program that does not answer any more.
func (p *peers) ended(err error) error {
	p.close()
	return fmt.Errorf("the program with the other Go codecs: %w: %s", err, p.stderr.String())
}

func (p *peers) close() {
	_ = p.questions.Close()
	_ = p.cmd.Wait() // what it had to say stands in stderr
}

// peer is a library as a contestant.
func (b *bench) peer(library, file string, op timing.Operation) (contestant, error) {
	c := contestant{who: library, inGo: true}
	q := timing.Question{Library: library, File: file, Operation: op, AtLeast: b.options.AtLeast}
	c.round = func(context.Context) (timing.Sample, error) {
		a, err := b.peers.ask(q)
		if err == nil && a.Error != "" {
			err = fmt.Errorf("%s: %s", library, a.Error)
		}
		return a.Sample, err
	}
	check := q
	check.Check = true
	a, err := b.peers.ask(check)
	c.wrong, c.fails = a.Wrong, a.Error
	return c, err
}
