package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle/childtest"
	"phpwire/oracle/oracletest"
	"phpwire/reports"
)

// child runs `phpwire child` and gives what it prints.
func child(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetArgs(append([]string{"child"}, args...))
	root.SetOut(&out)
	root.SetErr(new(bytes.Buffer))
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}

func TestChildPasses(t *testing.T) {
	php, dir := oracletest.Best(t), t.TempDir()
	out, err := child(t, "--php", php.Name(), "--only", "out-params", "--show", "--out", dir)
	require.NoError(t, err, out)
	assert.Contains(t, out, "out-params/preg-match on PHP "+php.Name()+" (clause C-11)")
	assert.Contains(t, out, `host  -> CallFunction`)
	assert.Contains(t, out, "10 ok")
	assert.Contains(t, out, "all hold")
	for _, name := range []string{"report.json", "index.html", "junit.xml", "summary.md", "child.json"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	run, err := reports.Read(filepath.Join(dir, "report.json"))
	require.NoError(t, err)
	assert.Equal(t, reports.KindChild, run.Kind)
	word, _ := run.Headline()
	assert.Equal(t, "passed", word)
}

func TestChildPrintsJSON(t *testing.T) {
	out, err := child(t, "--php", oracletest.Best(t).Name(), "--only", "nesting/2", "--json", "--out", t.TempDir())
	require.NoError(t, err)
	var told []childtest.Told
	require.NoError(t, json.Unmarshal([]byte(out), &told))
	require.Len(t, told, 1)
	assert.True(t, told[0].Passed)
	assert.Equal(t, "C-2", told[0].Clause)
	assert.NotEmpty(t, told[0].Requirement)
	assert.Greater(t, len(told[0].Transcript), 10)
}

// A child that does not what it must is exit status 1, with the case and the
// conversation.
func TestChildFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "null.php")
	require.NoError(t, os.WriteFile(path, []byte(`<?php $s = stream_socket_client($argv[1]);
		while (strlen($head = fread($s, 17)) === 17) { $h = unpack('Pn/Ctag/Pid', $head); fread($s, $h['n'] - 9); fwrite($s, pack('PCP', 31, 5, $h['id']) . 'a:2:{i:0;N;i:1;a:0:{}}'); }`), 0o600))
	command := oracletest.Best(t).Path + " -n '" + path + "'"
	out, err := child(t, "--worker", command, "--only", "functions/unknown", "--limit", "5s", "--out", t.TempDir())
	require.ErrorIs(t, err, errFailed)
	assert.Contains(t, out, "FAILED  functions/unknown")
	assert.Contains(t, out, "the next frame must be the Throw of call 1, it is Return 1 null")
	assert.Contains(t, out, "1 of 1 FAILED")
}

func TestChildIsMisused(t *testing.T) {
	for want, args := range map[string][]string{
		"names no case":                      {"--only", "no-such-area"},
		"syntax error in pattern":            {"--only", "["},
		"--php has no meaning beside it":     {"--worker", "true", "--php", "8.2"},
		"it must be above 0":                 {"--limit", "0s"},
		"the child ended with exit status 0": {"--worker", "true", "--only", "start"},
	} {
		_, err := child(t, append(args, "--out", t.TempDir())...)
		require.ErrorContains(t, err, want)
		assert.False(t, errors.Is(err, errFailed))
	}
}
