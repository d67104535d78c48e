package payloadref

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"phpwire/frames/toolchild"
)

const (
	refsName    = "refs"
	partialName = "partial"
	spoolName   = "spool"
)

func generationName(generation int64) string { return "gen-" + strconv.FormatInt(generation, 10) }

// parseGeneration is generationName's inverse; other names are nobody's generation.
func parseGeneration(name string) (int64, bool) {
	digits, found := strings.CutPrefix(name, "gen-")
	generation, err := strconv.ParseInt(digits, 10, 64)
	const most = 1<<53 - 1
	return generation, found && err == nil && 0 <= generation && generation <= most && generationName(generation) == name
}

// RefFilePath returns where the file of a reference stands. A reference that
// the guard would refuse has no path: the error is an *[Error] of code [Invalid].
func RefFilePath(root string, ref toolchild.PayloadRef) (string, error) {
	if !ref.Valid() {
		return "", invalid(ref)
	}
	return filepath.Join(root, generationName(ref.Generation), refsName, ref.RefID), nil
}

// SpoolDir returns the folder in which an application may keep what is to be
// deleted with a generation.
func SpoolDir(root string, generation int64) string {
	return filepath.Join(root, generationName(generation), spoolName)
}

// openDir opens a folder of a generation without following a link below the
// root. With create it makes the folder, and the generation's, if need be.
func openDir(root string, generation int64, name string, create bool) (*os.File, error) {
	dir, err := os.Open(root)
	if err != nil {
		return nil, err
	}
	for _, step := range []string{generationName(generation), name} {
		inner, err := openStep(dir, step, create)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = inner
	}
	return dir, nil
}

func openStep(dir *os.File, name string, create bool) (*os.File, error) {
	if create {
		if err := unix.Mkdirat(int(dir.Fd()), name, 0o700); err != nil && err != unix.EEXIST {
			return nil, &fs.PathError{Op: "mkdirat", Path: filepath.Join(dir.Name(), name), Err: err}
		}
	}
	return openAt(dir, name, unix.O_DIRECTORY, 0)
}

// openAt opens a name in a folder, unless it is a link. It does not wait for
// the other end of a FIFO.
func openAt(dir *os.File, name string, flags int, mode uint32) (*os.File, error) {
	path := filepath.Join(dir.Name(), name)
	for {
		fd, err := unix.Openat(int(dir.Fd()), name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, mode)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case unix.EINTR:
		default:
			return nil, &fs.PathError{Op: "openat", Path: path, Err: err}
		}
	}
}

func removeAt(dir *os.File, name string) error {
	err := unix.Unlinkat(int(dir.Fd()), name, 0)
	if err != nil && err != unix.ENOENT {
		return &fs.PathError{Op: "unlinkat", Path: filepath.Join(dir.Name(), name), Err: err}
	}
	return nil
}

// removeRef deletes the file of a reference, if it is there.
func removeRef(root string, generation int64, refID string) error {
	dir, err := openDir(root, generation, refsName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return removeAt(dir, refID)
}

// emptyDir deletes what is in a folder of a generation, except what is kept.
func emptyDir(root string, generation int64, name string, keep func(name string) bool) error {
	dir, err := openDir(root, generation, name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	// By its descriptor, for the path might have become a link's.
	inside, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", dir.Fd()))
	if err != nil {
		return err
	}
	defer inside.Close()
	names, err := dir.Readdirnames(-1)
	failures := []error{err}
	for _, name := range names {
		if !keep(name) {
			failures = append(failures, inside.RemoveAll(name))
		}
	}
	return errors.Join(failures...)
}
