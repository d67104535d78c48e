package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"phpwire/fuzz/judge"
)

// printVisits prints how often each clause was exercised, a part of the protocol
// in a line, and what became of the cases; those without a visit by name, where
// the run should have visited all.
func printVisits(w io.Writer, seen *judge.Visits, all bool) {
	t := newTable(w)
	t.AppendHeader(row("clauses", "visits of each"))
	var unvisited []string
	var part string
	var counts []string
	visited := false
	flush := func() {
		if visited || all && part != "" {
			t.AppendRow(row(part, wrapped(counts, 12)))
		}
	}
	for _, id := range judge.ClauseIDs() {
		letter, number, _ := strings.Cut(id, "-")
		if letter != part {
			flush()
			part, counts, visited = letter, nil, false
		}
		n := seen.Of(id)
		if n == 0 {
			unvisited = append(unvisited, id)
		}
		visited = visited || n > 0
		counts = append(counts, fmt.Sprintf("%s:%s", number, short(n)))
	}
	flush()
	t.Render()
	printMix(w, seen)
	if all && len(unvisited) > 0 {
		fmt.Fprintln(w, text.FgYellow.Sprint("no case exercised the clauses "+strings.Join(unvisited, ", ")))
	}
}

// wrapped joins words, so many a line.
func wrapped(words []string, n int) string {
	var lines []string
	for line := range slices.Chunk(words, n) {
		lines = append(lines, strings.Join(line, "  "))
	}
	return strings.Join(lines, "\n")
}

// short writes 1234567 as 1.2M.
func short(n int64) string {
	switch {
	case n >= 9_950_000:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	case n >= 999_500:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 9_950:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}

// printMix prints for each sort of case who accepted and who refused it, and why.
func printMix(w io.Writer, seen *judge.Visits) {
	type group struct{ sort, who string }
	totals, kinds := map[group]int64{}, map[group][]string{}
	sorts := map[string]int64{}
	for _, v := range sortedMix(seen) {
		g := group{v.Sort, v.Who}
		n := seen.Mix()[v]
		totals[g] += n
		sorts[v.Sort] += n
		if v.Kind != "" {
			kinds[g] = append(kinds[g], v.Kind+" "+short(n))
		}
	}
	groups := make([]group, 0, len(totals))
	for g := range totals {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		if c := strings.Compare(a.sort, b.sort); c != 0 {
			return c
		}
		return int(totals[b] - totals[a])
	})
	t := newTable(w)
	t.AppendHeader(row("mix", "what became of them", "", "", "why"))
	last := ""
	for _, g := range groups {
		name := g.sort + "s"
		if g.sort == last {
			name = ""
		}
		last = g.sort
		t.AppendRow(row(name, g.who, grouped(totals[g]), fmt.Sprintf("%.1f %%", 100*float64(totals[g])/float64(sorts[g.sort])), wrapped(kinds[g], 4)))
	}
	t.Render()
}

// sortedMix lists the verdicts, the most frequent first.
func sortedMix(seen *judge.Visits) []judge.Verdict {
	var all []judge.Verdict
	for v := range seen.Mix() {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b judge.Verdict) int {
		if c := int(seen.Mix()[b] - seen.Mix()[a]); c != 0 {
			return c
		}
		return strings.Compare(a.Sort+a.Who+a.Kind, b.Sort+b.Who+b.Kind)
	})
	return all
}
