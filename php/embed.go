// Package php holds the child side of the wire: the PHP program that a host
// starts and talks to, embedded so that both halves are of one commit.
package php

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Files is the PHP program: worker.php, which is what PHP is given to run, and
// the folders runtime and stubs that it expects beside itself.
//
//go:embed worker.php runtime stubs
var Files embed.FS

// Write puts Files into the folder dir, which must exist, and returns the path
// of worker.php in it. Folders get mode 0700 and files 0600, whatever the umask
// allows beyond. Files that are there already are overwritten.
func Write(dir string) (worker string, err error) {
	err = fs.WalkDir(Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			if err := os.Mkdir(target, 0o700); err != nil && !os.IsExist(err) {
				return err
			}
			return nil
		}
		data, err := Files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
	if err != nil {
		return "", fmt.Errorf("write the PHP worker to %s: %w", dir, err)
	}
	return filepath.Join(dir, "worker.php"), nil
}
