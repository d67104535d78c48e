package grow

import (
	"context"
	"fmt"
	"slices"

	"phpwire/corpus"
)

// Same says that a corpus has a case like one that was to be added.
type Same struct {
	ID       string // of the case that is there
	Question bool   // it asks the very same, and does not only show the same behaviour
}

func (e *Same) Error() string {
	if e.Question {
		return "the corpus has this input: " + e.ID
	}
	return "the corpus has a case of the same behaviour: " + e.ID
}

// Add judges a question with every PHP of the panel and returns the cases with
// the new one. The error is a *Same where the corpus has such a case; with force,
// only where it has the same question.
func (p *Panel) Add(ctx context.Context, cases []corpus.Case, q corpus.Question, force bool) ([]corpus.Case, *corpus.Case, error) {
	q.Origin = addedOrigin
	made, err := p.Judge(ctx, []corpus.Question{q})
	if err != nil {
		return nil, nil, err
	}
	c := made[0]
	for i := range cases {
		if cases[i].Asks(c) {
			return nil, nil, &Same{cases[i].ID, true}
		}
	}
	if at, there := newKnown(cases).signatures[c.Signature()]; there && !force {
		return nil, nil, &Same{at, false}
	}
	all := append(slices.Clone(cases), *c)
	corpus.Sort(all)
	if err := distinctIDs(all); err != nil {
		return nil, nil, err
	}
	return all, c, nil
}

func distinctIDs(cases []corpus.Case) error {
	ids := map[string]bool{}
	for _, c := range cases {
		if ids[c.ID] {
			return fmt.Errorf("two cases have the id %s", c.ID)
		}
		ids[c.ID] = true
	}
	return nil
}
