package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
	"phpwire/docs"
	"phpwire/frames"
	"phpwire/fuzz/judge"
)

// The sets can hold exactly the clauses that bind codecs and readers of frames.
func TestClausesAreThoseOfTheProtocol(t *testing.T) {
	var want []string
	for _, c := range docs.Clauses() {
		if strings.Contains("VAKHISDLPTF", c.ID[:1]) || c.ID == "E-3" || c.ID == "E-5" {
			want = append(want, c.ID)
		}
	}
	assert.Equal(t, want, judge.ClauseIDs())
	assert.Equal(t, []string{"V-1", "F-16", "E-5"}, slices.Collect((judge.V1 | judge.F16 | judge.E5).All()))
}

// Each clause's own examples exercise it, but for two that show what its subject
// is not.
func TestExamplesExerciseTheirClause(t *testing.T) {
	for _, c := range docs.Clauses() {
		if !slices.Contains(judge.ClauseIDs(), c.ID) {
			continue
		}
		frame := c.ID[0] == 'F' && c.ID != "F-1" && c.ID != "F-2" && c.ID != "F-3" && c.ID != "F-4" && c.ID != "F-15" && c.ID != "F-16"
		for _, e := range c.Examples {
			if e.Input == "n;" || c.ID == "V-5" && e.Input == "i:1;" {
				continue
			}
			if frame || e.Kind == docs.AcceptsFrame || e.Kind == docs.RefusesFrame {
				continue
			}
			var seen judge.Visits
			seen.Payloads(judge.Read([][]byte{[]byte(e.Input)}))
			assert.NotZero(t, seen.Of(c.ID), "%s does not visit %s", e.Input, c.ID)
		}
	}
}

func TestFramesExerciseTheirClause(t *testing.T) {
	var seen judge.Visits
	seen.Frame(frames.EpochBump{Handle: 1, Epoch: 2})
	assert.EqualValues(t, 1, seen.Of("F-14"))
	assert.Zero(t, seen.Of("F-13"))
	var nobody *judge.Visits
	nobody.Frame(frames.EpochBump{})
}

func TestVisitsMerge(t *testing.T) {
	var a, b judge.Visits
	v := judge.Verdict{Sort: "value", Who: "written alike"}
	a.Add(judge.V1, v)
	b.AddMany(judge.V1|judge.E5, v, 2)
	a.Merge(&b)
	assert.EqualValues(t, 3, a.Of("V-1"))
	assert.EqualValues(t, 2, a.Of("E-5"))
	assert.EqualValues(t, 3, a.Mix()[v])
	assert.Zero(t, a.Of("V-2"))
}

func TestProportion(t *testing.T) {
	small := []byte("a:99999999:{i:0;N;")
	assert.Nil(t, judge.Proportion(small, judge.Decoding))
	f := judge.Proportion(small, func([]byte) { _ = make([]codec.Value, 1<<20) })
	if assert.NotNil(t, f) {
		assert.Equal(t, "L-2", f.Clause)
	}
}

func TestTaggedIsStrictAboutKeys(t *testing.T) {
	numeric := judge.Value{
		Value:  codec.Array(codec.Entry{Key: codec.IntKey(5), Value: codec.Null()}),
		Tagged: []byte(`{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}]]}`),
	}
	assert.Nil(t, judge.Tagged(numeric, true))
	assert.NotNil(t, judge.Tagged(numeric, false))
	own := judge.Of(codec.List(codec.Float(1.5), codec.String("\xff")))
	assert.Nil(t, judge.Tagged(own, false))
	assert.NotNil(t, judge.Tagged(own, true))
}
