package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"phpwire/corpus"
	"phpwire/ports"
	"phpwire/ports/adapter"
	"phpwire/ports/matrix"
	"phpwire/reports"
)

type matrixFlags struct {
	ports, out, docs, suite string
	install, updateKnown    bool
	timeout                 time.Duration
}

func newMatrixCommand() *cobra.Command {
	var f matrixFlags
	c := &cobra.Command{
		Use:   "matrix [PORT...]",
		Short: "Judge all ports that are here: what does each library do, area by area?",
		Long: `Judge the ports in the folders of --ports, or those that are named, with all cases
of the corpus. Then call each library directly, in a line of its own language, with
the smallest input of each sort of failure: what is claimed of a library must be
seen without us.

Writes report.json, index.html, junit.xml and summary.md into --out, and with --docs
matrix.md and matrix.svg into that folder, and the table of verdicts into README.md
beside it, between the two comments that name it. Exit status 1 where a library does not do
what is claimed of it; that a library fails is what the matrix is for.`,
		Example: `  phpwire matrix
  phpwire matrix locutus php-serialize --suite 'keys/*'
  phpwire matrix --install
  phpwire matrix --update-known locutus
  phpwire matrix --docs docs`,
		RunE: func(c *cobra.Command, args []string) error { return judgePorts(c, f, args) },
	}
	c.Flags().StringVar(&f.ports, "ports", "ports", "the folder with the ports' folders")
	c.Flags().BoolVar(&f.install, "install", false, "only install the libraries that are missing")
	c.Flags().BoolVar(&f.updateKnown, "update-known", false, "only note in each port's folder what it does with the examples of docs/protocol.md")
	c.Flags().StringVar(&f.suite, "suite", "", "which suites, as in check (default all)")
	c.Flags().DurationVar(&f.timeout, "timeout", 2*time.Second, "how long an answer may take; the first that takes longer in a suite is waited for five times as long")
	c.Flags().StringVar(&f.out, "out", "out", "the folder for the report")
	c.Flags().StringVar(&f.docs, "docs", "", "the folder for matrix.md and matrix.svg (default none)")
	return c
}

func judgePorts(c *cobra.Command, f matrixFlags, names []string) error {
	all, err := adapter.All(f.ports)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(a adapter.Adapter) bool { return a.Folder == name }) {
			return fmt.Errorf("no port %q in %s", name, f.ports)
		}
	}
	all = slices.DeleteFunc(all, func(a adapter.Adapter) bool { return len(names) > 0 && !slices.Contains(names, a.Folder) })
	if f.timeout <= 0 {
		return errors.New("--timeout must be positive")
	}
	if f.install {
		return installPorts(c, all)
	}
	if f.updateKnown {
		for i := range all {
			if err := all[i].Record(c.Context()); err != nil {
				return err
			}
		}
		return nil
	}
	line := program() + " matrix"
	for _, name := range names {
		line += " " + quoted(name)
	}
	if f.suite != "" {
		line += " --suite " + quoted(f.suite)
	}
	errs := c.ErrOrStderr()
	last, began := "", time.Now()
	m, err := matrix.Judge(c.Context(), matrix.Options{
		Adapters: all,
		Each: ports.Options{
			Corpus: corpus.Cases(), Suite: f.suite, Limit: f.timeout, Patience: 5 * f.timeout, Seed: 1, Program: program(), Version: version, Line: line,
		},
		Progress: func(what string, done, total int64) {
			if what != last {
				fmt.Fprintf(errs, "%4.0f s  %s\n", time.Since(began).Seconds(), what)
				last = what
			}
		},
	})
	if err != nil {
		return err
	}
	if err := reports.Write(f.out, m.Run); err != nil {
		return err
	}
	if f.docs != "" {
		if err := errors.Join(writeMatrix(m, f.docs), writeTable(m, filepath.Join(f.docs, "..", "README.md"))); err != nil {
			return err
		}
	}
	out := c.OutOrStdout()
	t := newTable(out)
	t.AppendHeader(row("port", "library", "cases", "pass", "fail", "crash", "hang", "garbage", "known", "fixed", "skip"))
	for _, p := range m.Ports {
		t.AppendRow(append(row(p.Adapter.Folder, p.Adapter.Library), countsRow("", p.Counts)[1:]...))
	}
	t.Render()
	shown, of, not := m.Shown()
	if without := len(m.Claims) - of; without > 0 {
		fmt.Fprintf(out, "without a call, since the language has no such value or the line would be too long: %d claims\n", without)
	}
	for _, claim := range not {
		fmt.Fprintf(out, "NOT SHOWN  %s  %s  %s\n  %s\n  %s\n  %s\n", claim.Port.Adapter.Folder, claim.Failure.Suite, claim.Failure.Title, claim.Failure.Replay, claim.Replayed.Line, claim.Replayed.Says)
	}
	fmt.Fprintf(out, "replayed with the libraries' own calls: %d of %d claims\nreport: %s\n", shown, of, strings.TrimSuffix(f.out, "/")+"/index.html")
	return failedUnless(shown == of, err)
}

// installPorts installs the libraries of ports that do not start. It tries all, and
// returns what went wrong.
func installPorts(c *cobra.Command, all []adapter.Adapter) error {
	var errs error
	for i := range all {
		installed, err := all[i].Ready(c.Context())
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("%s: %w", all[i].Folder, err))
		}
		if installed {
			fmt.Fprintf(c.OutOrStdout(), "installed %s\n", all[i].Library)
		}
	}
	return errs
}

// The lines of a README between which the table of verdicts stands.
const tableBegins, tableEnds = "<!-- matrix -->\n", "<!-- end of matrix -->\n"

// writeTable writes the table of verdicts into a README that has a place for it.
func writeTable(m *matrix.Matrix, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !found || !ends {
		return fmt.Errorf("%s: no lines %q and %q", path, tableBegins, tableEnds)
	}
	return os.WriteFile(path, []byte(before+tableBegins+m.Table()+tableEnds+after), 0o644)
}

// writeMatrix writes matrix.md and matrix.svg into a folder.
func writeMatrix(m *matrix.Matrix, dir string) error {
	for name, write := range map[string]func(io.Writer) error{"matrix.md": m.WriteMarkdown, "matrix.svg": m.WriteSVG} {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
