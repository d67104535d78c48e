package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"phpwire/fuzz/nightly"
	"phpwire/reports"
)

type nightlyFlags struct {
	php, suite, shard, since, out string
	seed                          int64
	budget                        time.Duration
	rounds, cases                 int
	resume                        bool
}

// defaultRoundCases makes a round of about two minutes on nine WebAssembly PHPs and a
// native one, with two idle cores.
const defaultRoundCases = 100_000

func newNightlyCommand() *cobra.Command {
	var f nightlyFlags
	c := &cobra.Command{
		Use:   "nightly",
		Short: "Check everything over every PHP, for hours, and say what is new",
		Long: `Check everything over every PHP: the corpus, the suites of generated cases, the
worker's protocol, the tool-child protocol. The first round has all of it; those
that follow have new cases of what is generated, until the budget ends.

The work is cut into units whose results follow from the seed alone. A checkpoint
in --out follows each of them, so that a night that was killed goes on with
--resume and has lost a few seconds. With --shard I/N this is one of N machines,
which have the seed in common; phpwire report merge adds up what they found. With
--rounds N the work is the same whatever the time it takes, and --budget is only a
ceiling.

A failure is shrunk and filed in findings/ below --out, with the command that adds
it to the corpus. Differences between PHPs are facts, not failures: they are listed,
and compared with those of the last night, which is in --since, or else in --out.
A PHP that behaves unlike last night is news, and so is a new one that behaves
unlike its neighbour. News stand first in the report.

--suite takes patterns with * like codec/*, separated by commas; these are there:
  ` + strings.Join(nightly.Names(), "\n  ") + `

Writes report.json, index.html, junit.xml and summary.md into --out, and keeps
the nights in history.jsonl. News alone is no failure. docs/nightly.md says more.`,
		Example: `  phpwire nightly --php all --budget 2h --out nightly
  phpwire nightly --php all --budget 2h --out nightly --resume
  phpwire nightly --php all --rounds 4 --seed 7 --shard 1/2 --out shard-1
  phpwire report merge nightly shard-1 shard-2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runNight(c, f) },
	}
	c.Flags().StringVar(&f.php, "php", "all", "which PHPs, as in run")
	c.Flags().StringVar(&f.suite, "suite", "", "which suites (default all)")
	c.Flags().Int64Var(&f.seed, "seed", 0, "what the cases are made from (default the time; with --resume that of the night)")
	c.Flags().DurationVar(&f.budget, "budget", 2*time.Hour, "how long to work, pauses not counted")
	c.Flags().IntVar(&f.rounds, "rounds", 0, "how many rounds to do (default as many as the budget allows)")
	c.Flags().IntVar(&f.cases, "cases", defaultRoundCases, "codec cases of a round for each PHP")
	c.Flags().StringVar(&f.shard, "shard", "1/1", "which part of the work is done here, `I/N`")
	c.Flags().BoolVar(&f.resume, "resume", false, "go on with the night in --out, if one is there")
	c.Flags().StringVar(&f.since, "since", "", "the report of the last night, or its folder (default that in --out)")
	c.Flags().StringVar(&f.out, "out", "nightly", "the folder for the night")
	return c
}

func runNight(c *cobra.Command, f nightlyFlags) error {
	ctx, out, status := c.Context(), c.OutOrStdout(), c.ErrOrStderr()
	shard, shards, err := parseShard(f.shard)
	if err != nil {
		return err
	}
	if f.cases < 1 || f.rounds < 0 || f.budget <= 0 {
		return fmt.Errorf("--cases %d --rounds %d --budget %v: at least one case, no less than no rounds, and some time", f.cases, f.rounds, f.budget)
	}
	resumed := false
	if f.resume {
		seed, there, err := nightly.SeedOf(f.out)
		if err != nil {
			return err
		}
		if resumed = there; there && f.seed == 0 {
			f.seed = seed
		}
	}
	if f.seed == 0 && shards > 1 {
		return errors.New("--shard needs a --seed, which all shards have in common")
	}
	if f.seed == 0 {
		f.seed = time.Now().UnixNano() & (1<<48 - 1)
	}
	var last *reports.Run
	if !resumed {
		if last, err = lastNight(status, f); err != nil {
			return err
		}
	}
	phps, err := choosePHPs(ctx, f.php)
	if err != nil {
		return err
	}
	report, err := nightly.Run(ctx, nightly.Options{
		PHPs: phps, Suite: f.suite, Cases: f.cases, Seed: f.seed, Rounds: f.rounds, Budget: f.budget, Shard: shard, Shards: shards,
		Dir: f.out, Resume: f.resume, Last: last, Program: program(), Command: nightCommand(f), Version: version, Progress: tellNight(status, f.budget),
	})
	if report == nil {
		return err
	}
	printNight(out, report, f.out)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; to go on: %s --resume --out %s", nightCommand(f), quoted(f.out))
	}
	if err != nil {
		return err
	}
	if report.Totals().Bad() > 0 {
		return errFailed
	}
	if report.Aborted != "" {
		return errors.New(report.Aborted)
	}
	return nil
}

// parseShard reads I/N.
func parseShard(text string) (shard, shards int, err error) {
	i, n, ok := strings.Cut(text, "/")
	shard, errI := strconv.Atoi(i)
	shards, errN := strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || shard < 1 || shard > shards {
		return 0, 0, fmt.Errorf("--shard %q: it must be I/N, with I from 1 to N", text)
	}
	return shard, shards, nil
}

// lastNight reads the report to compare with: the one that is named, or that of a
// night in the same folder that came to its end.
func lastNight(status io.Writer, f nightlyFlags) (*reports.Run, error) {
	if f.since != "" {
		last, err := reports.Read(f.since)
		if err != nil {
			return nil, fmt.Errorf("--since: %w", err)
		}
		return last, nil
	}
	last, err := reports.Read(f.out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: move it away, or name the last night with --since", err)
	}
	if last.Aborted != "" {
		fmt.Fprintf(status, "the night in %s did not come to its end: there is nothing to compare with\n", f.out)
		return nil, nil
	}
	return last, nil
}

// nightCommand repeats the night.
func nightCommand(f nightlyFlags) string {
	command := fmt.Sprintf("%s nightly --php '%s' --seed %d --budget %v", program(), f.php, f.seed, f.budget)
	if f.rounds > 0 {
		command += fmt.Sprintf(" --rounds %d", f.rounds)
	}
	if f.cases != defaultRoundCases {
		command += fmt.Sprintf(" --cases %d", f.cases)
	}
	if f.suite != "" {
		command += " --suite " + quoted(f.suite)
	}
	if f.shard != "1/1" {
		command += " --shard " + f.shard
	}
	return command
}

// tellNight prints how far a night is, now and then.
func tellNight(w io.Writer, budget time.Duration) func(nightly.Progress) {
	var last time.Time
	return func(p nightly.Progress) {
		done := p.Of > 0 && p.Units == p.Of
		if !done && time.Since(last) < lineEvery {
			return
		}
		last = time.Now()
		units := grouped(int64(p.Units))
		if p.Of > 0 {
			units += " of " + grouped(int64(p.Of))
		}
		failed := ""
		if p.Failed > 0 {
			failed = fmt.Sprintf(", %s failed", grouped(p.Failed))
		}
		fmt.Fprintf(w, "%v of %v: round %d, %s units, %s cases%s, %s a second\n", time.Duration(p.Seconds)*time.Second, budget, p.Round, units, grouped(p.Cases), failed,
			grouped(int64(float64(p.Cases)/max(p.Seconds, 0.001))))
	}
}

// printNight prints what is new, what failed, and what was done.
func printNight(w io.Writer, r *reports.Run, dir string) {
	printNews(w, r)
	const most = 10
	for i := range r.Failures[:min(most, len(r.Failures))] {
		printFailure(w, i+1, &r.Failures[i])
	}
	if len(r.Failures) > most {
		fmt.Fprintf(w, "… and %d more failures in the report\n\n", len(r.Failures)-most)
	}
	for _, f := range r.Failures {
		if f.File != "" {
			fmt.Fprintf(w, "keep: %s\n", f.File)
		}
	}
	printSuites(w, r)
	fmt.Fprintf(w, "%s cases in %v, %d facts about PHPs\nrepeat: %s\n", grouped(r.Totals().Cases), time.Duration(r.Seconds)*time.Second, len(r.Facts), r.Command)
	if len(r.Failures) > 0 {
		fmt.Fprintf(w, "findings: %s\n", filepath.Join(dir, nightly.FindingsDir))
	}
	printVerdict(w, r, dir)
}

// printNews prints the facts that are news.
func printNews(w io.Writer, r *reports.Run) {
	t := newTable(w)
	t.AppendHeader(row("news", "clause", "difference", "example", "who does what"))
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: 40}, {Number: 4, WidthMax: 30}, {Number: 5, WidthMax: 90}})
	news := 0
	for _, f := range r.Facts {
		if !f.IsNews() {
			continue
		}
		news++
		lines := f.News
		if len(lines) == 0 {
			for _, a := range f.Answers {
				lines = append(lines, a.Answer+" - "+strings.Join(a.Columns, ", "))
			}
		}
		t.AppendRow(row(f.Change, f.Clause, f.Title, glance(f.Input), strings.Join(lines, "\n")))
		t.AppendSeparator()
	}
	if news > 0 {
		t.Render()
	}
}

// printSuites prints the table of suites by PHP.
func printSuites(w io.Writer, r *reports.Run) {
	t := newTable(w)
	header := row("suite", "cases")
	for _, column := range r.Columns {
		header = append(header, strings.ReplaceAll(strings.TrimPrefix(column.Name, "PHP "), " ", "\n"))
	}
	t.AppendHeader(header)
	for _, s := range r.Suites {
		line := row(s.Name, "")
		for _, column := range r.Columns {
			cell := r.Cell(s.Name, column.Name)
			if cell.Cases > 0 {
				line[1] = grouped(cell.Cases)
			}
			line = append(line, nightCell(cell))
		}
		t.AppendRow(line)
	}
	t.Render()
}

// nightCell is a cell in a word.
func nightCell(c *reports.Cell) string {
	if c.Bad() > 0 || c.Skipped == 0 {
		failed := *c
		failed.Failed = c.Bad()
		return cellText(&failed)
	}
	return fmt.Sprintf("ok, %s n/a", grouped(c.Skipped))
}
