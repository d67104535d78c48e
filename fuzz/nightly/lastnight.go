package nightly

import (
	"cmp"
	"context"

	"phpwire/corpus"
	"phpwire/reports"
)

// carried is a fact of the last night whose example was asked again.
type carried struct {
	fact    reports.Fact
	tonight reports.Fact
	differ  bool
}

// askAgain asks the examples of the last night's facts, so that what became of each
// is known, whatever is drawn tonight.
func (n *night) askAgain(ctx context.Context, w *worker) error {
	if n.state.Last == nil {
		return nil
	}
	n.carried = nil
	var probes []probe
	var cases []*corpus.Case
	for _, f := range n.state.Last.Facts {
		if f.Change == reports.Gone {
			continue
		}
		p := probe{op: corpus.Op(cmp.Or(f.Op, string(corpus.Decode))), clause: f.Clause, input: f.Input}
		if p.op == corpus.Decode && p.clause == "" { // it was about words only, and may not be any more
			p.clause = corpus.Suggest(p.input)
		}
		n.carried = append(n.carried, carried{fact: f})
		probes, cases = append(probes, p), append(cases, p.question())
	}
	given, err := w.answers(ctx, cases)
	if err != nil {
		return err
	}
	answers := make([]corpus.Given, len(n.PHPs))
	for i := range n.carried {
		for php := range n.PHPs {
			answers[php] = given[php][i]
		}
		n.carried[i].tonight, n.carried[i].differ = w.fact(probes[i], answers)
	}
	return nil
}

// resolved joins the facts that tonight's cases show with those of the last night,
// which keep their ids and examples.
func (n *night) resolved(shown []reports.Fact) []reports.Fact {
	left := map[string]reports.Fact{}
	for _, f := range shown {
		left[f.ID] = f
	}
	taken := map[string]bool{}
	var facts []reports.Fact
	for _, c := range n.carried {
		if !c.differ {
			continue // Since says that it is gone
		}
		f := c.tonight
		f.ID, f.Cases, f.Drawn = c.fact.ID, 0, c.fact.Drawn
		if same, there := left[c.tonight.ID]; there {
			f.Cases = same.Cases
			delete(left, c.tonight.ID)
		}
		taken[f.ID] = true
		facts = append(facts, f)
	}
	for _, f := range shown {
		if _, there := left[f.ID]; there {
			for taken[f.ID] {
				f.ID += "'" // the example of the fact with this id does something else now
			}
			facts = append(facts, f)
		}
	}
	return facts
}
