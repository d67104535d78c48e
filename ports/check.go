package ports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"phpwire/corpus"
	"phpwire/oracle"
	"phpwire/ports/port"
	"phpwire/reports"
)

// Options say what Check does.
type Options struct {
	Command string        // the port's, one of the shell
	Codec   *port.Codec   // instead of it a port in this program, safe for concurrent use
	Copies  int           // of the port that run at the same time; 0 stands for one a core
	Limit   time.Duration // for one answer; 0 stands for 5 s
	Memory  int64         // bytes that a copy may use; 0 stands for 1 GiB
	// Patience, where it is not 0, is how long the first case of a suite without an
	// answer is waited for once more, and each that is long: a machine may be busy.
	Patience time.Duration

	Corpus []corpus.Case
	Suite  string // patterns of suites like "keys/*,ints"; first parts name all below; "" is all
	Only   string // the id of the only case that is asked

	Payloads [][]byte // these are asked, and nothing else
	Values   [][]byte // as tagged JSON; these too

	PHPs   []oracle.Runtime // who judges what is not of the corpus; without any nothing is generated
	Budget time.Duration    // after which nothing more is generated, counted from the start; 0 generates nothing
	Seed   int64            // what is generated from

	Known       Known // failures by case id
	UpdateKnown bool  // change Known by what is found

	Program string // how phpwire was called, for the commands in the report
	Line    string // the command that repeats the run
	Version string
	// Progress, where there is one, is told how many cases of how many are done.
	Progress func(done, total int64)
}

// batch is how many cases are asked between two looks at the clock.
const batch = 256

// ErrNothing says that no case fits the options.
var ErrNothing = errors.New("no such case")

// Check judges a port. The report is there, as far as it came, also where there is
// an error, unless the port could not be started at all.
func Check(ctx context.Context, o Options) (*reports.Run, error) {
	for pattern := range strings.SplitSeq(o.Suite, ",") {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("suite %q: %w", pattern, err)
		}
	}
	o.Copies = cmp.Or(o.Copies, runtime.NumCPU())
	o.Limit = cmp.Or(o.Limit, 5*time.Second)
	o.Memory = cmp.Or(o.Memory, 1<<30)
	started := time.Now()
	r, err := newRunner(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	c := &checker{Options: o, runner: r, started: started, account: newAccount(&o, &r.port, started)}
	if len(o.PHPs) > 0 {
		c.panel = newPanel(o.PHPs, r.port.Profile)
		defer c.panel.close()
	}
	err = c.run(ctx)
	if err != nil && c.account.cases == 0 {
		return nil, err
	}
	return c.account.report(err), err
}

type checker struct {
	Options
	runner  *runner
	panel   *panel
	started time.Time
	account *account
}

func (c *checker) run(ctx context.Context) error {
	if len(c.Payloads)+len(c.Values) > 0 {
		return c.given(ctx)
	}
	cases, err := OfCorpus(c.Corpus, c.runner.port.Profile)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(k Case) bool {
		return !matches(c.Suite, k.Suite) || c.Only != "" && k.ID != c.Only
	})
	generate := c.generated()
	if len(cases) == 0 && len(generate) == 0 {
		return fmt.Errorf("%w: suite %q, id %q", ErrNothing, c.Suite, c.Only)
	}
	for _, k := range cases {
		c.account.suite(k.Suite)
	}
	for _, s := range generate {
		c.account.suite(s.suite())
	}
	for some := range slices.Chunk(cases, batch) {
		verdicts, err := c.runner.judge(ctx, some)
		if err != nil {
			return err
		}
		for i := range some {
			c.account.add(&some[i], verdicts[i])
		}
		c.account.point()
		if c.Progress != nil {
			c.Progress(c.account.cases, int64(len(cases)))
		}
	}
	return c.generate(ctx, generate)
}

// matches tells whether one of patterns, with commas between them, names a suite.
func matches(patterns, suite string) bool {
	for pattern := range strings.SplitSeq(patterns, ",") {
		ok, _ := path.Match(pattern, suite) // its form was checked
		if ok || patterns == "" || strings.HasPrefix(suite, pattern+"/") {
			return true
		}
	}
	return false
}

// generated are the sorts that are generated.
func (c *checker) generated() []sort {
	if c.panel == nil || c.Only != "" || c.Budget <= 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(sorts), func(s sort) bool {
		return !matches(c.Suite, s.suite()) || !c.runner.port.Has(s.op)
	})
}

// given judges the inputs that are given.
func (c *checker) given(ctx context.Context) error {
	if c.panel == nil {
		return oracle.ErrNoPHP
	}
	for _, s := range sorts {
		inputs := c.Payloads
		if s.op == Encode {
			inputs = c.Values
		}
		if s.area != "generated" || len(inputs) == 0 || !c.runner.port.Has(s.op) {
			continue
		}
		s.area = "given"
		c.account.suite(s.suite())
		cases, err := c.panel.cases(ctx, &s, inputs)
		if err != nil {
			return err
		}
		verdicts, err := c.runner.judge(ctx, cases)
		if err != nil {
			return err
		}
		for i := range cases {
			c.account.add(named(&cases[i], verdicts[i]), verdicts[i])
		}
	}
	return nil
}

// named gives an id to a case that was drawn and has failed.
func named(k *Case, v Verdict) *Case {
	if v.Outcome.Bad() && k.ID == "" {
		k.ID = idOf(k, v)
	}
	return k
}

// askKnown asks the generated cases again that are known to fail.
func (c *checker) askKnown(ctx context.Context, s *sort) error {
	ids, inputs := c.Known.drawn(s.op)
	if len(ids) == 0 || s.area != "generated" {
		return nil
	}
	cases, err := c.panel.cases(ctx, s, inputs)
	if err != nil {
		return err
	}
	for i := range cases {
		cases[i].ID, cases[i].Again = ids[i], true
	}
	verdicts, err := c.runner.judge(ctx, cases)
	for i := range verdicts {
		if err == nil {
			c.account.add(&cases[i], verdicts[i])
		}
	}
	return err
}

// generate judges generated cases until the budget ends, and once in any case.
func (c *checker) generate(ctx context.Context, all []sort) error {
	random := rand.New(rand.NewSource(c.Seed))
	end := c.started.Add(c.Budget)
	for i := range all {
		if err := c.askKnown(ctx, &all[i]); err != nil {
			return err
		}
	}
	for round := 0; len(all) > 0 && (round == 0 || time.Now().Before(end)) && !c.runner.exhausted(); round++ {
		for i := range all {
			if err := c.generateSome(ctx, &all[i], random, end); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) generateSome(ctx context.Context, s *sort, random *rand.Rand, end time.Time) error {
	inputs := make([][]byte, batch)
	for i := range inputs {
		inputs[i] = s.draw(random, c.runner.port.Profile)
	}
	cases, err := c.panel.cases(ctx, s, inputs)
	if err != nil {
		return err
	}
	verdicts, err := c.runner.judge(ctx, cases)
	if err != nil {
		return err
	}
	for i := range cases {
		k, v, from := cases[i], verdicts[i], 0
		if v.Outcome.Bad() && c.account.wanted(&k, v, time.Now().Before(end)) {
			from = len(k.Input)
			if k, v, err = c.shrink(ctx, s, k, v); err != nil {
				return err
			}
			named(&k, v)
		}
		c.account.addShrunk(&k, v, from)
		c.account.point()
	}
	return nil
}
