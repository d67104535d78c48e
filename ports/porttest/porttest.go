// Package porttest lets a port in Go check itself in its own tests.
package porttest

import (
	"path/filepath"
	"testing"
	"time"

	"phpwire/corpus"
	"phpwire/oracle"
	"phpwire/ports"
	"phpwire/ports/port"
	"phpwire/reports"
)

// Known is where Run looks for known failures, as `phpwire check --known` has them.
const Known = "testdata/phpwire-known.json"

// Run judges a port with the whole corpus, and for two seconds more with generated cases
// where there is a PHP at hand. What fails fails the test, with the smallest input
// of each kind of fault in each suite first; failures in the file [Known] do not,
// as long as they fail. The codec must be safe for concurrent use.
func Run(t testing.TB, c port.Codec) {
	t.Helper()
	known, err := ports.ReadKnown(filepath.FromSlash(Known))
	if err != nil {
		t.Fatal(err)
	}
	o := ports.Options{Codec: &c, Corpus: corpus.Cases(), Known: known}
	if found, err := oracle.Find(t.Context()); err == nil && len(found.PHPs) > 0 {
		if o.PHPs, err = found.Select(t.Context(), "best"); err != nil {
			t.Fatal(err)
		}
	}
	// The corpus takes as long as it takes.
	r, err := ports.Check(t.Context(), o)
	if err == nil && len(o.PHPs) > 0 {
		report(t, r.Failures)
		o.Corpus, o.Known, o.Suite, o.Budget, o.Seed = nil, nil, "", 2*time.Second, time.Now().UnixNano()
		r, err = ports.Check(t.Context(), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	report(t, r.Failures)
}

func report(t testing.TB, failures []reports.Failure) {
	t.Helper()
	smallest := map[[2]string]reports.Failure{}
	count := map[[2]string]int{}
	for _, f := range failures {
		key := [2]string{f.Suite, f.Kind}
		count[key]++
		if s, there := smallest[key]; !there || len(f.Input) < len(s.Input) {
			smallest[key] = f
		}
	}
	for key, f := range smallest {
		t.Errorf("%s: %d times: %s\n  case  %s\n  input %s", key[0], count[key], f.Title, f.Case, reports.Brief(f.Input))
	}
}
