package suites

import (
	"context"
	"encoding/json"

	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
	"phpwire/oracle"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

// wanted tells whether another failure of this kind is to be shrunk and listed.
func (r *run) wanted(s Suite, p *php, f *judge.Finding) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [3]string{s.Name(), p.name(), f.Invariant + f.Kind}
	r.kinds[key]++
	return r.kinds[key] <= listedPerKind
}

// fail lists a failure that was shrunk.
func (r *run) fail(ctx context.Context, s Suite, p *php, worker int, c shown, foundSize int, f *judge.Finding) error {
	failure := reports.Failure{
		Suite: s.Name(), Column: p.name(), Clause: f.Clause, Invariant: f.Invariant, Outcome: reports.Failed,
		Kind: f.Kind, Title: f.Title, Input: c.input, Tokens: tokens.Of(c.input), Value: c.tagged, Differences: f.Differences,
		Replay: r.Program + " replay " + c.replay, File: f.Filing(r.Program, c.file),
	}
	switch {
	case s.Live():
		failure.Replay += " --php '" + p.runtime.Name() + "'"
	case c.inCorpus && c.replay == "":
		failure.Replay = r.Program + " corpus verify"
	}
	if foundSize > len(c.input) {
		failure.ShrunkFrom = foundSize
	}
	if f.Offset >= 0 {
		failure.Offset = &f.Offset
	}
	if s.Live() {
		var err error
		if failure.Sides, err = sides(ctx, p.clients[worker], c); err != nil {
			failure.Differences = append(failure.Differences, "asked once more, it ends in: "+err.Error())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Different cases may shrink to the same one.
	if key := [3]string{s.Name(), p.name(), failure.Kind + failure.Replay}; !r.listed[key] {
		r.listed[key] = true
		r.report.Add(failure)
	}
	return nil
}

// sides asks everybody once more.
func sides(ctx context.Context, client *oracle.Client, c shown) ([]reports.Side, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	clients := []*oracle.Client{client}
	if c.tagged != nil {
		e, err := replay.Value(ctx, c.tagged, clients)
		if err != nil {
			return nil, err
		}
		reference := reports.Side{Name: "reference", Verdict: verdict(e.Reference.Error == ""), Message: e.Reference.Error, Bytes: e.Reference.B64, Value: e.Value}
		return append([]reports.Side{reference}, answers(e.PHP)...), nil
	}
	e, err := replay.Payload(ctx, c.input, clients)
	if err != nil {
		return nil, err
	}
	return append([]reports.Side{reading("reference plugin", e.Reference.Plugin), reading("reference canonical", e.Reference.Canonical)}, answers(e.PHP)...), nil
}

func verdict(ok bool) reports.Verdict {
	if ok {
		return reports.Accepted
	}
	return reports.Refused
}

func reading(name string, r replay.Reading) reports.Side {
	return reports.Side{Name: name, Verdict: verdict(r.OK), Offset: r.Offset, Message: r.Error, Bytes: r.B64, Value: r.Value}
}

func answers(php []replay.Answer) []reports.Side {
	var all []reports.Side
	for _, a := range php {
		value := a.Value
		if !json.Valid(value) {
			value = nil
		}
		all = append(all, reports.Side{Name: "PHP " + a.Name, Verdict: verdict(a.OK), Warnings: a.Warnings, Bytes: a.B64, Value: value})
	}
	return all
}
