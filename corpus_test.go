package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/frames"
	"phpwire/fuzz/judge"
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

// The commands that failures print have their cases wait, whatever the reference
// makes of them; cases are made of them once nobody disagrees.
func TestWhatFailuresPrintFilesTheirCases(t *testing.T) {
	dir := checkoutWith(t, corpus.Filter(corpus.Cases(), "", "V-3"))
	reserved := judge.Of(codec.Array(codec.Entry{Key: codec.StringKey("__rhandle"), Value: codec.Null()}))
	for _, arguments := range []string{
		judge.ReplayPayload([]byte("a:1:{s:2:\"05\";N;}")),
		judge.FileValue(judge.Of(codec.List(codec.Float(0.1), codec.String("it's")))),
		judge.FileValue(judge.Keys([]string{"5", "05", "'"})),
		judge.FileValue(reserved),
		judge.FileFloat(judge.Float{Bits: 0x3fb999999999999a, Precision: -1}),
		judge.ReplayStream(judge.Stream{Bytes: []byte{1, 2, 3}, From: frames.FromPHP, Chunks: []int{1, 2}}),
		judge.ReplayStream(judge.Stream{Bytes: []byte{1, 2, 3}}),
	} {
		f := judge.Finding{Clause: "P-3", Kind: "canonical refuses the encoder's bytes"}
		// The shell's own words, as a person's would be.
		out, err := exec.Command("sh", "-c", "printf '%s\\0' "+f.Filing("phpwire", arguments)).Output()
		require.NoError(t, err)
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		for _, says := range []string{"waits: ", "waits already: "} {
			status, text, errs := phpwire(t, "", append(words[1:], "--dir", dir)...)
			require.Zero(t, status, errs)
			assert.Contains(t, text, says)
			assert.Contains(t, text, "canonical refuses the encoder's bytes")
		}
	}
	assert.Empty(t, (&judge.Finding{}).Filing("phpwire", judge.FileFloat(judge.Float{Precision: 17})))
	status, text, _ := phpwire(t, "", "corpus", "add", "--b64", "Tjs=", "--clause", "Q-1", "--later", "--dir", dir)
	assert.Equal(t, exitError, status, text)

	status, text, _ = phpwire(t, "", "corpus", "verify", "--php", "best", "--dir", dir)
	assert.Equal(t, exitFailed, status)
	assert.Contains(t, text, `WAITS  decode a:1:{s:2:"05";N;} (clause P-3: canonical refuses the encoder's bytes)`)

	status, text, errs := phpwire(t, "", "corpus", "add", "--waiting", "--partial", "--php", "best", "--dir", dir)
	require.Zero(t, status, text+errs)
	assert.NoFileExists(t, filepath.Join(dir, "corpus", "waiting.json"))
	cases, err := corpus.ReadDir(filepath.Join(dir, "corpus", "data"))
	require.NoError(t, err)
	assert.Len(t, corpus.Filter(cases, "", "P-3"), 7)
	status, text, _ = phpwire(t, "", "corpus", "add", "--waiting", "--php", "best", "--dir", dir)
	assert.Zero(t, status)
	assert.Contains(t, text, "nothing waits")
}
