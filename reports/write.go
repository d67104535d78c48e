package reports

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes the run into a folder, which is made if needed: report.json.
// A file is complete or not there: it is written under another name and moved into
// place. When [Run.Check] finds a fault, the report is written all the same, so
// that nothing that was found is lost, and the fault is returned.
func Write(dir string, r *Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := writeFile(filepath.Join(dir, JSONFile), func(w io.Writer) error { return WriteJSON(w, r) })
	return errors.Join(err, r.Check())
}

// writeFile writes a file that appears only when it is complete.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err := errors.Join(write(b), b.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
