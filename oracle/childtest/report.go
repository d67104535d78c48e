package childtest

import (
	"fmt"
	"time"

	"phpwire/docs"
	"phpwire/reports"
)

// Report makes the report of a run: a row for each case and a column for each
// subject. Replay gives the command that runs one case again.
func Report(o Options, results []Result, replay func(*Result) string) *reports.Run {
	run := &reports.Run{Tool: "phpwire", Kind: reports.KindChild, Started: time.Now()}
	for _, s := range o.Subjects {
		run.Columns = append(run.Columns, reports.Column{Name: s.Name, Version: s.Version, Kind: s.Kind, Platform: s.Platform, Started: s.Started})
	}
	for i := range o.Cases {
		c := &o.Cases[i]
		run.Suites = append(run.Suites, reports.Suite{Name: c.ID, Title: c.Requirement, Clauses: []string{c.Clause}})
	}
	visits, failed := map[string]int64{}, map[string]int64{}
	for i := range results {
		r := &results[i]
		cell := run.Cell(r.Case.ID, r.Subject)
		if r.NotApplicable != "" {
			cell.NotApplicable = r.NotApplicable
			continue
		}
		cell.Cases, cell.Seconds = 1, r.Took.Seconds()
		visits[r.Case.Clause]++
		switch r.Outcome {
		case "":
			cell.Passed = 1
			continue
		case reports.Crashed:
			cell.Crashed = 1
		case reports.Hung:
			cell.Hung = 1
		case reports.Garbage:
			cell.Garbage = 1
		default:
			cell.Failed = 1
		}
		failed[r.Case.Clause]++
		cell.Kinds = []reports.Tally{{Name: kinds[r.Outcome], Count: 1}}
		f := r.failure()
		f.Replay = replay(r)
		run.Add(f)
	}
	for _, c := range docs.Clauses() {
		run.Clauses = append(run.Clauses, reports.ClauseVisits{ID: c.ID, Title: c.Title, Visits: visits[c.ID], Failed: failed[c.ID]})
	}
	return run
}

var (
	kinds = map[reports.Outcome]string{
		reports.Failed: "does something else than the clause asks", reports.Crashed: "ends where it must live",
		reports.Hung: "does not answer in time", reports.Garbage: "sends bytes that are no frame of the protocol",
	}
	verdicts = map[reports.Outcome]reports.Verdict{
		reports.Failed: reports.Accepted, reports.Crashed: reports.Crash, reports.Hung: reports.Hang, reports.Garbage: reports.Noise,
	}
)

// failure tells a failed case with its conversation.
func (r *Result) failure() reports.Failure {
	f := reports.Failure{
		Case: r.Case.ID, Suite: r.Case.ID, Column: r.Subject, Clause: r.Case.Clause, Outcome: r.Outcome, Kind: kinds[r.Outcome],
		Title: r.Fault, Input: r.Sent,
		Sides: []reports.Side{
			{Name: "clause " + r.Case.Clause, Verdict: reports.Accepted, Message: r.Case.Requirement},
			{Name: r.Subject, Verdict: verdicts[r.Outcome], Message: r.Fault},
		},
	}
	for _, l := range r.Transcript {
		f.Differences = append(f.Differences, l.String())
	}
	return f
}

// Told is a result as JSON tells it.
type Told struct {
	ID            string          `json:"id"`
	Clause        string          `json:"clause"`
	Requirement   string          `json:"requirement"`
	Subject       string          `json:"subject"`
	Passed        bool            `json:"passed"`
	Outcome       reports.Outcome `json:"outcome,omitempty"`
	Fault         string          `json:"fault,omitempty"`
	NotApplicable string          `json:"not_applicable,omitempty"`
	Seconds       float64         `json:"seconds"`
	Transcript    []Line          `json:"transcript"`
}

// Tell gives the results for JSON.
func Tell(results []Result) []Told {
	told := make([]Told, len(results))
	for i, r := range results {
		told[i] = Told{
			ID: r.Case.ID, Clause: r.Case.Clause, Requirement: r.Case.Requirement, Subject: r.Subject,
			Passed: r.Outcome == "" && r.NotApplicable == "", Outcome: r.Outcome, Fault: r.Fault, NotApplicable: r.NotApplicable,
			Seconds: r.Took.Seconds(), Transcript: r.Transcript,
		}
		if told[i].Transcript == nil {
			told[i].Transcript = []Line{}
		}
	}
	return told
}

// String tells a result with its conversation.
func (r *Result) String() string {
	s := fmt.Sprintf("%s on %s (clause %s)\n  %s\n", r.Case.ID, r.Subject, r.Case.Clause, r.Case.Requirement)
	switch {
	case r.NotApplicable != "":
		s += "  not applicable: " + r.NotApplicable + "\n"
	case r.Outcome != "":
		s += fmt.Sprintf("  %s: %s\n", kinds[r.Outcome], r.Fault)
	}
	for _, l := range r.Transcript {
		s += "  " + l.String() + "\n"
	}
	return s
}
