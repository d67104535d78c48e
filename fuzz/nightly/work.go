package nightly

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"phpwire/corpus"
	"phpwire/corpus/grow"
	"phpwire/frames/toolchild/conformance"
	"phpwire/fuzz/suites"
	"phpwire/oracle"
	"phpwire/oracle/childtest"
	"phpwire/reports"
)

// worker does one unit after another. It has a child of every PHP.
type worker struct {
	*Options
	children *suites.Children
	panels   map[int]*grow.Panel
	peer     []string // the command of the tool-child peer
}

func newWorker(o *Options, peer []string) *worker {
	return &worker{Options: o, peer: peer, children: suites.NewChildren(o.PHPs, 1), panels: map[int]*grow.Panel{}}
}

func (w *worker) column(php int) string { return suites.ColumnName(w.PHPs[php]) }

// run is an empty result.
func (w *worker) run(rows []reports.Suite) *reports.Run {
	r := &reports.Run{ListedPerCell: listedPerCell, Suites: rows}
	for i := range w.PHPs {
		r.Columns = append(r.Columns, reports.Column{Name: w.column(i)})
	}
	return r
}

// endless is a number of cases that no night comes to the end of.
const endless = 1 << 50

func runSuite(s suites.Suite) func(context.Context, *worker, unit) (*reports.Run, error) {
	return func(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
		return suites.Run(ctx, suites.Options{
			PHPs: []oracle.Runtime{w.PHPs[u.php]}, Suites: []suites.Suite{s}, Cases: endless, Seed: w.Seed, Program: w.Program,
			From: u.span.first, To: u.span.first + u.span.n, Workers: 1, Children: w.children,
		})
	}
}

func childRow(id string) string {
	area, _, _ := strings.Cut(id, "/")
	return "child/" + area
}

// patience is how long an answer may take before it counts as none: a slow
// machine is no fault of the child.
const patience = time.Minute

// testChild plays the host against the worker of one PHP.
func testChild(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	o := childtest.Options{
		Subjects: []childtest.Subject{childtest.Worker(w.PHPs[u.php])}, Cases: childtest.All()[u.span.first : u.span.first+u.span.n], Limit: patience,
	}
	results, err := childtest.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	all := childtest.Report(o, results, func(r *childtest.Result) string {
		return fmt.Sprintf("%s child --php '%s' --only '%s' --show", w.Program, w.PHPs[u.php].Name(), r.Case.ID)
	})
	// The report has a row for each case; a night has one for each area.
	r := w.run(u.part.rows)
	r.Clauses = all.Clauses
	for _, c := range all.Cells {
		if c.NotApplicable != "" {
			c.Cases, c.Skipped = 1, 1
			c.Skips = []reports.Tally{{Name: c.NotApplicable, Count: 1}}
		}
		cell := r.Cell(childRow(c.Suite), c.Column)
		cell.Counts = cell.Plus(c.Counts)
		cell.Seconds += c.Seconds
		for _, t := range c.Skips {
			cell.Skips = reports.Tallied(cell.Skips, t.Name, t.Count)
		}
		for _, t := range c.Kinds {
			cell.Kinds = reports.Tallied(cell.Kinds, t.Name, t.Count)
		}
	}
	for _, f := range all.Failures {
		f.Suite = childRow(f.Suite)
		r.Add(f)
	}
	return r, nil
}

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
					f.Tokens = suites.Tokens(f.Input)
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

// askDrawn asks every PHP the same drawn payloads, to see where they differ.
func askDrawn(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	probes := drawn(w.Seed, u.span)
	cases := make([]*corpus.Case, len(probes))
	for i, p := range probes {
		cases[i] = p.question()
	}
	given, err := w.answers(ctx, cases)
	if err != nil {
		return nil, err
	}
	r := w.run(u.part.rows)
	for php := range w.PHPs {
		cell := r.Cell("php/drawn", w.column(php))
		for i, g := range given[php] {
			cell.Cases++
			if g.Does != dies {
				cell.Passed++
				continue
			}
			const kind = "PHP dies of it"
			cell.Crashed++
			cell.Kinds = reports.Tallied(cell.Kinds, kind, 1)
			r.Add(reports.Failure{
				Suite: cell.Suite, Column: cell.Column, Clause: "E-3", Invariant: "P6", Outcome: reports.Crashed, Kind: kind,
				Title: "The child does not survive it, or does not answer", Input: probes[i].input, Tokens: suites.Tokens(probes[i].input),
				Sides:  []reports.Side{said(cell.Column, g)},
				Replay: fmt.Sprintf("%s replay --b64 '%s' --php '%s'", w.Program, base64.StdEncoding.EncodeToString(probes[i].input), w.PHPs[php].Name()),
			})
		}
	}
	r.Facts = w.facts(probes, given)
	for i := range r.Facts {
		r.Facts[i].Drawn = true
	}
	return r, nil
}

// dies is what a PHP does that does not survive an input, or does not answer.
const dies corpus.Does = "dies"

// answers asks every PHP: for each one, its answers.
func (w *worker) answers(ctx context.Context, cases []*corpus.Case) ([][]corpus.Given, error) {
	all := make([][]corpus.Given, len(w.PHPs))
	for php := range w.PHPs {
		panel, err := w.panel(ctx, php)
		if err != nil {
			return nil, err
		}
		if all[php], err = surviving(ctx, panel, cases); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// surviving asks one PHP, and finds out which cases end it, where some do, by
// halving the batch until they are alone.
func surviving(ctx context.Context, panel *grow.Panel, cases []*corpus.Case) ([]corpus.Given, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	bounded, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	answers, err := panel.Answers(bounded, cases)
	if err == nil {
		given := make([]corpus.Given, len(cases))
		for i, a := range answers {
			for _, g := range a { // there is one PHP
				given[i] = g
			}
		}
		return given, nil
	}
	var fatal *oracle.FatalError
	if ctx.Err() != nil || bounded.Err() == nil && !errors.As(err, &fatal) {
		return nil, err
	}
	if len(cases) == 1 {
		return []corpus.Given{{Does: dies}}, nil
	}
	half := len(cases) / 2
	left, err := surviving(ctx, panel, cases[:half])
	if err != nil {
		return nil, err
	}
	right, err := surviving(ctx, panel, cases[half:])
	return append(left, right...), err
}

func (w *worker) panel(ctx context.Context, php int) (*grow.Panel, error) {
	if w.panels[php] == nil {
		p, err := grow.PanelOf(ctx, []*oracle.Client{w.children.Client(w.PHPs[php])})
		if err != nil {
			return nil, err
		}
		w.panels[php] = p
	}
	return w.panels[php], nil
}

// identity is a PHP as the corpus names it.
func (w *worker) identity(ctx context.Context, php int) (corpus.PHP, error) {
	facts, err := w.children.Client(w.PHPs[php]).Facts(ctx)
	return corpus.PHP{Series: w.PHPs[php].Series(), SizeBits: facts.SizeBits}, err
}
