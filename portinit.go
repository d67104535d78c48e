package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"phpwire/ports/skeleton"
)

func newPortInitCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "port-init LANGUAGE",
		Short: "Write a port to begin with, in " + strings.Join(skeleton.Languages(), ", "),
		Long: `Write a program that answers every question of phpwire check, and skips what its
codec, two functions to be replaced, does not do yet.

Languages: ` + strings.Join(skeleton.Languages(), ", ") + `. docs/ports.md has the protocol for all others.`,
		Example: `  phpwire port-init python
  phpwire port-init go --dir my-port`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := skeleton.In(args[0])
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			for _, f := range s.Files {
				path := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := writeNew(path, f.Text); err != nil {
					return err
				}
				fmt.Fprintf(out, "wrote %s\n", path)
			}
			if s.Build != "" {
				fmt.Fprintf(out, "build: %s\n", s.Build)
			}
			fmt.Fprintf(out, "check: %s check --port %s\n", program(), quoted(s.Run))
			return nil
		},
	}
	c.Flags().StringVar(&dir, "dir", ".", "the folder to write into")
	return c
}

// writeNew writes a file that is not there yet, and its folder: never over
// somebody's work.
func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
