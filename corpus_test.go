package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
)

// checkoutWith makes a checkout whose corpus has the cases.
func checkoutWith(t *testing.T, cases []corpus.Case) string {
	t.Helper()
	dir := t.TempDir()
	data := filepath.Join(dir, "corpus", "data")
	require.NoError(t, os.MkdirAll(data, 0o755))
	require.NoError(t, corpus.WriteDir(data, cases))
	return dir
}

func TestCorpusVerifyTellsDriftByItsStatus(t *testing.T) {
	cases := corpus.Filter(corpus.Cases(), "malformed-bool", "")
	status, out, errs := phpwire(t, "", "corpus", "verify", "--php", "best", "--dir", checkoutWith(t, cases))
	require.Zero(t, status, out+errs)
	assert.Contains(t, out, "all hold")

	changed := append([]corpus.Case{}, cases...)
	changed[0].Expect.Plugin = corpus.MustAccept
	status, out, _ = phpwire(t, "", "corpus", "verify", "--php", "best", "--dir", checkoutWith(t, changed))
	assert.Equal(t, exitFailed, status)
	assert.Contains(t, out, "DRIFT  "+changed[0].ID+"  reference")
	assert.Contains(t, out, "expect.plugin: recorded must_accept, now must_reject")
}

func TestCorpusAddFilesAndRefuses(t *testing.T) {
	dir := checkoutWith(t, corpus.Filter(corpus.Cases(), "", "V-3"))
	add := func(input string, more ...string) (int, string) {
		status, out, errs := phpwire(t, input, append([]string{"corpus", "add", "-", "--partial", "--php", "best", "--dir", dir}, more...)...)
		return status, out + errs
	}
	status, text := add("i:+7;")
	assert.Equal(t, exitError, status)
	assert.Contains(t, text, "it may be P-3")
	status, text = add("i:+7;", "--clause", "I-1", "--comment", "a plus sign")
	require.Zero(t, status, text)
	assert.Contains(t, text, "ints/a-plus-sign-")
	cases, err := corpus.ReadDir(filepath.Join(dir, "corpus", "data"))
	require.NoError(t, err)
	require.Len(t, corpus.Filter(cases, "ints", "I-1"), 1)
	status, text = add("i:+7;", "--clause", "I-1")
	assert.Equal(t, exitError, status)
	assert.Contains(t, text, "the corpus has this input: ints/a-plus-sign-")
	status, text = add("i:+7;", "--clause", "Q-1")
	assert.Equal(t, exitError, status)
	assert.Contains(t, text, `no clause "Q-1"`)
}
