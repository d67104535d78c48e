package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A reference is "clause F-2", "clauses H-1 and H-2", or "clauses H-1 to H-5", in
// which lines may break, or an id alone in quotes.
var (
	reference = regexp.MustCompile(`\b[Cc]lauses?[\s/*#]+([A-Z]-[0-9]+(?:(?:,|,?[\s/*#]+(?:and|or|to))[\s/*#]+[A-Z]-[0-9]+)*)`)
	quotedID  = regexp.MustCompile("[\"'`]([A-Z]-[0-9]+)[\"'`]")
	span      = regexp.MustCompile(`([A-Z])-([0-9]+)(?:[\s/*#]+to[\s/*#]+([A-Z])-([0-9]+))?`)
)

// references returns the ids of all clauses that a source names.
func references(source string) []string {
	var ids []string
	for _, m := range reference.FindAllStringSubmatch(source, -1) {
		for _, s := range span.FindAllStringSubmatch(m[1], -1) {
			from, _ := strconv.Atoi(s[2])
			to := from
			if s[3] != "" {
				to, _ = strconv.Atoi(s[4])
			}
			for n := from; n <= to; n++ {
				ids = append(ids, s[1]+"-"+strconv.Itoa(n))
			}
			if s[3] != "" && (s[3] != s[1] || to < from) {
				ids = append(ids, s[0]) // no span: it is no clause either
			}
		}
	}
	for _, m := range quotedID.FindAllStringSubmatch(source, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func TestReferences(t *testing.T) {
	assert.Equal(t, []string{"F-2"}, references("// too long (clause F-2)."))
	assert.Equal(t, []string{"H-1", "H-2", "H-3"}, references("Clauses H-1 to\n// H-3 say"))
	assert.Equal(t, []string{"H-1", "K-2"}, references("clauses H-1 and K-2"))
	assert.Equal(t, []string{"H-1", "K-2", "K-3"}, references("/* Clauses\n * H-1, K-2\n * to K-3 */"))
	assert.Equal(t, []string{"Q-7"}, references(`Case{Clause: "Q-7"}`))
	assert.Equal(t, []string{"H-3 to H-1"}, references("clauses H-3 to H-1"), "no clause has this id, so it is found")
	assert.Empty(t, references("keys 0 to n-1, UTF-8, 1.0E-4"))
}

// Every clause that the module's sources and documents name exists.
func TestEveryNamedClauseExists(t *testing.T) {
	named := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		switch ext := filepath.Ext(path); {
		case ext != ".go" && ext != ".php" && ext != ".mjs" && ext != ".md":
			return nil
		case filepath.Dir(path) == filepath.Join("..", "docs") && ext == ".go":
			return nil // this package's tests name clauses that do not exist
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, id := range references(string(source)) {
			if strings.HasPrefix(id, "Q-") && strings.HasSuffix(path, "_test.go") {
				continue // there is no part Q: tests of what becomes of a wrong id use it
			}
			named++
			_, ok := Lookup(id)
			assert.True(t, ok, "%s names the clause %s, which protocol.md does not have", path, id)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, named, 30, "the sources were not found")
}

// The protocol itself names clauses in brackets and by the word.
func TestTheProtocolNamesItsOwnClauses(t *testing.T) {
	inBrackets := regexp.MustCompile(`[(\s]([A-Z]-[0-9]+)\b`)
	for _, c := range Clauses() {
		for _, m := range inBrackets.FindAllStringSubmatch(c.Text, -1) {
			_, ok := Lookup(m[1])
			assert.True(t, ok, "%s names the clause %s", c.ID, m[1])
		}
	}
}
