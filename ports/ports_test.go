package ports

import (
	"bytes"
	"context"
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

// reference is the command of the reference port.
var reference string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ports-test-")
	if err != nil {
		panic(err)
	}
	reference = filepath.Join(dir, "reference")
	if out, err := exec.Command("go", "build", "-o", reference, "./reference").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// misbehaving is a port in Python that hands lines through to the reference, and
// does something of its own where the body says so: n counts the questions, and q
// is one.
func misbehaving(t *testing.T, body string) string {
	t.Helper()
	require.NoError(t, exec.Command("python3", "--version").Run(), "python3 is missing; to get it: apt-get install python3")
	script := `import base64, json, os, subprocess, sys, time
codec = subprocess.Popen(["` + reference + `"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
n = 0
for line in sys.stdin:
    q = json.loads(line)
    codec.stdin.write(line.encode())
    codec.stdin.flush()
    answer = codec.stdout.readline().decode()
    if q["op"] == "hello":
        write(answer)
        continue
    n += 1
    payload = base64.b64decode(q.get("b64", ""))
    ` + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n    write(answer)\n"
	path := filepath.Join(t.TempDir(), "port.py")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o644))
	return "python3 " + path
}

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
	for profile, command := range map[string]string{"plugin": reference, "canonical": reference + " --profile canonical"} {
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
		Command: php + " -n -d serialize_precision=-1 php/port.php", Corpus: corpus.Cases(), PHPs: []oracle.Runtime{oracletest.Best(t)}, Budget: 8 * time.Second, Seed: 1,
	})
	assert.Empty(t, r.Failures)
	assert.Greater(t, r.Totals().Passed, int64(8000))
	assert.Positive(t, r.Cell("mutated/decode", "PHP").Passed)
	assert.Positive(t, r.Cell("generated/encode", "PHP").Passed)
}

func TestACrashIsTheVerdictOfItsCaseOnly(t *testing.T) {
	r := check(t, Options{Copies: 1, Corpus: few(t, 60), Command: misbehaving(t, `
if n % 10 == 0:
    print("out of luck", file=sys.stderr)
    sys.exit(3)`)})
	c := r.Totals()
	assert.Equal(t, c.Cases/10, c.Crashed)
	assert.Equal(t, c.Cases-c.Crashed, c.Passed)
	f := r.Failures[0]
	assert.Equal(t, reports.Crashed, f.Outcome)
	assert.Contains(t, f.Title, "exit status 3")
	assert.Contains(t, f.Title, "out of luck")
}

func TestASignalIsNamed(t *testing.T) {
	r := check(t, Options{Copies: 1, Corpus: few(t, 5), Command: misbehaving(t, `
if n == 2:
    os.kill(os.getpid(), 11)`)})
	assert.Contains(t, r.Failures[0].Title, "segmentation fault")
}

func TestOneThatSleepsForEverHangs(t *testing.T) {
	began := time.Now()
	r := check(t, Options{Copies: 2, Limit: 300 * time.Millisecond, Corpus: few(t, 30), Command: misbehaving(t, `
if payload == b"i:-5;":
    time.sleep(3600)`)})
	c := r.Totals()
	assert.EqualValues(t, 2, c.Hung) // decode and reencode
	assert.Equal(t, c.Cases-2, c.Passed)
	assert.Less(t, time.Since(began), 20*time.Second)
}

func TestOneThatAlwaysSleepsIsLeftAloneAfterAWhile(t *testing.T) {
	r := check(t, Options{Copies: 4, Limit: 100 * time.Millisecond, Corpus: few(t, 60), Command: misbehaving(t, `time.sleep(3600)`)})
	c := r.Totals()
	assert.InDelta(t, 2*mostHangsInSuite, c.Hung, 6) // each copy may be waiting for one more, in both suites
	assert.Equal(t, c.Cases-c.Hung, c.Skipped)
	assert.Contains(t, r.Cells[0].Skips[0].Name+r.Cells[len(r.Cells)-1].Skips[0].Name, "gave no answer in time")
	assert.False(t, r.Passed())
}

func TestNoiseIsGarbage(t *testing.T) {
	for name, body := range map[string]string{
		"a log line":        `write("loading...\n")`,
		"no JSON":           `answer = "42 apples\n"`,
		"another id":        `answer = json.dumps({"id": 1, "ok": True}) + "\n"`,
		"no verdict":        `answer = json.dumps({"id": q["id"]}) + "\n"`,
		"ok and no value":   `answer = json.dumps({"id": q["id"], "ok": True}) + "\n"`,
		"binary":            `sys.stdout.buffer.write(bytes(range(256)))`,
		"a second answer":   `write(answer)`,
		"a flood of lines":  `write("noise\n" * 3000000)`,
		"a flood, no lines": `write("x" * 70000000)`,
	} {
		t.Run(name, func(t *testing.T) {
			r := check(t, Options{Copies: 1, Limit: 3 * time.Second, Corpus: few(t, 4), Command: misbehaving(t, "if n == 3:\n"+indented(body))})
			c := r.Totals()
			// What comes late is the next case's verdict: nobody knows whose it is.
			assert.Positive(t, c.Garbage)
			assert.Equal(t, c.Cases-c.Garbage, c.Passed)
		})
	}
}

func indented(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

func TestMemoryIsWatched(t *testing.T) {
	r := check(t, Options{Copies: 1, Memory: 200 << 20, Corpus: few(t, 5), Command: misbehaving(t, `
if payload == b"i:-5;":
    hoard = []
    while True:
        hoard.append(bytearray(os.urandom(1 << 20)))
        time.sleep(0.001)`)})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, reports.Crashed, r.Failures[0].Outcome)
	assert.Contains(t, r.Failures[0].Title, "more than the limit of 200 MiB")
}

func TestAPlantedFaultFailsTheRightCases(t *testing.T) {
	// It takes -5 for 5.
	command := misbehaving(t, `
if q["op"] == "decode":
    answer = answer.replace('"v":"-5"', '"v":"5"')`)
	r := check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "ints", "")})
	require.NotEmpty(t, r.Failures)
	for _, f := range r.Failures {
		assert.Equal(t, reports.Failed, f.Outcome)
		assert.Equal(t, "reads another value", f.Kind)
		assert.Contains(t, string(f.Sides[0].Value), `"-5"`)
		assert.Equal(t, "ints/decode", f.Suite)
	}
	// One that gives an int as a number of JSON.
	command = misbehaving(t, `
if q["op"] == "decode":
    answer = answer.replace('"v":"7"', '"v":7')`)
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "arrays", "")})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, "gives what is no value of PHP", r.Failures[0].Kind)
	// One whose encoder forgets the ';'.
	command = misbehaving(t, `
a = json.loads(answer)
if q["op"] == "encode" and a["ok"] and base64.b64decode(a["b64"]) == b"N;":
    answer = json.dumps({"id": q["id"], "ok": True, "b64": base64.b64encode(b"N").decode()}) + "\n"`)
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "scalars", "")})
	require.Len(t, r.Failures, 1)
	assert.Equal(t, "writes other bytes", r.Failures[0].Kind)
	assert.Equal(t, "N;", string(r.Failures[0].Input))
	// One that accepts what must be refused.
	command = misbehaving(t, `
if payload == b"":
    answer = json.dumps({"id": q["id"], "ok": True, "value": {"t": "null"}, "b64": ""}) + "\n"`)
	r = check(t, Options{Command: command, Corpus: corpus.Filter(corpus.Cases(), "", "P-6")})
	require.NotEmpty(t, r.Failures)
	assert.Equal(t, "accepts what must be refused", r.Failures[0].Kind)
}

func TestGeneratedFailuresAreMadeSmaller(t *testing.T) {
	// It drops the last byte of strings that are longer than 3.
	command := misbehaving(t, `
def spoil(v):
    if v["t"] == "string":
        b = base64.b64decode(v["b64"])
        if len(b) > 3:
            v["b64"] = base64.b64encode(b[:-1]).decode()
    for e in v.get("v", []) if v["t"] == "list" else [e[1] for e in v.get("v", [])] if v["t"] == "array" else []:
        spoil(e)
a = json.loads(answer)
if q["op"] == "decode" and a["ok"]:
    spoil(a["value"])
    answer = json.dumps(a) + "\n"`)
	r := check(t, Options{
		Command: command, Suite: "generated/decode", PHPs: []oracle.Runtime{oracletest.Best(t)}, Budget: 6 * time.Second, Seed: 3, Program: "phpwire",
	})
	require.NotEmpty(t, r.Failures)
	f := r.Failures[0]
	assert.Equal(t, `s:4:"0000";`, string(f.Input))
	assert.Greater(t, f.ShrunkFrom, len(f.Input))
	assert.Equal(t, "phpwire check --port '"+command+"' --b64 'czo0OiIwMDAwIjs='", f.Replay)
	// The command in the report shows the same failure again.
	again := check(t, Options{Command: command, Payloads: [][]byte{f.Input}, PHPs: []oracle.Runtime{oracletest.Best(t)}})
	require.Len(t, again.Failures, 1)
	assert.Equal(t, f.Kind, again.Failures[0].Kind)
}

func TestKnownFailures(t *testing.T) {
	command := misbehaving(t, `
if payload == b"i:-5;":
    answer = json.dumps({"id": q["id"], "ok": False, "error": "no minus"}) + "\n"`)
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
	known = Known{"keys/elsewhere": "some reason"}
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
	r := check(t, Options{Corpus: few(t, 20), Command: misbehaving(t, `
if n > 5 or n <= 5 and q["op"] == "reencode":
    answer = json.dumps({"id": q["id"], "skip": "no ints"}) + "\n"`)})
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
	r, err := Check(ctx, Options{Command: misbehaving(t, `
if n > 300:
    time.sleep(3600)`), Corpus: corpus.Cases(), Limit: time.Hour})
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
		r := check(t, Options{Command: misbehaving(t, `
a = json.loads(answer)
answer = json.dumps({"id": q["id"], "ok": False, "error": "no such type"}) + "\n"`) + " | sed -u 's/\"profile\":\"plugin\"/\"profile\":\"php\"/'", Payloads: [][]byte{[]byte(payload)}, PHPs: php})
		assert.EqualValues(t, 2, r.Totals().Skipped, payload)
		assert.Zero(t, r.Totals().Bad(), payload)
	}
}

// Hangs in one suite do not keep a port from being asked elsewhere, nor from being
// asked generated cases.
func TestHangsInOneSuiteOnly(t *testing.T) {
	r := check(t, Options{Copies: 2, Limit: 200 * time.Millisecond, Budget: 8 * time.Second, PHPs: []oracle.Runtime{oracletest.Best(t)},
		Corpus: append(corpus.Filter(corpus.Cases(), "depth", ""), corpus.Filter(corpus.Cases(), "lists", "")...), Command: misbehaving(t, `
if payload.startswith(b"a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;"):
    time.sleep(3600)`)})
	assert.Positive(t, r.Totals().Hung)
	assert.Positive(t, r.Cell("depth/reencode", "reference").Skipped)
	assert.Greater(t, r.Cell("lists/decode", "reference").Passed, int64(200))
	assert.Positive(t, r.Cell("generated/decode", "reference").Passed)
}

// Every process that a port started is gone afterwards, also one that it left
// behind.
func TestNothingIsLeftBehind(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "pid")
	check(t, Options{Copies: 1, Corpus: few(t, 3), Command: "sleep 3600 & echo $! > " + marker + "; exec " + reference})
	b, err := os.ReadFile(marker)
	require.NoError(t, err)
	pid := strings.TrimSpace(string(b))
	assert.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || bytes.Contains(stat, []byte(") Z "))
	}, 5*time.Second, 20*time.Millisecond)
}
