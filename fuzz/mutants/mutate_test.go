package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `package p

func f(a, b int) bool {
	if a < b && b != 7 {
		a++
		g("s:", 'x')
	}
	return true
}
`

func TestMutantsOfASample(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(sample), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\nvar x = 1 + 1\n"), 0o600))
	found, err := mutantsOf(dir)
	require.NoError(t, err)
	var whats []string
	seen := map[string]bool{}
	for _, m := range found {
		whats = append(whats, m.What)
		assert.False(t, seen[m.ID], "%s is there twice", m.ID)
		seen[m.ID] = true
		mutated := string(m.apply([]byte(sample)))
		assert.NotEqual(t, sample, mutated)
		_, err := parser.ParseFile(token.NewFileSet(), "p.go", mutated, 0)
		assert.NoError(t, err, m.ID)
	}
	assert.ElementsMatch(t, []string{
		"if a < b && b != 7 is turned around", "&& becomes ||", "< becomes <=", "< becomes >", "!= becomes ==", "7 becomes one more", "7 becomes one less",
		"++ is turned around", `g("s:", 'x') is left out`, `"s:" loses its last byte`, "'x' becomes the next byte", "true becomes false",
	}, whats)
}

func TestTableCountsFates(t *testing.T) {
	yes, no := true, false
	all := []mutant{{ID: "a", File: "p/a.go"}, {ID: "b", File: "p/a.go"}, {ID: "c", File: "p/a.go"}, {ID: "d", File: "p/a.go"}, {ID: "e", File: "p/a.go"}}
	fates := map[string]fate{
		"a": {ID: "a", Builds: true, Corpus: &yes, Run: &no},
		"b": {ID: "b", Builds: true, Corpus: &no, Run: &yes},
		"c": {ID: "c", Builds: true, Corpus: &no, Run: &no},
		"d": {ID: "d"},
		"e": {ID: "e", Builds: true, Corpus: &no, Run: &no},
	}
	table := newTable(all, fates, map[string]string{"e": "nobody sees it"})
	assert.Equal(t, []string{"p", "5", "1", "1", "1 of 3 (33.3 %)", "1 of 3 (33.3 %)", "2 of 3 (66.7 %)"}, table.rows[0].cells())
	assert.Len(t, table.survivors, 1)
	assert.Equal(t, []string{"e: nobody sees it"}, table.excused)
}
