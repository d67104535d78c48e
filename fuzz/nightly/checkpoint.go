package nightly

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"phpwire/reports"
)

// checkpointFile holds all that a night has found so far.
const checkpointFile = "checkpoint.json"

// checkpointHead is the first line of the file, with the digest of the others.
const checkpointHead = "phpwire nightly checkpoint 1 sha256 "

// identity is what two nights must have in common to be one.
type identity struct {
	Version string   `json:"version"`
	Seed    int64    `json:"seed,string"`
	PHPs    []string `json:"phps"`
	Suite   string   `json:"suite"`
	Cases   int      `json:"cases"`
	Shard   int      `json:"shard"`
	Shards  int      `json:"shards"`
	Units   []int    `json:"units"` // how many the first and a later round have
}

// state is the content of a checkpoint.
type state struct {
	Of      identity  `json:"of"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"` // of work, without the pauses
	// Next is the first unit of this shard that is not done; of those behind it,
	// Ahead are done. Both count the shard's own units.
	Next  int   `json:"next"`
	Ahead []int `json:"ahead,omitempty"`
	// Last is the night before, as far as it matters.
	Last *reports.Run `json:"last,omitempty"`
	Run  *reports.Run `json:"run"`
}

func (s *state) done(unit int) bool { return unit < s.Next || slices.Contains(s.Ahead, unit) }

func (s *state) finish(unit int) {
	s.Ahead = append(s.Ahead, unit)
	slices.Sort(s.Ahead)
	for len(s.Ahead) > 0 && s.Ahead[0] == s.Next {
		s.Ahead = s.Ahead[1:]
		s.Next++
	}
}

// DamagedError is a checkpoint that is not what was written.
type DamagedError struct {
	Path string
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged, %s: begin the night anew, without --resume", e.Path, e.Why)
}

// ForeignError is a checkpoint of another night.
type ForeignError struct {
	Path            string
	What, Its, Ours string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is of another night: its %s is %s, not %s", e.Path, e.What, e.Its, e.Ours)
}

// fits says whether a checkpoint can be gone on with.
func (of *identity) fits(now identity, path string) error {
	for _, d := range []struct {
		what      string
		its, ours any
	}{
		{"phpwire", of.Version, now.Version}, {"seed", of.Seed, now.Seed}, {"list of PHPs", of.PHPs, now.PHPs}, {"--suite", of.Suite, now.Suite},
		{"--cases", of.Cases, now.Cases}, {"--shard", fmt.Sprintf("%d/%d", of.Shard, of.Shards), fmt.Sprintf("%d/%d", now.Shard, now.Shards)},
		{"list of units", of.Units, now.Units},
	} {
		if its, ours := fmt.Sprintf("%#v", d.its), fmt.Sprintf("%#v", d.ours); its != ours {
			return &ForeignError{path, d.what, fmt.Sprint(d.its), fmt.Sprint(d.ours)}
		}
	}
	return nil
}

// readCheckpoint reads the checkpoint of a folder. There is none where the error
// is fs.ErrNotExist.
func readCheckpoint(dir string) (*state, error) {
	path := filepath.Join(dir, checkpointFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head, body, ok := bytes.Cut(text, []byte("\n"))
	digest, isOne := bytes.CutPrefix(head, []byte(checkpointHead))
	if !ok || !isOne {
		return nil, &DamagedError{path, fmt.Sprintf("it begins with %.60q, not with %q", head, checkpointHead)}
	}
	sum := sha256.Sum256(body)
	if string(digest) != hex.EncodeToString(sum[:]) {
		return nil, &DamagedError{path, fmt.Sprintf("its %d bytes are not those that were written", len(body))}
	}
	s := new(state)
	if err := json.Unmarshal(body, s); err != nil || s.Run == nil {
		return nil, &DamagedError{path, fmt.Sprint("it has no state: ", err)}
	}
	return s, nil
}

// write puts the checkpoint in the place of the one before, whole or not at all.
func (s *state) write(dir string) error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	sum := sha256.Sum256(body)
	return replace(filepath.Join(dir, checkpointFile), slices.Concat([]byte(checkpointHead+hex.EncodeToString(sum[:])+"\n"), body))
}

// replace writes a file so that after a crash at any moment the old one is there,
// or the new one.
func replace(path string, content []byte) error {
	next := path + ".next"
	f, err := os.Create(next)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// SeedOf is the seed of the night whose checkpoint is in a folder; ok is false
// where there is none.
func SeedOf(dir string) (seed int64, ok bool, err error) {
	s, err := readCheckpoint(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return s.Of.Seed, true, nil
}
