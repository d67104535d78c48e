package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"

	"phpwire/corpus"
	"phpwire/fuzz/mutants/active"
)

// reach tells which cases call a function: no other can show a mutant of it.
type reach struct {
	Order []int         // all cases, the shortest first
	By    map[int][]int // the cases in that order, by the number of the function's first mutant
}

// of lists the cases that may show mutant n.
func (r *reach) of(n int) []int {
	for _, f := range active.Functions {
		if f.First <= n && n <= f.Last {
			return r.By[f.First]
		}
	}
	return r.Order
}

func reached(path string, cases []corpus.Case) (*reach, error) {
	r := &reach{}
	if path != "" {
		text, err := os.ReadFile(path)
		if err == nil {
			return r, json.Unmarshal(text, r)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	r = reachOf(cases, true)
	if path == "" {
		return r, nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return r, os.WriteFile(path, text, 0o600)
}

// reachOf runs the cases and notes which functions they call. Without wrong,
// those are left out in which something is wrong already. Where no function has
// mutants, as in a program that is one mutant, there is nothing to note.
func reachOf(cases []corpus.Case, wrong bool) *reach {
	active.Set(active.Recording)
	defer active.Set(0)
	r := &reach{By: map[int][]int{}}
	calls := make([][]int, len(cases))
	for i := range cases {
		for _, f := range active.Functions {
			f.Called = false
		}
		if len(active.Functions) == 0 {
			r.Order = append(r.Order, i)
			continue
		}
		if what := check(&cases[i]); what != "" && !wrong {
			continue
		}
		for _, f := range active.Functions {
			if f.Called {
				calls[i] = append(calls[i], f.First)
			}
		}
		r.Order = append(r.Order, i)
	}
	slices.SortStableFunc(r.Order, func(a, b int) int { return len(cases[a].Input.B64) - len(cases[b].Input.B64) })
	for _, i := range r.Order {
		for _, first := range calls[i] {
			r.By[first] = append(r.By[first], i)
		}
	}
	return r
}
