package suites

import (
	"context"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// judged has cases judged by the suite, whatever they do to the child.
func (s *suite[T]) judged(ctx context.Context, p *php, worker int, cases []T, seen *judge.Visits) ([]*judge.Finding, error) {
	var client *oracle.Client
	if !s.alone {
		client = p.clients[worker]
	}
	return judge.Surviving(ctx, cases, batchTimeout, func(ctx context.Context, some []T) ([]*judge.Finding, error) {
		return s.judge(ctx, p, client, some, seen)
	})
}
