package suites_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/fuzz/judge"
	"phpwire/fuzz/suites"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

func named(t *testing.T, pattern string) []suites.Suite {
	matched, err := suites.Match(pattern)
	require.NoError(t, err)
	return matched
}

// Nothing is left out: the numbers of the cases are what the alphabets make.
func TestExhaustiveSuitesAreWhole(t *testing.T) {
	bytes, tokens := 0, 0
	for length, b, k := 0, 1, 1; length <= 6; length, b, k = length+1, b*23, k*30 {
		bytes += b
		if length <= 5 {
			tokens += 2 * k
		}
	}
	totals := map[string]int{}
	for _, s := range named(t, "exhaustive/*") {
		assert.True(t, s.Exhaustive())
		totals[s.Name()] = s.Total(1)
	}
	assert.Equal(t, map[string]int{"exhaustive/bytes": bytes, "exhaustive/tokens": tokens, "exhaustive/float32": 1 << 32}, totals)
	for _, s := range named(t, "*") {
		assert.False(t, s.Exhaustive(), "%s must be named to run", s.Name())
	}
}

// Ranges at which something changes: of the numbers' lengths, of the blocks, of
// the doubles' sizes.
func TestExhaustiveRanges(t *testing.T) {
	for _, c := range []struct {
		suite    string
		from, to int
		phps     []oracle.Runtime
	}{
		{"exhaustive/bytes", 0, 30_000, []oracle.Runtime{oracletest.Best(t)}},
		{"exhaustive/tokens", 0, 3_000, []oracle.Runtime{oracletest.Best(t)}},
		{"exhaustive/float32", 0x7f7fff00, 0x7f800100, []oracle.Runtime{oracletest.Best(t)}},
		{"exhaustive/tokens", 56_700, 56_900, oracletest.All(t)},
	} {
		t.Run(c.suite, func(t *testing.T) {
			var seen judge.Visits
			report, err := suites.Run(oracletest.Context(t, 3*time.Minute), suites.Options{
				PHPs: c.phps, Suites: named(t, c.suite), From: c.from, To: c.to, Program: "phpwire", Seen: &seen,
			})
			require.NoError(t, err)
			assert.Empty(t, report.Failures)
			var mixed int64
			for _, n := range seen.Mix() {
				mixed += n
			}
			assert.EqualValues(t, (c.to-c.from)*len(c.phps), mixed)
			for _, cell := range report.Cells {
				assert.EqualValues(t, c.to-c.from, cell.Passed, cell.Column)
			}
		})
	}
}

func TestExhaustiveResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.json")
	php := []oracle.Runtime{oracletest.Best(t)}
	run := func(to int) int64 {
		checkpoint, err := suites.OpenCheckpoint(path, php)
		require.NoError(t, err)
		report, err := suites.Run(oracletest.Context(t, time.Minute), suites.Options{
			PHPs: php, Suites: named(t, "exhaustive/float32"), To: to, Program: "phpwire", Checkpoint: checkpoint,
		})
		require.NoError(t, err)
		require.Equal(t, suites.Reached{Next: to}, checkpoint.Reached("exhaustive/float32"))
		return report.Cell("exhaustive/float32", report.Columns[0].Name).Cases
	}
	assert.EqualValues(t, 50_000, run(50_000))
	assert.EqualValues(t, 30_000, run(80_000))

	_, err := suites.OpenCheckpoint(path, []oracle.Runtime{{Version: "1.2.3", Kind: oracle.Native}})
	assert.ErrorContains(t, err, "1.2.3 native")
}
