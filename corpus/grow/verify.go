package grow

import (
	"context"
	"fmt"

	"phpwire/corpus"
)

// Drift is what a case says and somebody does not do any more.
type Drift struct {
	ID   string
	Who  string // "reference", or a PHP
	What []string
}

func (d Drift) String() string { return fmt.Sprintf("%s: %s: %v", d.ID, d.Who, d.What) }

// Verified is what came of verifying.
type Verified struct {
	Cases, Answers int
	// Unknown counts answers of PHPs for which nothing is recorded: another size of
	// size_t where that matters, or another version.
	Unknown int
	Drift   []Drift
}

// Verify judges cases again with the reference and the PHPs of the panel.
func (p *Panel) Verify(ctx context.Context, cases []corpus.Case) (Verified, error) {
	v := Verified{Cases: len(cases)}
	asked := make([]*corpus.Case, 0, len(cases))
	for i := range cases {
		if what := cases[i].Check(); len(what) > 0 {
			v.Drift = append(v.Drift, Drift{cases[i].ID, "reference", what})
		}
		if cases[i].Op.Asks() {
			asked = append(asked, &cases[i])
		}
	}
	answers, err := p.Answers(ctx, asked)
	if err != nil {
		return v, err
	}
	for i, c := range asked {
		for _, m := range p.phps() {
			v.Answers++
			what, known := c.CheckPHP(m, answers[i][m])
			switch {
			case !known:
				v.Unknown++
			case len(what) > 0:
				v.Drift = append(v.Drift, Drift{c.ID, "PHP " + m.String(), what})
			}
		}
	}
	return v, nil
}

// phps lists the PHPs of the panel, each once.
func (p *Panel) phps() []corpus.PHP {
	var phps []corpus.PHP
	seen := map[corpus.PHP]bool{}
	for _, m := range p.members {
		if !seen[m.php] {
			seen[m.php] = true
			phps = append(phps, m.php)
		}
	}
	return phps
}
