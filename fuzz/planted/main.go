// Command planted shows that every fuzz target finds a fault on its path: it puts
// one mistake at a time into a copy of the module and runs the target on it, for
// a minute at most, from its seeds alone. The command that the failure prints to
// keep the case is run there, as it stands.
//
//	go run ./fuzz/planted             all faults
//	go run ./fuzz/planted FuzzFrame   those of one target
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// limit is how long a target may take; starting it, on a busy machine, comes on
// top.
const limit = time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, targets []string) error {
	dir, err := os.MkdirTemp("", "phpwire-planted-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	module := filepath.Join(dir, "module")
	if err := copyModule(ctx, module); err != nil {
		return err
	}
	missed := 0
	for _, f := range faults {
		if len(targets) > 0 && !slices.Contains(targets, f.target) {
			continue
		}
		took, text, err := plant(ctx, module, filepath.Join(dir, "cache"), f)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.target, f.what, err)
		}
		if text == "" {
			missed++
			text = "NOT FOUND"
		}
		fmt.Printf("%-18s %5.1f s  %s\n%s\n", f.target, took.Seconds(), f.what, indented(text))
	}
	if missed > 0 {
		return fmt.Errorf("%d faults were not found", missed)
	}
	return nil
}

// copyModule copies the files of this module that a commit would have.
func copyModule(ctx context.Context, to string) error {
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files, in the folder of the module: %w", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if info, err := os.Stat(name); os.IsNotExist(err) || err == nil && info.IsDir() {
			continue // it was removed, or is a link to a folder of packages
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// plant puts a fault into the copy, runs its target, and takes the fault out
// again. The text is what the target said of it, "" where it found nothing.
func plant(ctx context.Context, module, cache string, f fault) (time.Duration, string, error) {
	path := filepath.Join(module, f.file)
	sound, err := os.ReadFile(path)
	if err != nil {
		return 0, "", err
	}
	if n := strings.Count(string(sound), f.old); n != 1 {
		return 0, "", fmt.Errorf("%s has %d places like %q, not one", f.file, n, f.old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(sound), f.old, f.new, 1)), 0o600); err != nil {
		return 0, "", err
	}
	defer os.WriteFile(path, sound, 0o600)
	defer os.RemoveAll(filepath.Join(module, "fuzz", "testdata"))

	build := exec.CommandContext(ctx, "go", "vet", "./fuzz")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		return 0, "", fmt.Errorf("it does not build: %s", out)
	}
	began := time.Now()
	target := exec.CommandContext(ctx, "go", "test", "./fuzz", "-run", "^$", "-fuzz", "^"+f.target+"$",
		"-fuzztime", limit.String(), "-fuzzminimizetime", "1x", "-test.fuzzcachedir", cache)
	target.Dir = module
	out, err := target.CombinedOutput()
	took := time.Since(began)
	if err == nil {
		return took, "", nil
	}
	text, found := report(string(out))
	if !found {
		return took, "", fmt.Errorf("the target does not run: %s", out)
	}
	if err := keep(ctx, module, text); err != nil {
		return took, "", err
	}
	return took, text, nil
}

// keep runs the command that a failure prints, with the faulty program.
func keep(ctx context.Context, module, text string) error {
	_, command, found := strings.Cut(text, "keep    ")
	if !found {
		return fmt.Errorf("the failure prints no command that keeps its case: %s", text)
	}
	command, _, _ = strings.Cut(command, "\n")
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join("bin", "phpwire"), ".")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("the program does not build: %s", out)
	}
	run := exec.CommandContext(ctx, "sh", "-c", command)
	run.Dir = module
	run.Env = append(os.Environ(), "PATH="+filepath.Join(module, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %s", command, out)
	}
	return os.Remove(filepath.Join(module, "corpus", "waiting.json"))
}

// report cuts the failure out of what go test printed.
func report(out string) (text string, found bool) {
	_, rest, found := strings.Cut(out, "fuzz_test.go:")
	if !found {
		return "", false
	}
	_, rest, _ = strings.Cut(rest, ": ")
	text, _, _ = strings.Cut(rest, "\n    \n")
	return strings.TrimSpace(text), true
}

func indented(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}
