package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"phpwire/corpus"
	"phpwire/corpus/grow"
	"phpwire/docs"
	"phpwire/reports"
)

// Findings wait for the reference to be right: a case says what the reference
// does, and a finding is what it does wrong. They stand in a file beside the
// corpus, as questions.

func waitingFile(data string) string { return filepath.Join(filepath.Dir(data), "waiting.json") }

// readWaiting returns the findings that wait beside the corpus in data.
func readWaiting(data string) ([]corpus.Question, error) {
	text, err := os.ReadFile(waitingFile(data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var waiting []corpus.Question
	if err := json.Unmarshal(text, &waiting); err != nil {
		return nil, fmt.Errorf("%s: %w", waitingFile(data), err)
	}
	return waiting, nil
}

// waitingIn is readWaiting for a checkout, none where there is no checkout.
func waitingIn(dir string) ([]corpus.Question, error) {
	data, err := dataDir(dir)
	if err != nil {
		return nil, nil
	}
	return readWaiting(data)
}

// writeWaiting leaves no file where nothing waits.
func writeWaiting(data string, waiting []corpus.Question) error {
	if len(waiting) == 0 {
		if err := os.Remove(waitingFile(data)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.MarshalIndent(waiting, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(waitingFile(data), append(text, '\n'), 0o644)
}

func inWords(q corpus.Question) string {
	return fmt.Sprintf("%s %s (clause %s: %s)", q.Op, reports.Brief(q.Input), q.Clause, q.Comment)
}

// addLater has a question wait.
func addLater(c *cobra.Command, data string, q corpus.Question) error {
	if _, ok := docs.Lookup(q.Clause); !ok {
		return fmt.Errorf("docs/protocol.md has no clause %q", q.Clause)
	}
	waiting, err := readWaiting(data)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(waiting, func(w corpus.Question) bool {
		return w.Op == q.Op && bytes.Equal(w.Input, q.Input) && w.From == q.From && slices.Equal(w.Chunks, q.Chunks)
	}) {
		fmt.Fprintf(c.OutOrStdout(), "waits already: %s\n", inWords(q))
		return nil
	}
	if err := writeWaiting(data, append(waiting, q)); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "waits: %s\n  in %s, until `%s corpus add --waiting` finds that the reference and every PHP agree\n",
		inWords(q), waitingFile(data), program())
	return nil
}

// addWaiting makes cases of the findings about which nobody disagrees any more.
func addWaiting(c *cobra.Command, f addFlags, data string) error {
	waiting, err := readWaiting(data)
	if err != nil || len(waiting) == 0 {
		if err == nil {
			fmt.Fprintln(c.OutOrStdout(), "nothing waits")
		}
		return err
	}
	cases, err := corpus.ReadDir(data)
	if err != nil {
		return err
	}
	var left []corpus.Question
	err = withPanel(c.Context(), f.php, func(panel *grow.Panel) error {
		if err := refuseMissing(panel, f.partial); err != nil {
			return err
		}
		for _, q := range waiting {
			with, added, err := panel.Add(c.Context(), cases, q, true)
			var same *grow.Same
			switch {
			case errors.As(err, &same):
				fmt.Fprintf(c.OutOrStdout(), "%v\n", same)
			case err != nil && c.Context().Err() != nil:
				return err
			case err != nil:
				left = append(left, q)
				fmt.Fprintf(c.OutOrStdout(), "waits: %s\n  %v\n", inWords(q), err)
			default:
				cases = with
				printAdded(c.OutOrStdout(), added)
			}
		}
		if err := corpus.WriteDir(data, cases); err != nil {
			return err
		}
		return writeWaiting(data, left)
	})
	return failedUnless(len(left) == 0, err)
}
