package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// block is a part of a file that coverage counts.
type block struct{ fromLine, fromColumn, toLine, toColumn int }

func (b block) has(line, column int) bool {
	return (b.fromLine < line || b.fromLine == line && b.fromColumn <= column) && (line < b.toLine || line == b.toLine && column < b.toColumn)
}

// unreached are the blocks, by file, that the corpus never executes.
func unreached(ctx context.Context, dir string, folders []string) (map[string][]block, error) {
	var packages []string
	for _, f := range folders {
		packages = append(packages, "phpwire/"+f)
	}
	profile := filepath.Join(dir, "profile")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "TestReferenceAgrees", "-coverpkg", strings.Join(packages, ","), "-coverprofile", profile, "./corpus")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]block{}
	for _, line := range strings.Split(string(text), "\n") {
		file, rest, _ := strings.Cut(strings.TrimPrefix(line, "phpwire/"), ":")
		var b block
		var statements, times int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.fromLine, &b.fromColumn, &b.toLine, &b.toColumn, &statements, &times); err == nil && times == 0 {
			blocks[file] = append(blocks[file], b)
		}
	}
	return blocks, nil
}
