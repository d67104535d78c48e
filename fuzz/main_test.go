package fuzz

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain prints how many cases were judged, by this process and by the workers
// that the engine starts, and ends the child.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// Workers find the folder in the environment, and print nothing.
	if os.Getenv(envStats) == "" {
		dir, err := os.MkdirTemp("", "phpwire-fuzz-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		os.Setenv(envStats, dir)
		defer func() {
			if err := summary(os.Stdout, dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}()
	}
	defer func() {
		stats.mu.Lock()
		defer stats.mu.Unlock()
		stats.write()
	}()
	status := m.Run()
	closeChild()
	return status
}
