package fuzz

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// envStats names the folder in which every process notes how many cases it
// judged.
const envStats = "PHPWIRE_FUZZ_STATS"

// counted is what a process judged for a target.
type counted struct {
	Target string    `json:"target"`
	Cases  int64     `json:"cases"`
	Inputs int64     `json:"inputs"`
	Began  time.Time `json:"began"` // before the first input of this process
	Until  time.Time `json:"until"` // after the last
	// What the processors spent on it: in this process, and in its child, where that
	// is native.
	Go  time.Duration `json:"go"`
	PHP time.Duration `json:"php"`
}

// statistics counts judged cases. Workers of the engine end without notice: what
// they counted is written every second.
type statistics struct {
	mu     sync.Mutex
	began  time.Time
	wrote  time.Time
	used   [2]time.Duration // by this process and its child, until the last input
	counts map[string]*counted
}

var stats = statistics{counts: map[string]*counted{}}

func (s *statistics) add(target string, cases int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	c := s.counts[target]
	if c == nil {
		c = &counted{Target: target}
		s.counts[target] = c
		if s.began.IsZero() {
			s.began, s.wrote = now, now
		}
	}
	c.Cases += int64(cases)
	c.Inputs++
	c.Began, c.Until = s.began, now
	used := [2]time.Duration{usedHere(), usedByChild()}
	c.Go += used[0] - s.used[0]
	c.PHP += max(0, used[1]-s.used[1]) // a new child begins at 0
	s.used = used
	if now.Sub(s.wrote) >= time.Second {
		s.write()
		s.wrote = now
	}
}

// usedHere is the processors' time that this process took.
func usedHere() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// usedByChild is the processors' time that the child took, 0 where it cannot be
// told.
func usedByChild() time.Duration {
	if !asked.Load() {
		return 0
	}
	p, err := php()
	if err != nil || p.pid == 0 {
		return 0
	}
	text, err := os.ReadFile("/proc/" + strconv.FormatInt(p.pid, 10) + "/schedstat")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	ns, _ := strconv.ParseInt(first, 10, 64)
	return time.Duration(ns)
}

// write leaves a file for each target of this process in the folder that envStats
// names; without one it does nothing. What cannot be written is not told: it is a
// count, and the failure of a target is worth more than it.
func (s *statistics) write() {
	dir := os.Getenv(envStats)
	if dir == "" {
		return
	}
	for _, c := range s.counts {
		if text, err := json.Marshal(c); err == nil {
			_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.json", c.Target, os.Getpid())), text, 0o600)
		}
	}
}

// Summary prints what all processes that share the folder judged for each
// target.
func summary(w io.Writer, dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	totals := map[string]*counted{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var c counted
		if err := json.Unmarshal(text, &c); err != nil {
			continue // a process ended while it wrote
		}
		t := totals[c.Target]
		if t == nil {
			t = &counted{Target: c.Target}
			totals[c.Target] = t
		}
		t.Cases += c.Cases
		t.Inputs += c.Inputs
		// The engine starts workers anew now and then: the time runs from the first to the last of all.
		if t.Began.IsZero() || c.Began.Before(t.Began) {
			t.Began = c.Began
		}
		if c.Until.After(t.Until) {
			t.Until = c.Until
		}
		t.Go += c.Go
		t.PHP += c.PHP
	}
	var names []string
	for name := range totals {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := totals[name]
		rate := float64(t.Cases) / max(t.Until.Sub(t.Began).Seconds(), 0.001)
		fmt.Fprintf(w, "%s: %d cases judged of %d inputs, %.0f cases a second; a case costs %.1f µs here and %.1f µs in PHP\n", name, t.Cases, t.Inputs, rate,
			micros(t.Go, t.Cases), micros(t.PHP, t.Cases))
	}
	return nil
}

func micros(d time.Duration, cases int64) float64 {
	return float64(d.Nanoseconds()) / 1000 / float64(max(cases, 1))
}
