package reports_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/stretchr/testify/require"

	"phpwire/corpus/printable"
	"phpwire/reports"
)

func TestHeadlines(t *testing.T) {
	suites := []reports.Suite{{Name: "s"}}
	php := []reports.Column{{Name: "c", Kind: reports.ColumnNative}}
	run := func(c reports.Counts) *reports.Run {
		return &reports.Run{Suites: suites, Columns: php, Cells: []reports.Cell{{Suite: "s", Column: "c", Counts: c}}}
	}
	aborted := run(reports.Counts{Cases: 5, Passed: 5})
	aborted.Aborted = "killed"
	for _, c := range []struct {
		run            *reports.Run
		word, sentence string
		passed         bool
	}{
		{run(reports.Counts{Cases: 1, Passed: 1}), "passed", "1 case holds, in 1 suite, on 1 PHP", true},
		{run(reports.Counts{Cases: 3000, Passed: 2998, Known: 1, Skipped: 1}), "passed", "2,998 cases hold, in 1 suite, on 1 PHP", true},
		{run(reports.Counts{Cases: 1200, Passed: 1199, Failed: 1}), "failed", "1 of 1,200 cases fails, in 1 of 1 suite, on 1 of 1 PHP", false},
		{run(reports.Counts{Cases: 4, Crashed: 1, Hung: 1, Garbage: 1, Fixed: 1}), "failed", "4 of 4 cases fail, in 1 of 1 suite, on 1 of 1 PHP", false},
		{run(reports.Counts{Cases: 4, Passed: 2, Fixed: 2}), "failed", "2 cases pass although known as failures: the file of known failures is out of date", false},
		{run(reports.Counts{Cases: 4, Skipped: 4}), "incomplete", "Every case was skipped", false},
		{run(reports.Counts{}), "incomplete", "No case was run", false},
		{aborted, "incomplete", "What was checked holds, but the run did not come to its end", false},
	} {
		word, sentence := c.run.Headline()
		require.Equal(t, c.word, word)
		require.Equal(t, c.sentence, sentence)
		require.Equal(t, c.passed, c.run.Passed())
		require.Equal(t, word == "passed", c.run.Passed())
	}
}

func junitOf(t *testing.T, r *reports.Run) junit.Testsuites {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, reports.WriteJUnit(&b, r))
	var got junit.Testsuites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got), b.String())
	return got
}

func TestJUnit(t *testing.T) {
	got := junitOf(t, codecFault())
	require.Equal(t, "Reference codec against 3 PHPs", got.Name)
	require.Len(t, got.Suites, 3)
	require.Equal(t, 5*3+12, got.Tests)
	require.Equal(t, 3+12, got.Failures)
	require.Equal(t, 0, got.Errors)
	require.Equal(t, 1, got.Skipped)

	old := got.Suites[2]
	require.Equal(t, "PHP 7.2.34 wasm", old.Name)
	require.Equal(t, "handles/weak", old.Testcases[4].Name)
	require.Equal(t, "WeakReference exists from PHP 7.4 on", old.Testcases[4].Skipped.Message)
	require.Equal(t, "20,000 cases: 19,984 passed, 16 skipped\n16 skipped: needs 512 MiB of memory\n", old.Testcases[3].SystemOut.Data)
	f := old.Testcases[5]
	require.Equal(t, "codec/decode/keys", f.Classname)
	require.Equal(t, "value differs", f.Failure.Type)
	require.Equal(t, `input: a:1:{s:1:"5";s:4:"\x00\xff\n<";}
offset: 5
reference plugin: accepted
  wrote: a:1:{s:1:"5";s:4:"\x00\xff\n<";}
reference canonical: refused at offset 5: a canonical key must be i:5;
PHP 7.2.34 wasm: accepted
  wrote: a:1:{i:5;s:4:"\x00\xff\n<";}
difference: key of entry 0: string "5" to the reference, int 5 to PHP 7.2.34 wasm
printf '%s' 'YToxOntzOjE6IjUiO2k6MTt9' | base64 -d | phpwire replay -
phpwire corpus add --clause KEY-2 --b64 YToxOntzOjE6IjUiO2k6MTt9
`, f.Failure.Data)
}

func TestJUnitTellsCrashesAndEndsAsErrors(t *testing.T) {
	crashes := 0
	r := portsMatrix()
	for _, f := range r.Failures {
		if f.Outcome == reports.Crashed || f.Outcome == reports.Hung {
			crashes++
		}
	}
	require.Positive(t, crashes)
	r.ListedPerCell = 0
	require.Equal(t, crashes, junitOf(t, r).Errors)

	cut := junitOf(t, samples()["cut"])
	require.Equal(t, 1, cut.Errors)
	require.Equal(t, "PHP 8.5 could not be started: no such file: php8.5", cut.Suites[0].Testcases[0].Error.Message)
}

func TestJUnitHoldsHostilePayloads(t *testing.T) {
	for _, text := range attacks {
		got := junitOf(t, hostile(text))
		require.Len(t, got.Suites, 2)
		require.Len(t, got.Suites[0].Testcases, 2)
		data := got.Suites[0].Testcases[1].Failure.Data
		require.Contains(t, data, "input: "+printable.Bytes([]byte(text))+"\n")
		require.NotContains(t, data, "\x1b")
		require.NotContains(t, data, "\u202e")
	}
}

func summaryOf(t *testing.T, r *reports.Run) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, reports.WriteSummary(&b, r))
	return b.String()
}

func TestSummary(t *testing.T) {
	got := summaryOf(t, codecFault())
	for _, want := range []string{
		"## ❌ Reference codec against 3 PHPs\n\n**Failed:** 124 of 3,400,000 cases fail, in 1 of 5 suites, on 3 of 3 PHPs.\n",
		"3,400,000 cases in 21 s (124 failed, 16 skipped), phpwire 0.1.0, seed 1773455400.\n",
		"| Suite | PHP 8.2.36 native | PHP 8.5.0 wasm | PHP 7.2.34 wasm |\n|---|--:|--:|--:|\n| float/bits | ✓ 1,000,000 |",
		"| codec/decode/keys | ✗ 41 (of 50,000) | ✗ 41 (of 50,000) | ✗ 42 (of 50,000) |\n",
		"| handles/weak | ✓ 20,000 | ✓ 20,000 | n/a (WeakReference exists from PHP 7.4 on) |\n",
		"### News about PHP\n\n| | Difference | Example | Who does what |\n|---|---|---|---|\n| new | VAL-1 Extra data after the value | `i:1;x` | **accepted, silently** PHP 7.2.34 wasm, PHP 8.2.36 native; **accepted, with a warning** PHP 8.5.0 wasm |\n\n| Suite |",
		"12 of 124 are shown.\n",
		"```\na:1:{s:1:\"5\";s:4:\"\\x00\\xff\\n<\";}\n```\n- reference plugin: accepted, wrote `a:1:{s:1:\"5\";s:4:\"\\x00\\xff\\n<\";}`\n",
		"```sh\nprintf '%s' 'YToxOntzOjE6IjUiO2k6MTt9' | base64 -d | phpwire replay -\n```\n",
	} {
		require.Contains(t, got, want)
	}
	require.Contains(t, summaryOf(t, allGreen()), "## ✅ Nightly run over 9 PHPs\n\n**Passed:** ")
	require.Contains(t, summaryOf(t, samples()["cut"]), "Ended early: PHP 8.5 could not be started: no such file: php8.5\n")
	require.Contains(t, summaryOf(t, portsMatrix()), "### Known failures that pass\n\n- `KEY-9` on locutus, known as: reported, not yet released\n")
}

func TestSummaryFitsAJobPage(t *testing.T) {
	r := crowded()
	for i := range r.Failures {
		f := &r.Failures[i]
		f.Input = bytes.Repeat([]byte{0xff}, 1<<12)
		f.Replay = strings.Repeat("x", 1<<14)
		f.Sides[0].Message = f.Replay
		f.Differences = []string{f.Replay}
	}
	require.Less(t, len(summaryOf(t, r)), 1<<18)
}

// Outside code, nothing of a payload may have a meaning in Markdown or HTML.
func TestSummaryHoldsHostilePayloads(t *testing.T) {
	fenced := regexp.MustCompile("(?ms)^(`{3,})(?:sh)?\n.*?\n(`{3,})$")
	for _, text := range attacks {
		got := summaryOf(t, hostile(text))
		require.NotContains(t, got, "\x1b")
		require.NotContains(t, got, "\u202e")
		rest := fenced.ReplaceAllStringFunc(got, func(block string) string {
			m := fenced.FindStringSubmatch(block)
			require.Equal(t, m[1], m[2], "a fence ends where it should")
			return ""
		})
		rest = withoutSpans(rest)
		for _, ours := range []string{"<details>", "</details>", "<summary>", "</summary>"} {
			rest = strings.ReplaceAll(rest, ours, "")
		}
		require.NotContains(t, rest, "<")
		require.NotContains(t, rest, "`")
		require.NotContains(t, rest, "[link]")
		require.NotContains(t, rest, "@someone")
		require.NotContains(t, rest, "http://")
		news, matrix, _ := strings.Cut(rest, "| Suite |")
		for text, bars := range map[string]int{news: 5, "| Suite |" + matrix: 3} {
			for line := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(line, "|") {
					require.Equal(t, bars, strings.Count(line, "|"), line)
				}
			}
		}
	}
}

// withoutSpans takes the code spans out of a Markdown text.
func withoutSpans(text string) string {
	ticks := regexp.MustCompile("`+")
	for {
		open := ticks.FindStringIndex(text)
		if open == nil {
			return text
		}
		run := text[open[0]:open[1]]
		end := -1
		for _, m := range ticks.FindAllStringIndex(text[open[1]:], -1) {
			if m[1]-m[0] == len(run) {
				end = open[1] + m[1]
				break
			}
		}
		if end < 0 {
			return text
		}
		text = text[:open[0]] + text[end:]
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, reports.Write(dir, allGreen()))
	names := func() (out []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	want := []string{"index.html", "junit.xml", "report.json", "summary.md"}
	require.Equal(t, want, names())
	for _, name := range want {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o644), info.Mode().Perm())
	}

	// A second run replaces the first; a fault in it is told, and written.
	fault := codecFault()
	fault.Cells[0].Passed--
	fault.Failures[0].Tokens = []reports.Token{{Offset: 5, End: 1 << 30}}
	err := reports.Write(dir, fault)
	require.ErrorContains(t, err, "cell float/bits, PHP 8.2.36 native has 1000000 cases, its counts add up to 999999")
	require.ErrorContains(t, err, "token 5 to 1073741824 does not follow 0 within 25 bytes")
	require.Equal(t, want, names())
	text, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Reference codec against 3 PHPs")

	// What cannot be written leaves the report before it as it is.
	require.Error(t, reports.Write(filepath.Join(dir, "report.json"), fault))
	require.Equal(t, want, names())
}

func TestAWriterThatFailsIsHeard(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *reports.Run) error{
		"json": reports.WriteJSON, "junit": reports.WriteJUnit, "summary": reports.WriteSummary, "page": reports.WritePage,
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, write(full{}, codecFault()), io.ErrShortWrite)
		})
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
