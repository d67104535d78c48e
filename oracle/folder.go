package oracle

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Temporary folders carry the number of the process that made them, so that
// what a killed process left behind is found and removed by the next one. They
// live only while a child starts.
const folderPrefix = "phpwire-"

var sweepOnce sync.Once

// newFolder makes a temporary folder that only this user can enter.
func newFolder() (string, error) {
	sweepOnce.Do(sweepFolders)
	return os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
}

func sweepFolders() {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), folderPrefix)
		text, _, ok := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(text)
		if !ours || !ok || err != nil || !e.IsDir() {
			continue
		}
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			os.RemoveAll(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}
