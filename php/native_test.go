package php_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"phpwire/php"
)

func TestWriteKeepsTheFilesPrivate(t *testing.T) {
	dir := t.TempDir()
	worker, err := php.Write(dir)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "worker.php"), worker)
	for path, mode := range map[string]os.FileMode{"worker.php": 0o600, "runtime": os.ModeDir | 0o700, "stubs/Composer/Script/Event.php": 0o600} {
		info, err := os.Stat(filepath.Join(dir, path))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
	_, err = php.Write(filepath.Join(dir, "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestLargeFrames(t *testing.T) {
	c := start(t, native(t))
	big := strings.Repeat("0123456789abcdef", 200<<16)
	begin := time.Now()
	payload := c.call("__phpwire_echo", str(big))
	want := list(str(big), list())
	require.Equal(t, len(want), len(payload))
	require.True(t, payload == want)
	t.Logf("200 MiB there and back in %v", time.Since(begin))
	c.alive()
}

func TestMisbehaviour(t *testing.T) {
	for how, status := range map[string]int{"exit": 3, "memory": 255, "kill": -1, "half-frame": 0} {
		t.Run(how, func(t *testing.T) {
			c := start(t, native(t))
			c.send(callFunction, 1, str("__phpwire_misbehave"), list(str(how)), list())
			_, err := io.ReadAll(c.conn)
			require.NoError(t, err)
			require.Equal(t, status, c.end())
		})
	}
	c := start(t, native(t))
	c.returns("b:1;", "__phpwire_misbehave", str("stdout"))
	require.Zero(t, c.end())
	require.Equal(t, 1<<20, c.stdout.Len())
}
