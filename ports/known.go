package ports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Known are failures that are known, by case id, with the reason: the file of
// `phpwire check --known`.
type Known map[string]string

type knownFile struct {
	Known []knownCase `json:"known"`
}

type knownCase struct {
	Case   string `json:"case"`
	Reason string `json:"reason"`
}

// ReadKnown reads a file. One that does not exist is empty.
func ReadKnown(path string) (Known, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Known{}, nil
	}
	if err != nil {
		return nil, err
	}
	var f knownFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	known := Known{}
	for _, k := range f.Known {
		if _, twice := known[k.Case]; twice || k.Case == "" || k.Reason == "" {
			return nil, fmt.Errorf("%s: case %q: it must have an id, a reason, and stand there once", path, k.Case)
		}
		known[k.Case] = k.Reason
	}
	return known, nil
}

// Write writes a file, in the order of the ids.
func (k Known) Write(path string) error {
	f := knownFile{Known: []knownCase{}}
	for id, reason := range k {
		f.Known = append(f.Known, knownCase{id, reason})
	}
	slices.SortFunc(f.Known, func(a, b knownCase) int { return strings.Compare(a.Case, b.Case) })
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// Update notes what a run found out: cases that fail are known from now on, those
// that pass are not any more. Reasons stay; a new one is what happened.
func (k Known) Update(id string, v Verdict) {
	switch {
	case v.Outcome == Pass:
		delete(k, id)
	case v.Outcome.Bad() && k[id] == "":
		k[id] = v.Kind
	}
}
