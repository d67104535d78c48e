package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/ports"
	"phpwire/reports"
)

type checkFlags struct {
	port, known, suite, only, php, out string
	b64, value                         string
	updateKnown, json                  bool
	budget, timeout                    time.Duration
	copies                             int
	memory                             int64 // MiB
	seed                               int64
}

func newCheckCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check --port COMMAND",
		Short: "Judge a port in any language: where does it differ from PHP?",
		Long: `Judge an implementation of the wire, a port: a program that reads questions on
standard input and writes answers on standard output, one JSON object a line.
docs/ports.md shows how to write one in 30 lines.

First come all cases of the corpus, then payloads and values that are generated and
judged by live PHP until the budget ends; those that fail are made smaller. A port
must do what its profile says: plugin, canonical or php, which is PHP's own
behaviour. Verdicts are pass, fail, crash, hang, garbage and skip.

With --known FILE failures that stand there do not fail the run, and those there
that pass do, until --update-known has changed the file. Generated cases that fail
have an id too; those of the file are asked again.

Writes report.json, index.html, junit.xml and summary.md into --out.`,
		Example: `  phpwire check --port 'php -n -d serialize_precision=-1 ports/php/port.php'
  phpwire check --port ./my-port --budget 10m --known known.json
  phpwire check --port ./my-port --suite 'keys,ints/encode' --budget 0
  phpwire check --port ./my-port --b64 'aTowNTs='`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return checkPort(c, f) },
	}
	c.Flags().StringVar(&f.port, "port", "", "the command that starts the port, one of the shell")
	c.Flags().StringVar(&f.known, "known", "", "the file with known failures")
	c.Flags().BoolVar(&f.updateKnown, "update-known", false, "change the file of --known to what is found")
	c.Flags().StringVar(&f.suite, "suite", "", "which suites, AREA or AREA/OPERATION, with * and with commas between them (default all)")
	c.Flags().StringVar(&f.only, "only", "", "ask only the case of the corpus with this id")
	c.Flags().StringVar(&f.b64, "b64", "", "ask only this payload in base64")
	c.Flags().StringVar(&f.value, "value", "", "ask only this value as tagged JSON")
	c.Flags().StringVar(&f.php, "php", "best", "which PHPs judge what is not in the corpus, as in run")
	c.Flags().DurationVar(&f.budget, "budget", time.Minute, "how long to go on with generated cases; 0 for none")
	c.Flags().DurationVar(&f.timeout, "timeout", 5*time.Second, "how long an answer may take")
	c.Flags().Int64Var(&f.memory, "memory", 1024, "how many MiB a copy of the port may use")
	c.Flags().IntVar(&f.copies, "copies", 0, "how many copies run at the same time (default one a core)")
	c.Flags().Int64Var(&f.seed, "seed", 0, "what the cases are generated from (default the time)")
	c.Flags().StringVar(&f.out, "out", "out", "the folder for the report")
	c.Flags().BoolVar(&f.json, "json", false, "print report.json instead of the table")
	return c
}

func checkPort(c *cobra.Command, f checkFlags) error {
	ctx, out := c.Context(), c.OutOrStdout()
	given := c.Flags().Changed("b64") || c.Flags().Changed("value")
	switch {
	case f.port == "":
		return errors.New("--port: which command starts the port?")
	case f.updateKnown && f.known == "":
		return errors.New("--update-known: which file? name it with --known")
	case f.budget < 0 || f.timeout <= 0 || f.memory <= 0 || f.copies < 0:
		return errors.New("--budget, --timeout, --memory and --copies must not be negative, --timeout and --memory not 0")
	case given && (f.only != "" || f.suite != ""):
		return errors.New("--b64 and --value ask one input alone: without --only and --suite")
	}
	if f.seed == 0 {
		f.seed = time.Now().UnixNano() & (1<<48 - 1)
	}
	o := ports.Options{
		Command: f.port, Copies: f.copies, Limit: f.timeout, Memory: f.memory << 20, Corpus: corpus.Cases(), Suite: f.suite, Only: f.only,
		Budget: f.budget, Seed: f.seed, UpdateKnown: f.updateKnown, Program: program(), Version: version, Line: checkLine(f),
	}
	if f.known != "" {
		_, err := os.Stat(f.known)
		if err != nil && !(f.updateKnown && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
		if o.Known, err = ports.ReadKnown(f.known); err != nil {
			return err
		}
	}
	if c.Flags().Changed("b64") {
		payload, err := base64.StdEncoding.DecodeString(f.b64)
		if err != nil {
			return fmt.Errorf("--b64: %w", err)
		}
		o.Payloads = [][]byte{payload}
	}
	if c.Flags().Changed("value") {
		if _, err := codec.ParseTagged([]byte(f.value)); err != nil {
			return fmt.Errorf("--value: %w", err)
		}
		o.Values = [][]byte{[]byte(f.value)}
	}
	if given || f.budget > 0 && f.only == "" {
		var err error
		if o.PHPs, err = choosePHPs(ctx, f.php); err != nil {
			return err
		}
	}
	bar := newProgress(c.ErrOrStderr())
	o.Progress = bar.update
	report, err := ports.Check(ctx, o)
	bar.done()
	if report == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
		report.Aborted = "interrupted"
	}
	if err == nil && f.updateKnown {
		err = o.Known.Write(f.known)
	}
	if writeErr := reports.Write(f.out, report); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	if f.json {
		err = errors.Join(err, reports.WriteJSON(out, report))
	} else {
		printCheck(out, report, f.only != "" || given, f.out)
	}
	return failedUnless(report.Totals().Bad() == 0, err)
}

// checkLine is the command that repeats a check.
func checkLine(f checkFlags) string {
	line := fmt.Sprintf("%s check --port %s --budget %s --seed %d", program(), quoted(f.port), f.budget, f.seed)
	for _, option := range []struct{ name, value string }{{"suite", f.suite}, {"only", f.only}, {"known", f.known}, {"b64", f.b64}, {"value", f.value}} {
		if option.value != "" {
			line += " --" + option.name + " " + quoted(option.value)
		}
	}
	if f.php != "best" {
		line += " --php " + quoted(f.php)
	}
	return line
}

// printCheck prints the smallest failing case of each kind (or all of them), the
// table of areas by verdict, and where the report is.
func printCheck(w io.Writer, r *reports.Run, all bool, dir string) {
	for i, f := range smallest(r.Failures, all) {
		printFailure(w, i+1, &f)
	}
	t := newTable(w)
	t.AppendHeader(row("area", "cases", "pass", "fail", "crash", "hang", "garbage", "known", "fixed", "skip"))
	var total reports.Counts
	for _, area := range areas(r) {
		t.AppendRow(countsRow(area.name, area.Counts))
		total = total.Plus(area.Counts)
	}
	t.AppendFooter(countsRow("all", total))
	t.Style().Format.Footer = text.FormatDefault
	t.Render()
	for _, s := range skips(r) {
		fmt.Fprintf(w, "skipped %s: %s\n", grouped(s.Count), s.Name)
	}
	for _, k := range r.Known {
		if k.State == reports.NowPasses {
			fmt.Fprintf(w, "known to fail, but passes: %s (%s)\n", k.Case, k.Reason)
		}
	}
	port := r.Columns[0]
	_, sentence := r.Headline()
	fmt.Fprintf(w, "%s %s (%s, %s): %s, in %.1f s\nrepeat: %s\nreport: %s\n", port.Name, port.Version, port.Language, port.Platform, sentence, r.Seconds, r.Command, filepath.Join(dir, "index.html"))
}

// smallest picks the failure with the shortest input of each kind and operation.
func smallest(failures []reports.Failure, all bool) []reports.Failure {
	if all {
		return failures
	}
	var picked []reports.Failure
	at := map[string]int{}
	for _, f := range failures {
		_, op, _ := strings.Cut(f.Suite, "/")
		i, seen := at[op+f.Kind]
		switch {
		case !seen:
			at[op+f.Kind] = len(picked)
			picked = append(picked, f)
		case len(f.Input) < len(picked[i].Input):
			picked[i] = f
		}
	}
	return picked
}

type areaCounts struct {
	name string
	reports.Counts
}

// areas adds up the suites of an area.
func areas(r *reports.Run) []*areaCounts {
	var all []*areaCounts
	byName := map[string]*areaCounts{}
	for _, s := range r.Suites {
		name, _, _ := strings.Cut(s.Name, "/")
		a := byName[name]
		if a == nil {
			a = &areaCounts{name: name}
			byName[name] = a
			all = append(all, a)
		}
		a.Counts = a.Plus(r.Cell(s.Name, r.Columns[0].Name).Counts)
	}
	return all
}

// countsRow is a line of the table; what is not there is left empty.
func countsRow(name string, c reports.Counts) table.Row {
	line := row(name, grouped(c.Cases))
	for i, n := range []int64{c.Passed, c.Failed, c.Crashed, c.Hung, c.Garbage, c.Known, c.Fixed, c.Skipped} {
		switch {
		case n == 0:
			line = append(line, "")
		case i >= 1 && i <= 4 || i == 6:
			line = append(line, text.FgRed.Sprint(grouped(n)))
		default:
			line = append(line, grouped(n))
		}
	}
	return line
}

// skips adds up why cases were skipped.
func skips(r *reports.Run) []reports.Tally {
	var all []reports.Tally
	for _, c := range r.Cells {
		for _, s := range c.Skips {
			all = reports.Tallied(all, s.Name, s.Count)
		}
	}
	return all
}
