package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle/oracletest"
	"phpwire/reports"
)

// The tests run the program itself, in a folder of its own.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "harness-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "phpwire")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// phpwire runs the program and returns its exit status and what it printed.
func phpwire(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestEveryVerbHasHelp(t *testing.T) {
	for _, c := range newRootCommand().Commands() {
		if c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		checkHelp(t, c)
	}
}

func checkHelp(t *testing.T, c *cobra.Command) {
	assert.NotEmpty(t, c.Short, c.CommandPath())
	if c.HasSubCommands() {
		for _, sub := range c.Commands() {
			checkHelp(t, sub)
		}
		return
	}
	assert.Contains(t, c.Example, c.CommandPath(), "%s has no example", c.CommandPath())
	status, help, _ := phpwire(t, "", append(strings.Fields(c.CommandPath())[1:], "--help")...)
	assert.Zero(t, status)
	assert.Contains(t, help, "Examples:")
}

func TestPHPListsWhatIsThere(t *testing.T) {
	best := oracletest.Best(t)
	status, out, _ := phpwire(t, "", "php", "--json")
	require.Zero(t, status, out)
	var list struct {
		PHP []struct {
			Name    string
			IntBits int `json:"int_bits"`
		}
		Missing []struct{ Get string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	found := false
	for _, p := range list.PHP {
		found = found || p.Name == best.Name()
		assert.Equal(t, 64, p.IntBits)
	}
	assert.True(t, found, out)
}

func TestReplay(t *testing.T) {
	status, out, errs := phpwire(t, `a:1:{s:1:"5";i:1;}`, "replay", "-", "--php", "best", "--json")
	require.Zero(t, status, errs)
	var c struct {
		Input     []byte
		Reference struct{ Plugin, Canonical map[string]any }
		PHP       []map[string]any
		Agree     bool
	}
	require.NoError(t, json.Unmarshal([]byte(out), &c))
	assert.Equal(t, `a:1:{s:1:"5";i:1;}`, string(c.Input))
	assert.Equal(t, true, c.Reference.Plugin["ok"])
	assert.Equal(t, false, c.Reference.Canonical["ok"])
	assert.EqualValues(t, 5, c.Reference.Canonical["offset"])
	require.Len(t, c.PHP, 1)
	assert.Equal(t, true, c.PHP[0]["ok"])
	assert.True(t, c.Agree)

	for name, args := range map[string][]string{
		"a payload":        {"--b64", "aTowNTs="},
		"a value":          {"--value", `{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}]]}`},
		"a double":         {"--float", "3fb999999999999a", "--precision", "17"},
		"a stream":         {"--stream", "CQAAAAAAAAAFAQAAAAAAAAA=", "--from", "php", "--chunks", "1,2"},
		"no bytes":         {"--b64", ""},
		"hostile claims":   {"--b64", "YTo0Mjk0OTY3Mjk1Ons="},
		"many bytes claim": {"--b64", "czo5OTk5OTk5OTk5OiI="},
	} {
		status, out, errs := phpwire(t, "", append([]string{"replay", "--php", "best"}, args...)...)
		assert.Zero(t, status, "%s: %s%s", name, out, errs)
		assert.Contains(t, out, "every invariant holds", name)
	}
	for _, args := range [][]string{
		{"replay"}, {"replay", "-", "--b64", "aTowNTs="}, {"replay", "--b64", "?"}, {"replay", "--float", "1"}, {"replay", "--value", "{"},
		{"replay", "/nonexistent"}, {"replay", "--php", "5.6", "--b64", ""}, {"replay", "--stream", "AA==", "--from", "nobody"}, {"replay", "--stream", "AA==", "--chunks", "0"},
		{"run", "--suite", "nonsense"}, {"run", "--suite", "["}, {"run", "--cases", "0"}, {"run", "--php", "/bin/true"}, {"nonsense"},
	} {
		status, _, errs := phpwire(t, "", args...)
		assert.Equal(t, exitError, status, "%v", args)
		assert.True(t, strings.HasPrefix(errs, "phpwire: "), "%v: %s", args, errs)
	}
}

func TestRunWritesReports(t *testing.T) {
	dir := t.TempDir()
	args := []string{"run", "--php", "best", "--suite", "codec/*", "--cases", "400", "--seed", "5", "--out"}
	status, out, errs := phpwire(t, "", append(args, dir)...)
	require.Zero(t, status, out+errs)
	assert.Contains(t, out, "all hold")
	assert.Contains(t, out, "--seed 5")
	for _, name := range []string{"report.json", "index.html", "junit.xml", "summary.md"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	report, err := reports.Read(dir)
	require.NoError(t, err)
	assert.EqualValues(t, 5, report.Seed)

	status, out, _ = phpwire(t, "", append(append(args, dir), "--json")...)
	require.Zero(t, status)
	again, err := reports.ReadJSON(strings.NewReader(out))
	require.NoError(t, err)
	for i, cell := range report.Cells {
		assert.Equal(t, cell.Counts, again.Cells[i].Counts)
	}
}

// Ctrl-C ends the run in order: what was found is told, and nothing stays.
func TestInterrupt(t *testing.T) {
	temp, dir := t.TempDir(), t.TempDir()
	cmd := exec.Command(binary, "run", "--php", "best", "--cases", "100000000", "--out", dir)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	// It is at work when it has a folder for its child; a busy machine takes its time.
	require.Eventually(t, func() bool {
		children, _ := filepath.Glob(filepath.Join(temp, "phpwire-*"))
		return len(children) > 0
	}, time.Minute, 10*time.Millisecond)
	time.Sleep(2 * time.Second)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("the run goes on after an interrupt")
	}
	assert.Equal(t, exitError, cmd.ProcessState.ExitCode())
	assert.Contains(t, errs.String(), "interrupted")
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.FileExists(t, filepath.Join(dir, "report.json"))
	out, _ := exec.Command("pgrep", "-f", temp).Output() // no match is an error, and what we want
	assert.Empty(t, string(out))
}
