package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"phpwire/oracle/childtest"
	"phpwire/reports"
)

// childFile holds every case with its conversation, beside the report.
const childFile = "child.json"

type childFlags struct {
	php, worker, only, out string
	limit                  time.Duration
	json, show, quick      bool
}

func newChildCommand() *cobra.Command {
	var f childFlags
	c := &cobra.Command{
		Use:   "child",
		Short: "Play the host against a child, and check it clause by clause",
		Long: `Play the host against the child side of the plugin protocol and check it, clause
by clause of docs/protocol.md, with raw frames over its socket. Every case has an
id, the clause, the requirement in words, and what was sent and seen.

Tested is our worker on every PHP at hand, or with --worker any program: a command
of the shell, which is given unix:// and the path of the socket as its last
argument and connects to it (clause C-7).

--only takes an area or a pattern with *; there are these areas:
  ` + strings.Join(childAreas(), "\n  ") + `

Writes report.json, index.html, junit.xml and summary.md into --out, and all
conversations into ` + childFile + `. Exit status 1 where a case fails.`,
		Example: `  phpwire child
  phpwire child --php 8.2 --only 'stubs/*'
  phpwire child --only nesting/2 --show
  phpwire child --worker 'php -d serialize_precision=-1 worker.php'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return testChildren(c, f) },
	}
	c.Flags().StringVar(&f.php, "php", "all", "which PHPs, as in run")
	c.Flags().StringVar(&f.worker, "worker", "", "the command of another child, instead of our worker")
	c.Flags().StringVar(&f.only, "only", "", "which cases (default all)")
	c.Flags().StringVar(&f.out, "out", "out", "the folder for the report")
	c.Flags().DurationVar(&f.limit, "limit", childtest.DefaultLimit, "how long a case may take before the child counts as hanging")
	c.Flags().BoolVar(&f.quick, "quick", false, "leave out the cases that end their child: starting one as WebAssembly takes a while")
	c.Flags().BoolVar(&f.json, "json", false, "print all cases with their conversations as JSON")
	c.Flags().BoolVar(&f.show, "show", false, "print the conversation of every case, not only of those that fail")
	return c
}

func childAreas() []string {
	var areas []string
	count := map[string]int{}
	for _, c := range childtest.All() {
		if count[c.Area()] == 0 {
			areas = append(areas, c.Area())
		}
		count[c.Area()]++
	}
	for i, a := range areas {
		areas[i] = fmt.Sprintf("%-12s %d cases", a, count[a])
	}
	return areas
}

func testChildren(c *cobra.Command, f childFlags) error {
	ctx, out := c.Context(), c.OutOrStdout()
	if f.limit <= 0 {
		return fmt.Errorf("--limit %v: it must be above 0", f.limit)
	}
	cases, err := childtest.Match(f.only)
	if err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	if f.quick {
		cases = slices.DeleteFunc(cases, func(c childtest.Case) bool { return c.Ends() })
	}
	if len(cases) == 0 {
		return fmt.Errorf("--only %q names no case; there are these areas:\n  %s", f.only, strings.Join(childAreas(), "\n  "))
	}
	var subjects []childtest.Subject
	if f.worker != "" {
		if c.Flags().Changed("php") {
			return errors.New("--worker names the child: --php has no meaning beside it")
		}
		subjects = append(subjects, childtest.Program(f.worker))
	} else {
		phps, err := choosePHPs(ctx, f.php)
		if err != nil {
			return err
		}
		for _, r := range phps {
			subjects = append(subjects, childtest.Worker(r))
		}
	}
	bar := newProgress(c.ErrOrStderr())
	var mu sync.Mutex
	var done int64
	o := childtest.Options{Subjects: subjects, Cases: cases, Limit: f.limit, Parallel: runtime.NumCPU(), Progress: func(childtest.Result) {
		mu.Lock()
		defer mu.Unlock()
		done++
		bar.update(done, int64(len(cases)*len(subjects)))
	}}
	began := time.Now()
	results, runErr := childtest.Run(ctx, o)
	bar.done()
	if len(results) == 0 {
		return runErr
	}
	report := childtest.Report(o, results, func(r *childtest.Result) string { return childCommand(f, r.Case.ID, r.Subject) })
	report.Version, report.Started, report.Seconds = version, began, time.Since(began).Seconds()
	report.Command = childCommand(f, f.only, "")
	if runErr != nil {
		report.Aborted = runErr.Error()
	}
	if err := errors.Join(reports.Write(f.out, report), writeChildFile(f.out, results)); err != nil {
		return errors.Join(runErr, err)
	}
	if f.json {
		err = printJSON(out, childtest.Tell(results))
	} else {
		printChildren(out, o, results, f, report)
	}
	if err := errors.Join(runErr, err); err != nil {
		return err
	}
	for i := range results {
		if results[i].Outcome != "" {
			return errFailed
		}
	}
	return nil
}

// childCommand repeats the run, or one case on one of its children.
func childCommand(f childFlags, only, subject string) string {
	command := program() + " child"
	switch {
	case f.worker != "":
		command += " --worker " + quoted(f.worker)
	case subject != "":
		command += " --php " + quoted(strings.TrimPrefix(subject, "PHP "))
	default:
		command += " --php " + quoted(f.php)
	}
	if f.quick && subject == "" {
		command += " --quick"
	}
	if only != "" {
		command += " --only " + quoted(only)
	}
	if subject != "" {
		command += " --show"
	}
	return command
}

// quoted is s as one word of the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func writeChildFile(dir string, results []childtest.Result) error {
	file, err := os.Create(filepath.Join(dir, childFile))
	if err != nil {
		return err
	}
	return errors.Join(printJSON(file, childtest.Tell(results)), file.Close())
}

// printChildren prints the conversations, a table of areas by children, and what
// did not apply.
func printChildren(w io.Writer, o childtest.Options, results []childtest.Result, f childFlags, report *reports.Run) {
	type cell struct{ cases, failed, na int }
	cells := map[[2]string]*cell{}
	var areas []string
	reasons := map[string]map[string]bool{}
	cases, failed := 0, 0
	for i := range results {
		r := &results[i]
		at := [2]string{r.Case.Area(), r.Subject}
		if cells[at] == nil {
			cells[at] = new(cell)
		}
		switch {
		case r.NotApplicable != "":
			cells[at].na++
			if reasons[r.NotApplicable] == nil {
				reasons[r.NotApplicable] = map[string]bool{}
			}
			reasons[r.NotApplicable][r.Case.ID] = true
			continue
		case r.Outcome != "":
			cells[at].failed++
			failed++
		}
		cells[at].cases++
		cases++
		if r.Outcome != "" {
			fmt.Fprintf(w, "FAILED  %s  replay  %s\n\n", r, childCommand(f, r.Case.ID, r.Subject))
		} else if f.show {
			fmt.Fprintf(w, "%s\n", r)
		}
	}
	for _, c := range o.Cases {
		if len(areas) == 0 || areas[len(areas)-1] != c.Area() {
			areas = append(areas, c.Area())
		}
	}
	t := newTable(w)
	header := row("area")
	for _, s := range o.Subjects {
		header = append(header, strings.TrimPrefix(s.Name, "PHP "))
	}
	t.AppendHeader(header)
	for _, a := range areas {
		line := row(a)
		for _, s := range o.Subjects {
			c := cells[[2]string{a, s.Name}]
			switch {
			case c == nil:
				line = append(line, "not run")
			case c.failed > 0:
				line = append(line, text.FgRed.Sprintf("%d of %d FAILED", c.failed, c.cases))
			case c.na > 0:
				line = append(line, text.FgGreen.Sprintf("%d ok, %d n/a", c.cases, c.na))
			default:
				line = append(line, text.FgGreen.Sprintf("%d ok", c.cases))
			}
		}
		t.AppendRow(line)
	}
	t.Render()
	for reason, ids := range reasons {
		fmt.Fprintf(w, "n/a: %d cases: %s\n", len(ids), reason)
	}
	verdict := "all hold"
	if failed > 0 {
		verdict = grouped(int64(failed)) + " failed"
	}
	if report.Aborted != "" {
		verdict += ", but the run ended early: " + report.Aborted
	}
	fmt.Fprintf(w, "%s cases in %.1f s: %s\nrepeat: %s\nreport: %s\n", grouped(int64(cases)), report.Seconds, verdict, report.Command, filepath.Join(f.out, "index.html"))
}
