package reports

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes the run into a folder, which is made if needed: report.json,
// junit.xml, summary.md and index.html. All are made before the first is put
// in place, and each is complete or not there. When [Run.Check] finds a fault,
// the files are written all the same, so that nothing that was found is lost,
// and the fault is returned.
func Write(dir string, r *Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var made []*os.File
	defer func() {
		for _, f := range made {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	formats := []struct {
		name  string
		write func(io.Writer, *Run) error
	}{
		{JUnitFile, WriteJUnit}, {SummaryFile, WriteSummary}, {PageFile, WritePage}, {JSONFile, WriteJSON},
	}
	for _, format := range formats {
		f, err := os.CreateTemp(dir, "."+format.name+".*")
		if err != nil {
			return err
		}
		made = append(made, f)
		b := bufio.NewWriter(f)
		if err := errors.Join(format.write(b, r), b.Flush(), f.Chmod(0o644), f.Close()); err != nil {
			return fmt.Errorf("%s: %w", format.name, err)
		}
	}
	for i, format := range formats {
		if err := os.Rename(made[i].Name(), filepath.Join(dir, format.name)); err != nil {
			return err
		}
	}
	return r.Check()
}
