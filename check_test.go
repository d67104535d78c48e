package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

func referencePort(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "reference")
	out, err := exec.Command("go", "build", "-o", path, "./ports/reference").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

func TestCheckOfAPortThatIsRight(t *testing.T) {
	dir := t.TempDir()
	status, out, errs := phpwire(t, "", "check", "--port", referencePort(t), "--budget", "5s", "--suite", "*[de]*/*", "--seed", "4", "--out", dir)
	require.Zero(t, status, out+errs)
	assert.Contains(t, out, "cases hold")
	assert.Contains(t, out, "generated")
	assert.Contains(t, out, "--seed 4")
	report, err := reports.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, reports.KindCheck, report.Kind)
	assert.Equal(t, reports.ColumnPort, report.Columns[0].Kind)
	assert.FileExists(t, filepath.Join(dir, "index.html"))
}

// brokenPort is the reference behind a filter that spoils each answer with -5.
func brokenPort(t *testing.T) string {
	return referencePort(t) + ` | sed -u 's/"v":"-5"/"v":"5"/'`
}

func TestCheckOfAPortThatIsWrong(t *testing.T) {
	port, dir := brokenPort(t), t.TempDir()
	status, out, errs := phpwire(t, "", "check", "--port", port, "--budget", "0", "--suite", "ints", "--out", dir)
	require.Equal(t, exitFailed, status, out+errs)
	assert.Contains(t, out, "reads another value")
	assert.Contains(t, out, "i:-5;")
	report, err := reports.Read(dir)
	require.NoError(t, err)
	// Every command that replays a failure shows it again.
	f := report.Failures[0]
	replay := exec.Command("sh", "-c", f.Replay+" --out "+dir)
	text, err := replay.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, exitFailed, replay.ProcessState.ExitCode(), string(text))
	assert.Contains(t, string(text), f.Kind)
	assert.Contains(t, string(text), "1 of 1 case fails")

	known := filepath.Join(t.TempDir(), "known.json")
	args := []string{"check", "--port", port, "--budget", "0", "--suite", "ints", "--out", dir, "--known", known}
	status, out, errs = phpwire(t, "", append(args, "--update-known")...)
	assert.Zero(t, status, out+errs)
	status, _, _ = phpwire(t, "", args...)
	assert.Zero(t, status)
	// Repaired: the known failures pass, and fail the run.
	args[2], _, _ = strings.Cut(port, " |")
	status, out, _ = phpwire(t, "", args...)
	assert.Equal(t, exitFailed, status)
	assert.Contains(t, out, "known to fail, but passes: ints/")
}

func TestCheckOfOneInput(t *testing.T) {
	port, dir := brokenPort(t), t.TempDir()
	status, out, _ := phpwire(t, "", "check", "--port", port, "--b64", "aTotNTs=", "--out", dir)
	assert.Equal(t, exitFailed, status)
	assert.Contains(t, out, "reads another value")
	status, out, errs := phpwire(t, "", "check", "--port", port, "--value", `{"t":"int","v":"7"}`, "--out", dir)
	assert.Zero(t, status, out+errs)
}

func TestCheckRefusesWhatItCannotDo(t *testing.T) {
	port := referencePort(t)
	for _, args := range [][]string{
		{}, {"--port", port, "--update-known"}, {"--port", port, "--b64", "?"}, {"--port", port, "--value", "{"}, {"--port", port, "--budget", "-1s"},
		{"--port", port, "--only", "no/such", "--budget", "0"}, {"--port", port, "--suite", "nonsense"}, {"--port", port, "--suite", "["},
		{"--port", port, "--known", "/nonexistent/known.json"}, {"--port", "/nonexistent/port"}, {"--port", port, "--php", "5.6"}, {"--port", port, "--b64", "", "--only", "x"},
	} {
		status, _, errs := phpwire(t, "", append([]string{"check", "--out", t.TempDir()}, args...)...)
		assert.Equal(t, exitError, status, "%v", args)
		assert.True(t, strings.HasPrefix(errs, "phpwire: "), "%v: %s", args, errs)
	}
}

// documented is the adapter in docs/ports.md.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("docs/ports.md")
	require.NoError(t, err)
	_, code, _ := strings.Cut(string(text), "```python\n")
	code, _, found := strings.Cut(code, "```")
	require.True(t, found)
	return code
}

// Whatever a port does, its cases have that as verdict, and the run goes on.
func TestCheckOfPortsThatMisbehave(t *testing.T) {
	require.NoError(t, exec.Command("python3", "--version").Run(), "python3 is missing; to get it: apt-get install python3")
	for name, c := range map[string]struct {
		body string
		says string
		bad  func(reports.Counts) int64
	}{
		"crashes on every tenth": {"if n % 10 == 0: sys.exit('out of luck')", "out of luck", func(c reports.Counts) int64 { return c.Crashed }},
		"sleeps for ever":        {"if two: time.sleep(3600)", "no answer in time (1s)", func(c reports.Counts) int64 { return c.Hung }},
		"prints noise":           {"if two: print('loading...', flush=True)", "writes what is no answer", func(c reports.Counts) int64 { return c.Garbage }},
		"floods stdout":          {"if two: print('x' * 80_000_000, flush=True)", "a line of more than", func(c reports.Counts) int64 { return c.Garbage }},
		"leaks memory":           {"while two: hoard.append(bytearray(b'x' * (1 << 22))); time.sleep(0.01)", "more than the limit of 150 MiB", func(c reports.Counts) int64 { return c.Crashed }},
	} {
		t.Run(name, func(t *testing.T) {
			const loop = "for line in sys.stdin:\n    q = json.loads(line)\n"
			code := strings.Replace(documented(t), loop, "import time\nn, hoard = 0, []\n"+loop+"    n, two = n + 1, q.get('b64') == 'YjoyOw=='\n    "+c.body+"\n", 1)
			require.Contains(t, code, c.body)
			path, dir := filepath.Join(t.TempDir(), "port.py"), t.TempDir()
			require.NoError(t, os.WriteFile(path, []byte(code), 0o644))
			limit, memory := "10s", "1024"
			switch name {
			case "sleeps for ever":
				limit = "1s"
			case "leaks memory":
				memory = "150"
			}
			status, out, errs := phpwire(t, "", "check", "--port", "exec python3 "+path, "--suite", "malformed-bool", "--budget", "0", "--timeout", limit, "--memory", memory, "--copies", "1", "--out", dir)
			require.Equal(t, exitFailed, status, out+errs)
			assert.Contains(t, out, c.says)
			r, err := reports.Read(dir)
			require.NoError(t, err)
			counts := r.Totals()
			assert.Positive(t, c.bad(counts))
			assert.Equal(t, c.bad(counts), counts.Bad(), "nothing else is wrong")
			assert.Greater(t, counts.Passed, int64(25), "the run goes on")
		})
	}
}

// The adapter in docs/ports.md is a port that is right in what it claims.
func TestTheAdapterInTheDocumentation(t *testing.T) {
	code := documented(t)
	path, dir := filepath.Join(t.TempDir(), "port.py"), t.TempDir()
	require.NoError(t, os.WriteFile(path, []byte(code), 0o644))
	status, out, errs := phpwire(t, "", "check", "--port", "python3 "+path, "--suite", "[sim]*/*", "--budget", "0", "--out", dir)
	report, err := reports.Read(dir)
	require.NoError(t, err, out+errs)
	assert.Zero(t, status, out+errs)
	assert.Greater(t, report.Totals().Passed, int64(800))
	assert.LessOrEqual(t, strings.Count(code, "\n"), 30)
}
