package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// fate is what became of a mutant.
type fate struct {
	Builds     bool // what is no program does not count
	Equivalent *reason
	Unseen     *reason
	Unreached  bool // the corpus does not execute it, so it was not asked
	// Who caught it. Only what the one before let pass was asked of the next.
	Corpus, Tests, Run bool
	Case, What         string // of the corpus, and what was said
}

func (f *fate) caught() bool { return f.Corpus || f.Tests || f.Run }

// kept are the answers of runs and tests, which take long, kept in a file. They
// hold for the sources that they were given about. What the corpus caught is kept
// with the case that did, which is asked first when it is measured again.
type kept struct {
	path    string
	sources map[string]string // a hash of those of each folder
	answers map[string]answer
}

type answer struct {
	Failed bool   `json:"failed"`
	Said   string `json:"said,omitempty"`
}

// line is one of the file.
type line struct {
	Sources string `json:"sources"`
	Who     string `json:"who"`
	ID      string `json:"id"`
	answer
}

// openKept reads the file, where there is one. With trust, what the corpus caught
// and the compiler refused holds for other sources too.
func openKept(path string, files []*sourceFile, trust bool) (*kept, error) {
	k := &kept{path: path, sources: map[string]string{}, answers: map[string]answer{}}
	for _, f := range files {
		folder := filepath.Dir(f.path)
		hash := sha256.Sum256(append([]byte(k.sources[folder]+f.path), f.source...))
		k.sources[folder] = hex.EncodeToString(hash[:8])
	}
	if path == "" {
		return k, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		folder, _, _ := strings.Cut(l.ID, " ")
		trusted := l.Who == theCorpus || trust && l.Failed && (l.Who == apartCorpus || l.Who == theCompiler) // the first says the case to begin with, and is asked again
		if trusted || l.Sources == k.sources[filepath.Dir(folder)] {
			k.answers[l.Who+" "+l.ID] = l.answer
		}
	}
	return k, lines.Err()
}

func (k *kept) answer(who string, m *mutant) (answer, bool) {
	a, known := k.answers[who+" "+m.ID]
	return a, known
}

func (k *kept) keep(who string, m *mutant, a answer) error {
	if k.path == "" {
		return nil
	}
	file, err := os.OpenFile(k.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	text, err := json.Marshal(line{k.sources[filepath.Dir(m.File)], who, m.ID, a})
	if err == nil {
		_, err = file.Write(append(text, '\n'))
	}
	return errors.Join(err, file.Close())
}
