package docs

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// What the protocol says of PHP, on every PHP at hand.
func TestBeforePHP(t *testing.T) {
	for _, php := range oracletest.All(t) {
		t.Run(php.Name(), func(t *testing.T) {
			c := oracletest.Client(t, php, nil)
			t.Run("examples", func(t *testing.T) { examplesBeforePHP(t, c) })
			t.Run("where PHPs differ", func(t *testing.T) { differences(t, c) })
		})
	}
}

func reserialize(t *testing.T, c *oracle.Client, payloads []string) []oracle.Answer {
	t.Helper()
	cases := make([][]byte, len(payloads))
	for i, p := range payloads {
		cases[i] = []byte(p)
	}
	answers, err := c.Reserialize(oracletest.Context(t, time.Minute), cases)
	require.NoError(t, err)
	require.Len(t, answers, len(cases))
	return answers
}

func examplesBeforePHP(t *testing.T, client *oracle.Client) {
	var examples []Example
	var payloads, ids []string
	for _, c := range Clauses() {
		if _, isFrame := frameOf(c); isFrame {
			continue
		}
		for _, e := range c.Examples {
			if e.Kind != Writes && e.Kind != AcceptsFrame && e.Kind != RefusesFrame {
				examples, payloads, ids = append(examples, e), append(payloads, e.Input), append(ids, c.ID)
			}
		}
	}
	require.NotEmpty(t, examples)
	for i, a := range reserialize(t, client, payloads) {
		e, about := examples[i], ids[i]+": "+payloads[i]
		want := e.Input
		if e.Kind == AcceptsAs && !strings.HasPrefix(ids[i], "H-") { // PHP knows no handles
			want = e.Output
		}
		switch e.Kind {
		case Refuses:
			assert.False(t, a.Accepted, "%s: PHP reads it as %s", about, a.Bytes)
		case RefusesUnlike:
			assert.True(t, a.Accepted, "%s: PHP refuses it: %v", about, a.Warnings)
		default:
			assert.Equal(t, want, string(a.Bytes), about)
			assert.Empty(t, a.Warnings, about)
		}
	}
}

func differences(t *testing.T, c *oracle.Client) {
	facts, err := c.Facts(oracletest.Context(t, time.Minute))
	require.NoError(t, err)
	ask := func(payload string) (oracle.Answer, string) {
		a := reserialize(t, c, []string{payload})[0]
		return a, strings.Join(a.Warnings, "\n")
	}
	since := func(series string) bool { return c.Runtime().Series() >= series }
	says := func(clause string, does bool, words, text string) {
		t.Helper()
		assert.Equal(t, does, strings.Contains(words, text), "%s: PHP says: %s", clause, words)
	}

	_, words := ask("i:5;x")
	says("W-1", since("8.3"), words, "E_WARNING: unserialize(): Extra data starting at offset 4")
	a, words := ask(`S:1:"\61";`)
	assert.Equal(t, `s:1:"a";`, string(a.Bytes), "W-2")
	says("W-2", since("8.4"), words, "E_DEPRECATED")
	_, words = ask(`E:3:"A:B";`)
	says("W-3", since("8.1"), words, "Class 'A' not found")
	_, words = ask("x")
	says("W-4", !since("8.3"), words, "E_NOTICE: unserialize(): Error at offset 0")
	says("W-4", since("8.3"), words, "E_WARNING: unserialize(): Error at offset 0")
	a, _ = ask(`s:4294967297:"a";`)
	assert.Equal(t, facts.SizeBits == 32, string(a.Bytes) == `s:1:"a";`, "W-5")
	nested := func(depth int, innermost string) string {
		return strings.Repeat("a:1:{i:0;", depth) + innermost + strings.Repeat("}", depth)
	}
	for _, innermost := range []string{"N;", "a:0:{}"} {
		a, _ = ask(nested(4096, innermost))
		assert.True(t, a.Clean(), "W-6: %s", innermost)
		a, _ = ask(nested(4097, innermost))
		assert.Equal(t, !since("7.4"), a.Accepted, "W-6: %s", innermost)
	}
	assert.Equal(t, since("7.4"), facts.WeakReference, "W-7")
	_, words = ask("i:9223372036854775808;")
	assert.Regexp(t, "Numerical result out of range|Result not representable", words, "W-8")
	_, words = ask(`O:3:"A B":0:{}`)
	says("W-9", since("8.0"), words, "at offset 0 of 14")
	says("W-9", !since("8.0"), words, "at offset 6 of 14")

	v, err := c.CallFunction(oracletest.Context(t, time.Minute), "__shirabe_eval",
		codec.String(`error_clear_last(); return [unserialize(''), error_get_last()];`))
	require.NoError(t, err)
	assert.True(t, v.Equal(codec.List(codec.Bool(false), codec.Null())), "P-6: %v", v)
}
