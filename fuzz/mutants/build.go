package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// workshop builds programs from sources with mutants in them. The module's files
// stay as they are: the go command is given an overlay.
type workshop struct {
	dir     string // for what it writes
	overlay string
	built   map[string]string // programs by name
}

// mix writes the schemas of the files, leaving out the mutants that are no
// program, and tells which those are; alone are those that must be built by
// themselves.
func (w *workshop) mix(ctx context.Context, files []*sourceFile) (broken map[*mutant]bool, err error) {
	w.overlay = filepath.Join(w.dir, "overlay.json")
	broken = map[*mutant]bool{}
	number := 0
	var folders []string
	for _, f := range files {
		for _, m := range f.mutants {
			if m.decl != nil {
				number++
				m.number = number
			}
		}
		if folder := "./" + filepath.Dir(f.path); len(folders) == 0 || folders[len(folders)-1] != folder {
			folders = append(folders, folder)
		}
	}
	for {
		spans := map[string][]span{}
		replace := map[string]string{}
		for i, f := range files {
			text, some := f.schema()
			name := filepath.Join(w.dir, fmt.Sprintf("schema%d.go", i))
			spans[name] = some // the compiler's errors name what it read
			if err := os.WriteFile(name, text, 0o600); err != nil {
				return nil, err
			}
			replace[f.path] = name
		}
		if err := writeOverlay(w.overlay, replace); err != nil {
			return nil, err
		}
		said, failed, err := w.goCommand(ctx, append([]string{"build", "-gcflags=-e"}, folders...)...)
		if err != nil || !failed {
			return broken, err
		}
		found := faulty(said, spans)
		if len(found) == 0 {
			return nil, fmt.Errorf("the mutants do not build together:\n%s", said)
		}
		for m := range found {
			// Another value of a variable may have another type, like an array with one
			// element more: such a mutant is a program, but not together with the others.
			if _, variable := m.decl.(*ast.ValueSpec); variable {
				m.decl = nil
			} else {
				broken[m] = true
			}
			m.number = 0
		}
	}
}

var position = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// faulty finds the mutants that a compiler's errors are about.
func faulty(said string, spans map[string][]span) map[*mutant]bool {
	found := map[*mutant]bool{}
	for _, at := range position.FindAllStringSubmatch(said, -1) {
		line, err := strconv.Atoi(at[2])
		if err != nil {
			continue
		}
		path, err := filepath.Abs(at[1])
		if err != nil {
			continue
		}
		for _, s := range spans[path] {
			if s.from <= line && line <= s.to {
				found[s.mutant] = true
			}
		}
	}
	return found
}

// alone has the overlay hold one mutant, in sources that are otherwise as they
// are.
func (w *workshop) alone(f *sourceFile, m *mutant) (*workshop, error) {
	one := &workshop{dir: filepath.Join(w.dir, "alone"), overlay: filepath.Join(w.dir, "alone.json"), built: map[string]string{}}
	if err := os.MkdirAll(one.dir, 0o700); err != nil {
		return nil, err
	}
	name := filepath.Join(w.dir, "alone.go")
	if err := os.WriteFile(name, m.apply(f.source), 0o600); err != nil {
		return nil, err
	}
	return one, writeOverlay(one.overlay, map[string]string{f.path: name})
}

func writeOverlay(name string, replace map[string]string) error {
	whole := map[string]string{}
	for path, by := range replace {
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		whole[abs] = by
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": whole})
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// build makes a program or, of a folder named ….test, a package's tests. It is
// empty where the sources do not build.
func (w *workshop) build(ctx context.Context, name, folder string) (program string, err error) {
	program = filepath.Join(w.dir, name)
	args := []string{"build", "-o", program, folder}
	if strings.HasSuffix(name, ".test") {
		args = []string{"test", "-c", "-vet=off", "-o", program, folder}
	}
	said, failed, err := w.goCommand(ctx, args...)
	if err != nil || failed {
		return "", errors.Join(err, notBuilt(said))
	}
	return program, nil
}

// notBuilt is what the go command says about sources that do not build.
type notBuilt string

func (e notBuilt) Error() string { return string(e) }

// goCommand runs go with the overlay, and tells what it said and whether it
// failed.
func (w *workshop) goCommand(ctx context.Context, args ...string) (said string, failed bool, err error) {
	args = append([]string{args[0], "-overlay=" + w.overlay}, args[1:]...)
	cmd := exec.CommandContext(ctx, "go", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return out.String(), true, nil
	}
	return out.String(), false, err
}

// once is build for what may have been built before. What holds one mutant alone
// is always built.
func (w *workshop) once(ctx context.Context, name, folder string) (program string, err error) {
	if w.built[name] == "" {
		if program, err = w.build(ctx, name, folder); err != nil {
			return "", err
		}
		w.built[name] = program
	}
	return w.built[name], nil
}
