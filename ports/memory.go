package ports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// memoryEvery is how often the memory of the ports is looked at.
const memoryEvery = 200 * time.Millisecond

// groupMemory gives the resident memory of process groups, in bytes: the sum over
// their processes.
func groupMemory(groups map[int]bool) map[int]int64 {
	used := map[int]int64{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// The name, in parentheses, may hold anything; fields are counted behind it.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		const group, resident = 5 - 3, 24 - 3 // by proc(5), where the state is field 3
		if len(fields) <= resident {
			continue
		}
		g, _ := strconv.Atoi(string(fields[group]))
		pages, _ := strconv.ParseInt(string(fields[resident]), 10, 64)
		if groups[g] {
			used[g] += pages * int64(os.Getpagesize())
		}
	}
	return used
}

// watchMemory ends ports that use more than limit bytes, until stop is closed.
func watchMemory(copies []*copyOf, limit int64, stop <-chan struct{}) {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		running := map[int]*process{}
		groups := map[int]bool{}
		for _, c := range copies {
			if p := c.running(); p != nil {
				running[p.group()] = p
				groups[p.group()] = true
			}
		}
		for g, used := range groupMemory(groups) {
			if used > limit {
				running[g].kill(fmt.Sprintf("ended, for it used %d MiB of memory, more than the limit of %d MiB", used>>20, limit>>20))
			}
		}
	}
}
