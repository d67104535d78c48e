package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/fuzz/bench"
)

// One short run of everything: the figures are no good, all else is as ever.
func TestBench(t *testing.T) {
	page := filepath.Join(t.TempDir(), "bench.md")
	status, out, errs := phpwire(t, "", "bench", "--time", "1ms", "--rounds", "2", "--json", "--markdown", page)
	require.Zero(t, status, out+errs)
	var r bench.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))

	assert.Equal(t, 2, r.Rounds)
	assert.Equal(t, "phpwire bench --time 1ms --rounds 2 --markdown "+page, r.Command)
	for what, text := range map[string]string{"CPU": r.Machine.CPU, "system": r.Machine.System, "Go": r.Machine.Go, "PHP": r.Machine.PHP} {
		assert.NotEmpty(t, text, what)
	}
	assert.NotZero(t, r.Machine.Cores)
	assert.Equal(t, []string{"github.com/elliotchance/phpserialize v1.4.0", "github.com/trim21/go-phpserialize v0.1.2"}, r.Machine.Peers)

	codec := r.Section("codec")
	for _, op := range []string{"decode", "encode"} {
		for _, payload := range []string{"ints", "doubles", "strings", "maps", "deep", "8MiB"} {
			row := codec.Row(op + " " + payload)
			require.NotNil(t, row, "%s %s", op, payload)
			for _, who := range []string{"reference", "PHP", "elliotchance", "trim21"} {
				score := row.Score(who)
				require.NotNil(t, score, who)
				assert.Positive(t, score.Rate, "%s of %s by %s", op, payload, who)
				assert.Len(t, score.Seconds, 2)
				assert.Equal(t, who == "reference", score.Ratio == nil, who)
				assert.Equal(t, who == "PHP", score.Alloc == nil, "Go counts what Go allocates")
			}
			assert.Empty(t, row.Score("reference").Wrong)
			assert.Empty(t, row.Score("PHP").Wrong)
		}
	}
	// What is wrong with another codec is said.
	assert.Contains(t, codec.Row("decode strings").Score("elliotchance").Wrong, "of a string")
	assert.NotNil(t, codec.Row("decode ints").Score("elliotchance (maps)"))
	assert.Nil(t, codec.Row("encode ints").Score("elliotchance (maps)"))
	assert.Contains(t, codec.Row("encode doubles").Score("trim21").Wrong, "PHP writes the value in")
	assert.Empty(t, codec.Row("decode ints").Score("elliotchance").Wrong)

	for _, name := range []string{"doubles", "frames", "small", "calls", "batches", "judging"} {
		assert.NotEmpty(t, r.Section(name).Rows, name)
	}
	for _, g := range r.Growth {
		assert.Positive(t, g.Time, g.Name)
		assert.Positive(t, g.Memory, g.Name)
	}

	text, err := os.ReadFile(page)
	require.NoError(t, err)
	checkedIn, err := os.ReadFile("docs/bench.md")
	require.NoError(t, err)
	for _, table := range r.Tables() {
		assert.Contains(t, string(text), "\n## "+table.Title+"\n")
		assert.Contains(t, string(checkedIn), "\n## "+table.Title+"\n")
	}
	assert.GreaterOrEqual(t, len(r.Targets), 20)
	for _, g := range r.Targets {
		assert.Contains(t, string(text), "| "+g.Name+" |")
		assert.Contains(t, string(checkedIn), "| "+g.Name+" |", "docs/bench.md is of another program")
	}
}

func TestBenchPrintsTables(t *testing.T) {
	status, out, errs := phpwire(t, "", "bench", "--time", "1ms", "--rounds", "1", "--only", "doubles,small")
	require.Zero(t, status, out+errs)
	for _, want := range []string{"Targets", "double to text: strconv's time", "at most 1.25×", "to text: forty decades", "read, raw: EpochBump", "repeat: phpwire bench --time 1ms --rounds 1 --only doubles,small"} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "elliotchance")
}

func TestBenchRefuses(t *testing.T) {
	for _, args := range [][]string{{"--time", "0"}, {"--rounds", "0"}, {"--only", "nonsense"}, {"--php", "5.6"}, {"extra"}} {
		status, _, errs := phpwire(t, "", append([]string{"bench"}, args...)...)
		assert.Equal(t, exitError, status, "%v: %s", args, errs)
	}
}

func TestBenchWithoutPHPSaysHowToGetOne(t *testing.T) {
	cmd := exec.Command(binary, "bench")
	cmd.Env = []string{"PATH=" + t.TempDir(), "PHPWIRE_WASM=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	require.Error(t, err, string(out))
	assert.Equal(t, exitError, cmd.ProcessState.ExitCode())
	assert.Contains(t, string(out), "apt-get install php-cli")
}

func TestBenchWithoutTheOtherCodecsSaysHowToGetThem(t *testing.T) {
	cmd := exec.Command(binary, "bench", "--only", "codec")
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.Error(t, err, string(out))
	assert.Equal(t, exitError, cmd.ProcessState.ExitCode())
	assert.Contains(t, string(out), "make bench")
}

// A PHP that writes doubles in five digits: nothing is timed, the run fails.
func TestBenchOfSomethingWrong(t *testing.T) {
	real, err := exec.LookPath("php")
	require.NoError(t, err, "there is no php; to get it: apt-get install php-cli")
	php := filepath.Join(t.TempDir(), "php")
	script := "#!/bin/sh\nfor a do shift; [ \"$a\" = serialize_precision=-1 ] && a=serialize_precision=5; set -- \"$@\" \"$a\"; done\nexec " + real + " \"$@\"\n"
	require.NoError(t, os.WriteFile(php, []byte(script), 0o700))
	status, out, errs := phpwire(t, "", "bench", "--time", "1ms", "--rounds", "1", "--only", "codec", "--php", php)
	assert.Equal(t, exitFailed, status, out+errs)
	assert.Contains(t, errs, "doubles: PHP re-serializes what the reference writes to other bytes")
	assert.False(t, strings.Contains(out, "Targets"), "a table of what is wrong")
}
