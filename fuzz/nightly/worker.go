package nightly

import (
	"context"
	"errors"

	"phpwire/corpus"
	"phpwire/corpus/grow"
	"phpwire/fuzz/suites"
	"phpwire/oracle"
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
