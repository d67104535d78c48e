package bench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/fuzz/bench/timing"
)

func sampled(who string, seconds ...float64) series {
	s := series{contestant: contestant{who: who, inGo: true}}
	for i, t := range seconds {
		s.samples = append(s.samples, timing.Sample{Runs: 2, Seconds: 2 * t, Objects: uint64(10 - 2*i), Bytes: 64})
	}
	return s
}

func TestRatioIsOfTheFastestRoundsWithItsSpread(t *testing.T) {
	row := newRow("decode x", 6, sampled(reference, 2, 1, 4), sampled("other", 3, 6, 4), series{contestant: contestant{who: "none", fails: "it panics"}})
	assert.Equal(t, 6.0, row.Scores[0].Rate)
	assert.Equal(t, Allocation{3, 32}, *row.Scores[0].Alloc, "the least of the rounds")
	assert.Nil(t, row.Scores[0].Ratio)
	assert.Equal(t, Ratio{Value: 3, Low: 1, High: 6}, *row.Scores[1].Ratio)
	assert.Equal(t, 2.0, row.Scores[1].Rate)
	assert.Equal(t, "it panics", row.Scores[2].Error)
	assert.Nil(t, row.Scores[2].Ratio)
	inverse := row.Scores[1].Ratio.Inverse()
	assert.InDelta(t, 1.0/3, inverse.Value, 1e-9)
	assert.InDelta(t, 1.0/6, inverse.Low, 1e-9)
	assert.InDelta(t, 1.0, inverse.High, 1e-9)
}

func TestTargetsKeepTheWorst(t *testing.T) {
	least := atLeast("speed", 1.5, "×")
	for of, figure := range map[string]float64{"a": 2, "b": 1.4, "c": 1.6} {
		least.see(of, figure, 0, 0)
	}
	assert.Equal(t, "b", least.Of)
	assert.False(t, least.Met)
	most := atMost("time", 2.1, "×")
	for of, figure := range map[string]float64{"a": 2, "b": 1.4, "c": 2.1} {
		most.see(of, figure, 0, 0)
	}
	assert.Equal(t, "c", most.Of)
	assert.True(t, most.Met, "the bound itself is allowed")
}

func codecRow(name string, php, peer *Ratio) Row {
	return Row{Name: name, MostObjects: 10, Scores: []Score{
		{Who: reference, Alloc: &Allocation{Objects: 11}}, {Who: "PHP", Ratio: php}, {Who: "peer", Ratio: peer, Error: "it panics"},
	}}
}

func TestMeansAreGeometricAndLeaveOutWhatFails(t *testing.T) {
	r := &Report{Sections: []Section{{Name: "codec", Rows: []Row{
		codecRow("decode a", &Ratio{1, 1, 1}, &Ratio{8, 8, 8}),
		codecRow("decode b", &Ratio{4, 1, 16}, nil),
		codecRow("shared b", &Ratio{1000, 1, 1000}, nil),
		codecRow("encode a", &Ratio{0.5, 0.5, 0.5}, &Ratio{6, 6, 6}),
		codecRow("append a", &Ratio{3, 3, 3}, &Ratio{9, 9, 9}),
	}}}}
	means := Means(r.Sections[0].Rows, "decode")
	require.Len(t, means, 2)
	assert.InDelta(t, 2, means[0].Ratio.Value, 1e-9)
	assert.InDelta(t, 4, means[0].Ratio.High, 1e-9)
	assert.InDelta(t, 8, means[1].Ratio.Value, 1e-9)

	byName := map[string]Target{}
	for _, g := range targets(r) {
		assert.False(t, math.IsNaN(g.Figure), g.Name)
		byName[g.Name] = g
	}
	assert.True(t, byName["decode: × PHP, geometric mean"].Met)
	assert.Equal(t, "a", byName["decode: × PHP, each payload"].Of)
	assert.True(t, byName["decode: × peer, geometric mean"].Met)
	assert.Equal(t, 3.0, byName["append: × PHP, each payload"].Figure, "PHP gets the same memory again")
	assert.InDelta(t, 3, byName["append: × PHP, geometric mean"].Figure, 1e-9)
	assert.InDelta(t, 6, byName["encode: × peer, geometric mean"].Figure, 1e-9, "the other codecs make new memory")
	objects := byName["decode: objects, of one a container and one a 16 KiB"]
	assert.False(t, objects.Met)
	assert.Contains(t, objects.Of, "11 of 10")
	assert.NotContains(t, byName, "one call: a bare ping-pong's time", "nothing was measured for it")
}

func TestTablesHaveAsManyCellsAsHeads(t *testing.T) {
	two := func(name, other string) Section {
		return Section{Name: name, Title: name, Unit: "MB", Rows: []Row{newRow("to text: x", 1, sampled(reference, 1), sampled(other, 2))}}
	}
	r := &Report{
		Sections: []Section{
			{Name: "codec", Rows: []Row{codecRow("decode a", &Ratio{1, 1, 1}, nil), codecRow("encode a", &Ratio{1, 1, 1}, nil)}},
			two("doubles", strconvName), two("frames", plainCopy), two("calls", pingPong), two("judging", php), two("small", ""),
		},
		Growth: []Growth{{Name: "g", Points: make([]Point, doublings+1)}},
	}
	r.Targets = targets(r)
	tables := r.Tables()
	require.Len(t, tables, 8)
	for _, table := range tables {
		require.NotEmpty(t, table.Rows, table.Title)
		for _, line := range table.Rows {
			assert.Len(t, line, len(table.Header), "%s: %v", table.Title, line)
		}
	}
	assert.Equal(t, []string{"peer, decode of a: it panics", "peer, encode of a: it panics"}, tables[1].Notes)
}

// A plain copy takes away from a factor what it grows by more than twice itself, and
// nothing where it grows by less.
func TestGrowthIsJudgedBesideAPlainCopy(t *testing.T) {
	points := func(seconds ...float64) (ps []Point) {
		for i, s := range seconds {
			ps = append(ps, Point{Input: 1 << i, Seconds: s, Bytes: float64(int(3) << i)})
		}
		return ps
	}
	decode := Growth{Name: "decode one string", Points: points(1, 2, 6, 9)}
	decode.compare(points(1, 1, 3, 6))
	assert.InDelta(t, 3, decode.Time, 1e-9)
	assert.InDelta(t, 2, decode.Judged, 1e-9, "2/1, 3/1.5, 1.5/1")
	assert.InDelta(t, 2, decode.Memory, 1e-9)
	assert.InDelta(t, 2.08, decode.Mean, 1e-2, "the third root of 9")
	alone := Growth{Name: "decode others", Points: points(1, 2, 6, 9)}
	alone.compare(nil)
	assert.InDelta(t, 3, alone.Judged, 1e-9)

	r := &Report{Growth: []Growth{decode, {Name: "copy one string", Yardstick: true, Time: 4, Judged: 4, Memory: 4}}}
	time := targets(r)[0]
	assert.Equal(t, "decode one string", time.Of)
	assert.True(t, time.Met)
}

// What doubles must double, and the sizes that are named must be there.
func TestGrowersGrow(t *testing.T) {
	for _, g := range growers {
		small, large := len(g.payload(g.largest>>1)), len(g.payload(g.largest))
		assert.InDelta(t, 2, float64(large)/float64(small), 0.1, g.name)
	}
}

// The keys that are built to collide are different keys with one hash under PHP's
// function for strings, and with the same last bits as ints.
func TestCollidingKeysCollide(t *testing.T) {
	hash := func(s string) (h uint64) {
		for _, c := range []byte(s) {
			h = h*33 + uint64(c)
		}
		return h
	}
	assert.Equal(t, hash("Ez"), hash("FY"))
	in := growers[8].payload(64)
	assert.Contains(t, string(in), `s:30:"EzEzEzEzEzEzEzEzEzEzEzEzEzEzEz";N;`)
	assert.Contains(t, string(in), `s:30:"FYEzEzEzEzEzEzEzEzEzEzEzEzEzEz";N;`)
	assert.Equal(t, "repeated string keys that collide", growers[8].name)
}

func TestSpreadIsOfHalfTheRounds(t *testing.T) {
	ones, others := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{50, 2, 3, 4, 5, 6, 7, 8, 0.1}
	r := ratio(ones, others)
	assert.Equal(t, Ratio{Value: 0.1, Low: 3, High: 7}, r)
}
