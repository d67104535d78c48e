package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the workflows call is there: verbs, their flags, and targets of make.
func TestWorkflowsCallWhatIsThere(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	paths, err := filepath.Glob(".github/workflows/*.yml")
	require.NoError(t, err)
	called := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		joined := strings.ReplaceAll(string(text), "\\\n", " ")
		for _, m := range regexp.MustCompile(`bin/phpwire (.*)`).FindAllStringSubmatch(joined, -1) {
			called++
			c, _, err := newRootCommand().Find(strings.Fields(m[1]))
			require.NoError(t, err, "%s: %s", path, m[1])
			require.NotEqual(t, "phpwire", c.Name(), "%s: %s", path, m[1])
			for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(m[1], -1) {
				assert.NotNil(t, c.Flags().Lookup(flag[1]), "%s: %s has no --%s", path, c.CommandPath(), flag[1])
			}
		}
		for _, m := range regexp.MustCompile(`make ([a-z-]+)`).FindAllStringSubmatch(joined, -1) {
			assert.Regexp(t, `(?m)^`+m[1]+`:`, string(makefile), path)
		}
	}
	assert.Greater(t, called, 4, "the workflows were not found")
}
