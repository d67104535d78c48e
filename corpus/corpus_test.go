package corpus_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/docs"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(corpus.Schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("vectors.schema.json", doc))
	s, err := c.Compile("vectors.schema.json")
	require.NoError(t, err)
	return s
}

func validate(s *jsonschema.Schema, text []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func TestFilesKeepTheSchema(t *testing.T) {
	s := schema(t)
	files, err := filepath.Glob("data/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(corpus.Areas()), "there is one file for each area")
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.NoError(t, validate(s, b), name)
	}
}

func TestSchemaRefusesWhatIsWrong(t *testing.T) {
	s := schema(t)
	right := `{"format":1,"area":"ints","title":"Ints","cases":[{"id":"ints/a-00000000","clause":"I-1","comment":"c","op":"decode","input":{"b64":"aTo1Ow==","text":"i:5;"},"expect":{"plugin":"must_accept"},"value":{"t":"int","v":"5"},"php":[{"on":["8.2"],"does":"accepts"}],"origin":"o"}]}`
	require.NoError(t, validate(s, []byte(right)))
	for _, change := range [][2]string{
		{`"format":1`, `"format":2`}, {`"area":"ints"`, `"area":"int"`}, {`ints/a-00000000`, `ints/A`}, {`"I-1"`, `"I1"`}, {`"decode"`, `"parse"`}, {`aTo1Ow==`, `aTo1Ow=`},
		{`must_accept`, `must`}, {`"v":"5"`, `"v":5`}, {`"v":"5"`, `"v":"05"`}, {`"8.2"`, `"8"`}, {`"accepts"`, `"accept"`}, {`,"php":[{"on":["8.2"],"does":"accepts"}]`, ``}, {`"origin":"o"`, `"source":"o"`}, {`"comment":"c"`, `"comment":"c","from":"php"`},
	} {
		wrong := strings.Replace(right, change[0], change[1], 1)
		require.NotEqual(t, right, wrong)
		assert.Error(t, validate(s, []byte(wrong)), change[1])
	}
}

func TestCorpusIsLargeAndCoversTheWire(t *testing.T) {
	cases := corpus.Cases()
	assert.GreaterOrEqual(t, len(cases), 2000)
	clauses, areas := corpus.Stats(cases)
	for _, s := range clauses {
		if corpus.IsWire(s.Clause.ID) {
			assert.NotZero(t, s.Cases, "clause %s has no case", s.Clause.ID)
		}
	}
	for _, s := range areas {
		assert.NotZero(t, s.Cases, "area %s", s.Area.Name)
	}
	for _, f := range corpus.Flags() {
		assert.True(t, slices.ContainsFunc(cases, func(c corpus.Case) bool { return c.Has(f) }), "no case has the flag %s", f)
	}
}

func TestCasesAreWellFormed(t *testing.T) {
	cases := corpus.Cases()
	sorted := slices.Clone(cases)
	corpus.Sort(sorted)
	ids := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		require.Equal(t, sorted[i].ID, c.ID, "the cases are not in their order")
		assert.False(t, ids[c.ID], "two cases are called %s", c.ID)
		ids[c.ID] = true
		_, known := docs.Lookup(c.Clause)
		assert.True(t, known, "%s: clause %s", c.ID, c.Clause)
		if !c.Op.Asks() {
			continue
		}
		for _, series := range corpus.AllSeries() {
			one, all := c.Recorded(corpus.PHP{Series: series, SizeBits: 32})
			_, other := c.Recorded(corpus.PHP{Series: series, SizeBits: 64})
			assert.True(t, all || other, "%s does not say what PHP %s does", c.ID, series)
			assert.Contains(t, []corpus.Does{corpus.Accepts, corpus.Warns, corpus.Refuses, ""}, one.Does)
		}
	}
}

// Every case is what New makes of its question: id, expectation and flags follow
// from what was asked and answered.
func TestCasesAreWhatTheirQuestionsGive(t *testing.T) {
	for _, c := range corpus.Cases() {
		again, err := corpus.New(corpus.Question{Op: c.Op, Clause: c.Clause, Comment: c.Comment, Input: c.Input.B64, From: c.From, Chunks: c.Chunks, Origin: c.Origin})
		require.NoError(t, err, c.ID)
		assert.Equal(t, c.ID, again.ID)
		assert.Equal(t, c.Input.Text, again.Input.Text, c.ID)
	}
}

// The reference does what every case says, without any PHP.
func TestReferenceAgrees(t *testing.T) {
	cases := corpus.Cases()
	for i := range cases {
		if what := cases[i].Check(); len(what) > 0 {
			t.Errorf("%s (%s): %s", cases[i].ID, cases[i].Clause, strings.Join(what, "\n  "))
		}
	}
}

// No two cases show the same, but for the first of a clause, the examples, and
// what shows a small fault in the reference that no other case does.
func TestCasesEarnTheirPlace(t *testing.T) {
	cases := corpus.Cases()
	seen := map[string]string{}
	clauses := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if c.Origin == "small faults" {
			clauses[c.Clause] = true
			continue
		}
		s := c.Signature()
		if first, there := seen[s]; there && clauses[c.Clause] && c.Origin != corpus.FromExamples && !strings.HasPrefix(c.Origin, "added") {
			if other := caseOf(cases, first); other.Origin != corpus.FromExamples && other.Clause == c.Clause {
				t.Errorf("%s shows what %s shows", c.ID, first)
			}
		}
		seen[s], clauses[c.Clause] = c.ID, true
	}
}

func caseOf(cases []corpus.Case, id string) corpus.Case {
	return cases[slices.IndexFunc(cases, func(c corpus.Case) bool { return c.ID == id })]
}

func TestPlantedFaultsAreFound(t *testing.T) {
	plant := func(id string, change func(*corpus.Case)) {
		cases := corpus.Cases()
		at := slices.IndexFunc(cases, func(c corpus.Case) bool { return strings.HasPrefix(c.ID, id) })
		require.GreaterOrEqual(t, at, 0, id)
		c := cases[at]
		require.Empty(t, c.Check())
		change(&c)
		assert.NotEmpty(t, c.Check(), id)
	}
	plant("ints/", func(c *corpus.Case) { c.Value = []byte(`{"t":"int","v":"6"}`) })
	plant("ints/", func(c *corpus.Case) { c.Expect.Plugin = corpus.May })
	plant("keys/", func(c *corpus.Case) { c.Canonical = corpus.NewBytes([]byte("N;")) })
	plant("malformed-int/", func(c *corpus.Case) { f := *c.Refused.Plugin; f.Offset++; c.Refused = &corpus.Refused{Plugin: &f} })
	plant("frames/example-accepts-frame", func(c *corpus.Case) { c.Frames = nil })
}

func TestDirsAndExportsRoundTrip(t *testing.T) {
	cases := corpus.Cases()
	dir := t.TempDir()
	require.NoError(t, corpus.WriteDir(dir, cases))
	for _, a := range corpus.Areas() {
		want, err := os.ReadFile(filepath.Join("data", a.Name+".json"))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, a.Name+".json"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s.json is not as it is written", a.Name)
	}
	t.Run("jsonl", func(t *testing.T) {
		require.NoError(t, corpus.Export(dir, "jsonl", cases))
		f, err := os.Open(filepath.Join(dir, "corpus.jsonl"))
		require.NoError(t, err)
		defer f.Close()
		back, err := corpus.ReadLines(f)
		require.NoError(t, err)
		require.Equal(t, cases, back)
	})
	t.Run("files", func(t *testing.T) {
		some := append(corpus.Filter(cases, "ints", ""), corpus.Filter(cases, "frames", "")...)
		require.NoError(t, corpus.Export(dir, "files", some))
		for _, c := range some {
			name := filepath.Join(dir, filepath.FromSlash(c.ID))
			in, err := os.ReadFile(name + ".in")
			require.NoError(t, err)
			assert.True(t, bytes.Equal(c.Input.B64, in), c.ID)
			expect, err := os.ReadFile(name + ".expect")
			require.NoError(t, err)
			assert.Contains(t, string(expect), "plugin="+string(c.Expect.Plugin)+"\n")
			if written := c.Written(); written != nil {
				out, err := os.ReadFile(name + ".out")
				require.NoError(t, err)
				assert.True(t, bytes.Equal(written, out), c.ID)
			}
		}
	})
	t.Run("go-fuzz", func(t *testing.T) {
		some := corpus.Filter(cases, "strings", "")
		require.NoError(t, corpus.Export(dir, "go-fuzz", some))
		want := map[string]bool{}
		for _, c := range some {
			if c.Op == corpus.Decode {
				want[string(c.Input.B64)] = true
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, "FuzzDecode", "*"))
		require.NoError(t, err)
		require.Len(t, files, len(want))
		for _, name := range files {
			b, err := os.ReadFile(name)
			require.NoError(t, err)
			input, err := corpus.ReadSeed(b)
			require.NoError(t, err)
			assert.True(t, want[string(input)], "%s holds %q", name, input)
		}
	})
	assert.ErrorContains(t, corpus.Export(dir, "xml", cases), `there is no format "xml"`)
}

// What claims more bytes than there are makes nobody allocate for them (clause
// L-2).
func TestClaimsAllocateNothing(t *testing.T) {
	claims := 0
	for _, c := range corpus.Cases() {
		if !c.Has(corpus.FlagClaim) {
			continue
		}
		claims++
		assert.Empty(t, c.CheckMemory(), c.ID)
	}
	assert.NotZero(t, claims)
}
