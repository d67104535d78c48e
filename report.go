package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"phpwire/fuzz/nightly"
	"phpwire/reports"
)

func newReportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Merge the reports of shards, render one anew, compare two",
		Long: `Work with report.json files, each given by its own path or its folder's.

Exit status: 0 all holds, 1 something does not hold, 2 the work could not be done.`,
		Example: `  phpwire report merge out shard-1 shard-2
  phpwire report render out/report.json --out page`,
	}
	c.AddCommand(newReportMergeCommand(), newReportRenderCommand(), newReportCompareCommand())
	return c
}

func newReportMergeCommand() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "merge OUT IN...",
		Short: "Add up the reports of shards",
		Long: `Add up reports that did parts of the same work, and write report.json, index.html,
junit.xml and summary.md into the folder OUT. The counts and failures are those of
the whole. Of a nightly, the findings are filed in OUT/findings, and the night is
noted in OUT/history.jsonl.

Reports of two versions of phpwire, of two seeds or of two verbs are not the same
work. They are refused, but for --force: then the first one's version, seed and
verb stand in the report. The status is 1 where a case of any of them failed.`,
		Example: `  phpwire report merge out shard-1 shard-2
  phpwire report merge --force out native/report.json wasm/report.json`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			merged, err := mergeReports(args[1:], force)
			if err != nil {
				return err
			}
			if merged.Kind == reports.KindNightly {
				if err := errors.Join(nightly.KeepHistory(args[0], merged), nightly.File(args[0], program(), merged.Failures)); err != nil {
					return err
				}
			}
			return writeReport(c.OutOrStdout(), args[0], merged)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "merge what is not the same work, too")
	return c
}

func mergeReports(paths []string, force bool) (*reports.Run, error) {
	var merged *reports.Run
	for _, path := range paths {
		next, err := reports.Read(path)
		if err != nil {
			return nil, err
		}
		if merged == nil {
			merged = next
			continue
		}
		if force {
			next.Tool, next.Version, next.Kind, next.Seed = merged.Tool, merged.Version, merged.Kind, merged.Seed
		}
		if merged, err = reports.Merge(merged, next); err != nil {
			return nil, fmt.Errorf("%s: %w (--force merges them all the same)", path, err)
		}
	}
	return merged, nil
}

func newReportRenderCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "render IN",
		Short: "Write a report's other forms anew",
		Long: `Read a report.json and write it with index.html, junit.xml and summary.md into
--out. The status is 1 where a case failed.`,
		Example: `  phpwire report render out/report.json --out page`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := reports.Read(args[0])
			if err != nil {
				return err
			}
			return writeReport(c.OutOrStdout(), out, r)
		},
	}
	c.Flags().StringVar(&out, "out", "out", "the folder for the report")
	return c
}

func newReportCompareCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compare A B",
		Short: "Say whether two reports tell the same, but for times",
		Long: `Say whether two reports tell the same: columns, suites, counts, failures, clauses
and facts. Times do not count, nor the history and the commands, which say where
and when it was run. The status is 1 where they differ, with what differs.`,
		Example: `  phpwire report compare resumed whole`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			a, errA := reports.Read(args[0])
			b, errB := reports.Read(args[1])
			if err := errors.Join(errA, errB); err != nil {
				return err
			}
			if differ := reports.Differ(a, b); differ != "" {
				fmt.Fprintln(c.OutOrStdout(), differ)
				return errFailed
			}
			fmt.Fprintf(c.OutOrStdout(), "the same: %s cases, %d cells, %d failures, %d facts\n", grouped(a.Totals().Cases), len(a.Cells), len(a.Failures), len(a.Facts))
			return nil
		},
	}
}

// writeReport writes a report's four forms and says what it is.
func writeReport(w io.Writer, dir string, r *reports.Run) error {
	if err := reports.Write(dir, r); err != nil {
		return err
	}
	printNews(w, r)
	printVerdict(w, r, dir)
	return failedUnless(r.Passed(), nil)
}

// printVerdict prints what a report comes to, and where it is.
func printVerdict(w io.Writer, r *reports.Run, dir string) {
	word, sentence := r.Headline()
	fmt.Fprintf(w, "%s: %s\n", word, sentence)
	if r.Aborted != "" {
		fmt.Fprintf(w, "ended early: %s\n", r.Aborted)
	}
	fmt.Fprintf(w, "report: %s\n", filepath.Join(dir, reports.PageFile))
}
