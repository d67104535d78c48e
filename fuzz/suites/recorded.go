package suites

import (
	"context"
	"math/rand"

	"phpwire/corpus"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// corpusRecorded holds the reference against the corpus, before any PHP is
// started: a reference that cannot even speak to PHP is caught here.
func corpusRecorded() Suite {
	all := corpus.Cases()
	return &suite[corpus.Case]{
		about: about{
			name: "corpus/recorded", title: "the regression corpus: the reference does what is recorded, PHP's answers with it",
			clauses: []string{"P-2", "P-3", "F-15", "T-1"}, fixed: len(all), size: 500, alone: true,
		},
		make: func(_ *rand.Rand, first, n int) []corpus.Case { return all[first : first+n] },
		judge: func(_ context.Context, _ *php, _ *oracle.Client, cases []corpus.Case, _ *judge.Visits) ([]*judge.Finding, error) {
			findings := make([]*judge.Finding, len(cases))
			for i := range cases {
				c := &cases[i]
				if d := c.Check(); len(d) > 0 {
					findings[i] = &judge.Finding{Invariant: invariants[c.Op], Clause: c.Clause, Kind: "the reference differs from the corpus (" + string(c.Op) + ")",
						Title: "The reference does not do what is recorded for " + c.ID + ": " + c.Comment, Offset: -1, Differences: d}
				}
			}
			return findings, nil
		},
		smaller: func(corpus.Case) []corpus.Case { return nil },
		show: func(c corpus.Case) shown {
			s := shown{input: c.Input.B64, inCorpus: true}
			if c.Op == corpus.Decode {
				s.replay = judge.ReplayPayload(c.Input.B64)
			}
			return s
		},
	}
}

// invariants are those that the operations of the corpus are about.
var invariants = map[corpus.Op]string{
	corpus.Decode: "P3", corpus.Encode: "P2", corpus.Float: "P2", corpus.Tagged: "P1", corpus.Read: "P5", corpus.Write: "P5",
}
