// Package group looks after groups of processes.
package group

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Memory gives the resident memory of process groups, in bytes: the sum over
// their processes.
func Memory(groups map[int]bool) map[int]int64 {
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
