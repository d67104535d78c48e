package ports

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
	"phpwire/reports"
)

// few are cases of the corpus, ints mostly.
func few(t *testing.T, n int) []corpus.Case {
	t.Helper()
	cases := corpus.Filter(corpus.Cases(), "ints", "")
	require.Greater(t, len(cases), n)
	return cases[:n]
}

func check(t *testing.T, o Options) *reports.Run {
	t.Helper()
	r, err := Check(oracletest.Context(t, 2*time.Minute), o)
	require.NoError(t, err)
	require.NoError(t, r.Check(), "the report does not hold together")
	return r
}

func TestTheReferencePassesTheCorpus(t *testing.T) {
	for profile, command := range map[string]string{"plugin": reference, "canonical": canonical} {
		r := check(t, Options{Command: command, Corpus: corpus.Cases()})
		c := r.Totals()
		assert.Empty(t, r.Failures, profile)
		assert.Zero(t, c.Bad(), profile)
		assert.Greater(t, c.Passed, int64(6000), profile)
		assert.Less(t, c.Skipped, int64(60), "%s: a reference must not skip", profile)
		assert.Equal(t, profile, strings.TrimPrefix(r.Columns[0].Platform, "profile "))
	}
}

func TestPHPPassesAsAPort(t *testing.T) {
	php, err := exec.LookPath("php")
	require.NoError(t, err, "no PHP binary; to get one: apt-get install php-cli")
	r := check(t, Options{
		Command: php + " -n -d serialize_precision=-1 php/port.php", Corpus: corpus.Cases(), PHPs: []oracle.Runtime{oracletest.Best(t)}, Budget: 4 * time.Second, Seed: 1,
	})
	assert.Empty(t, r.Failures)
	assert.Greater(t, r.Totals().Passed, int64(8000))
	assert.Positive(t, r.Cell("mutated/decode", "PHP").Passed)
	assert.Positive(t, r.Cell("generated/encode", "PHP").Passed)
}

func TestACrashIsTheVerdictOfItsCaseOnly(t *testing.T) {
	r := check(t, Options{Copies: 1, Corpus: few(t, 60), Command: misbehaving(t, "crashes on every tenth")})
	c := r.Totals()
	assert.Equal(t, c.Cases/10, c.Crashed)
	assert.Equal(t, c.Cases-c.Crashed, c.Passed)
	f := r.Failures[0]
	assert.Equal(t, reports.Crashed, f.Outcome)
	assert.Contains(t, f.Title, "exit status 3")
	assert.Contains(t, f.Title, "out of luck")
}

func TestASignalIsNamed(t *testing.T) {
	r := check(t, Options{Copies: 1, Corpus: few(t, 5), Command: misbehaving(t, "ends by a signal")})
	assert.Contains(t, r.Failures[0].Title, "killed")
}

func TestOneThatSleepsForEverHangs(t *testing.T) {
	began := time.Now()
	r := check(t, Options{Copies: 2, Limit: 300 * time.Millisecond, Corpus: few(t, 30), Command: misbehaving(t, "sleeps on -5")})
	c := r.Totals()
	assert.EqualValues(t, 2, c.Hung) // decode and reencode
	assert.Equal(t, c.Cases-2, c.Passed)
	assert.Less(t, time.Since(began), 20*time.Second)
}

// On a busy machine a port that is slow is waited for once more.
func TestOneThatIsSlowDoesNotHang(t *testing.T) {
	o := Options{Copies: 1, Limit: 200 * time.Millisecond, Corpus: few(t, 30), Command: misbehaving(t, "is slow with -5")}
	assert.EqualValues(t, 2, check(t, o).Totals().Hung)
	o.Patience = 30 * time.Second
	assert.Zero(t, check(t, o).Totals().Bad())
}

func TestOneThatAlwaysSleepsIsLeftAloneAfterAWhile(t *testing.T) {
	r := check(t, Options{Copies: 4, Limit: 100 * time.Millisecond, Corpus: few(t, 60), Command: misbehaving(t, "always sleeps")})
	c := r.Totals()
	assert.InDelta(t, 2*mostLateInSuite, c.Hung, 6) // each copy may be waiting for one more, in both suites
	assert.Equal(t, c.Cases-c.Hung, c.Skipped)
	assert.Contains(t, r.Cells[0].Skips[0].Name+r.Cells[len(r.Cells)-1].Skips[0].Name, "gave no answer in time")
	assert.False(t, r.Passed())
}

func TestNoiseIsGarbage(t *testing.T) {
	for _, name := range []string{
		"a log line", "no JSON", "another id", "no verdict", "ok and no value", "binary", "a second answer", "a flood of lines", "a flood, no lines",
	} {
		t.Run(name, func(t *testing.T) {
			r := check(t, Options{Copies: 1, Limit: 30 * time.Second, Corpus: few(t, 4), Command: misbehaving(t, "noise: "+name)})
			c := r.Totals()
			// What comes late is the next case's verdict: nobody knows whose it is.
			assert.Positive(t, c.Garbage)
			assert.Equal(t, c.Cases-c.Garbage, c.Passed)
		})
	}
}

func TestMemoryIsWatched(t *testing.T) {
	r := check(t, Options{Copies: 1, Memory: 200 << 20, Corpus: few(t, 5), Command: misbehaving(t, "hoards memory on -5")})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, reports.Crashed, r.Failures[0].Outcome)
	assert.Contains(t, r.Failures[0].Title, "more than the limit of 200 MiB")
}

func TestAPlantedFaultFailsTheRightCases(t *testing.T) {
	// It takes -5 for 5.
	command := misbehaving(t, "takes -5 for 5")
	r := check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "ints", "")})
	require.NotEmpty(t, r.Failures)
	for _, f := range r.Failures {
		assert.Equal(t, reports.Failed, f.Outcome)
		assert.Equal(t, "reads another value", f.Kind)
		assert.Contains(t, string(f.Sides[0].Value), `"-5"`)
		assert.Equal(t, "ints/decode", f.Suite)
	}
	// One that gives an int as a number of JSON.
	command = misbehaving(t, "gives 7 as a number")
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "arrays", "")})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, "gives what is no value of PHP", r.Failures[0].Kind)
	// One whose encoder forgets the ';'.
	command = misbehaving(t, "writes null without a ;")
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "scalars", "")})
	require.Len(t, r.Failures, 1)
	assert.Equal(t, "writes other bytes", r.Failures[0].Kind)
	assert.Equal(t, "N;", string(r.Failures[0].Input))
	// One that accepts what must be refused.
	command = misbehaving(t, "accepts nothing as null")
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "", "P-6")})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, "accepts what must be refused", r.Failures[0].Kind)
}

func TestGeneratedFailuresAreMadeSmaller(t *testing.T) {
	// It drops the last byte of strings that are longer than 3.
	command := misbehaving(t, "shortens long strings")
	r := check(t, Options{
		Command: command, Suite: "generated/decode", PHPs: []oracle.Runtime{oracletest.Best(t)}, Budget: 4 * time.Second, Seed: 3, Program: "phpwire",
	})
	require.NotEmpty(t, r.Failures)
	f := r.Failures[0]
	assert.Equal(t, `s:4:"0000";`, string(f.Input))
	assert.Greater(t, f.ShrunkFrom, len(f.Input))
	assert.Equal(t, "phpwire check --port "+quoted(command)+" --b64 'czo0OiIwMDAwIjs='", f.Replay)
	// The command in the report shows the same failure again.
	again := check(t, Options{Command: command, Payloads: [][]byte{f.Input}, PHPs: []oracle.Runtime{oracletest.Best(t)}})
	require.Len(t, again.Failures, 1)
	assert.Equal(t, f.Kind, again.Failures[0].Kind)
}

// One that hangs or crashes is made smaller too, in bounded time.
func TestHangsAndCrashesAreMadeSmaller(t *testing.T) {
	for name, outcome := range map[string]reports.Outcome{"sleeps on two strings": reports.Hung, "crashes on two strings": reports.Crashed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := check(t, Options{
				Command: misbehaving(t, name), Suite: "generated/decode", PHPs: []oracle.Runtime{oracletest.Best(t)}, Limit: time.Second, Budget: 6 * time.Second, Seed: 3,
			})
			require.NotEmpty(t, r.Failures)
			f := r.Failures[0]
			assert.Equal(t, outcome, f.Outcome)
			assert.Equal(t, 2, strings.Count(string(f.Input), "s:"), "%s", f.Input)
			assert.Less(t, len(f.Input), 60, "%s", f.Input)
			assert.Greater(t, f.ShrunkFrom, len(f.Input))
		})
	}
}

// A generated failure has an id that is the same in every run, and is asked again.
func TestKnownFailuresOfGeneratedCases(t *testing.T) {
	known, php := Known{}, []oracle.Runtime{oracletest.Best(t)}
	o := Options{
		Command: misbehaving(t, "shortens long strings"), Suite: "generated/decode", PHPs: php, Budget: 3 * time.Second, Seed: 3, Known: known, UpdateKnown: true,
	}
	r := check(t, o)
	assert.True(t, r.Passed(), "what is found out is known from then on")
	require.NotEmpty(t, known)
	path := filepath.Join(t.TempDir(), "known.json")
	require.NoError(t, known.Write(path))
	known, err := ReadKnown(path)
	require.NoError(t, err)
	const id = "generated/decode-e41217d8"
	require.Contains(t, known, id, "made from decode, the kind, and the input")
	assert.Equal(t, KnownCase{Reason: "reads another value", Op: Decode, B64: []byte(`s:4:"0000";`)}, known[id])

	// Other cases, the same fault.
	o.Known, o.UpdateKnown, o.Seed = known, false, 4
	r = check(t, o)
	assert.Empty(t, r.Failures)
	assert.True(t, r.Passed())
	assert.Equal(t, r.Totals().Cases, r.Totals().Passed+r.Totals().Known+r.Totals().Skipped)
	assert.Greater(t, r.Totals().Known, int64(len(known)))

	// Repaired: it is asked again, and passes, until the file says so.
	o.Command = reference
	r = check(t, o)
	assert.False(t, r.Passed())
	assert.EqualValues(t, len(known), r.Totals().Fixed)
	o.UpdateKnown = true
	assert.True(t, check(t, o).Passed())
	assert.Empty(t, known)
}

// A fault that is not known fails the run although another of its sort is.
func TestAGeneratedFailureThatIsNotKnown(t *testing.T) {
	other := Known{}
	for i := range 2 * listedPerKind { // however many of its sort are known
		other[fmt.Sprintf("generated/decode-0000000%d", i)] = KnownCase{Reason: "old", Op: Decode, B64: fmt.Appendf(nil, `s:5:"othe%d";`, i)}
	}
	r := check(t, Options{
		Command: misbehaving(t, "shortens long strings"), Suite: "generated/decode", PHPs: []oracle.Runtime{oracletest.Best(t)}, Budget: 2 * time.Second, Seed: 3, Known: other,
	})
	assert.False(t, r.Passed())
	assert.EqualValues(t, len(other), r.Totals().Known)
	assert.Equal(t, "generated/decode-e41217d8", r.Failures[0].Case)
}

func TestThroughputIsNoted(t *testing.T) {
	r := check(t, Options{Command: reference, Corpus: corpus.Cases()})
	require.Greater(t, len(r.Throughput), 1)
	last := r.Throughput[len(r.Throughput)-1]
	assert.Equal(t, r.Totals().Cases, last.Cases)
	assert.InDelta(t, r.Seconds, last.Seconds, 1e-9)
}

func TestKnownFailures(t *testing.T) {
	command := misbehaving(t, "refuses -5")
	cases := few(t, 30)
	known := Known{}
	r := check(t, Options{Command: command, Corpus: cases, Known: known, UpdateKnown: true})
	assert.True(t, r.Passed(), "what is found out is known from then on")
	require.Len(t, known, 2)
	path := filepath.Join(t.TempDir(), "known.json")
	require.NoError(t, known.Write(path))
	known, err := ReadKnown(path)
	require.NoError(t, err)

	r = check(t, Options{Command: command, Corpus: cases, Known: known})
	assert.True(t, r.Passed())
	assert.EqualValues(t, 2, r.Totals().Known)

	// The port is repaired: the run fails until the file says so.
	r = check(t, Options{Command: reference, Corpus: cases, Known: known})
	assert.False(t, r.Passed())
	assert.EqualValues(t, 2, r.Totals().Fixed)
	assert.Equal(t, reports.Fixed, r.Failures[0].Outcome)
	r = check(t, Options{Command: reference, Corpus: cases, Known: known, UpdateKnown: true})
	assert.True(t, r.Passed())
	assert.Empty(t, known)

	// One that is not asked says so, and stays.
	known = Known{"keys/elsewhere": {Reason: "some reason"}}
	r = check(t, Options{Command: reference, Corpus: cases, Known: known, UpdateKnown: true})
	assert.Equal(t, reports.NotRun, r.Known[0].State)
	assert.Len(t, known, 1)

	for _, text := range []string{"{", `{"known":[{"case":"a"}]}`, `{"known":[{"case":"a","reason":"x"},{"case":"a","reason":"y"}]}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := ReadKnown(path)
		assert.ErrorContains(t, err, path)
	}
}

func TestSkipsAreCountedWithTheirReason(t *testing.T) {
	r := check(t, Options{Corpus: few(t, 20), Command: misbehaving(t, "has no ints")})
	c := r.Totals()
	assert.Positive(t, c.Skipped)
	assert.Equal(t, c.Cases, c.Skipped+c.Passed)
	assert.Equal(t, "no ints", r.Cell("ints/reencode", "reference").Skips[0].Name)
}

func TestAPortThatDoesNotStartIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ command, says string }{
		"nothing there":   {"/nonexistent/port", "not found"},
		"leaves at once":  {"exit 7", "exit status 7"},
		"other program":   {"cat", "neither ok nor skip"},
		"unknown profile": {`read q; echo '{"id":1,"ok":true,"name":"x","ops":["decode"],"profile":"perl"}'; cat`, "unknown profile"},
		"unknown op":      {`read q; echo '{"id":1,"ok":true,"name":"x","ops":["dance"]}'; cat`, "unknown op"},
		"no ops":          {`read q; echo '{"id":1,"ok":true,"name":"x"}'; cat`, "no ops"},
	} {
		r, err := Check(oracletest.Context(t, time.Minute), Options{Command: c.command, Corpus: few(t, 1)})
		assert.Nil(t, r, name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestARunThatIsInterruptedEndsAtOnceWithAReport(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	began := time.Now()
	r, err := Check(ctx, Options{Command: misbehaving(t, "sleeps after 300"), Corpus: corpus.Cases(), Limit: time.Hour})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(began), 10*time.Second)
	require.NotNil(t, r)
	assert.NotEmpty(t, r.Aborted)
	assert.False(t, r.Passed())
}

// A type that a port need not have is no fault, wherever it comes from.
func TestForeignTypesAreSkipped(t *testing.T) {
	php := []oracle.Runtime{oracletest.Best(t)}
	for _, payload := range []string{`S:1:"\61";`, `a:2:{i:0;i:1;i:1;R:2;}`, `O:8:"stdClass":0:{}`, `a:1:{S:1:"a";N;}`} {
		r := check(t, Options{Command: misbehaving(t, "php: refuses everything"), Payloads: [][]byte{[]byte(payload)}, PHPs: php})
		assert.EqualValues(t, 2, r.Totals().Skipped, payload)
		assert.Zero(t, r.Totals().Bad(), payload)
	}
}

// A port that answers all, but late, does not hang, and does not cost hours.
func TestOneThatIsAlwaysSlowIsLeftAloneAfterAWhile(t *testing.T) {
	r := check(t, Options{Copies: 4, Limit: 100 * time.Millisecond, Patience: 30 * time.Second, Corpus: few(t, 60), Command: misbehaving(t, "is always slow")})
	c := r.Totals()
	assert.Zero(t, c.Hung)
	assert.InDelta(t, 2*mostLateInSuite, c.Passed, 6)
	assert.Equal(t, c.Cases-c.Passed, c.Skipped)
}

// Hangs in one suite do not keep a port from being asked elsewhere, nor from being
// asked generated cases.
func TestHangsInOneSuiteOnly(t *testing.T) {
	r := check(t, Options{Copies: 2, Limit: 200 * time.Millisecond, Budget: time.Second, PHPs: []oracle.Runtime{oracletest.Best(t)},
		Corpus: append(corpus.Filter(corpus.Cases(), "depth", ""), corpus.Filter(corpus.Cases(), "lists", "")...), Command: misbehaving(t, "sleeps on seven arrays")})
	assert.Positive(t, r.Totals().Hung)
	assert.Positive(t, r.Cell("depth/reencode", "reference").Skipped)
	assert.Greater(t, r.Cell("lists/decode", "reference").Passed, int64(200))
	assert.Positive(t, r.Cell("generated/decode", "reference").Passed)
}

// Every process that a port started is gone afterwards, also one that it left
// behind.
func TestNothingIsLeftBehind(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "pid")
	check(t, Options{Copies: 1, Corpus: few(t, 3), Command: "sleep 3600 & echo $! > " + marker + "; exec env " + reference})
	b, err := os.ReadFile(marker)
	require.NoError(t, err)
	pid := strings.TrimSpace(string(b))
	assert.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || bytes.Contains(stat, []byte(") Z "))
	}, 5*time.Second, 20*time.Millisecond)
}
