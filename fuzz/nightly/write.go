package nightly

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"phpwire/reports"
)

// The names beside the report.
const (
	FindingsDir = "findings"
	HistoryFile = "history.jsonl"
)

// write writes the report and what goes with it.
func (n *night) write(r *reports.Run) error {
	return errors.Join(KeepHistory(n.Dir, r), reports.Write(n.Dir, r))
}

// KeepHistory gives the report the nights of the history in dir that it has not,
// and adds it there, in the place of what stood there of the same night.
func KeepHistory(dir string, r *reports.Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, HistoryFile)
	nights, err := readHistory(path)
	if err != nil {
		return err
	}
	all := append(slices.Clone(r.History), nights...)
	slices.SortStableFunc(all, func(a, b reports.Night) int { return a.Started.Compare(b.Started) })
	all = slices.CompactFunc(all, func(a, b reports.Night) bool { return a.Started.Equal(b.Started) })
	all = slices.DeleteFunc(all, func(a reports.Night) bool { return a.Started.Equal(r.Started) })
	r.History = all[max(0, len(all)-reports.HistoryNights):]
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, night := range append(slices.Clone(r.History), r.Night()) {
		if err := lines.Encode(night); err != nil {
			return err
		}
	}
	return replace(path, b.Bytes())
}

func readHistory(path string) ([]reports.Night, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var nights []reports.Night
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var night reports.Night
		if err := json.Unmarshal([]byte(line), &night); err != nil {
			return nil, fmt.Errorf("%s, line %d, is no night: %w", path, i+1, err)
		}
		nights = append(nights, night)
	}
	return nights, nil
}

// File files failures below dir: each as JSON, and a payload as the bytes that it
// is. Where the corpus takes such a case, the failure's File becomes the command
// that adds it, of the program that was called so.
func File(dir, program string, failures []reports.Failure) error {
	if len(failures) == 0 {
		return nil
	}
	folder := filepath.Join(dir, FindingsDir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i := range failures {
		f := &failures[i]
		at := filepath.Join(folder, f.ID)
		// A payload may be too long for a command, so it has a file.
		before, clause, is := strings.Cut(f.File, "' --clause ")
		if is && (strings.Contains(before, " corpus add --b64 '") || strings.HasSuffix(before, f.ID+".in")) {
			if err := replace(at+".in", f.Input); err != nil {
				return err
			}
			f.File = fmt.Sprintf("%s corpus add '%s' --clause %s", program, strings.ReplaceAll(at+".in", "'", `'\''`), clause)
		}
		text, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return err
		}
		if err := replace(at+".json", append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}
