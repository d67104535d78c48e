package reports_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

// Two runs of the same work are the same whenever they ran, and in whatever order
// their cells and facts came.
func TestDifferIgnoresTimesOnly(t *testing.T) {
	a, b := codecFault(), codecFault()
	b.Started, b.Seconds, b.Throughput, b.Command = b.Started.Add(time.Hour), 7, nil, "elsewhere"
	for i := range b.Cells {
		b.Cells[i].Seconds += 3
	}
	b.Failures[0].File = "elsewhere"
	slices.Reverse(b.Cells)
	slices.Reverse(b.Failures)
	require.Empty(t, reports.Differ(a, b))

	for name, change := range map[string]func(*reports.Run){
		"a count":      func(r *reports.Run) { r.Cells[0].Cases++ },
		"a failure":    func(r *reports.Run) { r.Failures = r.Failures[1:] },
		"a clause":     func(r *reports.Run) { r.Clauses[0].Visits++ },
		"a fact":       func(r *reports.Run) { r.Facts[0].Answers[0].Answer = "refused" },
		"a column":     func(r *reports.Run) { r.Columns[0].Platform = "another" },
		"the seed":     func(r *reports.Run) { r.Seed++ },
		"the end":      func(r *reports.Run) { r.Aborted = "killed" },
		"a suite more": func(r *reports.Run) { r.Suites = append(r.Suites, reports.Suite{Name: "more"}) },
	} {
		c := codecFault()
		change(c)
		require.NotEmpty(t, reports.Differ(a, c), name)
	}
}

// A failure that two runs found is the same whichever is merged into the other.
func TestMergeKeepsOneOfTheSameFailure(t *testing.T) {
	run := func(from int) *reports.Run {
		return &reports.Run{Failures: []reports.Failure{{ID: "f", Input: []byte("i:0;"), ShrunkFrom: from}}}
	}
	a, err := reports.Merge(run(87), run(78))
	require.NoError(t, err)
	b, err := reports.Merge(run(78), run(87))
	require.NoError(t, err)
	require.Equal(t, a.Failures, b.Failures)
	require.Len(t, a.Failures, 1)
}

// Of two examples of a fact the shorter one stays, with what is done with it, and
// the cases of both are counted, whichever is merged into the other.
func TestMergeKeepsTheShorterExample(t *testing.T) {
	run := func(input, answer string, cases int64) *reports.Run {
		return &reports.Run{Facts: []reports.Fact{{ID: "f", Input: []byte(input), Cases: cases, Answers: []reports.FactAnswer{{Columns: []string{"a"}, Answer: answer}}}}}
	}
	long, short := run("i:01;", "writes i:1;", 3), run("i:00;", "writes i:0;", 4)
	for _, pair := range [][2]*reports.Run{{long, short}, {short, long}} {
		m, err := reports.Merge(pair[0], pair[1])
		require.NoError(t, err)
		require.Equal(t, []reports.Fact{{ID: "f", Input: []byte("i:00;"), Cases: 7, Answers: []reports.FactAnswer{{Columns: []string{"a"}, Answer: "writes i:0;"}}}}, m.Facts)
	}
}
