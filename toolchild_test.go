package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild/conformance"
	"phpwire/frames/toolchild/peer"
)

// toolchild runs the verb and returns what it printed.
func toolchild(arguments ...string) (string, error) {
	var out bytes.Buffer
	c := newToolchildCommand()
	c.SetArgs(arguments)
	c.SetOut(&out)
	c.SilenceUsage, c.SilenceErrors = true, true
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

func TestToolchildHolds(t *testing.T) {
	out, err := toolchild("--only", "*/refs/modes")
	require.NoError(t, err)
	assert.Equal(t, "2 cases, 0 failed\n", out)
}

func TestToolchildNamesAFault(t *testing.T) {
	out, err := toolchild("--only", "child/refs/modes", "--fault", "wide-modes")
	assert.ErrorIs(t, err, errFailed)
	assert.Contains(t, out, "FAIL child/refs/modes\n     TC-R19: Files are 0600, folders 0700.\n")
	assert.Contains(t, out, "is 644, want 600\n")
	assert.Contains(t, out, `       > {"type":"hello_ack","generation":7}`)
	assert.Contains(t, out, "1 cases, 1 failed\n")
}

func TestToolchildAsJSON(t *testing.T) {
	out, err := toolchild("--only", "server/session/hello-ack", "--json")
	require.NoError(t, err)
	var result conformance.Result
	require.NoError(t, json.Unmarshal([]byte(out), &result))
	assert.True(t, result.Passed)
	assert.Equal(t, "TC-S2", result.Clause)
	assert.Equal(t, []string{
		`> {"type":"hello","generation":7,"pid":1,"protocol":1}`, `< {"type":"hello_ack","generation":7}`,
	}, result.Frames)
}

// What cannot be run is neither a success nor a failure of a case.
func TestToolchildThatCannotRun(t *testing.T) {
	started := new(conformance.StartError)
	_, err := toolchild("--peer", "/no/such/peer --flag")
	assert.ErrorAs(t, err, &started)
	assert.NotErrorIs(t, err, errFailed)
	_, err = toolchild("--only", "nothing")
	assert.ErrorContains(t, err, `no case matches "nothing"`)
	t.Setenv("PATH", "")
	missing := new(peer.MissingError)
	_, err = toolchild()
	assert.ErrorAs(t, err, &missing)
}
