package childtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle/childtest"
	"phpwire/oracle/oracletest"
	"phpwire/php"
	"phpwire/reports"
)

// runProgram runs cases on a child that is started by a command.
func runProgram(t *testing.T, command, only string) ([]childtest.Result, error) {
	t.Helper()
	cases, err := childtest.Match(only)
	require.NoError(t, err)
	return childtest.Run(oracletest.Context(t, 5*time.Minute), childtest.Options{
		Subjects: []childtest.Subject{childtest.Program(command)}, Cases: cases, Limit: 3 * time.Second,
	})
}

// native is the command of a native PHP, for programs in PHP.
func native(t *testing.T) string {
	return oracletest.Best(t).Path + " -n -d serialize_precision=-1 -d display_errors=stderr "
}

// Any program is a child: it is given the address of the socket as its last
// argument.
func TestProgram(t *testing.T) {
	worker, err := php.Write(t.TempDir())
	require.NoError(t, err)
	results, err := runProgram(t, native(t)+"'"+worker+"'", "tags")
	require.NoError(t, err)
	require.NotEmpty(t, results)
	for _, r := range results {
		assert.Empty(t, r.Outcome, "%s", &r)
	}
}

// How a child fails is told apart: it answers wrongly, sends what is no frame,
// does not answer, or is gone.
func TestOutcomes(t *testing.T) {
	connects := `<?php $s = stream_socket_client($argv[1]); `
	for name, program := range map[string]struct {
		code    string
		outcome reports.Outcome
		says    string
	}{
		"garbage": {connects + `fwrite($s, "these bytes are no frame"); sleep(60);`, reports.Garbage, "a frame with the length"},
		"hang":    {connects + `sleep(60);`, reports.Hung, "nothing before the deadline"},
		"crash":   {connects + `fread($s, 10); fwrite(STDERR, "out of ideas\n"); exit(9);`, reports.Crashed, "exit status 9; stderr: out of ideas"},
		"half":    {connects + `fread($s, 10); fwrite($s, "\x20\0\0\0\0\0\0\0\x05\1\0"); exit(0);`, reports.Garbage, "ends inside a frame of the child, after 11 bytes"},
		"wrong":   {connects + `while (fread($s, 1000)) { fwrite($s, pack('PCP', 31, 5, 1) . 'a:2:{i:0;N;i:1;a:0:{}}'); }`, reports.Failed, "must return 5, it returns null"},
		"broken":  {connects + `while (fread($s, 1000)) { fwrite($s, pack('PCP', 15, 5, 1) . 'a:0:{}'); }`, reports.Garbage, "missing field value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "child.php")
			require.NoError(t, os.WriteFile(path, []byte(program.code), 0o600))
			results, err := runProgram(t, native(t)+path, "start/first-call")
			require.NoError(t, err)
			require.Len(t, results, 1)
			r := &results[0]
			assert.Equal(t, program.outcome, r.Outcome, "%s", r)
			assert.Contains(t, r.Fault, program.says)
			assert.NotEmpty(t, r.Transcript)
			assert.Contains(t, r.String(), `host  -> CallFunction 1 strlen("alive")`)
		})
	}
}

// A program that never connects is an error that says how it ended.
func TestProgramThatDoesNotStart(t *testing.T) {
	_, err := runProgram(t, "sh -c 'echo no such thing >&2; exit 4'", "start/first-call")
	require.ErrorContains(t, err, "exit status 4")
	require.ErrorContains(t, err, "no such thing")
}

// The report has a row for each case, tells failures with their conversation, and
// fits together.
func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "child.php")
	require.NoError(t, os.WriteFile(path, []byte(`<?php $s = stream_socket_client($argv[1]); while (fread($s, 1000)) { fwrite($s, pack('PCP', 31, 5, 1) . 'a:2:{i:0;N;i:1;a:0:{}}'); }`), 0o600))
	cases, err := childtest.Match("start")
	require.NoError(t, err)
	o := childtest.Options{Subjects: []childtest.Subject{childtest.Program(native(t) + path)}, Cases: cases, Limit: 3 * time.Second}
	results, err := childtest.Run(oracletest.Context(t, time.Minute), o)
	require.NoError(t, err)
	results[0].NotApplicable, results[0].Outcome = "a reason", ""
	run := childtest.Report(o, results, func(r *childtest.Result) string { return "replay " + r.Case.ID })
	require.NoError(t, run.Check())
	assert.Len(t, run.Suites, len(cases))
	assert.Equal(t, "a reason", run.Cell(cases[0].ID, o.Subjects[0].Name).NotApplicable)
	require.NotEmpty(t, run.Failures)
	f := run.Failures[0]
	assert.Equal(t, "C-7", f.Clause)
	assert.Equal(t, "replay "+f.Case, f.Replay)
	assert.Contains(t, strings.Join(f.Differences, "\n"), "child <- Return 1 null")
	assert.NotEmpty(t, f.Input)
	word, _ := run.Headline()
	assert.Equal(t, "failed", word)
	told := childtest.Tell(results)
	require.Len(t, told, len(cases))
	assert.False(t, told[1].Passed)
	assert.NotEmpty(t, told[1].Transcript)
}
