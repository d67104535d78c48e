package grow

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"phpwire/corpus"
	"phpwire/fuzz/gen"
)

// Judge makes cases of questions and has every PHP of the panel answer them.
func (p *Panel) Judge(ctx context.Context, questions []corpus.Question) ([]*corpus.Case, error) {
	cases := make([]*corpus.Case, 0, len(questions))
	for _, q := range questions {
		c, err := corpus.New(q)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	if findings, err := p.Findings(ctx, cases); err != nil || len(findings) > 0 {
		if err == nil {
			const most = 10
			err = fmt.Errorf("the reference and PHP disagree, so that no case can be made:\n  %s", strings.Join(findings[:min(most, len(findings))], "\n  "))
		}
		return nil, err
	}
	answers, err := p.Answers(ctx, cases)
	if err != nil {
		return nil, err
	}
	for i, c := range cases {
		if c.Op.Asks() {
			c.SetPHP(answers[i])
		}
	}
	return cases, nil
}

// Options say how a corpus grows.
type Options struct {
	// Mutants is how many changed payloads and streams are tried beside what is
	// derived from the grammar, and Keep how many of those that show something new
	// are kept at most.
	Mutants, Keep int
	Seed          int64
}

// DefaultOptions are those that the corpus was made with.
var DefaultOptions = Options{Mutants: 40_000, Keep: 400, Seed: 1}

// Grown tells what came of growing.
type Grown struct {
	Asked, Added int
}

// Grow returns cases with those added that the recipes and mutants give and
// whose behaviour no case shows yet.
func (p *Panel) Grow(ctx context.Context, cases []corpus.Case, o Options) ([]corpus.Case, Grown, error) {
	derived := Questions()
	judged, err := p.Judge(ctx, rare(derived))
	if err != nil {
		return nil, Grown{}, err
	}
	g := Grown{Asked: len(derived)}
	before := len(cases)
	known := newKnown(cases)
	for _, c := range judged {
		if known.add(c) {
			cases = append(cases, *c)
		}
	}
	mutants := known.unseen(mutants(cases, o))
	g.Asked += o.Mutants
	// The simplest first: of two that show the same, that one is kept.
	slices.SortStableFunc(mutants, func(a, b corpus.Question) int { return len(a.Input) - len(b.Input) })
	if judged, err = p.Judge(ctx, mutants[:min(len(mutants), o.Keep)]); err != nil {
		return nil, g, err
	}
	for _, c := range judged {
		if known.add(c) {
			cases = append(cases, *c)
		}
	}
	g.Added = len(cases) - before
	corpus.Sort(cases)
	return cases, g, nil
}

// alike is how many questions at which the reference does the same are put to
// PHPs, which may tell them apart.
const alike = 2

// rare leaves out questions of which there are enough that look the same.
func rare(questions []corpus.Question) []corpus.Question {
	seen := map[string]int{}
	var chosen []corpus.Question
	for _, q := range questions {
		c, err := corpus.New(q)
		if err != nil {
			continue // it is no question: a value that cannot be written as tagged JSON
		}
		s := c.ReferenceSignature() + c.Clause
		if seen[s]++; seen[s] <= alike || alwaysKept(q.Origin) {
			chosen = append(chosen, q)
		}
	}
	return chosen
}

// known is what a corpus shows already.
type known struct {
	ids        map[string]bool
	signatures map[string]string // to the case that has it
	reference  map[string]bool   // signatures without PHPs
	clauses    map[string]bool
}

func newKnown(cases []corpus.Case) *known {
	k := &known{map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for i := range cases {
		k.note(&cases[i])
	}
	return k
}

func (k *known) note(c *corpus.Case) {
	k.ids[c.ID] = true
	k.clauses[c.Clause] = true
	k.signatures[c.Signature()] = c.ID
	k.reference[c.ReferenceSignature()] = true
}

// alwaysKept tells whether the cases of a recipe earn their place otherwise: the
// examples of the protocol, and what shows a fault that no other case does.
func alwaysKept(origin string) bool { return origin == recipes()[0].name || origin == FaultsOrigin }

// add notes a case that shows something new, or is the first of its clause, and
// tells whether it is one. Those that are always kept are.
func (k *known) add(c *corpus.Case) bool {
	_, there := k.signatures[c.Signature()]
	if k.ids[c.ID] || there && k.clauses[c.Clause] && !alwaysKept(c.Origin) {
		return false
	}
	k.note(c)
	return true
}

// unseen leaves out the questions at which the reference does nothing new.
func (k *known) unseen(questions []corpus.Question) []corpus.Question {
	seen := map[string]bool{}
	return slices.DeleteFunc(questions, func(q corpus.Question) bool {
		c, err := corpus.New(q)
		if err != nil {
			return true
		}
		s := c.ReferenceSignature()
		if k.reference[s] || seen[s] {
			return true
		}
		seen[s] = true
		return false
	})
}

const mostMutant = 200 // bytes: what is longer says no more

// mutants are payloads of the corpus after one change of every kind.
func mutants(cases []corpus.Case, o Options) []corpus.Question {
	random := rand.New(rand.NewSource(o.Seed))
	var payloads [][]byte
	for _, c := range cases {
		if c.Op == corpus.Decode && c.Expect.Plugin == corpus.MustAccept && len(c.Input.B64) <= mostMutant {
			payloads = append(payloads, c.Input.B64)
		}
	}
	if len(payloads) == 0 {
		return nil
	}
	var questions []corpus.Question
	for range o.Mutants {
		b, kind := gen.MutateNamed(random, payloads[random.Intn(len(payloads))])
		if len(b) > mostMutant || bytes.Contains(bytes.ToUpper(b), []byte("R:")) {
			continue // references may make an array that contains itself, of which PHP dies
		}
		questions = append(questions, corpus.Question{
			Op: corpus.Decode, Clause: corpus.Suggest(b), Comment: kind.String(), Input: b, Origin: "mutation: " + kind.String(),
		})
	}
	return questions
}

// addedOrigin begins the origin of cases that somebody added.
const addedOrigin = "added"

// Added returns the cases that somebody added, which growing does not make.
func Added(cases []corpus.Case) []corpus.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c corpus.Case) bool { return !strings.HasPrefix(c.Origin, addedOrigin) })
}
