package childtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/docs"
	"phpwire/oracle"
	"phpwire/oracle/childtest"
	"phpwire/oracle/oracletest"
)

// Our worker passes every case on native PHP, and on WebAssembly, where starting
// a child takes long, those that leave their child alive and those that are about
// its end. `phpwire child` runs all of them everywhere.
func TestWorker(t *testing.T) {
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			t.Parallel()
			cases := childtest.All()
			if r.Kind == oracle.Wasm {
				cases = slices.DeleteFunc(cases, func(c childtest.Case) bool { return c.Ends() && c.Area() != "fatal" })
			}
			results, err := childtest.Run(oracletest.Context(t, 10*time.Minute), childtest.Options{
				Subjects: []childtest.Subject{childtest.Worker(r)}, Cases: cases,
			})
			require.NoError(t, err)
			require.Len(t, results, len(cases))
			for _, r := range results {
				assert.Empty(t, r.Outcome, "%s", &r)
				if r.NotApplicable != "" {
					assert.Contains(t, r.NotApplicable, "from PHP ")
				}
			}
		})
	}
}

// Every case has a clause that exists and a requirement in words, and no id is
// there twice.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range childtest.All() {
		assert.False(t, seen[c.ID], "%s is there twice", c.ID)
		seen[c.ID] = true
		_, ok := docs.Lookup(c.Clause)
		assert.True(t, ok, "%s: clause %s", c.ID, c.Clause)
		assert.True(t, strings.HasSuffix(c.Requirement, "."), "%s: %s", c.ID, c.Requirement)
		assert.NotEmpty(t, c.Area())
	}
	assert.GreaterOrEqual(t, len(seen), 110)
}

func TestMatch(t *testing.T) {
	for pattern, want := range map[string]string{
		"start/silent": "start/silent", "start/si*": "start/silent", "stubs/identity*": "stubs/identity", "*/preg-match": "out-params/preg-match",
		"fields/EpochBump": "fields/EpochBump/missing",
	} {
		cases, err := childtest.Match(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, cases, pattern)
		assert.Equal(t, want, cases[0].ID)
	}
	all, err := childtest.Match("")
	require.NoError(t, err)
	assert.Len(t, all, len(childtest.All()))
	_, err = childtest.Match("[")
	require.Error(t, err)
}
