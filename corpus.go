package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"phpwire/corpus"
	"phpwire/corpus/grow"
	"phpwire/fuzz/suites"
)

func newCorpusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "corpus",
		Short: "Add to the regression corpus, verify it, export it",
		Long: `The regression corpus: inputs with their clause of docs/protocol.md, what a port
must make of them by its profile, and what each PHP from 7.2 to 8.5 does.
docs/corpus.md shows how a port in any language uses it.

Exit status: 0 all holds, 1 a case does not hold, 2 the work could not be done.`,
		Example: `  phpwire corpus stats
  phpwire corpus verify --php all`,
	}
	c.AddCommand(newCorpusAddCommand(), newCorpusVerifyCommand(), newCorpusStatsCommand(), newCorpusExportCommand(), newCorpusGrowCommand(), newCorpusImportCommand())
	return c
}

// dataDir is the folder with the corpus in a checkout: below the given folder,
// or the working folder or one above it.
func dataDir(dir string) (string, error) {
	if dir != "" {
		return filepath.Join(dir, "corpus", "data"), checkDir(filepath.Join(dir, "corpus"))
	}
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if checkDir(filepath.Join(at, "corpus", "data")) == nil {
			return filepath.Join(at, "corpus", "data"), nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("no checkout here or above: name it with --dir")
		}
		at = up
	}
}

func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	return err
}

// withPanel runs f with the chosen PHPs.
func withPanel(ctx context.Context, selection string, f func(*grow.Panel) error) error {
	phps, err := choosePHPs(ctx, selection)
	if err != nil {
		return err
	}
	panel, err := grow.NewPanel(ctx, phps)
	if err != nil {
		return err
	}
	defer panel.Close()
	return f(panel)
}

func refuseMissing(panel *grow.Panel, partial bool) error {
	missing := panel.Missing()
	if len(missing) == 0 || partial {
		return nil
	}
	return fmt.Errorf("no PHP %s at hand, and a case says what each version does; `%s php` tells how to get them (--partial goes on without)",
		strings.Join(missing, ", "), program())
}

func newCorpusGrowCommand() *cobra.Command {
	var dir string
	var rebuild, partial bool
	o := grow.DefaultOptions
	c := &cobra.Command{
		Use:   "grow",
		Short: "Derive cases from the grammar and add those that show something new",
		Long: `Derive candidates from the grammar and the protocol: every production and its near
misses, every token in every place, the edges of every number, every field of every
frame. All are judged with every PHP, and those are added whose behaviour no case
shows yet. With --rebuild the corpus is made anew; only cases that were added by
hand stay.`,
		Example: `  phpwire corpus grow
  phpwire corpus grow --rebuild`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			data, err := dataDir(dir)
			if err != nil {
				return err
			}
			cases, err := corpus.ReadDir(data)
			if err != nil {
				return err
			}
			if rebuild {
				cases = grow.Added(cases)
			}
			return withPanel(c.Context(), "all", func(panel *grow.Panel) error {
				if err := refuseMissing(panel, partial); err != nil {
					return err
				}
				cases, grown, err := panel.Grow(c.Context(), cases, o)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s candidates, %s added, %s cases in all\n", grouped(int64(grown.Asked)), grouped(int64(grown.Added)), grouped(int64(len(cases))))
				return corpus.WriteDir(data, cases)
			})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "the checkout (default the one that holds the working folder)")
	c.Flags().BoolVar(&rebuild, "rebuild", false, "make the corpus anew")
	c.Flags().BoolVar(&partial, "partial", false, "go on where a PHP version is missing")
	c.Flags().IntVar(&o.Mutants, "mutants", o.Mutants, "how many changed payloads to try beside")
	c.Flags().IntVar(&o.Keep, "keep", o.Keep, "how many of them to keep at most")
	c.Flags().Int64Var(&o.Seed, "seed", o.Seed, "what they are made from")
	return c
}

// chosenCases reads the corpus of a checkout, or the one in the program where
// there is none, and picks an area and a clause.
func chosenCases(dir, area, clause string) ([]corpus.Case, error) {
	cases := corpus.Cases()
	if data, err := dataDir(dir); err == nil {
		if cases, err = corpus.ReadDir(data); err != nil {
			return nil, err
		}
	} else if dir != "" {
		return nil, err
	}
	chosen := corpus.Filter(cases, area, clause)
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no cases of area %q and clause %q", area, clause)
	}
	return chosen, nil
}

func newCorpusVerifyCommand() *cobra.Command {
	var php, dir, area, clause string
	c := &cobra.Command{
		Use:   "verify",
		Short: "Judge every case again, and fail where anybody does something else",
		Long: `Judge every case again with the reference and the PHPs at hand. Exit status 1
where one does something else than the corpus says, with what.`,
		Example: `  phpwire corpus verify
  phpwire corpus verify --php 8.2,8.5 --area ints`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cases, err := chosenCases(dir, area, clause)
			if err != nil {
				return err
			}
			return withPanel(c.Context(), php, func(panel *grow.Panel) error {
				v, err := panel.Verify(c.Context(), cases)
				if err != nil {
					return err
				}
				printVerified(c.OutOrStdout(), v, panel.Names())
				waiting, err := waitingIn(dir)
				for _, q := range waiting {
					fmt.Fprintf(c.OutOrStdout(), "WAITS  %s\n", inWords(q))
				}
				return failedUnless(len(v.Drift)+len(waiting) == 0, err)
			})
		},
	}
	c.Flags().StringVar(&php, "php", "all", "which PHPs, as in run")
	caseFlags(c, &dir, &area, &clause)
	return c
}

func caseFlags(c *cobra.Command, dir, area, clause *string) {
	c.Flags().StringVar(dir, "dir", "", "the checkout (default the one that holds the working folder)")
	c.Flags().StringVar(area, "area", "", "only this area")
	c.Flags().StringVar(clause, "clause", "", "only this clause, or this part (K)")
}

func printVerified(w io.Writer, v grow.Verified, phps []string) {
	const most = 50
	for i, d := range v.Drift {
		if i == most {
			fmt.Fprintf(w, "… and %s more\n", grouped(int64(len(v.Drift)-most)))
			break
		}
		fmt.Fprintf(w, "DRIFT  %s  %s\n", d.ID, d.Who)
		for _, line := range d.What {
			fmt.Fprintf(w, "       %s\n", line)
		}
	}
	verdict := "all hold"
	if len(v.Drift) > 0 {
		verdict = grouped(int64(len(v.Drift))) + " differ"
	}
	fmt.Fprintf(w, "%s cases, %s answers of PHP %s: %s\n", grouped(int64(v.Cases)), grouped(int64(v.Answers)), strings.Join(phps, ", "), verdict)
	if v.Unknown > 0 {
		fmt.Fprintf(w, "%s answers could not be judged: the corpus does not say what such a build does\n", grouped(int64(v.Unknown)))
	}
}

func newCorpusStatsCommand() *cobra.Command {
	var dir, area, clause string
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count cases by clause and area, and name clauses without any",
		Long: `Count cases by clause, area and flag: how many a Plugin decoder must accept and
must reject, and in how many PHPs differ. Clauses of the wire without cases are
named, and for the others what tests them.`,
		Example: `  phpwire corpus stats
  phpwire corpus stats --clause K`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cases, err := chosenCases(dir, area, clause)
			if err != nil {
				return err
			}
			return printStats(c.OutOrStdout(), cases)
		},
	}
	caseFlags(c, &dir, &area, &clause)
	return c
}

func printStats(w io.Writer, cases []corpus.Case) error {
	clauses, areas := corpus.Stats(cases)
	t := newTable(w)
	t.AppendHeader(row("clause", "title", "cases", "accept", "reject", "PHPs differ", ""))
	without := 0
	for _, s := range clauses {
		note := ""
		switch {
		case s.Cases == 0 && corpus.IsWire(s.Clause.ID):
			note = "NO CASES"
			without++
		case !corpus.IsWire(s.Clause.ID):
			note = elsewhere(s.Clause.ID)
		}
		t.AppendRow(row(s.Clause.ID, s.Clause.Title, s.Cases, s.Accept, s.Reject, s.Differ, note))
	}
	t.Render()
	t = newTable(w)
	t.AppendHeader(row("area", "title", "cases", "accept", "reject", "PHPs differ"))
	for _, s := range areas {
		t.AppendRow(row(s.Area.Name, s.Area.Title, s.Cases, s.Accept, s.Reject, s.Differ))
	}
	t.Render()
	t = newTable(w)
	t.AppendHeader(row("flag", "cases"))
	for _, f := range corpus.Flags() {
		n := 0
		for i := range cases {
			if cases[i].Has(f) {
				n++
			}
		}
		t.AppendRow(row(f, n))
	}
	t.Render()
	fmt.Fprintf(w, "%s cases; %d clauses of the wire have none\n", grouped(int64(len(cases))), without)
	return nil
}

// elsewhere says which suites test a clause that no payload and no frame can
// show by itself.
func elsewhere(clause string) string {
	var names []string
	for _, s := range suites.All() {
		if slices.Contains(s.Clauses(), clause) {
			names = append(names, s.Name())
		}
	}
	if len(names) > 0 {
		return "suite " + strings.Join(names, ", ")
	}
	switch clause[0] {
	case 'C', 'O', 'X', 'E':
		return "phpwire child"
	}
	return "tests of docs"
}

func newCorpusExportCommand() *cobra.Command {
	var dir, area, clause, format string
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the cases for ports: as files, as Go fuzz seeds, or one a line",
		Long: `Write cases into a folder, in one of the formats
  files    for languages without JSON: for each case ID.in with the input,
           ID.expect with lines of name=value, ID.out with what is written
  go-fuzz  seeds of Go's fuzz targets, one folder for each target
  jsonl    corpus.jsonl, one case a line`,
		Example: `  phpwire corpus export vectors
  phpwire corpus export testdata/fuzz --format go-fuzz`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cases, err := chosenCases(dir, area, clause)
			if err != nil {
				return err
			}
			if err := corpus.Export(args[0], format, cases); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s cases in %s\n", grouped(int64(len(cases))), args[0])
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", strings.Join(corpus.Formats(), ", "))
	caseFlags(c, &dir, &area, &clause)
	return c
}

func newCorpusImportCommand() *cobra.Command {
	var into string
	c := &cobra.Command{
		Use:   "import [DIR…]",
		Short: "Turn other corpora into seeds of our fuzz targets",
		Long: `Read folders of inputs for fuzzers and keep as seeds what makes the reference do
something that no case of the corpus does: each file as a payload and as frames, as
a string, and where it is JSON or a number as a value or a double.

Without a folder, ` + grow.FuzzCorpus + ` is read from the module
cache. Seeds go to where go test -fuzz keeps its own, and are never committed.`,
		Example: `  phpwire corpus import
  phpwire corpus import ~/corpora/json --into testdata/fuzz`,
		RunE: func(c *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				data, err := dataDir("")
				if err != nil {
					return err
				}
				dir, err := grow.FuzzCorpusDir(filepath.Dir(filepath.Dir(data)))
				if err != nil {
					return err
				}
				dirs = []string{dir}
			}
			if into == "" {
				var err error
				if into, err = grow.FuzzCacheDir(); err != nil {
					return err
				}
			}
			done, err := grow.Import(dirs, into, corpus.Cases())
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s files, %s inputs tried\n", grouped(int64(done.Files)), grouped(int64(done.Tried)))
			for _, target := range slices.Sorted(maps.Keys(done.Kept)) {
				fmt.Fprintf(c.OutOrStdout(), "%s new seeds for %s\n", grouped(int64(done.Kept[target])), target)
			}
			fmt.Fprintln(c.OutOrStdout(), "in", into)
			return nil
		},
	}
	c.Flags().StringVar(&into, "into", "", "the folder for the seeds (default that of go test -fuzz)")
	return c
}
