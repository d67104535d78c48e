package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"phpwire/fuzz/bench"
)

// The rounds of a run that takes less than a minute.
const (
	defaultRound  = 5 * time.Millisecond
	defaultRounds = 11
)

type benchFlags struct {
	php, markdown string
	only          []string
	round         time.Duration
	rounds        int
	json          bool
}

func newBenchCommand() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the reference beside PHP, other codecs, strconv and plain copies",
		Long: `Measure how fast the reference is: decoding and encoding six payloads beside live
PHP and two other codecs in Go, doubles beside strconv, frames beside a plain copy,
calls beside a bare ping-pong, batches beside PHP alone in a loop, and what twice the
input costs. docs/speed.md tells how, and what the figures mean.

All who are compared take turns, round by round. The figures are of the fastest
round; behind a ratio stands what half of the rounds are between. Results are
checked first. A target that is not met does not change the exit status, a wrong result does.

The parts are ` + strings.Join(bench.Parts(), ", ") + `.`,
		Example: `  phpwire bench
  phpwire bench --only codec,doubles --rounds 15
  phpwire bench --time 200ms --markdown docs/bench.md
  phpwire bench --json > bench.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runBench(c, f) },
	}
	c.Flags().StringVar(&f.php, "php", "best", "which PHP, as in run")
	c.Flags().StringSliceVar(&f.only, "only", nil, "which parts, separated by commas (default all)")
	c.Flags().DurationVar(&f.round, "time", defaultRound, "how long each round of each one is")
	c.Flags().IntVar(&f.rounds, "rounds", defaultRounds, "how many rounds")
	c.Flags().StringVar(&f.markdown, "markdown", "", "write the page with the tables into this file")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON instead of the tables")
	return c
}

func runBench(c *cobra.Command, f benchFlags) error {
	if f.round <= 0 || f.rounds < 1 {
		return errors.New("--time and --rounds must be more than 0")
	}
	phps, err := choosePHPs(c.Context(), f.php)
	if err != nil {
		return err
	}
	if len(phps) > 1 {
		return fmt.Errorf("--php %s: %d PHPs are too many, one is measured at a time", f.php, len(phps))
	}
	report, err := bench.Run(c.Context(), bench.Options{
		PHP: phps[0], Only: f.only, AtLeast: f.round, Rounds: f.rounds, Version: version, Command: benchLine(f),
		Progress: func(title string) { fmt.Fprintln(c.ErrOrStderr(), "measuring:", title) },
	})
	var wrong *bench.WrongError
	if errors.As(err, &wrong) {
		fmt.Fprintln(c.ErrOrStderr(), "phpwire: wrong:", err)
		return errFailed
	}
	if c.Context().Err() != nil {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	if f.markdown != "" {
		if err := os.WriteFile(f.markdown, []byte(benchPage(report)), 0o644); err != nil {
			return err
		}
	}
	if f.json {
		return printJSON(c.OutOrStdout(), report)
	}
	printBench(c.OutOrStdout(), report)
	return nil
}

// benchLine is the command that repeats a run.
func benchLine(f benchFlags) string {
	line := fmt.Sprintf("phpwire bench --time %s --rounds %d", f.round, f.rounds)
	if len(f.only) > 0 {
		line += " --only " + strings.Join(f.only, ",")
	}
	if f.php != "best" {
		line += " --php " + quoted(f.php)
	}
	if f.markdown != "" {
		line += " --markdown " + f.markdown
	}
	return line
}

func printBench(w io.Writer, r *bench.Report) {
	for _, t := range r.Tables() {
		fmt.Fprintf(w, "%s\n", t.Title)
		if t.About != "" {
			fmt.Fprintln(w, t.About)
		}
		benchTable(w, t).Render()
		for _, note := range t.Notes {
			fmt.Fprintln(w, "!", note)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\nrepeat: %s\n", benchMachine(r), r.Command)
}

// benchTable has words at the left and figures at the right.
func benchTable(w io.Writer, t bench.Table) table.Writer {
	out := newTable(w)
	_, colours := terminalWidth(w)
	header := row()
	var columns []table.ColumnConfig
	for i, name := range t.Header {
		header = append(header, name)
		if figures(t, i) {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight})
		}
	}
	out.AppendHeader(header)
	out.SetColumnConfigs(columns)
	for _, line := range t.Rows {
		cells := row()
		for _, cell := range line {
			if colours && cell == "not met" {
				cell = text.FgRed.Sprint(cell)
			}
			cells = append(cells, cell)
		}
		out.AppendRow(cells)
	}
	return out
}

// figures tells whether a column holds figures: it is none of those for words, and
// each cell is empty or begins with a digit.
func figures(t bench.Table, column int) bool {
	if column <= t.Words {
		return false
	}
	for _, line := range t.Rows {
		if c := line[column]; c != "" && c != "fails !" && (c[0] < '0' || c[0] > '9') {
			return false
		}
	}
	return true
}

func benchMachine(r *bench.Report) string {
	m := r.Machine
	return fmt.Sprintf("%s, %s: %d × %s, load %s; Go %s, PHP %s; %d rounds of %v each, %.0f s in all",
		r.Date.Format("2 January 2006"), m.System, m.Cores, m.CPU, m.Load, m.Go, m.PHP, r.Rounds, time.Duration(r.AtLeast*float64(time.Second)), r.Took)
}

// benchPage is the page under docs.
func benchPage(r *bench.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Measured speed\n\nWritten by `%s`. [speed.md](speed.md) tells how it is measured, and about what is not met.\n\n", r.Command)
	fmt.Fprintf(&b, "%s.\n", benchMachine(r))
	if len(r.Machine.Peers) > 0 {
		fmt.Fprintf(&b, "Other codecs: %s.\n", strings.Join(r.Machine.Peers, ", "))
	}
	for _, t := range r.Tables() {
		fmt.Fprintf(&b, "\n## %s\n\n", t.Title)
		if t.About != "" {
			fmt.Fprintf(&b, "%s\n\n", t.About)
		}
		fmt.Fprintf(&b, "%s\n", benchTable(io.Discard, t).RenderMarkdown())
		for i, note := range t.Notes {
			if i == 0 {
				b.WriteString("\nMarked with !:\n\n")
			}
			fmt.Fprintf(&b, "- ``%s``\n", note)
		}
	}
	return b.String()
}
