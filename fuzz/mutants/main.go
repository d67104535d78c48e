// Command mutants measures the suite itself: it breaks the reference in many small
// ways, one at a time, and tells which of them the corpus alone and a default run
// of phpwire catch. What survives is equivalent, or lacks a vector or a generator's
// weight.
//
//	go run ./fuzz/mutants                                 all of them
//	go run ./fuzz/mutants --match floatfmt/ --run=false   the corpus alone, on one package
//	go run ./fuzz/mutants --table docs/mutants.md         what docs/mutants.md shows
//
// All mutants of all packages are built into one program at once: each function is
// there once for each of its mutants, and a number that the process is given
// chooses. The corpus judges hundreds of them in one process; a run is asked only
// of what the corpus lets pass, for a moment first, then for its default time.
//
// With --seek the command draws inputs and adds those that show a mutant which the
// corpus lets pass to a file, from which phpwire corpus grow makes cases.
//
// equivalent.txt says which mutants change nothing that anybody can see, and why;
// unseen.txt which are in what no byte of the wire shows: those are judged by the
// packages' own tests. The command fails where something survives that neither
// file names, or where a mutant is caught that is named as equivalent.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.packages, "packages", "floatfmt,frames,codec", "the folders to break")
	flag.StringVar(&o.match, "match", "", "only mutants whose id holds this text")
	flag.StringVar(&o.equivalent, "equivalent", "fuzz/mutants/equivalent.txt", "the file of those that change nothing")
	flag.StringVar(&o.unseen, "unseen", "fuzz/mutants/unseen.txt", "the file of those that no byte of the wire shows")
	flag.StringVar(&o.results, "results", "", "the file that keeps what became of each, so that a stopped measurement goes on; for these sources")
	flag.StringVar(&o.table, "table", "", "the Markdown file to write the table to")
	flag.BoolVar(&o.run, "run", true, "ask a run about what the corpus lets pass")
	flag.BoolVar(&o.tests, "tests", true, "ask the packages' own tests about what the wire does not show, or else take what --results has")
	flag.BoolVar(&o.apart, "apart", true, "judge those that must be built by themselves too, a few seconds each")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long a run may take; then the mutant counts as caught")
	flag.StringVar(&o.dir, "dir", "", "the folder for sources and programs (default one that is removed at the end)")
	flag.StringVar(&o.seek, "seek", "", "look for inputs that show what the corpus lets pass, and add them to this file")
	flag.BoolVar(&o.trust, "trust", false, "take it from --results what the corpus caught, though of other sources, and ask nothing about those nor about the equivalent ones")
	flag.IntVar(&o.most, "most", 400, "ask only this many of the shortest cases about those that are said to be equivalent or unseen; 0 asks all, which takes hours")
	flag.BoolVar(&o.askAgain, "ask", true, "ask the corpus, or else make the table of what --results has, with --trust")
	flag.IntVar(&o.candidates, "candidates", 100_000, "how many inputs --seek tries for each package")
	flag.Int64Var(&o.seed, "seed", 1, "what they are drawn with")
	flag.BoolVar(&o.list, "list", false, "list the mutants and end")
	flag.BoolVar(&o.verbose, "v", false, "print what became of each")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	packages, match, equivalent, unseen, results, table, seek, dir string
	run, tests, apart, list, verbose, trust, askAgain              bool
	timeout                                                        time.Duration
	candidates, most                                               int
	seed                                                           int64
}

func measure(ctx context.Context, o options) error {
	m := &measurement{options: o, began: time.Now()}
	for _, folder := range strings.Split(o.packages, ",") {
		some, err := filesOf(folder)
		if err != nil {
			return err
		}
		m.files = append(m.files, some...)
	}
	for _, f := range m.files {
		for _, one := range f.mutants {
			if strings.Contains(one.ID, o.match) {
				m.all = append(m.all, one)
			}
		}
	}
	if o.list {
		for _, one := range m.all {
			fmt.Printf("%s:%d\t%s\n", one.File, one.Line, one.ID)
		}
		return nil
	}
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "phpwire-mutants-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	m.shop = &workshop{dir: o.dir, built: map[string]string{}}
	if err := m.prepare(ctx); err != nil {
		return err
	}
	if err := m.judge(ctx); err != nil {
		return err
	}
	if o.seek != "" {
		return m.search(ctx)
	}
	t := newTable(m.all, m.fates)
	t.print(os.Stdout)
	fmt.Printf("%d mutants in %s\n", len(m.all), time.Since(m.began).Round(time.Second))
	if o.table != "" {
		if err := t.write(o.table); err != nil {
			return err
		}
	}
	return errors.Join(t.verdict(), m.idle())
}
