package reports

import (
	"time"

	"github.com/google/go-cmp/cmp"
)

// Differ says where two runs tell different things, "" where they tell the same.
// Times do not count, nor do the commands that repeat the run and file a failure,
// since those say where it was run: so two runs of the same work are the same,
// whatever interrupted them and however it was divided.
func Differ(a, b *Run) string {
	return cmp.Diff(a.timeless(), b.timeless())
}

func (r *Run) timeless() *Run {
	c := r.ready()
	c.Started, c.Seconds, c.Command, c.Throughput, c.History = time.Time{}, 0, "", nil, nil
	for i := range c.Cells {
		c.Cells[i].Seconds = 0
		c.Cells[i].Kinds = addTallies(c.Cells[i].Kinds, nil)
		c.Cells[i].Skips = addTallies(c.Cells[i].Skips, nil)
	}
	for i := range c.Failures {
		c.Failures[i].File = ""
	}
	return c
}
