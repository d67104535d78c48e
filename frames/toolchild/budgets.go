package toolchild

import (
	"fmt"
	"time"
)

// A BudgetError is a budget that has no room for one more.
type BudgetError struct {
	Limit string // the limit's protocol name
	Most  int
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("toolchild: %s: all %d are taken", e.Limit, e.Most)
}

// A JobBudget counts the jobs that a child runs. Ordinary jobs are bounded by
// [Jobs]; nested ones, which have a parent, by [HostCallCapacity], so that a
// full house of ordinary jobs cannot keep their own nested jobs out.
type JobBudget struct {
	ordinary, nested int
}

func (b *JobBudget) count(nested bool) (running *int, limit string, most int) {
	if nested {
		return &b.nested, "hostCallCapacity", HostCallCapacity
	}
	return &b.ordinary, "jobs", Jobs
}

// Start takes a place for a job, or returns a *[BudgetError]: the job is refused.
func (b *JobBudget) Start(nested bool) error {
	running, limit, most := b.count(nested)
	if *running == most {
		return &BudgetError{limit, most}
	}
	*running++
	return nil
}

// End gives back the place of a job that was started.
func (b *JobBudget) End(nested bool) {
	running, _, _ := b.count(nested)
	*running--
}

// HostCallBudget is a server's host calls: [HostCallActive] run at once,
// [HostCallWaiting] wait in the order in which they came.
type HostCallBudget struct {
	active  map[string]bool
	waiting []string
}

// Submit takes a call. It runs now, or waits for a place, or the error is a
// *[BudgetError]: the call is refused.
func (b *HostCallBudget) Submit(callID string) (run bool, err error) {
	switch {
	case len(b.active) < HostCallActive:
		if b.active == nil {
			b.active = make(map[string]bool, HostCallActive)
		}
		b.active[callID] = true
		return true, nil
	case len(b.waiting) < HostCallWaiting:
		b.waiting = append(b.waiting, callID)
		return false, nil
	}
	return false, &BudgetError{"HOST_CALL_WAITING", HostCallWaiting}
}

// Done ends a call that runs, and returns the one that runs in its place.
func (b *HostCallBudget) Done(callID string) (next string, ok bool) {
	if !b.active[callID] {
		return "", false
	}
	delete(b.active, callID)
	if len(b.waiting) == 0 {
		return "", false
	}
	next, b.waiting = b.waiting[0], b.waiting[1:]
	b.active[next] = true
	return next, true
}

// A PendingWake is a wake that has not been acknowledged.
type PendingWake struct {
	ID    string
	Bytes int64
}

// WakeBudget is a child's wakes: at most [WakePending] of them and
// [WakePendingBytes] in sum are under way. The next one waits; none is dropped,
// and none overtakes another. A wake above the whole budget goes alone.
type WakeBudget struct {
	sent    map[string]int64
	bytes   int64
	waiting []PendingWake
}

// Offer takes a wake and returns the wakes to send now.
func (b *WakeBudget) Offer(wake PendingWake) []PendingWake {
	b.waiting = append(b.waiting, wake)
	return b.release()
}

// Ack takes a wake_ack and returns the wakes to send now. An id that is not
// under way means nothing.
func (b *WakeBudget) Ack(id string) []PendingWake {
	b.bytes -= b.sent[id]
	delete(b.sent, id)
	return b.release()
}

// Waiting returns how many wakes wait.
func (b *WakeBudget) Waiting() int { return len(b.waiting) }

func (b *WakeBudget) release() []PendingWake {
	var out []PendingWake
	for len(b.waiting) > 0 && b.fits(b.waiting[0]) {
		wake := b.waiting[0]
		b.waiting = b.waiting[1:]
		if b.sent == nil {
			b.sent = make(map[string]int64, WakePending)
		}
		b.sent[wake.ID] = wake.Bytes
		b.bytes += wake.Bytes
		out = append(out, wake)
	}
	return out
}

func (b *WakeBudget) fits(wake PendingWake) bool {
	if len(b.sent) == 0 {
		return true
	}
	return len(b.sent) < WakePending && b.bytes+wake.Bytes <= WakePendingBytes
}

// TraceBudget lets at most [TracePerSecond] trace frames through in any second
// and counts the others.
type TraceBudget struct {
	sent    [TracePerSecond]time.Time // when the last ones were sent, as a ring
	next    int
	dropped uint64
}

// Allow reports whether a trace may be sent at a time; if not, it is dropped.
// Times must not go back.
func (b *TraceBudget) Allow(now time.Time) bool {
	oldest := b.sent[b.next]
	if !oldest.IsZero() && now.Sub(oldest) < time.Second {
		b.dropped++
		return false
	}
	b.sent[b.next] = now
	b.next = (b.next + 1) % TracePerSecond
	return true
}

// Dropped returns how many traces were dropped.
func (b *TraceBudget) Dropped() uint64 { return b.dropped }
