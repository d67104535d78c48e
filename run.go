package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"phpwire/fuzz/judge"
	"phpwire/fuzz/suites"
	"phpwire/oracle"
	"phpwire/reports"
)

// defaultCases makes a run of about 20 seconds on one native PHP and two cores.
const defaultCases = 450_000

type runFlags struct {
	php, suite, out string
	cases, from, to int
	resume          string
	seed            int64
	json, failFast  bool
}

func newRunCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run",
		Short: "Check the reference codec against PHP, and write a report",
		Long: `Run suites of generated cases: the reference codec, its doubles and its frames
are held against every chosen PHP (invariants P1 to P6 of docs/protocol.md).
A failure is shrunk to the smallest input that still shows it, and comes with the
command that replays it.

The same seed gives the same cases. --cases N is the number of codec cases for
each PHP; ten times as many doubles come with them.

--php takes best (the default), all, native, wasm, or a list of versions (8.2,
8.4.25), names ('8.2 wasm') and paths of binaries, separated by commas.
--suite takes a pattern with * like codec/*; a suite's first parts name all below.
  ` + strings.Join(suiteNames(suites.All()), "\n  ") + `

Suites that leave nothing out run when they are named; they take from minutes to
hours. --from and --to bound the numbers of their cases. With --resume FILE they
note in FILE how far they are, and go on from there.
  ` + strings.Join(suiteNames(suites.Exhaustive()), "\n  ") + `

Writes report.json, index.html, junit.xml and summary.md into --out.`,
		Example: `  phpwire run
  phpwire run --php all --cases 100000
  phpwire run --php 8.2,8.5 --suite 'codec/*' --seed 7
  phpwire run --suite exhaustive/float32 --resume float32.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSuites(c, f) },
	}
	c.Flags().StringVar(&f.php, "php", "best", "which PHPs")
	c.Flags().StringVar(&f.suite, "suite", "", "which suites (default all)")
	c.Flags().IntVar(&f.cases, "cases", defaultCases, "codec cases for each PHP")
	c.Flags().Int64Var(&f.seed, "seed", 0, "what the cases are made from (default the time)")
	c.Flags().IntVar(&f.from, "from", 0, "the first case of an exhaustive suite")
	c.Flags().IntVar(&f.to, "to", 0, "the case of an exhaustive suite before which to end (default all)")
	c.Flags().StringVar(&f.resume, "resume", "", "the file that says how far exhaustive suites are")
	c.Flags().StringVar(&f.out, "out", "out", "the folder for the report")
	c.Flags().BoolVar(&f.failFast, "fail-fast", false, "end at the first failure")
	c.Flags().BoolVar(&f.json, "json", false, "print report.json instead of the table")
	return c
}

func suiteNames(all []suites.Suite) []string {
	var names []string
	for _, s := range all {
		names = append(names, fmt.Sprintf("%-22s %s", s.Name(), s.Title()))
	}
	return names
}

func runSuites(c *cobra.Command, f runFlags) error {
	ctx, out, status := c.Context(), c.OutOrStdout(), c.ErrOrStderr()
	if f.cases < 1 {
		return fmt.Errorf("--cases %d: it must be 1 or more", f.cases)
	}
	if f.seed == 0 {
		f.seed = time.Now().UnixNano() & (1<<48 - 1)
	}
	chosen, err := suites.Match(f.suite)
	if err != nil {
		return fmt.Errorf("--suite %q: %w", f.suite, err)
	}
	if len(chosen) == 0 {
		return fmt.Errorf("--suite %q names no suite; there are:\n  %s", f.suite, strings.Join(suiteNames(slices.Concat(suites.All(), suites.Exhaustive())), "\n  "))
	}
	exhaustive := slices.ContainsFunc(chosen, suites.Suite.Exhaustive)
	if !exhaustive && (f.from != 0 || f.to != 0 || f.resume != "") {
		return errors.New("--from, --to and --resume are for exhaustive suites; name one in --suite")
	}
	if f.from < 0 || f.to < 0 || f.to != 0 && f.to <= f.from {
		return fmt.Errorf("--from %d --to %d: they must be 0 or more, and leave something between them", f.from, f.to)
	}
	phps, err := choosePHPs(ctx, f.php)
	if err != nil {
		return err
	}
	var checkpoint *suites.Checkpoint
	if f.resume != "" {
		if checkpoint, err = suites.OpenCheckpoint(f.resume, phps); err != nil {
			return err
		}
	}
	bar := newProgress(status)
	command := fmt.Sprintf("%s run --php '%s' --cases %d --seed %d", program(), f.php, f.cases, f.seed)
	if f.suite != "" {
		command += " --suite '" + f.suite + "'"
	}
	if exhaustive && (f.from > 0 || f.to > 0) {
		command += fmt.Sprintf(" --from %d --to %d", f.from, f.to)
	}
	var seen judge.Visits
	report, err := suites.Run(ctx, suites.Options{
		PHPs: phps, Suites: chosen, Cases: f.cases, Seed: f.seed, Program: program(), Command: command, Version: version, Progress: bar.update, Seen: &seen,
		From: f.from, To: f.to, Checkpoint: checkpoint, FailFast: f.failFast,
	})
	bar.done()
	if report == nil {
		return err
	}
	if errors.Is(err, suites.ErrFirstFailure) {
		err = nil // the report says so
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
		report.Aborted = "interrupted"
	}
	if writeErr := reports.Write(f.out, report); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	if f.json {
		if writeErr := reports.WriteJSON(out, report); writeErr != nil {
			return errors.Join(err, writeErr)
		}
	} else {
		printRun(out, report, &seen, f.suite == "", f.out)
		printExhaustive(out, report, chosen, checkpoint)
	}
	for _, cell := range report.Cells {
		if cell.Failed > 0 || checkpoint.Reached(cell.Suite).Failed > 0 {
			if err != nil {
				fmt.Fprintln(status, "phpwire:", err)
			}
			return errFailed
		}
	}
	return err
}

// printExhaustive prints how many cases of how many were judged.
func printExhaustive(w io.Writer, r *reports.Run, chosen []suites.Suite, checkpoint *suites.Checkpoint) {
	for _, s := range chosen {
		if !s.Exhaustive() {
			continue
		}
		all := int64(s.Total(0))
		fmt.Fprintf(w, "%s: ", s.Name())
		for i, column := range r.Columns {
			if i > 0 {
				fmt.Fprint(w, ", ")
			}
			cases := r.Cell(s.Name(), column.Name).Cases
			fmt.Fprintf(w, "%s of %s judged by %s (%.1f %%, %s a second)", grouped(cases), grouped(all), column.Name,
				100*float64(cases)/float64(all), grouped(int64(float64(cases)/r.Seconds)))
		}
		fmt.Fprintln(w)
		if checkpoint != nil {
			reached := checkpoint.Reached(s.Name())
			fmt.Fprintf(w, "  with the runs before: all up to number %s of %s, %s failed\n", grouped(int64(reached.Next)), grouped(all), grouped(reached.Failed))
		}
	}
}

func choosePHPs(ctx context.Context, selection string) ([]oracle.Runtime, error) {
	found, err := oracle.Find(ctx)
	if err != nil {
		return nil, err
	}
	return found.Select(ctx, selection)
}

// printRun prints the failures, the table of suites by PHP, which clauses were
// exercised, and what repeats the run. Whole says that all suites ran.
func printRun(w io.Writer, r *reports.Run, seen *judge.Visits, whole bool, dir string) {
	for i, f := range r.Failures {
		printFailure(w, i+1, &f)
	}
	printSuites(w, r)
	printVisits(w, seen, whole)
	cases, failed := r.Totals().Cases, r.Totals().Failed
	verdict := "all hold"
	if failed > 0 {
		verdict = grouped(failed) + " failed"
	}
	if r.Aborted != "" {
		verdict += ", but the run ended early: " + r.Aborted
	}
	fmt.Fprintf(w, "%s cases in %.1f s: %s\nrepeat: %s\nreport: %s\n", grouped(cases), r.Seconds, verdict, r.Command, filepath.Join(dir, "index.html"))
}

func cellText(c *reports.Cell) string {
	switch {
	case c.NotApplicable != "":
		return "-"
	case c.Cases == 0:
		return "not run"
	case c.Failed > 0:
		return text.FgRed.Sprintf("%s FAILED", grouped(c.Failed))
	}
	return text.FgGreen.Sprint("ok")
}

func printFailure(w io.Writer, n int, f *reports.Failure) {
	fmt.Fprintf(w, "FAILED %d  %s  %s  %s (clause %s)\n  %s\n", n, f.Suite, f.Column, f.Invariant, f.Clause, f.Title)
	fmt.Fprintf(w, "  input   %s  (%d bytes", glance(f.Input), len(f.Input))
	if f.ShrunkFrom > 0 {
		fmt.Fprintf(w, ", shrunk from %d", f.ShrunkFrom)
	}
	fmt.Fprintln(w, ")")
	for _, s := range f.Sides {
		fmt.Fprintf(w, "  %-19s %s\n", s.Name, sideText(&s))
	}
	for _, d := range f.Differences {
		fmt.Fprintf(w, "  differs %s\n", d)
	}
	fmt.Fprintf(w, "  replay  %s\n", f.Replay)
	if f.File != "" {
		fmt.Fprintf(w, "  keep    %s\n", f.File)
	}
	fmt.Fprintln(w)
}

func sideText(s *reports.Side) string {
	parts := []string{string(s.Verdict)}
	if s.Bytes != nil {
		parts = append(parts, glance(s.Bytes))
	}
	if s.Message != "" {
		parts = append(parts, s.Message)
	}
	return strings.Join(append(parts, s.Warnings...), "  ")
}

// clipped cuts a text that is longer than most bytes.
func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "..."
}

// colours are for terminals only.
func init() {
	if _, ok := terminalWidth(os.Stdout); !ok || os.Getenv("NO_COLOR") != "" {
		text.DisableColors()
	}
}
