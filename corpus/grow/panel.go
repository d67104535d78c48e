package grow

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// Panel is a number of PHPs that judge cases.
type Panel struct {
	members []member
}

type member struct {
	php    corpus.PHP
	name   string
	client *oracle.Client
	is     judge.Behaviour
}

// atOnce is how many PHPs work at the same time.
const atOnce = 2

// NewPanel starts the PHPs and asks what they are. The caller must close it.
func NewPanel(ctx context.Context, phps []oracle.Runtime) (*Panel, error) {
	clients := make([]*oracle.Client, len(phps))
	for i, r := range phps {
		clients[i] = oracle.NewClient(r, nil)
	}
	p, err := PanelOf(ctx, clients)
	if err != nil {
		for _, c := range clients {
			c.Close()
		}
	}
	return p, err
}

// PanelOf makes a panel of clients that are there. Where nothing else uses them,
// Close ends them.
func PanelOf(ctx context.Context, clients []*oracle.Client) (*Panel, error) {
	p := &Panel{members: make([]member, len(clients))}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, client := range clients {
		r := client.Runtime()
		p.members[i] = member{name: r.Name(), client: client}
		g.Go(func() error {
			facts, err := client.Facts(ctx)
			if err != nil {
				return fmt.Errorf("PHP %s: %w", r.Name(), err)
			}
			p.members[i].php = corpus.PHP{Series: r.Series(), SizeBits: facts.SizeBits}
			p.members[i].is = judge.Behaviour{ExtraDataWarns: facts.ExtraDataWarns}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return p, nil
}

// Close ends the PHPs.
func (p *Panel) Close() {
	for _, m := range p.members {
		m.client.Close()
	}
}

// Missing lists the series that the corpus needs and the panel has not.
func (p *Panel) Missing() []string {
	missing := corpus.AllSeries()
	return slices.DeleteFunc(missing, func(series string) bool {
		return slices.ContainsFunc(p.members, func(m member) bool { return m.php.Series == series })
	})
}

// Names are the names of the PHPs.
func (p *Panel) Names() []string {
	names := make([]string, len(p.members))
	for i, m := range p.members {
		names[i] = m.name
	}
	return names
}

// Answers has every PHP answer the cases: one map for each case, empty where PHP
// has no say.
func (p *Panel) Answers(ctx context.Context, cases []*corpus.Case) ([]map[corpus.PHP]corpus.Given, error) {
	all := make([]map[corpus.PHP]corpus.Given, len(cases))
	for i := range all {
		all[i] = map[corpus.PHP]corpus.Given{}
	}
	var lock sync.Mutex
	err := p.each(ctx, func(ctx context.Context, m member) error {
		given, err := m.answers(ctx, cases)
		lock.Lock()
		defer lock.Unlock()
		for i, g := range given {
			if g != nil {
				// Two builds of one series and size answer as one, or it is a fault.
				if before, there := all[i][m.php]; there && !sameGiven(before, *g) {
					return fmt.Errorf("two builds of PHP %v answer %s differently", m.php, cases[i].ID)
				}
				all[i][m.php] = *g
			}
		}
		return err
	})
	return all, err
}

func sameGiven(a, b corpus.Given) bool {
	return a.Does == b.Does && string(a.Bytes) == string(b.Bytes) && string(a.Value) == string(b.Value) && slices.Equal(a.Warnings, b.Warnings)
}

func (p *Panel) each(ctx context.Context, f func(context.Context, member) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, m := range p.members {
		g.Go(func() error {
			if err := f(ctx, m); err != nil {
				return fmt.Errorf("PHP %s: %w", m.name, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// answers asks one PHP, operation by operation.
func (m member) answers(ctx context.Context, cases []*corpus.Case) ([]*corpus.Given, error) {
	given := make([]*corpus.Given, len(cases))
	for _, ask := range []struct {
		op corpus.Op
		by func(context.Context, []*corpus.Case) ([]corpus.Given, error)
	}{{corpus.Decode, m.decode}, {corpus.Encode, m.encode}, {corpus.Float, m.float}} {
		var of []*corpus.Case
		var at []int
		for i, c := range cases {
			if c.Op == ask.op {
				of, at = append(of, c), append(at, i)
			}
		}
		if len(of) == 0 {
			continue
		}
		answers, err := ask.by(ctx, of)
		if err != nil {
			return nil, err
		}
		for i := range of {
			given[at[i]] = &answers[i]
		}
	}
	return given, nil
}

func inputs(cases []*corpus.Case) [][]byte {
	bs := make([][]byte, len(cases))
	for i, c := range cases {
		bs[i] = c.Input.B64
	}
	return bs
}

// batch is how many payloads are judged at a time: among thousands of deep ones
// a WebAssembly PHP runs out of memory.
const batch = 500

func (m member) decode(ctx context.Context, cases []*corpus.Case) ([]corpus.Given, error) {
	given := make([]corpus.Given, 0, len(cases))
	for some := range slices.Chunk(cases, batch) {
		written, err := m.client.Reserialize(ctx, inputs(some))
		if err != nil {
			return nil, err
		}
		var accepted [][]byte
		for i, w := range written {
			if w.Accepted {
				accepted = append(accepted, some[i].Input.B64)
			}
		}
		described, err := m.client.Describe(ctx, accepted)
		if err != nil {
			return nil, err
		}
		for _, w := range written {
			g := givenBy(w)
			if w.Accepted {
				g.Value, described = described[0].Bytes, described[1:]
			}
			given = append(given, g)
		}
	}
	return given, nil
}

func givenBy(a oracle.Answer) corpus.Given {
	g := corpus.Given{Does: corpus.Accepts, Bytes: a.Bytes, Warnings: a.Warnings}
	switch {
	case !a.Accepted:
		g.Does = corpus.Refuses
	case !a.Clean():
		g.Does = corpus.Warns
	}
	return g
}

func (m member) encode(ctx context.Context, cases []*corpus.Case) ([]corpus.Given, error) {
	built, err := m.client.Build(ctx, inputs(cases))
	if err != nil {
		return nil, err
	}
	given := make([]corpus.Given, len(cases))
	for i, b := range built {
		given[i] = givenBy(b)
	}
	return given, nil
}

// float asks for all doubles that are written in one way together.
func (m member) float(ctx context.Context, cases []*corpus.Case) ([]corpus.Given, error) {
	type way struct {
		precision int
		how       string
	}
	groups := map[way][]int{}
	packed := make([]string, len(cases))
	for i, c := range cases {
		f, precision, how, err := c.FloatInput()
		if err != nil {
			return nil, err
		}
		packed[i] = pack(f)
		w := way{precision, how}
		groups[w] = append(groups[w], i)
	}
	given := make([]corpus.Given, len(cases))
	for w, at := range groups {
		var all strings.Builder
		for _, i := range at {
			all.WriteString(packed[i])
		}
		v, err := m.client.CallFunction(ctx, "__phpwire_float_texts", codec.String(all.String()), codec.Int(int64(w.precision)), codec.String(w.how))
		if err != nil {
			return nil, err
		}
		text, _ := v.Text()
		lines := strings.Split(text, "\n")
		if len(lines) != len(at) {
			return nil, fmt.Errorf("%d doubles were answered with %d lines", len(at), len(lines))
		}
		for n, i := range at {
			line := lines[n]
			if w.how == "serialize" {
				line = strings.TrimSuffix(strings.TrimPrefix(line, "d:"), ";")
			}
			given[i] = corpus.Given{Does: corpus.Accepts, Bytes: []byte(line)}
			if line == "" && w.how == "json_encode" {
				given[i] = corpus.Given{Does: corpus.Refuses}
			}
		}
	}
	return given, nil
}

// Findings judges the invariants of the reference on the decoded cases. It
// returns what is broken with every PHP of the panel: with some of them only, it
// is the PHPs that differ, and the case says so.
func (p *Panel) Findings(ctx context.Context, cases []*corpus.Case) ([]string, error) {
	var payloads [][]byte
	for _, c := range cases {
		if c.Op == corpus.Decode {
			payloads = append(payloads, c.Input.B64)
		}
	}
	read := judge.Read(payloads)
	var lock sync.Mutex
	found := make([][]string, len(payloads))
	err := p.each(ctx, func(ctx context.Context, m member) error {
		for at := 0; at < len(read); at += batch {
			findings, err := judge.Payloads(ctx, m.client, m.is, read[at:min(at+batch, len(read))])
			if err != nil {
				return err
			}
			lock.Lock()
			for i, f := range findings {
				if f != nil {
					found[at+i] = append(found[at+i], fmt.Sprintf("PHP %s: %.80q: %v", m.name, payloads[at+i], f))
				}
			}
			lock.Unlock()
		}
		return nil
	})
	var texts []string
	for _, f := range found {
		if len(f) > 0 && len(f) == len(p.members) {
			texts = append(texts, f[0])
		}
	}
	return texts, err
}

// pack is a double as the worker's helpers take it.
func pack(f float64) string {
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
}
