package nightly

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"phpwire/frames/toolchild/conformance"
	"phpwire/reports"
)

// toolchildAreas are the roles with the areas of their cases: child/frames.
func toolchildAreas() (areas []string) {
	for _, c := range conformance.Cases() {
		if area := toolchildArea(c.ID); !slices.Contains(areas, area) {
			areas = append(areas, area)
		}
	}
	return areas
}

func toolchildArea(id string) string {
	parts := strings.Split(id, "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// testToolchild judges the tool-child peer that comes with phpwire.
func testToolchild(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	area := toolchildAreas()[u.span.first]
	only := area + "/*"
	if slices.ContainsFunc(conformance.Cases(), func(c conformance.Case) bool { return c.ID == area }) {
		only = area // a case that stands by itself
	}
	results, err := conformance.Run(ctx, conformance.Options{Command: w.peer, Only: only, Timeout: patience})
	if err != nil {
		return nil, err
	}
	r := w.run(u.part.rows)
	cell := r.Cell(toolchild+"/"+area, w.column(0))
	for _, result := range results {
		cell.Cases++
		cell.Seconds += result.Elapsed.Seconds()
		if result.Passed {
			cell.Passed++
			continue
		}
		const kind = "does something else than the clause asks"
		cell.Failed++
		cell.Kinds = reports.Tallied(cell.Kinds, kind, 1)
		r.Add(reports.Failure{
			Case: result.ID, Suite: cell.Suite, Column: cell.Column, Clause: result.Clause, Outcome: reports.Failed, Kind: kind,
			Title: result.Failure, Differences: result.Frames,
			Sides:  []reports.Side{{Name: "clause " + result.Clause, Verdict: reports.Accepted, Message: result.Requirement}, {Name: "the peer", Verdict: reports.Accepted, Message: result.Failure}},
			Replay: fmt.Sprintf("%s toolchild --only '%s' --verbose", w.Program, result.ID),
		})
	}
	return r, nil
}
