package nightly

import (
	"context"
	"fmt"

	"phpwire/corpus"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

const corpusRow = "corpus/php"

// verifyCorpus holds every PHP against what the corpus says of it, and looks where
// they differ.
func verifyCorpus(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	all := corpus.Cases()[u.span.first : u.span.first+u.span.n]
	var asked []*corpus.Case
	for i := range all {
		if all[i].Op.Asks() {
			asked = append(asked, &all[i])
		}
	}
	given, err := w.answers(ctx, asked)
	if err != nil {
		return nil, err
	}
	r := w.run(u.part.rows)
	for php := range w.PHPs {
		who, err := w.identity(ctx, php)
		if err != nil {
			return nil, err
		}
		cell := r.Cell(corpusRow, w.column(php))
		for i, c := range asked {
			cell.Cases++
			what, known := c.CheckPHP(who, given[php][i])
			switch {
			case !known:
				cell.Skipped++
				cell.Skips = reports.Tallied(cell.Skips, "the corpus does not say what PHP "+who.String()+" does", 1)
			case len(what) == 0:
				cell.Passed++
			default:
				const kind = "PHP does something else than the corpus says"
				cell.Failed++
				cell.Kinds = reports.Tallied(cell.Kinds, kind, 1)
				f := reports.Failure{
					Case: c.ID, Suite: corpusRow, Column: w.column(php), Clause: c.Clause, Outcome: reports.Failed, Kind: kind,
					Title: kind + ": " + c.Comment, Input: c.Input.B64, Differences: what, Sides: []reports.Side{said(w.column(php), given[php][i])},
					Replay: fmt.Sprintf("%s corpus verify --php '%s' --area %s", w.Program, w.PHPs[php].Name(), c.Area()),
				}
				if c.Op == corpus.Decode {
					f.Tokens = tokens.Of(f.Input)
				}
				r.Add(f)
			}
		}
	}
	var probes []probe
	for _, c := range asked {
		probes = append(probes, probe{op: c.Op, clause: c.Clause, input: c.Input.B64})
	}
	r.Facts = w.facts(probes, given)
	return r, nil
}

// said is what a PHP did, for a report.
func said(column string, g corpus.Given) reports.Side {
	s := reports.Side{Name: column, Verdict: reports.Accepted, Warnings: g.Warnings, Bytes: g.Bytes}
	switch g.Does {
	case corpus.Refuses:
		s.Verdict = reports.Refused
	case dies:
		s.Verdict = reports.Crash
	}
	return s
}
