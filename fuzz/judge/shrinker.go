package judge

import (
	"context"
	"errors"
	"time"

	"phpwire/fuzz/gen"
	"phpwire/oracle"
)

// Shrinker makes cases smaller that were found wrong.
type Shrinker[T any] struct {
	// Smaller lists what a case shrinks to in one round, the boldest first.
	Smaller func(T) []T
	// Judge has a finding, or nil, for each case.
	Judge func(context.Context, []T) ([]*Finding, error)
	// Ready has a child running, so that its start is not taken for a hang. Where
	// no child is asked it is nil.
	Ready func(context.Context) error
	// Limit is what a batch may take before its child counts as hanging.
	Limit time.Duration
	// HangLimit is the same while a case is made smaller that hangs; 0 stands for
	// two seconds.
	HangLimit time.Duration
	// Time is what all may take; 0 stands for ten seconds. A case that ends the
	// child or hangs it is bounded by attempts instead.
	Time time.Duration
}

// The bounds of the work on one case.
const (
	shrinkRounds = 400
	shrinkTime   = 10 * time.Second
	hangLimit    = 2 * time.Second
	mostDeaths   = 40 // of the child
)

// Shrink makes c smaller for as long as it has a finding like f: of the same
// invariant and kind. It returns what is left, and its finding. The error is that
// of the judge; what it returns then is the smallest until then.
func (s Shrinker[T]) Shrink(ctx context.Context, c T, f *Finding) (T, *Finding, error) {
	if f.fatal() {
		return s.shrinkFatal(ctx, c, f)
	}
	bound := s.Time
	if bound == 0 {
		bound = shrinkTime
	}
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	last := f
	small, err := gen.Shrink(c, s.Smaller, func(candidates []T) (int, error) {
		findings, err := FirstSurviving(bounded, candidates, s.Limit, s.Judge)
		for i, g := range findings {
			if g != nil && g.like(f) {
				last = g
				return i, nil
			}
		}
		return -1, err
	}, shrinkRounds)
	if bounded.Err() != nil && ctx.Err() == nil {
		err = nil // it is small enough
	}
	return small, last, err
}

func (f *Finding) like(other *Finding) bool {
	return f.Invariant == other.Invariant && f.Kind == other.Kind
}

// The kinds of findings that cost the child.
const (
	kindDies  = "PHP dies of it"
	kindHangs = "PHP hangs on it"
)

// fatal tells whether the finding cost the child.
func (f *Finding) fatal() bool {
	return f.Invariant == "P6" && (f.Kind == kindDies || f.Kind == kindHangs)
}

// shrinkFatal makes a case smaller that ends the child, or hangs it. What is left is
// asked once more with the whole limit.
func (s Shrinker[T]) shrinkFatal(ctx context.Context, c T, f *Finding) (T, *Finding, error) {
	small, err := gen.ShrinkCostly(c, s.Smaller, func(cases []T) (bool, error) { return s.costsChild(ctx, cases, f) }, mostDeaths)
	if err == nil {
		err = s.ready(ctx)
	}
	if err != nil {
		return c, f, err
	}
	findings, err := Surviving(ctx, []T{small}, min(s.Limit, leastLimit), s.Judge)
	if err != nil || findings[0] == nil || !findings[0].like(f) {
		return c, f, err // it was only slow
	}
	return small, findings[0], nil
}

func (s Shrinker[T]) ready(ctx context.Context) error {
	if s.Ready == nil {
		return nil
	}
	return s.Ready(ctx)
}

// costsChild tells whether any of the cases costs the child in the way of f.
func (s Shrinker[T]) costsChild(ctx context.Context, cases []T, f *Finding) (bool, error) {
	if err := s.ready(ctx); err != nil {
		return false, err
	}
	limit := s.HangLimit
	if limit == 0 {
		limit = hangLimit
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := s.Judge(bounded, cases)
	if err == nil || ctx.Err() != nil {
		return false, ctx.Err()
	}
	kind, ok := costs(bounded, err)
	if !ok {
		return false, err
	}
	return kind == f.Kind, nil
}

// costs tells how an error cost the child, if it did. The context is that which
// bounds the time.
func costs(bounded context.Context, err error) (kind string, ok bool) {
	var fatal *oracle.FatalError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return kindHangs, true
	case errors.As(err, &fatal) || bounded.Err() != nil:
		return kindDies, true
	}
	return "", false
}
