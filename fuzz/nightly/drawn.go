package nightly

import (
	"context"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"math/rand"

	"phpwire/corpus"
	"phpwire/fuzz/gen"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

// askDrawn asks every PHP the same drawn payloads, to see where they differ.
func askDrawn(ctx context.Context, w *worker, u unit) (*reports.Run, error) {
	probes := drawn(w.Seed, u.span)
	cases := make([]*corpus.Case, len(probes))
	for i, p := range probes {
		cases[i] = p.question()
	}
	given, err := w.answers(ctx, cases)
	if err != nil {
		return nil, err
	}
	r := w.run(u.part.rows)
	for php := range w.PHPs {
		cell := r.Cell("php/drawn", w.column(php))
		for i, g := range given[php] {
			cell.Cases++
			if g.Does != dies {
				cell.Passed++
				continue
			}
			const kind = "PHP dies of it"
			cell.Crashed++
			cell.Kinds = reports.Tallied(cell.Kinds, kind, 1)
			r.Add(reports.Failure{
				Suite: cell.Suite, Column: cell.Column, Clause: "E-3", Invariant: "P6", Outcome: reports.Crashed, Kind: kind,
				Title: "The child does not survive it, or does not answer", Input: probes[i].input, Tokens: tokens.Of(probes[i].input),
				Sides:  []reports.Side{said(cell.Column, g)},
				Replay: fmt.Sprintf("%s replay --b64 '%s' --php '%s'", w.Program, base64.StdEncoding.EncodeToString(probes[i].input), w.PHPs[php].Name()),
			})
		}
	}
	r.Facts = w.facts(probes, given)
	for i := range r.Facts {
		r.Facts[i].Drawn = true
	}
	return r, nil
}

// drawn makes the payloads of a span: those of the generators, and changed ones of
// the corpus about which PHPs are not of one mind.
func drawn(seed int64, s span) []probe {
	h := fnv.New64a()
	fmt.Fprintf(h, "php/drawn %d %d", seed, s.first)
	r := rand.New(rand.NewSource(int64(h.Sum64())))
	from := disputed()
	probes := make([]probe, s.n)
	for i := range probes {
		var payload []byte
		switch r.Intn(4) {
		case 0:
			payload = gen.RandomPayload(r)
		case 1:
			payload = gen.RandomBytesOverAlphabet(r, 1+r.Intn(12))
		default:
			payload = gen.Mutate(r, from[r.Intn(len(from))])
		}
		probes[i] = probe{op: corpus.Decode, clause: corpus.Suggest(payload), input: payload}
	}
	return probes
}

// disputed lists the payloads of the corpus about which PHPs are not of one mind.
func disputed() (payloads [][]byte) {
	for _, c := range corpus.Cases() {
		if c.Op == corpus.Decode && len(c.PHP) > 1 && !c.Has(corpus.FlagLarge) {
			payloads = append(payloads, c.Input.B64)
		}
	}
	return payloads
}
