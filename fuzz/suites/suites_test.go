package suites_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/docs"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/suites"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// A run leaves no clause of the wire unvisited, and counts the visits in its
// report.
func TestRunVisitsEveryClause(t *testing.T) {
	all, err := suites.Match("")
	require.NoError(t, err)
	var seen judge.Visits
	report, err := suites.Run(oracletest.Context(t, 5*time.Minute), suites.Options{
		PHPs: []oracle.Runtime{oracletest.Best(t)}, Suites: all, Cases: 2000, Seed: 1, Program: "phpwire", Seen: &seen,
	})
	require.NoError(t, err)
	for _, id := range judge.ClauseIDs() {
		assert.NotZero(t, seen.Of(id), "clause %s", id)
	}
	assert.Len(t, report.Clauses, len(docs.Clauses()))
	for _, c := range report.Clauses {
		assert.Equal(t, seen.Of(c.ID), c.Visits, c.ID)
	}
	var judged, total int64
	for _, n := range seen.Mix() {
		judged += n
	}
	for _, c := range report.Cells {
		if !strings.HasPrefix(c.Suite, "corpus/") { // its cases are records, not drawn
			total += c.Cases
		}
	}
	assert.Equal(t, total, judged, "each drawn case has one verdict in the mix")
}
