package judge

import (
	"context"
	"slices"
	"time"
)

// leastLimit is what a case gets, however small its batch: a busy machine may
// need it to start a child.
const leastLimit = 20 * time.Second

// Surviving has cases judged by judge, and finds out which of them end the child
// or hang it, where some do (P6): it halves the batch until they are alone. The
// limit is what a whole batch may take. An error means that nobody can go on.
func Surviving[T any](ctx context.Context, cases []T, limit time.Duration, judge func(context.Context, []T) ([]*Finding, error)) ([]*Finding, error) {
	return surviving(ctx, cases, limit, false, judge)
}

// FirstSurviving is Surviving for those who need one finding: once the child has
// ended, cases behind the first finding are not judged any more.
func FirstSurviving[T any](ctx context.Context, cases []T, limit time.Duration, judge func(context.Context, []T) ([]*Finding, error)) ([]*Finding, error) {
	return surviving(ctx, cases, limit, true, judge)
}

func surviving[T any](ctx context.Context, cases []T, limit time.Duration, one bool, judge func(context.Context, []T) ([]*Finding, error)) ([]*Finding, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	findings, err := judge(bounded, cases)
	if err == nil || ctx.Err() != nil {
		return findings, err
	}
	kind, ok := costs(bounded, err)
	if !ok {
		return findings, err
	}
	if len(cases) == 1 {
		title := "The child does not survive it: " + err.Error()
		if kind == kindHangs {
			title = "The child does not answer within " + limit.String()
		}
		return []*Finding{{Invariant: "P6", Clause: "E-3", Kind: kind, Title: title, Offset: -1}}, nil
	}
	half := len(cases) / 2
	left, err := surviving(ctx, cases[:half], max(limit/2, leastLimit), one, judge)
	if err != nil {
		return nil, err
	}
	if one && slices.ContainsFunc(left, func(f *Finding) bool { return f != nil }) {
		return append(left, make([]*Finding, len(cases)-half)...), nil
	}
	right, err := surviving(ctx, cases[half:], max(limit/2, leastLimit), one, judge)
	return append(left, right...), err
}
