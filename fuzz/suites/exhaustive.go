package suites

import (
	"context"
	"errors"
	"slices"
	"time"

	"phpwire/codec"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// exhaustiveArea is the area of the suites that leave nothing out. They run only
// when a pattern names them: `exhaustive/*`.
const exhaustiveArea = "exhaustive"

// Exhaustive returns the suites that leave nothing out, which no other run has.
// They have all their cases whatever number is asked for.
func Exhaustive() []Suite {
	return []Suite{exhaustiveBytes(), exhaustiveTokens(), exhaustiveFloat32()}
}

// The wire's alphabet: the letters of the tags, punctuation, and of what numbers
// are made of one of each sort.
const wireAlphabet = `NbidsaOCErRS:;"{}019+-.`

func exhaustiveBytes() Suite {
	var tokens []string
	for _, c := range []byte(wireAlphabet) {
		tokens = append(tokens, string(c))
	}
	var blocks []oracle.Texts
	for length := 0; length <= 6; length++ {
		blocks = append(blocks, oracle.Texts{Tokens: tokens, Length: length})
	}
	return newTexts("exhaustive/bytes", "every byte string of up to 6 bytes over the wire's alphabet "+wireAlphabet, blocks)
}

// wireTokens cover every production of the grammar and its near misses.
var wireTokens = []string{
	"N;", "b:1;", "b:2;", "i:0;", "i:1;", "i:+1;", "i:01;", "d:.5;", "d:1e5;", "d:1e;",
	`s:0:"";`, `s:1:"a";`, `s:1:"1";`, `s:01:"0";`, `s:2:"a";`, `s:8:"__pclass";`, `s:9:"__rhandle";`,
	"a:0:{", "a:1:{", "a:2:{", "a:02:{", "}", ";",
	`O:8:"stdClass":0:{`, `O:8:"stdClass":1:{`, `C:1:"A":0:{}`, `E:3:"A:B";`, "r:1;", "R:2;", `S:1:"\61";`,
}

func exhaustiveTokens() Suite {
	var blocks []oracle.Texts
	for length := 0; length <= 5; length++ {
		blocks = append(blocks, oracle.Texts{Tokens: wireTokens, Length: length},
			oracle.Texts{Tokens: wireTokens, Length: length, Before: "a:1:{i:0;", After: "}"})
	}
	return newTexts("exhaustive/tokens", "every sequence of up to 5 tokens of 30, by itself and in an array", blocks)
}

// texts is a suite of all texts of some tokens. PHP makes them itself and tells
// which it does not refuse; the reference makes them too. What one of them
// accepts is judged like any other payload; what all refuse needs no more.
type texts struct {
	about
	blocks []oracle.Texts
	judge  *suite[[]byte]
}

func newTexts(name, title string, blocks []oracle.Texts) Suite {
	t := &texts{blocks: blocks, about: about{
		name: name, title: title, clauses: []string{"P-2", "P-3", "E-3"}, size: 200_000,
	}}
	for _, b := range blocks {
		t.fixed += b.Count()
	}
	t.judge = payloads(t.about, nil).(*suite[[]byte])
	return t
}

// run judges the texts number first to first+n-1 of all blocks together.
func (t *texts) run(ctx context.Context, r *run, worker, first, n int) error {
	for _, block := range t.blocks {
		if count := block.Count(); first >= count {
			first -= count
			continue
		}
		some := min(n, block.Count()-first)
		if err := t.runBlock(ctx, r, worker, block, first, some); err != nil {
			return err
		}
		if n -= some; n == 0 {
			break
		}
		first = 0
	}
	return nil
}

func (t *texts) runBlock(ctx context.Context, r *run, worker int, block oracle.Texts, first, n int) error {
	kinds := refusals(block, first, n)
	for _, p := range r.phps {
		began := time.Now()
		numbers, err := t.ask(ctx, p, worker, block, first, n)
		if err != nil {
			return err
		}
		for i, kind := range kinds {
			if kind == notRefused {
				numbers = append(numbers, first+i)
			}
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		cases := make([][]byte, len(numbers))
		for i, number := range numbers {
			cases[i] = block.Append(nil, number)
		}
		var seen judge.Visits
		findings, err := t.judge.judged(ctx, p, worker, cases, &seen)
		if err != nil {
			return err
		}
		for i, f := range findings {
			if f != nil {
				if err := t.judge.report(ctx, r, p, worker, cases[i], f); err != nil {
					return err
				}
			}
		}
		countRefused(&seen, kinds, numbers, first)
		r.count(t, p, n, findings, &seen, time.Since(began))
	}
	return nil
}

// ask asks PHP which texts it does not refuse; all of them, to be judged one by
// one, where one is the end of the child.
func (t *texts) ask(ctx context.Context, p *php, worker int, block oracle.Texts, first, n int) ([]int, error) {
	bounded, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	accepted, err := p.clients[worker].Accepted(bounded, block, first, n)
	var fatal *oracle.FatalError
	if errors.As(err, &fatal) && ctx.Err() == nil {
		accepted = make([]int, n)
		for i := range accepted {
			accepted[i] = first + i
		}
		return accepted, nil
	}
	return accepted, err
}

// notRefused stands for a text that a profile accepts, or whose error is unsound:
// it is judged in full.
const notRefused = codec.ErrorKind(0xff)

// refusals tells of what kind the reference's refusal is of each text.
func refusals(block oracle.Texts, first, n int) []codec.ErrorKind {
	kinds := make([]codec.ErrorKind, n)
	var text []byte
	for i := range kinds {
		text = block.Append(text[:0], first+i)
		_, err := codec.Decode(text, codec.Plugin)
		_, canonical := codec.Decode(text, codec.Canonical)
		e, refused := err.(*codec.Error)
		if kinds[i] = notRefused; refused && canonical != nil && e.Offset >= 0 && e.Offset <= len(text) && e.Found != "" && e.Want != "" {
			kinds[i] = e.Kind
		}
	}
	return kinds
}

// countRefused counts the texts that all refuse: those that are not among the
// numbers, which are in order.
func countRefused(seen *judge.Visits, kinds []codec.ErrorKind, numbers []int, first int) {
	var counts [codec.Invalid + 1]int64
	for i, kind := range kinds {
		if len(numbers) > 0 && numbers[0] == first+i {
			numbers = numbers[1:]
			continue
		}
		counts[kind]++
	}
	for kind, n := range counts {
		if n > 0 {
			seen.AddMany(judge.P2|judge.E3|judge.E5, judge.Verdict{Sort: "payload", Who: "refused by all", Kind: codec.ErrorKind(kind).String()}, n)
		}
	}
}
