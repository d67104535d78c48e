package ports

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"phpwire/corpus"
	"phpwire/docs"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

// listedPerKind is how many generated failures of a kind in a suite are told in full.
const listedPerKind = 5

// account adds up verdicts to a report.
type account struct {
	o        *Options
	port     *Hello
	run      *reports.Run
	cases    int64
	kinds    map[[2]string]int  // how many of a suite and kind
	unknown  map[[2]string]bool // generated ones of a suite and kind of which some are not known
	visits   map[string]*reports.ClauseVisits
	answered map[string]bool // known cases that were asked
}

func newAccount(o *Options, port *Hello, started time.Time) *account {
	a := &account{o: o, port: port, kinds: map[[2]string]int{}, unknown: map[[2]string]bool{}, visits: map[string]*reports.ClauseVisits{}, answered: map[string]bool{}}
	a.run = &reports.Run{
		Tool: "phpwire", Version: o.Version, Kind: reports.KindCheck, Command: o.Line, Seed: o.Seed, Started: started,
		Title: strings.TrimSpace(port.Name+" "+port.Version) + " against PHP",
		Columns: []reports.Column{{
			Name: port.Name, Version: port.Version, Kind: reports.ColumnPort, Language: port.Language, Started: o.Command,
			Platform: "profile " + string(port.Profile),
		}},
	}
	for _, c := range docs.Clauses() {
		a.visits[c.ID] = &reports.ClauseVisits{ID: c.ID, Title: c.Title}
	}
	return a
}

// suite makes a suite known, in the order in which they are shown.
func (a *account) suite(name string) {
	if slices.ContainsFunc(a.run.Suites, func(s reports.Suite) bool { return s.Name == name }) {
		return
	}
	area, op, _ := strings.Cut(name, "/")
	a.run.Suites = append(a.run.Suites, reports.Suite{Name: name, Title: titles[Op(op)] + " (" + area + ")"})
	a.run.Cell(name, a.port.Name)
}

var titles = map[Op]string{Decode: "what is read", Encode: "what is written", Reencode: "what is written for what was read"}

// wanted tells whether a failure of a generated case is made smaller, and told in
// full: the first of its sort is, and some more while there is time. Hangs are many
// times slower to make smaller, and the first is enough.
func (a *account) wanted(c *Case, v Verdict, inTime bool) bool {
	before := a.kinds[[2]string{c.Suite, v.Kind}]
	return before == 0 || inTime && before < listedPerKind && v.Outcome != Hang
}

func (a *account) add(c *Case, v Verdict) { a.addShrunk(c, v, 0) }

// addShrunk counts a case, and lists it where it fails. From is the size of the
// input before it was made smaller, 0 where it was not.
func (a *account) addShrunk(c *Case, v Verdict, from int) {
	a.cases++
	known := a.known(c, v)
	if known {
		a.noteKnown(c, v)
	}
	cell := a.run.Cell(c.Suite, a.port.Name)
	cell.Cases++
	if visits := a.visits[c.Clause]; visits != nil && v.Outcome != Skip {
		visits.Visits++
		if v.Outcome.Bad() {
			visits.Failed++
		}
	}
	switch {
	case v.Outcome == Skip:
		cell.Skipped++
		cell.Skips = reports.Tallied(cell.Skips, v.Kind, 1)
		return
	case v.Outcome == Pass && known:
		cell.Fixed++
		v.Kind, v.Title = "a known failure that passes", "known to fail ("+a.o.Known[c.ID].Reason+"), but it passes: --update-known takes it out of the file"
		a.fail(c, v, reports.Fixed, from)
		return
	case v.Outcome == Pass:
		cell.Passed++
		return
	case known:
		cell.Known++
		return
	}
	outcome := reports.Failed
	switch v.Outcome {
	case Fail:
		cell.Failed++
	case Crash:
		cell.Crashed++
		outcome = reports.Crashed
	case Hang:
		cell.Hung++
		outcome = reports.Hung
	case Garbage:
		cell.Garbage++
		outcome = reports.Garbage
	}
	a.fail(c, v, outcome, from)
}

// known tells whether a case is a known failure. A generated one that is not made
// smaller, since others of its sort were, is one if all those are.
func (a *account) known(c *Case, v Verdict) bool {
	sort := [2]string{c.Suite, v.Kind}
	if c.ID == "" {
		return c.Drawn && v.Outcome.Bad() && a.kinds[sort] > 0 && !a.unknown[sort]
	}
	if a.o.UpdateKnown {
		a.o.Known.Update(c, v)
	}
	_, known := a.o.Known[c.ID]
	if c.Drawn && !c.Again && v.Outcome.Bad() {
		a.kinds[sort]++
		a.unknown[sort] = a.unknown[sort] || !known
	}
	return known
}

// noteKnown tells what became of a known failure.
func (a *account) noteKnown(c *Case, v Verdict) {
	if c.ID == "" || a.answered[c.ID] {
		return
	}
	a.answered[c.ID] = true
	state := reports.StillFails
	switch v.Outcome {
	case Pass:
		state = reports.NowPasses
	case Skip:
		state = reports.NotRun
	}
	a.run.Known = append(a.run.Known, reports.Known{Case: c.ID, Suite: c.Suite, Column: a.port.Name, Reason: a.o.Known[c.ID].Reason, State: state})
}

// point notes how many cases are done by now, at most four times a second.
func (a *account) point() {
	now := time.Since(a.run.Started).Seconds()
	points := a.run.Throughput
	if n := len(points); n > 0 && now-points[n-1].Seconds < 0.25 {
		return
	}
	a.run.Throughput = append(points, reports.Point{Seconds: now, Cases: a.cases})
}

func (a *account) fail(c *Case, v Verdict, outcome reports.Outcome, from int) {
	cell := a.run.Cell(c.Suite, a.port.Name)
	cell.Kinds = reports.Tallied(cell.Kinds, v.Kind, 1)
	if c.Drawn && c.ID == "" {
		return // others of its sort are told in full
	}
	f := reports.Failure{
		Suite: c.Suite, Column: a.port.Name, Clause: c.Clause, Outcome: outcome, Kind: v.Kind, Title: v.Title,
		Case: strings.TrimSuffix(c.ID, ":"+string(Reencode)), Input: c.Input, Tokens: tokens.Of(c.Input), Value: corpus.ShownValue(c.Value), Differences: v.Differences,
		Sides: append(slices.Clone(c.Want.Sides), v.Side), Replay: a.replay(c),
	}
	if from > len(c.Input) {
		f.ShrunkFrom = from
	}
	if c.Op == Encode && len(c.Want.Bytes) > 0 {
		f.Input, f.Tokens, f.ShrunkFrom = c.Want.Bytes[0], tokens.Of(c.Want.Bytes[0]), 0
	}
	if c.Drawn && c.Op != Encode {
		f.File = fmt.Sprintf("printf %%s %s | base64 -d | %s corpus add - --clause %s", quoted(base64.StdEncoding.EncodeToString(c.Input)), a.o.Program, c.Clause)
	}
	same := func(o reports.Failure) bool { return o.Replay == f.Replay && o.Suite == f.Suite && o.Kind == f.Kind }
	if c.Drawn && slices.ContainsFunc(a.run.Failures, same) {
		return // different cases may shrink to the same one
	}
	a.run.Add(f)
}

// replay is the command that asks a case again.
func (a *account) replay(c *Case) string {
	line := a.o.Program + " check --port " + quoted(a.o.Command)
	switch {
	case !c.Drawn:
		return line + " --only " + quoted(c.ID)
	case c.Op == Encode:
		return line + " --value " + quoted(string(c.Value))
	}
	return line + " --b64 " + quoted(base64.StdEncoding.EncodeToString(c.Input))
}

// quoted quotes a text for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// report closes the account. Err is why the run ended early, or nil.
func (a *account) report(err error) *reports.Run {
	a.run.Seconds = time.Since(a.run.Started).Seconds()
	a.run.Throughput = append(a.run.Throughput, reports.Point{Seconds: a.run.Seconds, Cases: a.cases})
	if err != nil {
		a.run.Aborted = err.Error()
	}
	for id, k := range a.o.Known {
		if !a.answered[id] {
			a.run.Known = append(a.run.Known, reports.Known{Case: id, Column: a.port.Name, Reason: k.Reason, State: reports.NotRun})
		}
	}
	slices.SortFunc(a.run.Known, func(x, y reports.Known) int { return strings.Compare(x.Case, y.Case) })
	for _, c := range docs.Clauses() {
		a.run.Clauses = append(a.run.Clauses, *a.visits[c.ID])
	}
	return a.run
}
