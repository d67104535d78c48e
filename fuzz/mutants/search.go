package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// found is a line of the file that --seek adds to: a question for the corpus.
type found struct {
	Shows string `json:"shows"` // where the mistake is, in a few words
	questionText
}

type questionText struct {
	Op     string `json:"op"`
	Clause string `json:"clause"`
	B64    string `json:"b64"`
	From   string `json:"from,omitempty"`
	Chunks []int  `json:"chunks,omitempty"`
}

// search looks for inputs that show the mutants which the corpus lets pass.
func (m *measurement) search(ctx context.Context) error {
	program := filepath.Join(m.shop.dir, "judge")
	for _, folder := range m.folders() {
		var numbers []int
		byNumber := map[int]*mutant{}
		for _, one := range m.left(false) {
			if one.number > 0 && filepath.Dir(one.File) == folder && m.fates[one].Unseen == nil {
				numbers = append(numbers, one.number)
				byNumber[one.number] = one
			}
		}
		judge := []string{program, "-seek", folder, "-n", strconv.Itoa(m.candidates), "-seed", strconv.FormatInt(m.seed, 10)}
		written := map[string]bool{}
		var wrong error
		bar := newBar(len(numbers), folder)
		if err := judgeAll(ctx, judge, numbers, nil, func(v verdict) {
			_ = bar.Add(1)
			one := byNumber[v.Number]
			if m.verbose {
				fmt.Printf("%-8s %s:%d  %s  [%s %.200s]\n", map[bool]string{true: "shown", false: "NOT SHOWN"}[v.Caught], one.File, one.Line, one.ID, v.Question, v.What)
			}
			if v.Question == nil || written[string(v.Question)] {
				return
			}
			written[string(v.Question)] = true
			wrong = errors.Join(wrong, appendFound(m.seek, one, v.Question))
		}); err != nil {
			return err
		}
		_ = bar.Finish()
		if wrong != nil {
			return wrong
		}
		fmt.Printf("%s: %d mutants, %d inputs\n", folder, len(numbers), len(written))
	}
	return nil
}

func appendFound(path string, one *mutant, question json.RawMessage) error {
	f := found{Shows: "a fault in " + one.function}
	if err := json.Unmarshal(question, &f.questionText); err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}
