package bench

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// Machine is what it was measured on.
type Machine struct {
	CPU    string   `json:"cpu"`
	Cores  int      `json:"cores"`
	System string   `json:"system"`
	Load   string   `json:"load"` // how many programs wanted to run in the minute before
	Go     string   `json:"go"`
	PHP    string   `json:"php"`
	Peers  []string `json:"peers,omitempty"` // other codecs, with their versions
}

func newMachine() Machine {
	m := Machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS, Go: strings.TrimPrefix(runtime.Version(), "go")}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(load), " ")
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err == nil {
		m.System = unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:]) + " " + unix.ByteSliceToString(name.Machine[:])
	}
	return m
}
