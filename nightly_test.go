package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/oracle/oracletest"
	"phpwire/reports"
)

// A night of seconds: everything that is generated, and the corpus.
var shortNight = []string{"nightly", "--php", "native", "--seed", "5", "--rounds", "3", "--cases", "1000", "--suite", "corpus/php,codec/*,frames/typed,php/*"}

// startNightly makes the command of a night on the native PHPs, and the one that is
// planted.
func startNightly(t *testing.T, php string, args ...string) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	oracletest.Best(t)
	cmd, out = exec.Command(binary, args...), new(bytes.Buffer)
	cmd.Env = append(os.Environ(), "PHPWIRE_WASM=/none", "PHPWIRE_PHP="+php)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

// finish does a night to its end, with that exit status.
func finish(t *testing.T, php string, status int, dir string, more ...string) string {
	t.Helper()
	cmd, out := startNightly(t, php, append(append(shortNight[:len(shortNight):len(shortNight)], "--out", dir), more...)...)
	if err := cmd.Run(); status == exitOK {
		require.NoError(t, err, out)
	}
	require.Equal(t, status, cmd.ProcessState.ExitCode(), out)
	return out.String()
}

func requireSame(t *testing.T, a, b string) {
	t.Helper()
	status, out, errs := phpwire(t, "", "report", "compare", a, b)
	require.Zero(t, status, out+errs)
	require.Contains(t, out, "the same: ")
}

// done is how many units the checkpoint of a night has.
func done(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
	if err != nil {
		return 0
	}
	_, body, _ := strings.Cut(string(text), "\n")
	var state struct {
		Next  int
		Ahead []int
	}
	require.NoError(t, json.Unmarshal([]byte(body), &state))
	return state.Next + len(state.Ahead)
}

// stopped does a part of a night, which a signal ends once it has done some units.
func stopped(t *testing.T, php, dir string, signal syscall.Signal, units int) (status int, out string) {
	t.Helper()
	cmd, text := startNightly(t, php, append(shortNight[:len(shortNight):len(shortNight)], "--out", dir, "--resume")...)
	require.NoError(t, cmd.Start())
	for limit := time.Now().Add(5 * time.Minute); done(t, dir) < units; time.Sleep(5 * time.Millisecond) {
		require.True(t, time.Now().Before(limit), "the night does not come on: %s", text)
	}
	require.NoError(t, cmd.Process.Signal(signal))
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), text.String()
}

// A night that is killed at any moment, and resumed, finds what one in one piece
// does; so do the shards of a night together. A PHP that behaves otherwise sees to it
// that there are failures and facts, too.
func TestNightlyIsTheSameHoweverItIsDone(t *testing.T) {
	php, whole := plantedPHP(t), t.TempDir()
	finish(t, php, exitFailed, whole)
	for _, name := range []string{"report.json", "index.html", "junit.xml", "summary.md", "history.jsonl"} {
		assert.FileExists(t, filepath.Join(whole, name))
	}
	report, err := reports.Read(whole)
	require.NoError(t, err)
	require.NotEmpty(t, report.Failures)
	require.NotEmpty(t, report.Facts)
	units := done(t, whole)

	t.Run("killed", func(t *testing.T) {
		dir := t.TempDir()
		for _, at := range []int{2, units / 2, units * 3 / 4} {
			status, out := stopped(t, php, dir, syscall.SIGKILL, at)
			require.Equal(t, -1, status, out)
			require.Less(t, done(t, dir), units, "it was killed before its end")
		}
		require.NoFileExists(t, filepath.Join(dir, "report.json"))
		finish(t, php, exitFailed, dir, "--resume")
		requireSame(t, dir, whole)
	})
	t.Run("interrupted", func(t *testing.T) {
		dir := t.TempDir()
		status, out := stopped(t, php, dir, syscall.SIGINT, 3)
		require.Equal(t, exitError, status, out)
		require.Contains(t, out, "interrupted; to go on: ")
		part, err := reports.Read(dir)
		require.NoError(t, err)
		require.Equal(t, "interrupted", part.Aborted)
		require.NotZero(t, part.Totals().Cases)
		require.Less(t, part.Totals().Cases, report.Totals().Cases)
		status, _, _ = phpwire(t, "", "report", "compare", dir, whole)
		require.Equal(t, exitFailed, status)
		finish(t, php, exitFailed, dir, "--resume")
		requireSame(t, dir, whole)
		history, err := os.ReadFile(filepath.Join(dir, "history.jsonl"))
		require.NoError(t, err)
		require.Equal(t, 1, bytes.Count(history, []byte("\n")), "one night is one line: %s", history)
	})
	t.Run("in shards", func(t *testing.T) {
		one, two, merged := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "merged")
		// A shard without a unit that fails holds.
		shard := func(dir, which string) {
			cmd, out := startNightly(t, php, append(shortNight[:len(shortNight):len(shortNight)], "--out", dir, "--shard", which)...)
			_ = cmd.Run()
			require.NotEqual(t, exitError, cmd.ProcessState.ExitCode(), out)
		}
		shard(one, "1/2")
		shard(two, "2/2")
		status, out, errs := phpwire(t, "", "report", "merge", merged, one, filepath.Join(two, "report.json"))
		require.Equal(t, exitFailed, status, out+errs)
		requireSame(t, merged, whole)
		for _, name := range []string{"report.json", "index.html", "junit.xml", "summary.md"} {
			assert.FileExists(t, filepath.Join(merged, name))
		}
		for _, f := range report.Failures {
			assert.FileExists(t, filepath.Join(merged, "findings", f.ID+".json"))
		}
		again := t.TempDir()
		status, out, errs = phpwire(t, "", "report", "render", merged, "--out", again)
		require.Equal(t, exitFailed, status, out+errs)
		requireSame(t, merged, again)
	})
}

func TestReportMergeRefusesOtherWork(t *testing.T) {
	write := func(seed int64, version string) string {
		dir := t.TempDir()
		r := &reports.Run{Tool: "phpwire", Version: version, Kind: reports.KindRun, Seed: seed, Columns: []reports.Column{{Name: "PHP"}}, Suites: []reports.Suite{{Name: "s"}}}
		cell := r.Cell("s", "PHP")
		cell.Cases, cell.Passed = 2, 2
		require.NoError(t, reports.Write(dir, r))
		return dir
	}
	a, seed, release := write(1, "1"), write(2, "1"), write(1, "2")
	for other, want := range map[string]string{seed: "runs of two seeds do not merge: 1 and 2", release: "runs of two versions do not merge: 1 and 2"} {
		status, _, errs := phpwire(t, "", "report", "merge", t.TempDir(), a, other)
		assert.Equal(t, exitError, status)
		assert.Contains(t, errs, want)
		assert.Contains(t, errs, "--force")
		dir := t.TempDir()
		status, out, errs := phpwire(t, "", "report", "merge", "--force", dir, a, other)
		require.Zero(t, status, out+errs)
		merged, err := reports.Read(dir)
		require.NoError(t, err)
		assert.EqualValues(t, 4, merged.Totals().Cases)
	}
}

// plantedPHP is a PHP 8.6.0 that is the best PHP at hand, but for one thing: it
// refuses ints with a plus sign.
func plantedPHP(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "php8.6")
	require.NoError(t, os.WriteFile(path, []byte(`#!/bin/sh
[ "$2" = -r ] && { printf 8.6.0; exit; }
for a in "$@"; do case "$a" in */worker.php)
  sed -i 's/foreach ($\(batch\|payloads\) as $i => $bytes) {/& $bytes = \\str_replace("i:+", "i:?", $bytes);/' "${a%worker.php}runtime/reserialize.php" "${a%worker.php}runtime/compare.php"
esac; done
exec `+oracletest.Best(t).Path+` "$@"
`), 0o755))
	return path
}

// A PHP that behaves otherwise is a finding, which one command files in the corpus,
// and news.
func TestNightlyFindsAPlantedDifference(t *testing.T) {
	php, before, dir := plantedPHP(t), t.TempDir(), t.TempDir()
	finish(t, "", exitOK, before)
	out := finish(t, php, exitFailed, dir, "--since", before)
	report, err := reports.Read(dir)
	require.NoError(t, err)

	// The news stand first, in every form.
	require.NotEmpty(t, report.Facts)
	for _, f := range report.Facts {
		require.Equal(t, reports.New, f.Change)
		require.Contains(t, string(f.Input), "i:+", "%v", f)
	}
	summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	require.NoError(t, err)
	require.Regexp(t, `(?s)### News about PHP.*accepts, from 8\.6 on refuses.*PHP 8\.6\.0 native.*\| Suite \|`, string(summary))
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Regexp(t, `(?s)<section id="news".*accepts, from 8\.6 on refuses.*<section id="matrix"`, string(page))
	require.Contains(t, out, "accepts, from 8.6 on refuses")
	history, err := os.ReadFile(filepath.Join(dir, "history.jsonl"))
	require.NoError(t, err)
	require.Equal(t, 2, bytes.Count(history, []byte("\n")), "the last night stands in the history")

	// The next night it is no news any more.
	next := t.TempDir()
	finish(t, php, exitFailed, next, "--since", dir, "--seed", "6")
	later, err := reports.Read(next)
	require.NoError(t, err)
	known := map[string]bool{}
	for _, f := range report.Facts {
		known[f.ID] = true
	}
	kept := 0
	for _, f := range later.Facts {
		if known[f.ID] {
			kept++
			assert.Equal(t, reports.Unchanged, f.Change, "%+v", f)
		}
	}
	assert.Equal(t, len(report.Facts), kept, "the last night's examples are asked again")

	// A finding is small, and the command that is printed keeps it. Of what waits a
	// case is made at once, where only PHPs disagree.
	var found *reports.Failure
	for i, f := range report.Failures {
		require.Equal(t, "PHP 8.6.0 native", f.Column)
		if strings.HasPrefix(f.Suite, "codec/decode/") {
			found = &report.Failures[i]
		}
	}
	require.NotNil(t, found, "%v", report.Failures)
	require.Regexp(t, regexp.MustCompile(`^i:\+0*[0-9];$`), string(found.Input))
	require.Contains(t, out, "keep: ")
	checkout := checkoutWith(t, corpus.Filter(corpus.Cases(), "", "V-3"))
	require.Contains(t, found.File, filepath.Join(dir, "findings", found.ID+".in"))
	var text []byte
	for _, command := range []string{found.File, binary + " corpus add --waiting --partial"} {
		add := exec.Command("sh", "-c", command+" --dir '"+checkout+"'")
		add.Env = append(os.Environ(), "PHPWIRE_WASM=/none", "PHPWIRE_PHP="+php)
		text, err = add.CombinedOutput()
		require.NoError(t, err, string(text))
	}
	require.Contains(t, string(text), "refuses  8.6")
	cases, err := corpus.ReadDir(filepath.Join(checkout, "corpus", "data"))
	require.NoError(t, err)
	added := corpus.Filter(cases, "", found.Clause)
	require.Len(t, added, 1)
	require.Equal(t, found.Input, added[0].Input.B64)
}

func TestNightlyRefusesWhatIsNotItsOwn(t *testing.T) {
	dir := t.TempDir()
	finish(t, "", exitOK, dir, "--suite", "frames/typed", "--rounds", "1")
	again := func(more ...string) string {
		args := append(shortNight[:len(shortNight):len(shortNight)], "--out", dir, "--suite", "frames/typed", "--rounds", "1", "--resume")
		cmd, out := startNightly(t, "", append(args, more...)...)
		require.Error(t, cmd.Run(), out)
		require.Equal(t, exitError, cmd.ProcessState.ExitCode(), out)
		return out.String()
	}
	assert.Contains(t, again("--seed", "6"), "is of another night: its seed is 5, not 6")
	assert.Contains(t, again("--shard", "1/2"), "its --shard is 1/1, not 1/2")
	assert.Contains(t, again("--suite", "codec/*"), "its --suite is frames/typed, not codec/*")
	path := filepath.Join(dir, "checkpoint.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, damaged := range [][]byte{text[:len(text)/2], {}, bytes.Replace(text, []byte(`"next":`), []byte(`"next":1`), 1), []byte("{}\n")} {
		require.NoError(t, os.WriteFile(path, damaged, 0o644))
		assert.Contains(t, again(), path+" is damaged, ")
	}
	for want, args := range map[string][]string{
		"it must be I/N":          {"--shard", "3/2"},
		"--shard needs a --seed":  {"--shard", "1/2", "--seed", "0"},
		"names nothing":           {"--suite", "nonsense"},
		"syntax error in pattern": {"--suite", "["},
		"at least one case":       {"--cases", "0"},
		"--since: open /none":     {"--since", "/none"},
		"the budget of 1ns ended before 3 rounds were done": {"--budget", "1ns"},
	} {
		cmd, out := startNightly(t, "", append(append(shortNight[:len(shortNight):len(shortNight)], "--out", t.TempDir()), args...)...)
		require.Error(t, cmd.Run(), out)
		assert.Equal(t, exitError, cmd.ProcessState.ExitCode(), out)
		assert.Contains(t, out.String(), want)
	}

	// Without Node the night says so at once, and not when the peer's turn comes.
	path = t.TempDir()
	require.NoError(t, os.Symlink(oracletest.Best(t).Path, filepath.Join(path, "php")))
	cmd, out := startNightly(t, "", "nightly", "--php", "native", "--suite", "toolchild", "--out", t.TempDir())
	cmd.Env = append(cmd.Env, "PATH="+path)
	require.Error(t, cmd.Run(), out)
	assert.Contains(t, out.String(), "toolchild: node is not installed; apt-get install nodejs installs it; --suite can leave it out")
}
