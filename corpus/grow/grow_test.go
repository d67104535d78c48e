package grow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/corpus/grow"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

func panel(t *testing.T, phps ...oracle.Runtime) *grow.Panel {
	t.Helper()
	p, err := grow.NewPanel(oracletest.Context(t, 2*time.Minute), phps)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func TestCorpusHoldsOnEveryPHPAtHand(t *testing.T) {
	v, err := panel(t, oracletest.All(t)...).Verify(oracletest.Context(t, 2*time.Minute), corpus.Cases())
	require.NoError(t, err)
	for _, d := range v.Drift[:min(20, len(v.Drift))] {
		t.Error(d)
	}
	assert.Greater(t, v.Answers, 2*v.Unknown, "most answers must be judged")
}

func question(payload string) corpus.Question {
	return corpus.Question{Op: corpus.Decode, Clause: "I-1", Comment: "a test", Input: []byte(payload)}
}

func TestAddVerifyAndDrift(t *testing.T) {
	ctx := oracletest.Context(t, 2*time.Minute)
	p := panel(t, oracletest.Best(t))
	cases, c, err := p.Add(ctx, nil, question("i:+7;"), false)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	assert.True(t, strings.HasPrefix(c.ID, "ints/a-test-"), c.ID)
	assert.Equal(t, corpus.Expect{Plugin: corpus.MustAccept, Canonical: corpus.MustReject, PHP: corpus.MustAccept}, c.Expect)
	assert.JSONEq(t, `{"t":"int","v":"7"}`, string(c.Value))
	assert.Equal(t, "i:7;", string(c.Written()))
	assert.True(t, c.Has(corpus.FlagNotCanonical))
	require.Len(t, c.PHP, 1)
	assert.Equal(t, corpus.Accepts, c.PHP[0].Does)

	t.Run("the same is refused", func(t *testing.T) {
		var same *grow.Same
		_, _, err := p.Add(ctx, cases, question("i:+7;"), true)
		require.ErrorAs(t, err, &same)
		assert.Equal(t, &grow.Same{ID: c.ID, Question: true}, same)
		_, _, err = p.Add(ctx, cases, question("i:+7;"), false)
		require.ErrorAs(t, err, &same)
	})
	t.Run("the same behaviour is refused unless forced", func(t *testing.T) {
		more, _, err := p.Add(ctx, cases, question("i:+7777;"), false)
		require.NoError(t, err)
		var same *grow.Same
		_, _, err = p.Add(ctx, more, question("i:+6666;"), false)
		require.ErrorAs(t, err, &same)
		assert.False(t, same.Question)
		more, _, err = p.Add(ctx, more, question("i:+6666;"), true)
		require.NoError(t, err)
		assert.Len(t, more, 3)
	})
	t.Run("a clause must be one", func(t *testing.T) {
		_, _, err := p.Add(ctx, nil, corpus.Question{Op: corpus.Decode, Clause: "Q-9", Input: []byte("N;")}, false)
		assert.ErrorContains(t, err, `no clause "Q-9"`)
	})
	t.Run("drift is found", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, corpus.WriteDir(dir, cases))
		read, err := corpus.ReadDir(dir)
		require.NoError(t, err)
		require.Equal(t, cases, read)
		v, err := p.Verify(ctx, read)
		require.NoError(t, err)
		require.Empty(t, v.Drift)

		read[0].PHP = []corpus.Answer{{On: read[0].PHP[0].On, Does: corpus.Refuses, Warnings: []string{"E_NOTICE"}}}
		v, err = p.Verify(ctx, read)
		require.NoError(t, err)
		require.NotEmpty(t, v.Drift)
		assert.Contains(t, v.Drift[0].String(), "does: recorded refuses, now accepts")

		read[0].PHP = []corpus.Answer{{On: []string{"5.6"}, Does: corpus.Refuses}}
		v, err = p.Verify(ctx, read)
		require.NoError(t, err)
		assert.Empty(t, v.Drift)
		assert.Equal(t, v.Answers, v.Unknown, "what is not recorded is counted, not passed")
	})
}

// What the recipes ask today is in the corpus, as far as the reference can tell.
func TestQuestionsAreAnswered(t *testing.T) {
	signatures, inputs := map[string]bool{}, map[string]bool{}
	for _, c := range corpus.Cases() {
		signatures[c.ReferenceSignature()] = true
		inputs[string(c.Op)+string(c.Input.B64)] = true
	}
	missing := 0
	for _, q := range grow.Questions() {
		c, err := corpus.New(q)
		require.NoError(t, err, "%.80q", q.Input)
		if !signatures[c.ReferenceSignature()] || q.Origin == grow.FaultsOrigin && !inputs[string(q.Op)+string(q.Input)] {
			missing++
			if missing < 5 {
				t.Errorf("the corpus lacks %s %.80q; `phpwire corpus grow` adds it", q.Clause, q.Input)
			}
		}
	}
}

func TestImport(t *testing.T) {
	from, into := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"json/corpus/a-1": `{"key":[1,2.5e3,true,null,"é",12345678901234567890123]}`, "text/corpus/b": "not a payload \x00\xff", "numbers/c": "-1.25e-3", "raw/d": "a:2:{i:0;O:1:\"Q\":0:{}i:1;a:3:{", "code.go": "package x",
	} {
		path := filepath.Join(from, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	done, err := grow.Import([]string{from}, into, nil)
	require.NoError(t, err)
	assert.Equal(t, 4, done.Files)
	var seeds []string
	files, err := filepath.Glob(filepath.Join(into, "FuzzDecode", "*"))
	require.NoError(t, err)
	assert.Len(t, files, done.Kept["FuzzDecode"])
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		input, err := corpus.ReadSeed(b)
		require.NoError(t, err)
		seeds = append(seeds, string(input))
	}
	all := fmt.Sprintf("%q", seeds)
	assert.Contains(t, seeds, `a:1:{s:3:"key";a:6:{i:0;i:1;i:1;d:2500;i:2;b:1;i:3;N;i:4;s:2:"é";i:5;d:1.2345678901234568E+22;}}`, all)
	assert.Contains(t, seeds, "s:16:\"not a payload \x00\xff\";", all)
	assert.Contains(t, seeds, "d:-1.25e-3;", all)
	assert.Contains(t, seeds, "a:2:{i:0;O:1:\"Q\":0:{}i:1;a:3:{", all)

	again, err := grow.Import([]string{from}, t.TempDir(), corpus.Cases())
	require.NoError(t, err)
	assert.Less(t, again.Kept["FuzzDecode"], done.Kept["FuzzDecode"], "what the corpus shows is not kept")
}
