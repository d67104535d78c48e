package reports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

func TestSinceTellsWhatIsNews(t *testing.T) {
	night := func(columns []string, facts ...reports.Fact) *reports.Run {
		r := &reports.Run{Started: started, Facts: facts}
		for _, c := range columns {
			r.Columns = append(r.Columns, reports.Column{Name: c})
		}
		return r
	}
	// fact makes a fact of pairs of a column and its answer.
	fact := func(pairs ...string) reports.Fact {
		f := reports.Fact{ID: "f", Title: "extra data"}
		for i := 0; i < len(pairs); i += 2 {
			f.Answers = append(f.Answers, reports.FactAnswer{Columns: []string{pairs[i]}, Answer: pairs[i+1]})
		}
		return f
	}
	gone := fact("8.2", "silent", "8.5", "warns")
	gone.Change = reports.Gone
	both := []string{"8.2", "8.5"}
	known := night(both, fact("8.2", "silent", "8.5", "warns"))

	for _, c := range []struct {
		name      string
		last, now *reports.Run
		want      []reports.Change
	}{
		{"nothing before", night(both), night(both, fact("8.2", "silent", "8.5", "warns")), []reports.Change{reports.New}},
		{"as before", known, night(both, fact("8.2", "silent", "8.5", "warns")), []reports.Change{reports.Unchanged}},
		{"another answer", known, night(both, fact("8.2", "silent", "8.5", "refuses")), []reports.Change{reports.Changed}},
		{"the other's answer", known, night(both, fact("8.2", "warns", "8.5", "silent")), []reports.Change{reports.Changed}},
		{"a new PHP like one before", known, night([]string{"8.2", "8.6"}, fact("8.2", "silent", "8.6", "warns")), []reports.Change{reports.Unchanged}},
		{"a new PHP like none before", known, night([]string{"8.2", "8.6"}, fact("8.2", "silent", "8.6", "refuses")), []reports.Change{reports.Changed}},
		{"gone", known, night(both), []reports.Change{reports.Gone}},
		{"not asked any more", known, night([]string{"8.2"}), nil},
		{"gone once only", night(both, gone), night(both), nil},
		{"back again", night(both, gone), night(both, fact("8.2", "silent", "8.5", "warns")), []reports.Change{reports.New}},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := *c.now
			now.Since(c.last)
			var got []reports.Change
			for _, f := range now.Facts {
				got = append(got, f.Change)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestSinceKeepsTheHistory(t *testing.T) {
	last := allGreen()
	last.Facts = []reports.Fact{{ID: "f", Change: reports.New}}
	r := new(reports.Run)
	r.Since(last)
	require.Len(t, r.History, 31)
	n := r.History[30]
	require.Equal(t, started, n.Started)
	require.Equal(t, last.Totals(), n.Counts)
	require.Equal(t, 1, n.NewFacts)
	require.Len(t, last.History, 30)

	for range 400 {
		next := new(reports.Run)
		next.Since(r)
		r = next
	}
	require.Len(t, r.History, 366)
}

// A PHP that the last night did not have is news where it is unlike its neighbour.
func TestSinceHoldsNewPHPsAgainstTheirNeighbours(t *testing.T) {
	column := func(version string, kind reports.ColumnKind) reports.Column {
		return reports.Column{Name: "PHP " + version + " " + string(kind), Version: version, Kind: kind}
	}
	answers := func(silent, warns []string) reports.Fact {
		return reports.Fact{ID: "f", Answers: []reports.FactAnswer{{Columns: silent, Answer: "silent"}, {Columns: warns, Answer: "warns"}}}
	}
	last := &reports.Run{
		Columns: []reports.Column{column("8.2.30", "native"), column("8.5.10", "native"), column("8.5.10", "wasm")},
		Facts:   []reports.Fact{answers([]string{"PHP 8.2.30 native"}, []string{"PHP 8.5.10 native", "PHP 8.5.10 wasm"})},
	}
	for _, c := range []struct {
		name    string
		columns []reports.Column
		fact    reports.Fact
		want    []string
	}{
		{"the next patch, as before", []reports.Column{column("8.2.31", "native"), column("8.5.11", "wasm")},
			answers([]string{"PHP 8.2.31 native"}, []string{"PHP 8.5.11 wasm"}), nil},
		{"the next patch, as another series", []reports.Column{column("8.2.31", "native"), column("8.5.11", "wasm")},
			answers([]string{"PHP 8.5.11 wasm"}, []string{"PHP 8.2.31 native"}),
			[]string{"PHP 8.5.11 wasm: silent; its neighbour PHP 8.5.10 wasm last night: warns", "PHP 8.2.31 native: warns; its neighbour PHP 8.2.30 native last night: silent"}},
		{"a new series, unlike the one before", []reports.Column{column("8.2.30", "native"), column("8.6.0", "native")},
			answers([]string{"PHP 8.2.30 native", "PHP 8.6.0 native"}, nil),
			[]string{"PHP 8.6.0 native: silent; its neighbour PHP 8.5.10 native last night: warns"}},
		{"the next patch, like the others", []reports.Column{column("8.2.30", "native"), column("8.5.11", "wasm")},
			reports.Fact{ID: "another"}, nil},
		{"drawn only now", []reports.Column{column("8.2.30", "native"), column("8.5.10", "native")},
			reports.Fact{ID: "drawn", Drawn: true, Answers: answers([]string{"PHP 8.2.30 native"}, []string{"PHP 8.5.10 native"}).Answers}, nil},
		{"drawn, of a new PHP like its neighbour", []reports.Column{column("8.2.30", "native"), column("8.5.10", "native"), column("8.6.0", "native")},
			reports.Fact{ID: "drawn", Drawn: true, Answers: answers([]string{"PHP 8.2.30 native"}, []string{"PHP 8.5.10 native", "PHP 8.6.0 native"}).Answers}, nil},
		{"drawn, of a new PHP unlike its neighbour", []reports.Column{column("8.5.10", "native"), column("8.6.0", "native")},
			reports.Fact{ID: "fresh", Drawn: true, Answers: answers([]string{"PHP 8.6.0 native"}, []string{"PHP 8.5.10 native"}).Answers}, nil},
		{"an old series that is new here", []reports.Column{column("7.4.33", "wasm")}, answers([]string{"PHP 7.4.33 wasm"}, nil), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := &reports.Run{Columns: c.columns, Facts: []reports.Fact{c.fact}}
			now.Since(last)
			switch c.fact.ID {
			case "drawn":
				require.Equal(t, reports.Found, now.Facts[0].Change)
				require.False(t, now.Facts[0].IsNews())
				return
			case "fresh":
				require.Equal(t, reports.New, now.Facts[0].Change)
				return
			case "another":
				require.Equal(t, reports.Gone, now.Facts[1].Change, "8.5.11 stands for 8.5.10")
				return
			}
			require.Equal(t, c.want, now.Facts[0].News)
			require.Equal(t, len(c.want) > 0, now.Facts[0].Change == reports.Changed)
		})
	}
}
