package conformance

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild/peer"
)

func run(t *testing.T, only string, faults ...string) []Result {
	t.Helper()
	command, err := peer.Install(t.TempDir())
	require.NoError(t, err)
	results, err := Run(context.Background(), Options{Command: command, Only: only, Faults: faults})
	require.NoError(t, err)
	return results
}

func TestThePeerPassesInBothRoles(t *testing.T) {
	results := run(t, "*")
	roles := map[peer.Role]int{}
	for _, r := range results {
		roles[r.Role]++
		assert.True(t, r.Passed, "%s (%s): %s\n%s", r.ID, r.Clause, r.Failure, strings.Join(r.Frames, "\n"))
		assert.NotEmpty(t, r.Frames, r.ID)
	}
	assert.GreaterOrEqual(t, roles[peer.Child], 100)
	assert.GreaterOrEqual(t, roles[peer.Server], 100)
	t.Logf("%d cases for a child, %d for a server", roles[peer.Child], roles[peer.Server])
}

func TestEveryClauseHasACase(t *testing.T) {
	tested := map[string]bool{}
	ids := map[string]bool{}
	for _, c := range Cases() {
		tested[c.Clause] = true
		assert.False(t, ids[c.ID], "the id %s is there twice", c.ID)
		ids[c.ID] = true
	}
	for _, c := range Clauses() {
		assert.True(t, tested[c.ID], "%s has no case", c.ID)
	}
}

// docs/toolchild.md and the suite state the same requirements.
func TestTheDocumentHasEveryClause(t *testing.T) {
	document, err := os.ReadFile("../../../docs/toolchild.md")
	require.NoError(t, err)
	for _, c := range Clauses() {
		assert.Contains(t, string(document), "- **"+c.ID+"** "+c.Requirement+"\n")
	}
	assert.Equal(t, len(Clauses()), strings.Count(string(document), "\n- **TC-"))
}

// A fault that is planted in the peer is named by a case of its clause.
func TestPlantedFaultsAreNamed(t *testing.T) {
	for _, c := range []struct{ fault, only, clause string }{
		{"unknown-field", "child/guard/G14", "TC-G14"},
		{"unsafe-integer", "child/guard/J3", "TC-J3"},
		{"infinite-number", "child/guard/J4", "TC-J4"},
		{"inherited-type", "child/guard/G2", "TC-G2"},
		{"null-is-absent", "child/guard/G15", "TC-G15"},
		{"reserved-key", "child/guard/G12", "TC-G12"},
		{"any-direction", "child/direction/*", "TC-D1"},
		{"oversize-frame", "child/frame/oversize-one-above", "TC-F4"},
		{"skip-bad-frame", "child/frame/stays-failed", "TC-F7"},
		{"lenient-utf8", "*/frame/not-utf8", "TC-F5"},
		{"ack-deletes", "child/refs/ack-moves-ownership", "TC-R5"},
		{"accept-deletes", "child/refs/kept-until-consumed", "TC-R10"},
		{"nack-keeps", "child/refs/nack-deletes-corrupt", "TC-R8"},
		{"settle-deletes", "child/refs/outlives-its-operation", "TC-R7"},
		{"keep-consumed", "child/refs/kept-until-consumed", "TC-R10"},
		{"budget-off-by-one", "child/refs/*budget*", "TC-R11"},
		{"budget-off-by-one", "child/refs/*budget*", "TC-R12"},
		{"threshold-off-by-one", "child/refs/inline-at-threshold", "TC-R1"},
		{"path-from-message", "child/refs/path-in-message", "TC-R3"},
		{"follow-link", "child/refs/link-*", "TC-R18"},
		{"no-hash", "child/refs/corrupt-content", "TC-R4"},
		{"no-size", "child/refs/corrupt-shorter", "TC-R4"},
		{"foreign-taken", "child/refs/foreign", "TC-R16"},
		{"wide-modes", "child/refs/modes", "TC-R19"},
		{"half-visible", "child/refs/never-half-visible", "TC-R20"},
		{"jobs-off-by-one", "child/budget/jobs", "TC-B1"},
		{"nested-counted", "child/budget/nested-beside-ordinary", "TC-B2"},
		{"calls-off-by-one", "server/budget/calls-active", "TC-B3"},
		{"calls-reordered", "server/budget/calls-waiting", "TC-B4"},
		{"wakes-off-by-one", "child/budget/wakes-by-count", "TC-B6"},
		{"wakes-dropped", "child/budget/wakes-by-count", "TC-B6"},
		{"trace-unbounded", "child/budget/traces", "TC-B9"},
		{"proof-before-ack", "child/session/launch", "TC-S12"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			var named []string
			for _, r := range run(t, c.only, c.fault) {
				if !r.Passed {
					named = append(named, r.Clause)
				}
			}
			assert.True(t, slices.Contains(named, c.clause), "%s is not among the clauses that failed: %q", c.clause, named)
		})
	}
}

func TestRunSaysWhatItCannotStart(t *testing.T) {
	_, err := Run(context.Background(), Options{Command: []string{"/no/such/program"}, Only: "child/frame/largest"})
	failed := new(StartError)
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "/no/such/program")
	_, err = Run(context.Background(), Options{Command: []string{"true"}, Only: "no/such/case"})
	assert.ErrorContains(t, err, `no case matches "no/such/case"`)
}

// Any program may be judged: one that says nothing fails every case, and ends none.
func TestAProgramThatIsNoPeerFails(t *testing.T) {
	results, err := Run(context.Background(), Options{Command: []string{"true"}, Only: "*/frame/*"})
	require.NoError(t, err)
	for _, r := range results {
		assert.False(t, r.Passed, r.ID)
		assert.NotEmpty(t, r.Failure, r.ID)
	}
}
