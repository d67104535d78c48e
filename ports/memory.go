package ports

import (
	"fmt"
	"time"

	"phpwire/ports/group"
)

// memoryEvery is how often the memory of the ports is looked at.
const memoryEvery = 200 * time.Millisecond

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
		for g, used := range group.Memory(groups) {
			if used > limit {
				running[g].kill(fmt.Sprintf("ended, for it used %d MiB of memory, more than the limit of %d MiB", used>>20, limit>>20))
			}
		}
	}
}
