package ports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// Known are failures that are known, by case id: the file of `phpwire check --known`.
//
// A generated case that failed has an id too, made from the operation, the sort of
// failure and the input after it was made smaller. It stands in the file with that
// input, so that it can be asked again.
type Known map[string]KnownCase

// KnownCase is a failure that is known.
type KnownCase struct {
	Reason string `json:"reason"`
	// Op is the operation of a generated case, B64 its payload or Value its value as
	// tagged JSON.
	Op    Op              `json:"op,omitempty"`
	B64   []byte          `json:"b64,omitzero"`
	Value json.RawMessage `json:"value,omitempty"`
}

type knownFile struct {
	Known []knownEntry `json:"known"`
}

type knownEntry struct {
	Case string `json:"case"`
	KnownCase
}

// idOf is the id of a generated case that failed.
func idOf(c *Case, v Verdict) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", c.Op, v.Kind)
	h.Write(c.Input)
	return "generated/" + string(c.Op) + "-" + hex.EncodeToString(h.Sum(nil)[:4])
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
		known[k.Case] = k.KnownCase
	}
	return known, nil
}

// Write writes a file, in the order of the ids.
func (k Known) Write(path string) error {
	f := knownFile{Known: []knownEntry{}}
	for id, c := range k {
		f.Known = append(f.Known, knownEntry{id, c})
	}
	slices.SortFunc(f.Known, func(a, b knownEntry) int { return strings.Compare(a.Case, b.Case) })
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// Update notes what a run found out of a case with an id: one that fails is known
// from now on, one that passes is not any more. Reasons stay; a new one is what
// happened.
func (k Known) Update(c *Case, v Verdict) {
	old, there := k[c.ID]
	switch {
	case v.Outcome == Pass:
		delete(k, c.ID)
	case v.Outcome.Bad() && !there:
		old = KnownCase{Reason: v.Kind}
		if c.Drawn {
			old.Op, old.B64, old.Value = c.Op, c.Input, c.Value
			if c.Op == Encode {
				old.B64 = nil
			}
		}
		k[c.ID] = old
	}
}

// drawn are the inputs of generated cases, by operation, with their ids.
func (k Known) drawn(op Op) (ids []string, inputs [][]byte) {
	for _, id := range slices.Sorted(maps.Keys(k)) {
		c := k[id]
		if c.Op != op {
			continue
		}
		ids = append(ids, id)
		if op == Encode {
			inputs = append(inputs, c.Value)
		} else {
			inputs = append(inputs, c.B64)
		}
	}
	return ids, inputs
}
