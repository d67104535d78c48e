package suites

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"phpwire/oracle"
)

// Checkpoint is a file that says how far exhaustive suites are, so that a run of
// hours can be interrupted. A nil Checkpoint keeps nothing.
type Checkpoint struct {
	path  string
	mu    sync.Mutex
	state checkpointState
	ahead map[string]map[int]int // finished behind a gap: by suite, from first to next
	base  map[string]int64       // failures of earlier runs
	saved time.Time
}

type checkpointState struct {
	PHPs   []string            `json:"phps"`
	Suites map[string]*Reached `json:"suites"`
}

// Reached tells how far a suite is.
type Reached struct {
	Next   int   `json:"next"`   // all cases with lower numbers were judged
	Failed int64 `json:"failed"` // of them, for all PHPs together
}

// saveEvery is how much work an interruption may cost.
const saveEvery = 2 * time.Second

// OpenCheckpoint reads the file at path, or begins one. It must come from a run
// with the same PHPs.
func OpenCheckpoint(path string, phps []oracle.Runtime) (*Checkpoint, error) {
	c := &Checkpoint{path: path, ahead: map[string]map[int]int{}, base: map[string]int64{}}
	c.state.Suites = map[string]*Reached{}
	for _, p := range phps {
		c.state.PHPs = append(c.state.PHPs, p.Name())
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, c.save()
	}
	if err != nil {
		return nil, err
	}
	before := checkpointState{Suites: map[string]*Reached{}}
	if err := json.Unmarshal(text, &before); err != nil {
		return nil, fmt.Errorf("%s is no checkpoint: %w", path, err)
	}
	if !slices.Equal(before.PHPs, c.state.PHPs) {
		return nil, fmt.Errorf("%s is of a run with the PHPs %q, not %q", path, before.PHPs, c.state.PHPs)
	}
	c.state = before
	for name, r := range before.Suites {
		c.base[name] = r.Failed
	}
	return c, nil
}

// Reached returns how far a suite is.
func (c *Checkpoint) Reached(suite string) Reached {
	if c == nil {
		return Reached{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.state.Suites[suite]; r != nil {
		return *r
	}
	return Reached{}
}

func (c *Checkpoint) next(suite string) int { return c.Reached(suite).Next }

// done notes that n cases from first on were judged, and how many failed in this
// run.
func (c *Checkpoint) done(suite string, first, n int, failed int64) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	r := c.state.Suites[suite]
	if r == nil {
		r = new(Reached)
		c.state.Suites[suite] = r
	}
	if c.ahead[suite] == nil {
		c.ahead[suite] = map[int]int{}
	}
	c.ahead[suite][first] = first + n
	for next, ok := c.ahead[suite][r.Next]; ok; next, ok = c.ahead[suite][r.Next] {
		delete(c.ahead[suite], r.Next)
		r.Next = next
	}
	r.Failed = c.base[suite] + failed
	due := time.Since(c.saved) >= saveEvery
	c.mu.Unlock()
	if due {
		return c.save()
	}
	return nil
}

// save writes the file, whole or not at all.
func (c *Checkpoint) save() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saved = time.Now()
	text, err := json.MarshalIndent(&c.state, "", "  ")
	if err != nil {
		return err
	}
	next := c.path + ".next"
	if err := os.WriteFile(next, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(next, c.path)
}
