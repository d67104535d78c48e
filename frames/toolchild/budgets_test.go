package toolchild_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

// The limits by the names and with the values of the protocol.
func TestLimits(t *testing.T) {
	got := map[string]int{}
	for _, limit := range toolchild.Limits() {
		got[limit.Name] = limit.Value
	}
	assert.Equal(t, map[string]int{
		"frameBytes": 16 * 1024 * 1024, "jobs": 32, "wakePending": 64, "wakePendingBytes": 1024 * 1024,
		"HOST_CALL_ACTIVE": 8, "HOST_CALL_WAITING": 256, "REF_THRESHOLD": 4 * 1024 * 1024,
		"refAckMs": 30_000, "refsBudget": 1024 * 1024 * 1024, "tracePerSecond": 1024,
	}, got)
}

func TestVocabularyDirections(t *testing.T) {
	got := map[toolchild.Direction]int{}
	for _, shape := range toolchild.Vocabulary() {
		got[shape.Direction]++
	}
	assert.Equal(t, map[toolchild.Direction]int{toolchild.ServerToChild: 9, toolchild.ChildToServer: 15, toolchild.Either: 2}, got)
}

func TestJobBudget(t *testing.T) {
	var b toolchild.JobBudget
	fill := func(nested bool, most int) {
		for range most {
			require.NoError(t, b.Start(nested))
		}
		full := new(toolchild.BudgetError)
		require.ErrorAs(t, b.Start(nested), &full)
		assert.Equal(t, most, full.Most)
	}
	fill(false, 32)
	fill(true, 264)
	b.End(false)
	require.NoError(t, b.Start(false))
	assert.EqualError(t, b.Start(false), "toolchild: jobs: all 32 are taken")
	assert.EqualError(t, b.Start(true), "toolchild: hostCallCapacity: all 264 are taken")
}

func TestHostCallBudget(t *testing.T) {
	var b toolchild.HostCallBudget
	for i := range 8 + 256 {
		run, err := b.Submit(fmt.Sprint(i))
		require.NoError(t, err)
		assert.Equal(t, i < 8, run)
	}
	_, err := b.Submit("more")
	assert.EqualError(t, err, "toolchild: HOST_CALL_WAITING: all 256 are taken")
	_, ok := b.Done("8")
	assert.False(t, ok, "a call that waits is not done")
	for i := range 8 + 256 {
		next, ok := b.Done(fmt.Sprint(i))
		assert.Equal(t, i < 256, ok)
		if ok {
			assert.Equal(t, fmt.Sprint(i+8), next)
		}
	}
	run, err := b.Submit("after")
	require.NoError(t, err)
	assert.True(t, run)
}

func TestWakeBudget(t *testing.T) {
	var b toolchild.WakeBudget
	wake := func(id int, bytes int64) toolchild.PendingWake {
		return toolchild.PendingWake{ID: fmt.Sprint(id), Bytes: bytes}
	}
	for i := range 64 {
		assert.Len(t, b.Offer(wake(i, 0)), 1)
	}
	assert.Empty(t, b.Offer(wake(64, 0)), "the next one waits")
	assert.Equal(t, 1, b.Waiting())
	assert.Empty(t, b.Ack("nobody's"))
	assert.Equal(t, []toolchild.PendingWake{wake(64, 0)}, b.Ack("5"))

	b = toolchild.WakeBudget{}
	assert.Len(t, b.Offer(wake(0, 1<<20-1)), 1)
	assert.Len(t, b.Offer(wake(1, 1)), 1)
	assert.Empty(t, b.Offer(wake(2, 2<<20)))
	assert.Empty(t, b.Offer(wake(3, 0)), "none overtakes another")
	assert.Empty(t, b.Ack("0"))
	assert.Equal(t, []toolchild.PendingWake{wake(2, 2<<20)}, b.Ack("1"), "one that is too big goes alone")
	assert.Equal(t, []toolchild.PendingWake{wake(3, 0)}, b.Ack("2"))
	assert.Zero(t, b.Waiting())
}

func TestTraceBudget(t *testing.T) {
	var b toolchild.TraceBudget
	start := time.Unix(1000, 0)
	for i := range 2048 {
		assert.Equal(t, i < 1024, b.Allow(start.Add(time.Duration(i)*time.Microsecond)))
	}
	assert.EqualValues(t, 1024, b.Dropped())
	// Any second is meant: a place is free again a second after it was taken.
	assert.False(t, b.Allow(start.Add(time.Second-time.Nanosecond)))
	assert.True(t, b.Allow(start.Add(time.Second)))
	assert.False(t, b.Allow(start.Add(time.Second)))
	assert.True(t, b.Allow(start.Add(time.Second+time.Microsecond)))
	assert.EqualValues(t, 1026, b.Dropped())
}
