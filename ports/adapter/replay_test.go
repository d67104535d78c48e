package adapter

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

func named(t *testing.T, folder string) *Adapter {
	t.Helper()
	for _, a := range all(t) {
		if a.Folder == folder {
			return &a
		}
	}
	t.Fatalf("no adapter %s", folder)
	return nil
}

// claim is a failure as a run reports it: what the port did, and what PHP does.
func claim(suite, input string, port, php reports.Side) *reports.Failure {
	php.Name = "PHP 7.2 to 8.5"
	return &reports.Failure{Suite: suite, Outcome: reports.Failed, Input: []byte(input), Sides: []reports.Side{php, port}}
}

func accepted(value string) reports.Side {
	return reports.Side{Verdict: reports.Accepted, Value: json.RawMessage(value)}
}

func wrote(bytes string) reports.Side {
	return reports.Side{Verdict: reports.Accepted, Bytes: []byte(bytes)}
}

var refused = reports.Side{Verdict: reports.Refused}

// What is true of a library is shown by its own call, and what is not is not.
func TestClaims(t *testing.T) {
	python := named(t, "python3-phpserialize")
	one, two, yes := accepted(`{"t":"int","v":"1"}`), accepted(`{"t":"int","v":"2"}`), accepted(`{"t":"bool","v":true}`)
	listed := accepted(`{"t":"list","v":[{"t":"string","b64":"YQ=="},{"t":"float","bits":"3ff0000000000000"}]}`)
	encode := func(value string, port, php reports.Side) *reports.Failure {
		f := claim("x/encode", "", port, php)
		f.Value = json.RawMessage(value)
		return f
	}
	for _, c := range []struct {
		what  string
		f     *reports.Failure
		shown bool
	}{
		{"reads another value", claim("x/decode", "i:1;", one, two), true},
		{"reads what PHP reads", claim("x/decode", "i:1;", one, one), false},
		{"reads another value than is claimed", claim("x/decode", "i:1;", two, yes), false},
		{"True is not 1", claim("x/decode", "b:1;", one, two), false},
		{"accepts", claim("x/decode", "i:1;x", one, refused), true},
		{"accepts what it refuses", claim("x/decode", "i:1", one, refused), false},
		{"refuses", claim("x/decode", "x", refused, one), true},
		{"refuses what it accepts", claim("x/decode", "i:1;", refused, one), false},
		{"a list is read as a map", claim("x/decode", `a:2:{i:0;s:1:"a";i:1;d:1;}`, listed, one), true},
		{"writes", claim("x/reencode", "i:01;", wrote("i:1;"), wrote("i:01;")), true},
		{"writes other bytes than are claimed", claim("x/reencode", "i:01;", wrote("i:01;"), wrote("i:1;")), false},
		{"writes a value", encode(`{"t":"string","b64":"/wA="}`, wrote("s:2:\"\xff\x00\";"), wrote("")), true},
	} {
		r, err := python.Replay(t.Context(), c.f, time.Second)
		require.NoError(t, err, c.what)
		assert.Equal(t, c.shown, r.Shown, "%s: %s: %s", c.what, r.Line, r.Says)
		assert.Equal(t, c.shown, r.Says == "", c.what)
	}
}

func TestClaimsOfHangsAndCrashes(t *testing.T) {
	a := named(t, "php-unserialize")
	hang := &reports.Failure{Suite: "x/decode", Outcome: reports.Hung, Input: []byte("i:1"), Sides: []reports.Side{{Verdict: reports.Hang}}}
	sleeper := *a
	sleeper.Call = &Call{Run: "sleep 3600 #{program}", Values: "go", Decode: "{payload}", Show: "{value}"}
	r, err := sleeper.Replay(t.Context(), hang, 200*time.Millisecond)
	require.NoError(t, err)
	assert.True(t, r.Shown, r.Says)
	sleeper.Call = &Call{Run: "true #{program}", Values: "go", Decode: "{payload}", Show: "{value}"}
	r, err = sleeper.Replay(t.Context(), hang, 200*time.Millisecond)
	require.NoError(t, err)
	assert.False(t, r.Shown)
	crash := &reports.Failure{Suite: "x/decode", Outcome: reports.Crashed, Input: []byte("i:1"), Sides: []reports.Side{{Verdict: reports.Crash}}}
	for run, shown := range map[string]bool{
		"kill -SEGV $$ #{program}": true, "echo 'goroutine 1' >&2; false #{program}": true, "false #{program}": false, "exit 255 #{program}": false,
	} {
		sleeper.Call = &Call{Run: run, Values: "go", Decode: "{payload}", Show: "{value}", Crash: "goroutine "}
		r, err := sleeper.Replay(t.Context(), crash, time.Second)
		require.NoError(t, err)
		assert.Equal(t, shown, r.Shown, run)
	}
}

// The calls are lines that somebody can paste.
func TestLines(t *testing.T) {
	adapters := all(t)
	lines := map[string]string{}
	for _, a := range adapters {
		f := claim("x/decode", "s:3:\"'\x00\xc3\xa9\";", refused, refused)
		f.Input = []byte("s:4:\"'\x00\xc3\xa9\";")
		lines[a.Folder] = a.LineOf(f)
	}
	assert.Equal(t, `/usr/bin/python3 -c 'import phpserialize; print(phpserialize.loads(b"s:4:\"'\''\x00\xc3\xa9\";"))'`, lines["python3-phpserialize"])
	assert.Contains(t, lines["locutus"], `unserialize("s:4:\"'\''\x00\u{e9}\";", "throw")`, "text, as in a program of JavaScript")
	assert.Contains(t, lines["php-serialize"], `Buffer.from("s:4:\"'\''\x00\xc3\xa9\";", "latin1")`, "bytes")
	assert.Contains(t, lines["libphp-serialization-perl"], `unserialize("s:4:\"'\''\x{00}\x{c3}\x{a9}\";")`)
	assert.Contains(t, lines["elliotchance-phpserialize"], `UnmarshalString([]byte("s:4:\"'\''\x00\u00e9\";"))`)
	assert.Empty(t, lines["reference"])
	deep := claim("x/decode", strings.Repeat("a:1:{i:0;", 100)+"N;"+strings.Repeat("}", 150), refused, refused)
	for _, a := range adapters {
		lines[a.Folder] = a.LineOf(deep)
	}
	assert.Contains(t, lines["python3-phpserialize"], `loads(b"a:1:{i:0;" * 100 + b"N;" + b"}" * 150)`)
	assert.Contains(t, lines["libphp-serialization-perl"], `unserialize(("a:1:{i:0;" x 100) . "N;" . ("}" x 150))`)
	assert.Contains(t, lines["locutus"], `"a:1:{i:0;".repeat(100) + "N;" + "}".repeat(150)`)
	assert.Contains(t, lines["trim21-go-phpserialize"], `[]byte(strings.Repeat("a:1:{i:0;", 100) + "N;" + strings.Repeat("}", 150))`)
	f := claim("x/decode", "s:2:\"\xff\xfe\";", refused, refused)
	for _, a := range adapters {
		if a.Folder == "locutus" {
			assert.Empty(t, a.LineOf(f), "no text of JavaScript")
		}
	}
}
