package adapter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"phpwire/corpus"
	"phpwire/ports"
	"phpwire/reports"
)

// recordedAreas are those in which nothing takes a library so much time or memory that
// its verdict depends on the machine.
const recordedAreas = "scalars,ints,floats-format,floats-parse,strings,keys,lists,arrays,handles"

// recordedPart are the cases whose outcome every adapter's folder has, those of
// recordedAreas among them: the examples of the wire's rules, which stay the same
// however the corpus grows.
func recordedPart() (part []corpus.Case) {
	for _, c := range corpus.Cases() {
		if c.Origin == corpus.FromExamples {
			part = append(part, c)
		}
	}
	return part
}

// The files of a folder that say what the adapter does with the examples of
// docs/protocol.md: which cases fail and how, as `phpwire check --known` reads them, and how many cases have
// which verdict.
const (
	KnownFile    = "known.json"
	VerdictsFile = "verdicts.json"
)

// recordedLimit is how long an answer may take. Only what hangs takes so long.
const recordedLimit = 3 * time.Second

// Verdicts are how many cases have which verdict, how they failed, and why cases
// were skipped.
type Verdicts struct {
	Counts reports.Counts   `json:"counts"`
	Kinds  map[string]int64 `json:"kinds"`
	Skips  map[string]int64 `json:"skips"`
}

// Outcome asks an adapter the examples of docs/protocol.md.
func (a *Adapter) Outcome(ctx context.Context) (ports.Known, *Verdicts, error) {
	if missing := a.Missing(); missing != "" {
		return nil, nil, errors.New(missing)
	}
	known := ports.Known{}
	// One copy, so that it is always the same cases that are not asked after hangs.
	r, err := ports.Check(ctx, ports.Options{
		Command: a.Start(), Corpus: recordedPart(), Suite: recordedAreas, Copies: 1, Limit: recordedLimit, Known: known, UpdateKnown: true,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w; to install it: %s", err, a.Installation())
	}
	v := &Verdicts{Counts: r.Totals(), Kinds: map[string]int64{}, Skips: map[string]int64{}}
	for _, c := range known {
		v.Kinds[c.Reason]++
	}
	for _, c := range r.Cells {
		for _, s := range c.Skips {
			v.Skips[s.Name] += s.Count
		}
	}
	return known, v, nil
}

// Recorded reads what the folder has of them.
func (a *Adapter) Recorded() (ports.Known, *Verdicts, error) {
	known, err := ports.ReadKnown(filepath.Join(a.Dir, KnownFile))
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(filepath.Join(a.Dir, VerdictsFile))
	if err != nil {
		return nil, nil, err
	}
	v := new(Verdicts)
	return known, v, json.Unmarshal(text, v)
}

// Record writes into the folder what the adapter does with them. Reasons that
// somebody gave stay.
func (a *Adapter) Record(ctx context.Context) error {
	known, v, err := a.Outcome(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Folder, err)
	}
	path := filepath.Join(a.Dir, KnownFile)
	old, err := ports.ReadKnown(path)
	if err != nil {
		return err
	}
	for id := range known {
		if before, there := old[id]; there {
			known[id] = before
		}
	}
	if err := known.Write(path); err != nil {
		return err
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.Dir, VerdictsFile), append(text, '\n'), 0o644)
}
