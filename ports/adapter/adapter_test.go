package adapter

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle/oracletest"
)

// inRoot makes the paths of adapters those that a user has.
func inRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
}

func all(t *testing.T) []Adapter {
	t.Helper()
	inRoot(t)
	adapters, err := All("ports")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(adapters), 11)
	return adapters
}

// Every adapter does with the examples of the wire's description what its folder says.
// One that does not tells that the library, the adapter or an example has changed.
func TestAdaptersDoWhatIsRecorded(t *testing.T) {
	adapters := all(t)
	ctx := oracletest.Context(t, 5*time.Minute)
	t.Run("all", func(t *testing.T) {
		for _, a := range adapters {
			t.Run(a.Folder, func(t *testing.T) {
				t.Parallel()
				known, verdicts, err := a.Outcome(ctx)
				require.NoError(t, err)
				wantKnown, wantVerdicts, err := a.Recorded()
				require.NoError(t, err)
				const say = "it does something else than its folder says (-recorded +now); if that is right: phpwire matrix --update-known %s"
				assert.Empty(t, cmp.Diff(slices.Sorted(maps.Keys(wantKnown)), slices.Sorted(maps.Keys(known))), say, a.Folder)
				assert.Empty(t, cmp.Diff(wantVerdicts, verdicts), say, a.Folder)
			})
		}
	})
}

func TestFoldersThatAreNoAdapters(t *testing.T) {
	dir := t.TempDir()
	_, err := All(dir)
	assert.ErrorContains(t, err, "adapter.json")
	for _, text := range []string{
		`{`, `{}`, `{"library":"x","language":"y","command":"z","nonsense":1}`,
		`{"library":"x","language":"y","command":"z","call":{"run":"a {program}","values":"cobol","show":"{value}"}}`,
		`{"library":"x","language":"y","command":"z","call":{"run":"a","values":"go","show":"{value}"}}`,
	} {
		path := filepath.Join(dir, "broken", File)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := All(dir)
		assert.ErrorContains(t, err, path, text)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	a := Adapter{Dir: "x", Command: "exit 1", Needs: []Need{{"no-such-program", "apt-get install it"}}}
	_, err := a.Ready(t.Context())
	assert.EqualError(t, err, "no-such-program is missing; to get it: apt-get install it")
	_, _, err = a.Outcome(t.Context())
	assert.ErrorContains(t, err, "apt-get install it")
}

// A library that is not there is installed, once.
func TestReadyInstalls(t *testing.T) {
	dir := t.TempDir()
	a := Adapter{
		Dir: dir, Install: `printf 'read q; echo "{\"id\":1,\"ok\":true,\"name\":\"x\",\"ops\":[\"decode\"]}"; cat' > {dir}/port.sh`, Command: "sh {dir}/port.sh",
	}
	installed, err := a.Ready(t.Context())
	require.NoError(t, err)
	assert.True(t, installed)
	installed, err = a.Ready(t.Context())
	require.NoError(t, err)
	assert.False(t, installed)
	a.Command, a.Install = "exit 7", "echo no network >&2; false"
	_, err = a.Ready(t.Context())
	assert.ErrorContains(t, err, "no network")
}
