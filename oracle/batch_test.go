package oracle_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
	"phpwire/php"
)

// A case is answered the same by itself and among others, whatever bytes it holds
// and whatever the others are: refused, with references, with objects, empty.
func TestBatchIsManySingles(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	text := func(s string) string { return fmt.Sprintf("s:%d:\"%s\";", len(s), s) }
	var cases [][]byte
	for _, s := range []string{"", "\n", "i:05;", "N;", text("\n"), text("a\n\nb"), text(string(all)), "\n\n", "\nN;", "N;\n", "\xff", "x",
		"a:1:{i:0;R:1;}", "a:2:{i:0;i:7;i:1;R:2;}", text("R:1"), `O:8:"stdClass":0:{}`, `i:9223372036854775808;`, "b:0;", "d:.5;", ""} {
		cases = append(cases, []byte(s))
	}
	together, err := c.Reserialize(ctx, cases)
	require.NoError(t, err)
	described, err := c.Describe(ctx, cases)
	require.NoError(t, err)
	for i, b := range cases {
		one, err := c.Reserialize(ctx, cases[i:i+1])
		require.NoError(t, err)
		assert.Equal(t, one[0], together[i], "%q", b)
		one, err = c.Describe(ctx, cases[i:i+1])
		require.NoError(t, err)
		assert.Equal(t, one[0], described[i], "%q", b)
	}
	tagged := [][]byte{[]byte("{\n\"t\":\"null\"}"), []byte("\n"), []byte(`{"t":"bool","v":true}`)}
	built, err := c.Build(ctx, tagged)
	require.NoError(t, err)
	assert.Equal(t, "N;", string(built[0].Bytes))
	assert.False(t, built[1].Accepted)
	assert.Equal(t, "b:1;", string(built[2].Bytes))
}

// Answers of several frames are neither mixed up nor share memory that grows into
// one another.
func TestAnswersAreApart(t *testing.T) {
	c := oracletest.Client(t, oracletest.Best(t), nil)
	cases := make([][]byte, 5000)
	for i := range cases {
		cases[i] = []byte(fmt.Sprintf("i:0%d;", i))
	}
	answers, err := c.Reserialize(oracletest.Context(t, time.Minute), cases)
	require.NoError(t, err)
	for i, a := range answers {
		_ = append(a.Bytes, "overwritten"...)
		want, _ := codec.Encode(codec.Int(int64(i)))
		require.Equal(t, string(want), string(a.Bytes))
	}
}

// A batch whose cases do not fit the socket's buffer crosses all the same, and so
// does one whose answers do not.
func TestBatchesBeyondTheBuffer(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	big := bytes.Repeat([]byte("i:1;d:.5;"), 1<<20/9)
	cases := [][]byte{[]byte(fmt.Sprintf("s:%d:\"%s\";", len(big), big)), []byte("N;"), []byte(fmt.Sprintf("s:0%d:\"%s\";", len(big), big))}
	answers, err := c.Reserialize(ctx, append(cases, cases...))
	require.NoError(t, err)
	for i, a := range answers {
		assert.True(t, bytes.Equal(bytes.Replace(cases[i%3], []byte("s:0"), []byte("s:"), 1), a.Bytes), i)
	}
	many := make([][]byte, 20_000)
	for i := range many {
		many[i] = []byte("a:3:{i:0;d:0.1;i:1;d:0.1;i:2;N;}")
	}
	answers, err = c.Describe(ctx, many)
	require.NoError(t, err)
	for _, a := range answers {
		require.Equal(t, string(answers[0].Bytes), string(a.Bytes))
	}
}

// A case that no frame has room for is an error; what was sent before it is
// answered, and the next question gets its own answer.
func TestCaseTooLong(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	c := oracletest.Client(t, oracletest.Best(t), nil)
	for _, cases := range [][][]byte{
		{[]byte("N;"), make([]byte, frames.MaxLength), []byte("N;")},
		{make([]byte, frames.MaxLength)},
	} {
		_, err := c.Reserialize(ctx, cases)
		var e *frames.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, frames.TooLong, e.Kind)
		answers, err := c.Reserialize(ctx, [][]byte{[]byte("i:05;")})
		require.NoError(t, err)
		assert.Equal(t, "i:5;", string(answers[0].Bytes))
	}
}

// A batch that PHP answers with an exception, or wrongly, is an error; the batch
// that was sent after it is answered too, so that the next question gets its own
// answer.
func TestBatchFails(t *testing.T) {
	runtime := oracletest.Best(t)
	cases := make([][]byte, 9000)
	for i := range cases {
		cases[i] = []byte("N;")
	}
	for name, instead := range map[string]string{
		"an exception":   `throw new \DomainException('tired');`,
		"no array":       `return [5 => 5];`,
		"a foreign case": `return [2000 => 'N;'];`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := oracletest.Context(t, time.Minute)
			c := oracle.NewClientOf(runtime, nil, func(folder string) (string, error) {
				worker, err := php.Write(folder)
				if err != nil {
					return "", err
				}
				path := filepath.Join(folder, "runtime", "reserialize.php")
				source, err := os.ReadFile(path)
				const good = "    $batch = \\explode($separator, $joined);"
				require.Contains(t, string(source), good)
				bad := strings.Replace(string(source), good, good+"\n    static $calls = 0; if (\\count($batch) > 1 && ++$calls === 2) { "+instead+" }", 1)
				return worker, errors.Join(err, os.WriteFile(path, []byte(bad), 0o600))
			})
			t.Cleanup(c.Close)
			_, err := c.Reserialize(ctx, cases)
			require.Error(t, err)
			var throw *oracle.Throw
			assert.Equal(t, name == "an exception", errors.As(err, &throw), "%v", err)
			var fatal *oracle.FatalError
			require.False(t, errors.As(err, &fatal), "%v", err)
			answers, err := c.Reserialize(ctx, [][]byte{[]byte("i:05;")})
			require.NoError(t, err)
			assert.Equal(t, "i:5;", string(answers[0].Bytes))
		})
	}
}
