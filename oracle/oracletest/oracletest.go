// Package oracletest gives tests the PHPs of this machine. Without any it fails
// the test and says how to get one: nothing is skipped.
package oracletest

import (
	"context"
	"testing"
	"time"

	"phpwire/oracle"
)

// Best returns the best PHP at hand.
func Best(t testing.TB) oracle.Runtime { return selected(t, "best")[0] }

// All returns every PHP at hand.
func All(t testing.TB) []oracle.Runtime { return selected(t, "all") }

func selected(t testing.TB, selection string) []oracle.Runtime {
	t.Helper()
	found, err := oracle.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	picked, err := found.Select(t.Context(), selection)
	if err != nil {
		t.Fatal(err)
	}
	return picked
}

// Client returns a client of r that the test closes.
func Client(t testing.TB, r oracle.Runtime, d oracle.Dispatcher) *oracle.Client {
	t.Helper()
	c := oracle.NewClient(r, d)
	t.Cleanup(c.Close)
	return c
}

// Context returns the test's context with a deadline.
func Context(t testing.TB, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}
