package matrix

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
	"phpwire/oracle/oracletest"
	"phpwire/ports"
	"phpwire/ports/adapter"
)

// judged judges two libraries and PHP with a part of the corpus.
func judged(t *testing.T, change func(*adapter.Adapter)) *Matrix {
	t.Helper()
	t.Chdir("../..")
	all, err := adapter.All("ports")
	require.NoError(t, err)
	var some []adapter.Adapter
	for _, a := range all {
		switch a.Folder {
		case "php-serialize", "python3-phpserialize", "php":
			if change != nil {
				change(&a)
			}
			some = append(some, a)
		}
	}
	m, err := Judge(oracletest.Context(t, 2*time.Minute), Options{Adapters: some, Each: ports.Options{Corpus: corpus.Cases(), Suite: "scalars", Seed: 1, Program: "phpwire"}})
	require.NoError(t, err)
	return m
}

func TestWhatIsClaimedIsShown(t *testing.T) {
	m := judged(t, nil)
	require.NoError(t, m.Run.Check(), "the report does not hold together")
	require.Len(t, m.Run.Columns, 3)
	assert.Equal(t, "PHP", m.Ports[0].Column.Name, "what sets the measure comes first")
	assert.Zero(t, m.Ports[0].Counts.Bad())
	shown, of, not := m.Shown()
	assert.GreaterOrEqual(t, of, 8)
	assert.Equal(t, of, shown)
	assert.Empty(t, not)
	seen := map[string]int{}
	for _, f := range m.Run.Failures {
		assert.NotEmpty(t, f.Call, f.Title)
		seen[f.Suite+f.Column+f.Kind]++
		assert.LessOrEqual(t, seen[f.Suite+f.Column+f.Kind], listedPerKind)
	}

	var text bytes.Buffer
	require.NoError(t, m.WriteMarkdown(&text))
	for _, part := range []string{
		"# What 3 ports do", "| `php-serialize` | php-serialize 5.1.3, JavaScript | ", "| scalars |", "It fails nothing.",
		"**reads another value** (decode)", `python3 -c 'import phpserialize`, "- skipped ",
	} {
		assert.Contains(t, text.String(), part)
	}
	assert.NotContains(t, text.String(), "goroutine ", "no stacks with the paths of a machine")
	assert.Contains(t, m.Table(), "| `php` |")

	var picture bytes.Buffer
	require.NoError(t, m.WriteSVG(&picture))
	assert.Contains(t, picture.String(), "prefers-color-scheme: dark")
	assert.Equal(t, 2*3, strings.Count(picture.String(), `class="num"`), "a cell for each port, in an area and in all")
	d := xml.NewDecoder(&picture)
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "the picture is no XML")
	}
	assert.ErrorIs(t, m.WriteSVG(broken{}), io.ErrClosedPipe)
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// An adapter that says of its library what is not true is found out.
func TestAnAdapterThatLies(t *testing.T) {
	m := judged(t, func(a *adapter.Adapter) {
		if a.Folder == "python3-phpserialize" {
			a.Command += ` | sed -u 's/"t": "null"/"t": "int", "v": "7"/'`
		}
	})
	_, _, not := m.Shown()
	require.NotEmpty(t, not)
	for _, c := range not {
		assert.Equal(t, "python3-phpserialize", c.Port.Adapter.Folder)
	}
	assert.Contains(t, not[0].Replayed.Says, "None")
}

func TestWhatIsNotInstalledIsNamed(t *testing.T) {
	_, err := Judge(t.Context(), Options{Adapters: []adapter.Adapter{{Folder: "x", Dir: "x", Command: "exit 7", Install: "fetch {dir}"}}})
	assert.ErrorContains(t, err, "to install it: fetch x")
	_, err = Judge(t.Context(), Options{Adapters: []adapter.Adapter{{Folder: "x", Needs: []adapter.Need{{Program: "no-such-program", Get: "apt-get install it"}}}}})
	assert.ErrorContains(t, err, "apt-get install it")
}
