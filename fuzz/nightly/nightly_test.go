package nightly

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/oracle"
	"phpwire/reports"
)

// Every case of a part is in exactly one unit, for each PHP, and the rounds follow
// one another.
func TestUnitsCoverEveryCaseOnce(t *testing.T) {
	const phps, rounds = 3, 4
	p, err := newPlan(phps, 12_345, "")
	require.NoError(t, err)
	type at struct {
		part *part
		php  int
	}
	next := map[at]int{}
	for number := range p.units(rounds) {
		u, round, ok := p.unit(number)
		require.True(t, ok)
		require.Less(t, round, rounds)
		require.Equal(t, next[at{u.part, u.php}], u.span.first, "%s, unit %d", u.part.name, number)
		next[at{u.part, u.php}] += u.span.n
	}
	_, round, _ := p.unit(p.units(rounds))
	require.Equal(t, rounds, round)
	for _, part := range p.parts {
		columns := []int{0}
		switch part.asks {
		case each:
			columns = []int{0, 1, 2}
		case together:
			columns = []int{everybody}
		}
		want := 0
		for round := range rounds {
			for _, s := range part.of(round) {
				want += s.n
			}
		}
		for _, c := range columns {
			assert.Equal(t, want, next[at{part, c}], part.name)
			delete(next, at{part, c})
		}
	}
	assert.Empty(t, next, "units of PHPs that a part does not ask")
}

// A part without later rounds ends the night.
func TestPlanWithoutLaterRoundsEnds(t *testing.T) {
	p, err := newPlan(2, 100, "child,toolchild")
	require.NoError(t, err)
	_, _, ok := p.unit(p.units(1))
	assert.False(t, ok)
}

func TestShardsDivideTheUnits(t *testing.T) {
	const shards = 3
	for units := range 20 {
		var all []int
		for shard := 1; shard <= shards; shard++ {
			n := &night{Options: Options{Shard: shard, Shards: shards}}
			count := n.share(units)
			for own := range count {
				all = append(all, n.number(own))
			}
			require.GreaterOrEqual(t, n.number(count), units, "%d units, shard %d", units, shard)
		}
		want := make([]int, units)
		for i := range want {
			want[i] = i
		}
		require.ElementsMatch(t, want, all)
	}
}

func TestUnitsMayBeDoneInAnyOrder(t *testing.T) {
	var s state
	for _, unit := range []int{3, 0, 1, 5, 2} {
		require.False(t, s.done(unit))
		s.finish(unit)
		require.True(t, s.done(unit))
	}
	assert.Equal(t, 4, s.Next)
	assert.Equal(t, []int{5}, s.Ahead)
}

// workerOf has PHPs that nobody starts.
func workerOf(names ...string) *worker {
	o := &Options{}
	for i := 0; i < len(names); i += 2 {
		o.PHPs = append(o.PHPs, oracle.Runtime{Version: names[i], Kind: oracle.Kind(names[i+1])})
	}
	return newWorker(o, nil)
}

func TestFactsAreToldByVersion(t *testing.T) {
	accepts := corpus.Given{Does: corpus.Accepts, Bytes: []byte("N;"), Value: []byte(`{"t":"null"}`)}
	other := corpus.Given{Does: corpus.Accepts, Bytes: []byte("i:1;"), Value: []byte(`{"t":"int","v":"1"}`)}
	refuses := func(warning string) corpus.Given {
		return corpus.Given{Does: corpus.Refuses, Warnings: []string{warning}}
	}
	p := probe{op: corpus.Decode, clause: "P-5", input: []byte("N;x")}
	four := workerOf("8.2.30", "native", "7.4.33", "wasm", "8.2.20", "wasm", "8.5.0", "wasm")
	for _, c := range []struct {
		name           string
		w              *worker
		answers        []corpus.Given
		clause, titled string
	}{
		{"all alike", four, []corpus.Given{accepts, accepts, accepts, accepts}, "", ""},
		{"a change", four, []corpus.Given{accepts, refuses("e"), accepts, accepts}, "P-5", "refuses, from 8.2 on accepts"},
		{"and back", four, []corpus.Given{accepts, refuses("e"), accepts, refuses("e")}, "P-5", "refuses, from 8.2 on accepts, from 8.5 on refuses"},
		{"builds of one version", four, []corpus.Given{accepts, accepts, refuses("e"), accepts}, "P-5", "accepts, from 8.2 on accepts (native) or refuses (wasm), from 8.5 on accepts"},
		{"another value", four, []corpus.Given{accepts, other, accepts, accepts}, "P-5", "accepts (otherwise), from 8.2 on accepts"},
		{"other words", four, []corpus.Given{refuses("at 1 of 2"), refuses("on 1 of 2"), refuses("at 1 of 2"), refuses("at 1 of 2")}, "", "says on N of N, from 8.2 on says at N of N"},
		{"another offset", four, []corpus.Given{refuses("at 1"), refuses("at 2"), refuses("at 1"), refuses("at 1")}, "", "says at N (otherwise), from 8.2 on says at N"},
		{"it dies", four, []corpus.Given{accepts, {Does: dies}, accepts, accepts}, "P-5", "dies, from 8.2 on accepts"},
		{"ten is more than nine", workerOf("8.10.0", "native", "8.9.0", "native"), []corpus.Given{accepts, refuses("e")}, "P-5", "refuses, from 8.10 on accepts"},
	} {
		f, differ := c.w.fact(p, c.answers)
		require.Equal(t, c.titled != "", differ, c.name)
		assert.Equal(t, c.titled, f.Title, c.name)
		assert.Equal(t, c.clause, f.Clause, c.name)
		if differ {
			assert.Greater(t, len(f.Answers), 1, c.name)
		}
	}

	// A new PHP that does what its neighbour does is no other fact.
	a, _ := four.fact(p, []corpus.Given{accepts, refuses("e"), accepts, accepts})
	five := workerOf("8.2.30", "native", "7.4.33", "wasm", "8.2.20", "wasm", "8.5.0", "wasm", "8.6.0", "wasm")
	b, _ := five.fact(p, []corpus.Given{accepts, refuses("e"), accepts, accepts, accepts})
	assert.Equal(t, a.ID, b.ID)
}

func TestFactsOfOneKindAreOne(t *testing.T) {
	w := workerOf("8.2.0", "native", "8.5.0", "native")
	accepts, refuses := corpus.Given{Does: corpus.Accepts}, corpus.Given{Does: corpus.Refuses}
	probes := []probe{{corpus.Decode, "I-1", []byte("long")}, {corpus.Decode, "I-1", []byte("b")}, {corpus.Decode, "I-1", []byte("a")}, {corpus.Decode, "S-1", []byte("c")}, {corpus.Decode, "S-1", []byte("d")}}
	facts := w.facts(probes, [][]corpus.Given{{accepts, accepts, accepts, refuses, refuses}, {refuses, refuses, refuses, accepts, refuses}})
	require.Len(t, facts, 2)
	assert.Equal(t, "a", string(facts[0].Input), "the shortest, of those the first by its bytes")
	assert.EqualValues(t, 3, facts[0].Cases)
	assert.EqualValues(t, 1, facts[1].Cases)
}

// The facts of the last night keep their ids and examples; what tonight's cases
// show beside is listed under ids of its own.
func TestFactsOfTheLastNightAreKept(t *testing.T) {
	fact := func(id string, cases int64) reports.Fact { return reports.Fact{ID: id, Cases: cases} }
	n := &night{carried: []carried{
		{fact: fact("old", 9), tonight: fact("a", 1), differ: true},
		{fact: fact("gone", 9)},
		{fact: fact("b", 9), tonight: fact("c", 1), differ: true},
	}}
	assert.Equal(t, []reports.Fact{fact("old", 4), fact("b", 0), fact("b'", 5), fact("d", 6)}, n.resolved([]reports.Fact{fact("a", 4), fact("b", 5), fact("d", 6)}))
}

func TestHistoryKeepsEachNightOnce(t *testing.T) {
	dir := t.TempDir()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 2, 0, 0, 0, time.UTC) }
	for _, n := range []int{1, 2, 2, 3} {
		require.NoError(t, KeepHistory(dir, &reports.Run{Started: day(n), Seconds: float64(n)}))
	}
	r := &reports.Run{Started: day(4), History: []reports.Night{{Started: day(2)}, {Started: day(1).AddDate(0, 0, -1)}}}
	require.NoError(t, KeepHistory(dir, r))
	var days []int
	for _, night := range r.History {
		days = append(days, night.Started.Day())
	}
	assert.Equal(t, []int{31, 1, 2, 3}, days)
	require.NoError(t, os.WriteFile(filepath.Join(dir, HistoryFile), []byte("{}\n{\n"), 0o644))
	assert.ErrorContains(t, KeepHistory(dir, r), "history.jsonl, line 2, is no night")
}

// A payload is filed as the bytes that it is, whatever it is too long for.
func TestFindingsAreFiled(t *testing.T) {
	dir := t.TempDir()
	failures := []reports.Failure{
		{ID: "a", Input: []byte("i:5\x00'"), File: "phpwire corpus add --b64 'aTo1' --clause I-1 --comment 'it'\\''s --clause too'"},
		{ID: "b", Input: []byte("d:1;"), File: "phpwire corpus add --float 3ff0000000000000 --clause D-1 --comment 'x'"},
		{ID: "c", Input: []byte("nothing adds it")},
	}
	require.NoError(t, File(dir, "phpwire", failures))
	in := filepath.Join(dir, FindingsDir, "a.in")
	assert.Equal(t, "phpwire corpus add '"+in+"' --clause I-1 --comment 'it'\\''s --clause too'", failures[0].File)
	text, err := os.ReadFile(in)
	require.NoError(t, err)
	assert.Equal(t, "i:5\x00'", string(text))
	assert.Equal(t, "phpwire corpus add --float 3ff0000000000000 --clause D-1 --comment 'x'", failures[1].File)
	for _, f := range failures {
		assert.FileExists(t, filepath.Join(dir, FindingsDir, f.ID+".json"))
	}
	assert.NoFileExists(t, filepath.Join(dir, FindingsDir, "b.in"))

	// Filed once more, where shards are merged, they are found there.
	dir = t.TempDir()
	require.NoError(t, File(dir, "phpwire", failures))
	in = filepath.Join(dir, FindingsDir, "a.in")
	assert.Equal(t, "phpwire corpus add '"+in+"' --clause I-1 --comment 'it'\\''s --clause too'", failures[0].File)
	assert.FileExists(t, in)
}

func TestDrawnPayloadsFollowFromSeedAndNumber(t *testing.T) {
	once := drawn(5, span{2000, 300})
	assert.Equal(t, once, drawn(5, span{2000, 300}))
	assert.NotEqual(t, once, drawn(6, span{2000, 300}))
	assert.NotEqual(t, once, drawn(5, span{1000, 300}))
}

func TestWhatFailsIsTriedAgain(t *testing.T) {
	tries := 0
	fails := func(times int) func() error {
		tries = 0
		return func() error {
			if tries++; tries <= times {
				return errors.New("it does not start")
			}
			return nil
		}
	}
	require.NoError(t, again(t.Context(), fails(2)))
	require.EqualError(t, again(t.Context(), fails(9)), "it does not start")
	require.Equal(t, mostTries, tries)
	ended, end := context.WithCancel(t.Context())
	end()
	require.Error(t, again(ended, fails(9)))
	require.Equal(t, 1, tries, "nothing is tried again once the night is told to end")
}
