package main

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `package p

func f(a, b int) bool {
	if a < b && b != 7 {
		a++
		g("s:", 'x')
	}
	return true
}
`

func sampleFile(t *testing.T, source string) *sourceFile {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\nvar x = 1 + 1\n"), 0o600))
	files, err := filesOf(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

func TestMutantsOfASample(t *testing.T) {
	f := sampleFile(t, sample)
	var whats []string
	seen := map[string]bool{}
	for _, m := range f.mutants {
		whats = append(whats, strings.TrimPrefix(m.ID, f.path+" "))
		assert.False(t, seen[m.ID], "%s is there twice", m.ID)
		seen[m.ID] = true
		mutated := string(m.apply(f.source))
		assert.NotEqual(t, sample, mutated)
		_, err := parser.ParseFile(token.NewFileSet(), "p.go", mutated, 0)
		assert.NoError(t, err, m.ID)
	}
	assert.ElementsMatch(t, []string{
		"f: a < b && b != 7: if is turned around", "f: a < b && b != 7: && becomes ||", "f: a < b: < becomes <=", "f: a < b: < becomes >", "f: b != 7: != becomes ==",
		"f: b != 7: 7 becomes one more", "f: b != 7: 7 becomes one less", "f: a++: ++ is turned around", `f: g("s:", 'x'): is left out`,
		`f: g("s:", 'x'): "s:" loses its last byte`, `f: g("s:", 'x'): 'x' becomes the next byte`, "f: return true: true becomes false",
	}, whats)
}

// An id is the same after an edit elsewhere.
func TestIDsSurviveEdits(t *testing.T) {
	f := sampleFile(t, sample)
	edited := sampleFile(t, strings.Replace(sample, "package p\n", "package p\n\nfunc before(n int) int { return n + 1 }\n", 1))
	ids := map[string]bool{}
	for _, m := range edited.mutants {
		ids[strings.TrimPrefix(m.ID, edited.path)] = true
	}
	for _, m := range f.mutants {
		assert.True(t, ids[strings.TrimPrefix(m.ID, f.path)], m.ID)
	}
}

// What a schema must not stumble over: names that it uses itself, receivers and
// parameters without names, any number of arguments, types as parameters, no
// results, variables.
const difficult = `package main

import "fmt"

type T struct{ n int }

func (T) unnamed() int { return 1 }
func (t *T) named(n int) { t.n += n }
func (t T) String() string { return fmt.Sprint("T", t.n+t.unnamed()) }

func sum(n ...int) (total int) {
	for _, x := range n {
		total += x
	}
	return
}

func first[A, B any](a A, _ B) (A, bool) { return a, true }

var table = [...]int{10, 20}

const limit = 5

func main() {
	t := T{}
	t.named(7)
	a, ok := first("a", 'b')
	fmt.Println(t, sum(1, 2, 3), a, ok, table[0] < limit, table[1])
}
`

// module makes a module in which mutants can be built, and returns its folder and
// what writes files into it.
func module(t *testing.T) (dir string, write func(name, text string)) {
	t.Helper()
	dir = t.TempDir()
	write = func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	active, err := os.ReadFile("active/active.go")
	require.NoError(t, err)
	write("go.mod", "module phpwire\n\ngo 1.26\n")
	write("fuzz/mutants/active/active.go", string(active))
	return dir, write
}

// A schema with a mutant switched on does what that mutant does alone.
func TestSchemaDoesWhatItsMutantsDo(t *testing.T) {
	f := sampleFile(t, difficult)
	for i, m := range f.mutants {
		if m.decl != nil {
			m.number = i + 1
		}
	}
	dir, write := module(t)
	run := func(folder string, number int) string {
		cmd := exec.Command(filepath.Join(dir, folder, "program"))
		cmd.Env = append(os.Environ(), fmt.Sprintf("PHPWIRE_MUTANT=%d", number))
		said, err := cmd.CombinedOutput()
		if err != nil {
			return "fails"
		}
		return string(said)
	}
	build := func(folder string) (said string) {
		cmd := exec.Command("go", "build", "-o", folder+"/program", "./"+folder)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			return err.Error() + string(text)
		}
		return ""
	}
	alone := map[*mutant]string{}
	for i, m := range f.mutants {
		if m.number == 0 || i%3 > 0 { // building takes long
			m.number = 0
			continue
		}
		folder := fmt.Sprintf("alone%d", i)
		write(folder+"/p.go", string(m.apply(f.source)))
		if build(folder) != "" {
			m.number = 0
		} else {
			alone[m] = run(folder, 0)
		}
	}
	text, spans := f.schema()
	assert.NotEmpty(t, spans)
	write("schema/p.go", string(text))
	require.Empty(t, build("schema"))
	different := map[string]bool{}
	for m, said := range alone {
		assert.Equal(t, said, run("schema", m.number), m.ID)
		different[said] = true
	}
	assert.Greater(t, len(different), 5)
	assert.Equal(t, "T8 6 a true false 20\n", run("schema", 0))
}

// The compiler's errors name the mutants that are no programs, and those that
// are, but not together with the others.
func TestMixLeavesOutWhatDoesNotBuild(t *testing.T) {
	dir, write := module(t)
	write("p/p.go", "package p\n\nvar places = [...]int{3: 1}\n\nfunc f(b byte) bool { return b < 255 }\n\nfunc g() int { return len(places) }\n")
	t.Chdir(dir)
	files, err := filesOf("p")
	require.NoError(t, err)
	w := &workshop{dir: t.TempDir(), built: map[string]string{}}
	broken, err := w.mix(context.Background(), files)
	require.NoError(t, err)
	var no, apart []string
	for _, m := range files[0].mutants {
		if broken[m] {
			no = append(no, m.ID)
		} else if m.decl == nil {
			apart = append(apart, m.ID)
		}
	}
	assert.Equal(t, []string{"p/p.go f: b < 255: 255 becomes one more"}, no)
	assert.Equal(t, []string{"p/p.go places: 3: 1: 3 becomes one more", "p/p.go places: 3: 1: 3 becomes one less"}, apart)
}

func TestReasons(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reasons.txt")
	require.NoError(t, os.WriteFile(path, []byte("never asked\n\tp/a.go f: *\n\tp/a.go gone: 1\n\nthe same\n\tp/a.go g: a < b: < becomes <=\n"), 0o600))
	r, err := readReasons(path)
	require.NoError(t, err)
	assert.Equal(t, "never asked", r.of(&mutant{ID: "p/a.go f: x (2)"}).why)
	assert.Equal(t, "the same", r.of(&mutant{ID: "p/a.go g: a < b: < becomes <="}).why)
	assert.Nil(t, r.of(&mutant{ID: "p/a.go g: a < b: < becomes >"}))
	assert.Equal(t, []string{"p/a.go gone: 1"}, r.idle())
	require.NoError(t, os.WriteFile(path, []byte("\tp/a.go f: *\n"), 0o600))
	_, err = readReasons(path)
	assert.ErrorContains(t, err, "without a reason")
}

func TestTableCountsFates(t *testing.T) {
	why := &reason{why: "nobody sees it"}
	all := []*mutant{{ID: "a", File: "p/a.go"}, {ID: "b", File: "p/a.go"}, {ID: "c", File: "p/a.go"}, {ID: "d", File: "p/a.go"}, {ID: "e", File: "p/a.go"}, {ID: "f", File: "p/a.go"}, {ID: "g", File: "p/a.go"}}
	fates := map[*mutant]*fate{
		all[0]: {Builds: true, Corpus: true},
		all[1]: {Builds: true, Run: true},
		all[2]: {Builds: true},
		all[3]: {},
		all[4]: {Builds: true, Equivalent: why},
		all[5]: {Builds: true, Equivalent: why, Corpus: true},
		all[6]: {Builds: true, Unseen: why, Tests: true},
	}
	table := newTable(all, fates)
	assert.Equal(t, []string{"p", "7", "1", "2", "1 of 3 (33.3 %)", "2 of 3 (66.7 %)", "1 of 1 (100.0 %)", "1"}, table.rows[0].cells())
	assert.Equal(t, []string{"p/a.go:0  c"}, table.survivors)
	assert.Len(t, table.wrong, 1)
	assert.ErrorContains(t, table.verdict(), "1 survive")
	assert.ErrorContains(t, table.verdict(), "said to be equivalent")
}

// What the corpus caught of other sources, or the compiler refused, counts where it
// is trusted; what it let pass, and what others said, never does.
func TestKeptOfOtherSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	one := &mutant{ID: "p/p.go f: 1 becomes one more", File: "p/p.go"}
	for _, who := range []string{theCorpus, apartCorpus, theCompiler, theTests} {
		for _, failed := range []bool{true, false} {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			k, err := openKept(path, []*sourceFile{{path: "p/p.go", source: []byte("old")}}, false)
			require.NoError(t, err)
			require.NoError(t, k.keep(who, one, answer{Failed: failed, Said: "a case"}))
			for _, trust := range []bool{false, true} {
				k, err = openKept(path, []*sourceFile{{path: "p/p.go", source: []byte("new")}}, trust)
				require.NoError(t, err)
				_, known := k.answer(who, one)
				assert.Equal(t, who == theCorpus || who != theTests && failed && trust, known, "%s, caught: %v, trust: %v", who, failed, trust)
			}
		}
	}
}
