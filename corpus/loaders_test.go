package corpus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
)

// The loaders that docs/corpus.md shows run, and judge their example decoders
// rightly: those read scalars and refuse arrays.
func TestLoaders(t *testing.T) {
	for _, l := range []struct{ command, file, get string }{
		{"python3", "examples/corpus.py", "apt-get install python3"},
		{"node", "examples/corpus.mjs", "apt-get install nodejs"},
	} {
		t.Run(l.command, func(t *testing.T) {
			if _, err := exec.LookPath(l.command); err != nil {
				t.Fatalf("there is no %s; to get it: %s", l.command, l.get)
			}
			loader(t, l.command, l.file)
		})
	}
}

var lastLine = regexp.MustCompile(`(?m)^(\d+) cases, (\d+) failed$`)

func loader(t *testing.T, command, file string) {
	decoded, arrays, scalar := 0, 0, corpus.Case{}
	for _, c := range corpus.Cases() {
		if c.Op != corpus.Decode {
			continue
		}
		decoded++
		if c.Expect.Plugin == corpus.MustAccept && c.Input.B64[0] == 'a' {
			arrays++
		}
		if c.Clause == "V-3" && c.Expect.Plugin == corpus.MustAccept {
			scalar = c
		}
	}
	out := runLoader(command, file, "data")
	m := lastLine.FindStringSubmatch(out)
	require.NotNil(t, m, out)
	assert.Equal(t, fmt.Sprint(decoded), m[1])
	var failed int
	_, err := fmt.Sscan(m[2], &failed)
	require.NoError(t, err)
	assert.Greater(t, failed, arrays, "every array, and the doubles that it cannot read")
	assert.NotContains(t, out, scalar.ID)
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "FAIL") {
			assert.Contains(t, line, ": refused: not supported")
		}
	}

	// A case that is changed fails: the loaders compare values, not only verdicts.
	dir := t.TempDir()
	changed := scalar
	changed.Value = []byte(`{"t":"null"}`)
	require.NoError(t, corpus.WriteDir(dir, []corpus.Case{changed}))
	out = runLoader(command, file, dir)
	assert.Contains(t, out, "FAIL "+scalar.ID)
	assert.Contains(t, out, "1 cases, 1 failed")
}

// runLoader runs a loader, which fails since its decoder does.
func runLoader(command, file, dir string) string {
	out, _ := exec.Command(command, filepath.FromSlash(file), dir).CombinedOutput()
	return string(out)
}

// docs/corpus.md shows the loaders as they are.
func TestPageShowsTheLoaders(t *testing.T) {
	page, err := os.ReadFile("../docs/corpus.md")
	require.NoError(t, err)
	for _, file := range []string{"examples/corpus.py", "examples/corpus.mjs"} {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(page), string(code), "docs/corpus.md does not show %s", file)
	}
}
