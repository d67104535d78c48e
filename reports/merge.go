package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Merge adds up two runs that did parts of the same work, as shards do, and
// leaves both as they are. The counts of the result are those of the whole,
// and so are its failures: each list keeps the shortest inputs of a cell, and
// the shortest of both are the shortest of all. The order of the two decides
// only the order of suites and columns that one of them lacks.
//
// Runs of different tools, versions, kinds or seeds are not the same work;
// neither are columns with one name and two versions. Both are errors.
func Merge(a, b *Run) (*Run, error) {
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"tool", a.Tool, b.Tool},
		{"version", a.Version, b.Version},
		{"kind", a.Kind, b.Kind},
		{"seed", a.Seed, b.Seed},
	} {
		if d.a != d.b {
			return nil, fmt.Errorf("reports: runs of two %ss do not merge: %v and %v", d.what, d.a, d.b)
		}
	}
	versions := make(map[string]string)
	for _, c := range a.Columns {
		versions[c.Name] = c.Version
	}
	for _, c := range b.Columns {
		if v, ok := versions[c.Name]; ok && v != c.Version {
			return nil, fmt.Errorf("reports: column %s is version %s in one run and %s in the other", c.Name, v, c.Version)
		}
	}

	start := a.Started
	if b.Started.Before(start) {
		start = b.Started
	}
	lateA, lateB := a.Started.Sub(start).Seconds(), b.Started.Sub(start).Seconds()
	m := &Run{
		Format: Format, Tool: a.Tool, Version: a.Version, Kind: a.Kind, Seed: a.Seed,
		Title:         cmp.Or(a.Title, b.Title),
		Command:       lines(a.Command, b.Command),
		Started:       start,
		Seconds:       max(lateA+a.Seconds, lateB+b.Seconds),
		Aborted:       lines(a.Aborted, b.Aborted),
		Columns:       union(a.Columns, b.Columns, func(c Column) string { return c.Name }),
		Suites:        union(a.Suites, b.Suites, func(s Suite) string { return s.Name }),
		ListedPerCell: fewer(a.ListedPerCell, b.ListedPerCell),
		Failures:      slices.Concat(a.Failures, b.Failures),
		Throughput:    addPoints(shifted(a.Throughput, lateA), shifted(b.Throughput, lateB)),
		History:       union(a.History, b.History, func(n Night) time.Time { return n.Started.UTC() }),
	}
	slices.SortStableFunc(m.History, func(x, y Night) int { return x.Started.Compare(y.Started) })
	m.Cells = fold(a.Cells, b.Cells, func(c Cell) [2]string { return [2]string{c.Suite, c.Column} }, addCells)
	m.Clauses = fold(a.Clauses, b.Clauses, func(c ClauseVisits) string { return c.ID }, func(x, y ClauseVisits) ClauseVisits {
		x.Title = cmp.Or(x.Title, y.Title)
		x.Visits += y.Visits
		x.Failed += y.Failed
		return x
	})
	m.Facts = fold(a.Facts, b.Facts, func(f Fact) string { return f.ID }, addFacts)
	m.Known = fold(a.Known, b.Known, func(k Known) [3]string { return [3]string{k.Suite, k.Case, k.Column} }, addKnown)
	at := m.places()
	slices.SortStableFunc(m.Cells, func(x, y Cell) int { return at.compare(x.Suite, x.Column, y.Suite, y.Column) })
	m.cut()
	return m, nil
}

// fold joins two lists; add makes one of two elements with the same key.
func fold[T any, K comparable](a, b []T, key func(T) K, add func(x, y T) T) []T {
	var out []T
	index := make(map[K]int, len(a))
	for _, x := range slices.Concat(a, b) {
		if i, ok := index[key(x)]; ok {
			out[i] = add(out[i], x)
			continue
		}
		index[key(x)] = len(out)
		out = append(out, x)
	}
	return out
}

// union joins two lists; the first element with a key stays.
func union[T any, K comparable](a, b []T, key func(T) K) []T {
	return fold(a, b, key, func(x, _ T) T { return x })
}

func addCells(x, y Cell) Cell {
	x.Counts = x.Plus(y.Counts)
	x.Skips = addTallies(x.Skips, y.Skips)
	x.Kinds = addTallies(x.Kinds, y.Kinds)
	x.Seconds += y.Seconds
	x.NotApplicable = cmp.Or(x.NotApplicable, y.NotApplicable)
	if x.Cases > 0 {
		x.NotApplicable = ""
	}
	return x
}

func addTallies(x, y []Tally) []Tally {
	out := fold(x, y, func(t Tally) string { return t.Name }, func(x, y Tally) Tally {
		x.Count += y.Count
		return x
	})
	slices.SortFunc(out, func(x, y Tally) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

// addFacts joins what two runs say about the same difference. With two examples,
// the shorter one stays, and what was said of it.
func addFacts(x, y Fact) Fact {
	drawn := x.Drawn && y.Drawn
	cases, change, news := x.Cases+y.Cases, cmp.Or(x.Change, y.Change), union(x.News, y.News, func(s string) string { return s })
	if c := cmp.Or(cmp.Compare(len(x.Input), len(y.Input)), bytes.Compare(x.Input, y.Input)); c != 0 {
		if c > 0 {
			x = y
		}
		x.Cases, x.Drawn, x.Change, x.News = cases, drawn, change, news
		return x
	}
	x.Cases, x.Drawn, x.Change, x.News = cases, drawn, change, news
	x.Answers = fold(x.Answers, y.Answers, func(a FactAnswer) string { return a.Answer }, func(p, q FactAnswer) FactAnswer {
		p.Columns = union(p.Columns, q.Columns, func(s string) string { return s })
		return p
	})
	return x
}

// addKnown keeps what says more: that a case passes, then that it fails.
func addKnown(x, y Known) Known {
	weight := map[KnownState]int{NowPasses: 2, StillFails: 1}
	if weight[y.State] > weight[x.State] {
		return y
	}
	return x
}

// lines is the distinct lines of both, sorted.
func lines(a, b string) string {
	set := make(map[string]bool)
	for _, s := range []string{a, b} {
		for line := range strings.SplitSeq(s, "\n") {
			if line != "" {
				set[line] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(set)), "\n")
}

// fewer is the smaller of two limits, where 0 is none.
func fewer(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// shifted moves points to a later time.
func shifted(ps []Point, seconds float64) []Point {
	out := slices.Clone(ps)
	for i := range out {
		out[i].Seconds += seconds
	}
	return out
}

// addPoints adds two counts over time.
func addPoints(a, b []Point) []Point {
	var out []Point
	var doneA, doneB int64
	for len(a) > 0 || len(b) > 0 {
		now := math.Inf(1)
		if len(a) > 0 {
			now = a[0].Seconds
		}
		if len(b) > 0 {
			now = min(now, b[0].Seconds)
		}
		for ; len(a) > 0 && a[0].Seconds <= now; a = a[1:] {
			doneA = a[0].Cases
		}
		for ; len(b) > 0 && b[0].Seconds <= now; b = b[1:] {
			doneB = b[0].Cases
		}
		out = append(out, Point{Seconds: now, Cases: doneA + doneB})
	}
	return out
}
