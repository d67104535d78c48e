package suites

import (
	"context"
	"errors"
	"time"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// judged has cases judged and finds out which of them end the child, where some
// do (P6).
func (s *suite[T]) judged(ctx context.Context, p *php, worker int, cases []T, seen *judge.Visits) ([]*judge.Finding, error) {
	return s.within(ctx, p, worker, cases, seen, batchTimeout)
}

func (s *suite[T]) within(ctx context.Context, p *php, worker int, cases []T, seen *judge.Visits, limit time.Duration) ([]*judge.Finding, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	var client *oracle.Client
	if !s.alone {
		client = p.clients[worker]
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	findings, err := s.judge(bounded, p, client, cases, seen)
	var fatal *oracle.FatalError
	if err == nil || ctx.Err() != nil || bounded.Err() == nil && !errors.As(err, &fatal) {
		return findings, err
	}
	if len(cases) == 1 {
		kind, title := "PHP dies of it", "The child does not survive it: "+err.Error()
		if errors.Is(err, context.DeadlineExceeded) {
			kind, title = "PHP hangs on it", "The child does not answer within "+limit.String()
		}
		return []*judge.Finding{{Invariant: "P6", Clause: "E-3", Kind: kind, Title: title, Offset: -1}}, nil
	}
	half := len(cases) / 2
	left, err := s.within(ctx, p, worker, cases[:half], seen, max(limit/2, bisectTimeout))
	if err != nil {
		return nil, err
	}
	right, err := s.within(ctx, p, worker, cases[half:], seen, max(limit/2, bisectTimeout))
	return append(left, right...), err
}
