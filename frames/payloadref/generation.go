package payloadref

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// TeardownGeneration deletes a generation: every file of both sides,
// acknowledged or not, and the spool folder. It is no error if there is none.
func TeardownGeneration(root string, generation int64) error {
	if err := os.RemoveAll(filepath.Join(root, generationName(generation))); err != nil {
		return failed("", err)
	}
	return nil
}

// SweepGenerations deletes every generation below the root that is not live,
// and returns which, in order. What is no generation's folder by its name is
// left alone. It goes on after a failure, and returns all of them.
func SweepGenerations(root string, live ...int64) ([]int64, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, failed("", err)
	}
	var swept []int64
	var failures []error
	for _, entry := range entries {
		generation, ok := parseGeneration(entry.Name())
		if !ok || slices.Contains(live, generation) {
			continue
		}
		if err := TeardownGeneration(root, generation); err != nil {
			failures = append(failures, err)
			continue
		}
		swept = append(swept, generation)
	}
	slices.Sort(swept)
	return swept, errors.Join(failures...)
}
