// Command peers times other Go libraries of PHP's wire for `phpwire bench`. It
// greets with the libraries that it has, then answers questions: a line of JSON on
// standard input, a line on standard output (package phpwire/fuzz/bench/timing).
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"phpwire/fuzz/bench/timing"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	if err := answers.Encode(greeting()); err != nil {
		return err
	}
	p := new(peers)
	for {
		var q timing.Question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := answers.Encode(p.answer(q)); err != nil {
			return err
		}
	}
}

func greeting() timing.Greeting {
	g := timing.Greeting{Libraries: map[string]timing.Library{}}
	info, _ := debug.ReadBuildInfo()
	for name, l := range libraries {
		about := timing.Library{Module: l.module, Operations: []timing.Operation{timing.Decode}}
		if l.encode != nil {
			about.Operations = append(about.Operations, timing.Encode)
		}
		for _, m := range info.Deps {
			if m.Path == l.module {
				about.Version = m.Version
			}
		}
		g.Libraries[name] = about
	}
	return g
}

// peers keeps the payload that it was asked about last: more would make collecting
// garbage rarer than it is for others.
type peers struct {
	file string
	load payload
}

func (p *peers) answer(q timing.Question) (a timing.Answer) {
	defer func() {
		if why := recover(); why != nil {
			a.Error = fmt.Sprint("it panics: ", why)
		}
	}()
	if p.file != q.File {
		var err error
		if p.load, err = read(q.File); err != nil {
			return timing.Answer{Error: err.Error()}
		}
		p.file = q.File
	}
	load := p.load
	l, there := libraries[q.Library]
	if !there {
		return timing.Answer{Error: "no such library: " + q.Library}
	}
	work, check := func() error { _, err := l.decode(load.bytes); return err }, l.checkDecoding
	if q.Operation == timing.Encode {
		work, check = func() error { _, err := l.encode(load.native); return err }, l.checkEncoding
	}
	if q.Check {
		wrong, err := check(load)
		if err != nil {
			return timing.Answer{Error: err.Error()}
		}
		return timing.Answer{Wrong: wrong}
	}
	var failed error
	a.Sample = timing.Time(q.AtLeast, func() {
		if err := work(); err != nil {
			failed = err
		}
	})
	if failed != nil {
		a.Error = failed.Error()
	}
	return a
}
