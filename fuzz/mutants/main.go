// Command mutants measures the suite itself: it breaks the reference in many small
// ways, one at a time, and tells which of them the corpus alone and a default run
// of phpwire catch. What survives is equivalent, or lacks a vector or a generator's
// weight.
//
//	go run ./fuzz/mutants --sample 50               fifty of them, drawn with --seed
//	go run ./fuzz/mutants --results all.jsonl       all, going on where it was
//	go run ./fuzz/mutants --results all.jsonl --table docs/mutants.md
//
// Every mutant that lives on in both is listed. --equivalent names a file with a
// line for each that changes nothing that anybody can see: its id, a tab, and why.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.packages, "packages", "codec,floatfmt,frames", "the folders to break")
	flag.StringVar(&o.corpus, "corpus", "go test -count=1 ./corpus/...", "the command that stands for the corpus alone; empty to leave it out")
	flag.StringVar(&o.run, "run", "go run . run --fail-fast --out $OUT", "the command that stands for a run; empty to leave it out")
	flag.BoolVar(&o.left, "left", false, "ask the run only of what the corpus did not catch")
	flag.DurationVar(&o.timeout, "timeout", 3*time.Minute, "how long a command may take; then the mutant counts as caught")
	flag.IntVar(&o.sample, "sample", 0, "how many mutants to draw (default all)")
	flag.Int64Var(&o.seed, "seed", 1, "what they are drawn with")
	flag.StringVar(&o.match, "match", "", "only mutants whose id holds this text")
	flag.StringVar(&o.results, "results", "", "the file that keeps what became of each mutant, so that a stopped measurement goes on")
	flag.StringVar(&o.equivalent, "equivalent", "fuzz/mutants/equivalent.txt", "the file of those that change nothing")
	flag.StringVar(&o.table, "table", "", "the Markdown file to write the table to")
	flag.BoolVar(&o.list, "list", false, "list the mutants and end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	packages, corpus, run, match, results, equivalent, table string
	left, list                                               bool
	timeout                                                  time.Duration
	sample                                                   int
	seed                                                     int64
}

func measure(ctx context.Context, o options) error {
	var all []mutant
	for _, folder := range strings.Split(o.packages, ",") {
		some, err := mutantsOf(folder)
		if err != nil {
			return err
		}
		for _, m := range some {
			if strings.Contains(m.ID, o.match) {
				all = append(all, m)
			}
		}
	}
	if o.sample > 0 && o.sample < len(all) {
		r := rand.New(rand.NewSource(o.seed))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:o.sample]
	}
	if o.list {
		for _, m := range all {
			fmt.Printf("%s:%d\t%s\n", m.File, m.Line, m.ID)
		}
		return nil
	}
	equivalent, err := readEquivalent(o.equivalent)
	if err != nil {
		return err
	}
	fates, err := readFates(o.results)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "phpwire-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := &trial{corpus: o.corpus, run: o.run, timeout: o.timeout, onlyLeft: o.left, dir: dir}
	if err := t.sound(ctx); err != nil {
		return err
	}
	for i := range all {
		m := &all[i]
		f, known := fates[m.ID]
		if !known {
			if f, err = t.try(ctx, m); err != nil {
				break
			}
			fates[m.ID] = f
			if err = appendFate(o.results, f); err != nil {
				break
			}
		}
		fmt.Printf("%5d of %d  %s\n", i+1, len(all), told(m, f, equivalent))
	}
	table := newTable(all, fates, equivalent)
	table.print(os.Stdout)
	if o.table != "" {
		err = errors.Join(err, table.write(o.table))
	}
	return err
}

// sound has the commands run on the module as it is: what fails there catches
// nothing.
func (t *trial) sound(ctx context.Context) error {
	overlay := t.dir + "/overlay.json"
	if err := os.WriteFile(overlay, []byte("{}"), 0o600); err != nil {
		return err
	}
	for _, command := range []string{t.corpus, t.run} {
		if command == "" {
			continue
		}
		failed, said, err := t.command(ctx, overlay, command)
		if err != nil {
			return err
		}
		if failed {
			return fmt.Errorf("%q fails on the module as it is:\n%s", command, said)
		}
	}
	return nil
}

func readEquivalent(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if id, reason, ok := strings.Cut(line, "\t"); ok {
			why[id] = reason
		}
	}
	return why, nil
}

func readFates(path string) (map[string]fate, error) {
	fates := map[string]fate{}
	if path == "" {
		return fates, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fates, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var f fate
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		fates[f.ID] = f
	}
	return fates, lines.Err()
}

func appendFate(path string, f fate) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err == nil {
		_, err = file.Write(append(text, '\n'))
	}
	return errors.Join(err, file.Close())
}
