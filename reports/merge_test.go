package reports_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

// play makes the run of the cases that mine chooses out of the same n.
func play(n int, mine func(i int) bool) *reports.Run {
	r := &reports.Run{
		Tool: "phpwire", Version: "1", Kind: reports.KindNightly, Seed: 7, Started: started,
		Columns:       []reports.Column{{Name: "A", Version: "8.2.1"}, {Name: "B", Version: "8.5.0"}},
		Suites:        []reports.Suite{{Name: "x/one"}, {Name: "x/two"}, {Name: "y/three"}},
		ListedPerCell: 5,
		Clauses:       []reports.ClauseVisits{{ID: "C-1"}, {ID: "C-2"}, {ID: "C-3"}},
	}
	for _, s := range r.Suites {
		for _, c := range r.Columns {
			r.Cell(s.Name, c.Name)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		suite, column := r.Suites[random.IntN(3)].Name, r.Columns[random.IntN(2)].Name
		clause, dice, size := random.IntN(3), random.IntN(10), random.IntN(100)
		if !mine(i) {
			continue
		}
		c := r.Cell(suite, column)
		c.Cases++
		r.Clauses[clause].Visits++
		switch dice {
		case 0:
			c.Failed++
			c.Kinds = reports.Tallied(c.Kinds, "value differs", 1)
			r.Add(reports.Failure{Suite: suite, Column: column, Outcome: reports.Failed, Input: fmt.Appendf(nil, "%0*d", size, i)})
		case 1:
			c.Skipped++
			c.Skips = reports.Tallied(c.Skips, []string{"no floats", "no handles"}[i%2], 1)
		case 2:
			c.Crashed++
			c.Kinds = reports.Tallied(c.Kinds, "crash", 1)
			r.Add(reports.Failure{Suite: suite, Column: column, Outcome: reports.Crashed, Input: fmt.Appendf(nil, "%0*d", size, i)})
		default:
			c.Passed++
		}
	}
	return r
}

func TestMergedShardsAreTheWhole(t *testing.T) {
	const n, shards = 3000, 3
	all := func(int) bool { return true }
	shard := func(k int) *reports.Run { return play(n, func(i int) bool { return i%shards == k }) }
	whole, err := reports.Merge(play(n, all), play(n, func(int) bool { return false }))
	require.NoError(t, err)
	require.EqualValues(t, n, whole.Totals().Cases)

	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		got := shard(order[0])
		for _, k := range order[1:] {
			var err error
			got, err = reports.Merge(got, shard(k))
			require.NoError(t, err)
		}
		require.NoError(t, got.Check())
		if d := cmp.Diff(whole, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("shards %v: %s", order, d)
		}
	}
}

func TestMergeLeavesItsRunsAsTheyAre(t *testing.T) {
	a, b := play(500, func(i int) bool { return i%2 == 0 }), play(500, func(i int) bool { return i%2 == 1 })
	_, err := reports.Merge(a, b)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(play(500, func(i int) bool { return i%2 == 0 }), a))
	require.Empty(t, cmp.Diff(play(500, func(i int) bool { return i%2 == 1 }), b))
}

func TestMergeOfTimes(t *testing.T) {
	a := &reports.Run{Started: started, Seconds: 10, Throughput: []reports.Point{{Seconds: 0}, {Seconds: 10, Cases: 100}}}
	b := &reports.Run{Started: started.Add(5 * time.Second), Seconds: 7, Throughput: []reports.Point{{Seconds: 0}, {Seconds: 7, Cases: 30}}}
	want := []reports.Point{{Seconds: 0}, {Seconds: 5}, {Seconds: 10, Cases: 100}, {Seconds: 12, Cases: 130}}
	for _, pair := range [][2]*reports.Run{{a, b}, {b, a}} {
		m, err := reports.Merge(pair[0], pair[1])
		require.NoError(t, err)
		require.Equal(t, started, m.Started)
		require.EqualValues(t, 12, m.Seconds)
		require.Equal(t, want, m.Throughput)
	}
}

func TestMergeKeepsWhatSaysMore(t *testing.T) {
	known := func(s reports.KnownState) *reports.Run {
		return &reports.Run{Known: []reports.Known{{Case: "k", Suite: "s", Column: "c", State: s}}}
	}
	for _, c := range []struct{ a, b, want reports.KnownState }{
		{reports.NotRun, reports.StillFails, reports.StillFails},
		{reports.StillFails, reports.NotRun, reports.StillFails},
		{reports.StillFails, reports.NowPasses, reports.NowPasses},
		{reports.NowPasses, reports.NotRun, reports.NowPasses},
	} {
		m, err := reports.Merge(known(c.a), known(c.b))
		require.NoError(t, err)
		require.Len(t, m.Known, 1)
		require.Equal(t, c.want, m.Known[0].State)
	}
}

func TestMergeJoinsFactsAndEnds(t *testing.T) {
	fact := func(column, answer string, change reports.Change) *reports.Run {
		return &reports.Run{Aborted: column + " was killed", Facts: []reports.Fact{{
			ID: "f", Title: "extra data", Change: change,
			Answers: []reports.FactAnswer{{Columns: []string{column}, Answer: answer}},
		}}}
	}
	m, err := reports.Merge(fact("8.2", "silent", ""), fact("8.5", "warns", reports.New))
	require.NoError(t, err)
	require.Equal(t, "8.2 was killed\n8.5 was killed", m.Aborted)
	require.Equal(t, []reports.Fact{{ID: "f", Title: "extra data", Change: reports.New, Answers: []reports.FactAnswer{
		{Columns: []string{"8.2"}, Answer: "silent"}, {Columns: []string{"8.5"}, Answer: "warns"},
	}}}, m.Facts)
}

func TestMergeRefusesOtherWork(t *testing.T) {
	base := func() *reports.Run { return play(10, func(int) bool { return true }) }
	for want, change := range map[string]func(*reports.Run){
		"two versions": func(r *reports.Run) { r.Version = "2" },
		"two kinds":    func(r *reports.Run) { r.Kind = reports.KindCheck },
		"two seeds":    func(r *reports.Run) { r.Seed = 8 },
		"column B is version 8.5.0 in one run and 8.5.1 in the other": func(r *reports.Run) { r.Columns[1].Version = "8.5.1" },
	} {
		b := base()
		change(b)
		_, err := reports.Merge(base(), b)
		require.ErrorContains(t, err, want)
	}
}

func TestAddKeepsTheShortestHoweverManyCome(t *testing.T) {
	r := &reports.Run{Columns: []reports.Column{{Name: "c"}}, Suites: []reports.Suite{{Name: "s"}}, ListedPerCell: 3}
	for i := range 20000 {
		size := 1 + (i*7919)%20000
		r.Add(reports.Failure{Suite: "s", Column: "c", Input: bytes.Repeat([]byte{byte('z' - size/1000)}, size)})
		require.Less(t, len(r.Failures), 1100)
	}
	m, err := reports.Merge(r, &reports.Run{ListedPerCell: 3})
	require.NoError(t, err)
	var sizes []int
	for _, f := range m.Failures {
		sizes = append(sizes, len(f.Input))
	}
	require.Equal(t, []int{1, 2, 3}, sizes)
}
