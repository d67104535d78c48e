package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fault whose place was rewritten can be planted no more.
func TestFaultsCanBePlanted(t *testing.T) {
	for _, f := range faults {
		text, err := os.ReadFile(filepath.Join("..", "..", f.file))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(text), f.old), "%s: %s: %q in %s", f.target, f.what, f.old, f.file)
	}
}
