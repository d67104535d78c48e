package suites

import (
	"context"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// judged has cases judged by the suite, whatever they do to the child.
func (s *suite[T]) judged(ctx context.Context, p *php, worker int, cases []T, seen *judge.Visits) ([]*judge.Finding, error) {
	client := s.client(p, worker)
	return judge.Surviving(ctx, cases, batchTimeout, func(ctx context.Context, some []T) ([]*judge.Finding, error) {
		return s.judge(ctx, p, client, some, seen)
	})
}

// client is whom the suite asks, nil where it asks nobody.
func (s *suite[T]) client(p *php, worker int) *oracle.Client {
	if s.alone {
		return nil
	}
	return p.clients[worker]
}
