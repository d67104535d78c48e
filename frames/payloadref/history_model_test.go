package payloadref

import (
	"fmt"
	"slices"
	"strings"

	"phpwire/frames/toolchild"
)

// The model of who owns what, beside which histories run.

const (
	here  = 0 // this process: the server
	there = 1 // the peer's process: the child

	historyBudget = 4000
	tick          = toolchild.RefAckMs / 3 // milliseconds of one clock step
)

func sideName(side int) string { return []string{"here", "there"}[side] }

type place int

const (
	pending place = iota // written, not answered: the writer's
	owned                // acknowledged, not consumed: the other side's
	gone
)

type damage int

const (
	whole damage = iota
	corrupted
	lost
)

type modelRef struct {
	from       int
	bytes      int64
	at         place
	damage     damage
	generation int
	born       int // in clock steps
}

func (r modelRef) onDisk() bool { return r.at != gone && r.damage != lost }

type model struct {
	refs       []modelRef
	generation int
	clock      int
	expect     string // what the last command should have answered
}

func (m *model) clone() *model {
	c := *m
	c.refs = slices.Clone(m.refs)
	return &c
}

// held sums the bytes of a side's references in a place.
func (m *model) held(side int, at place) (bytes int64) {
	for _, r := range m.refs {
		holder := r.from
		if r.at == owned {
			holder = 1 - r.from
		}
		if r.at == at && holder == side {
			bytes += r.bytes
		}
	}
	return bytes
}

// The commands of a history, each with what the model makes of it.

func (m *model) create(side int, bytes int64) {
	if m.held(side, pending)+bytes > historyBudget {
		m.expect = string(BudgetExceeded)
		return
	}
	m.refs = append(m.refs, modelRef{from: side, bytes: bytes, generation: m.generation, born: m.clock})
	m.expect = "created"
}

func (m *model) accept(k int, cancelled bool) {
	r := &m.refs[k]
	reader := 1 - r.from
	switch {
	case r.generation != m.generation:
		m.expect = string(Foreign)
		return
	case r.at == owned:
		m.expect = "accepted"
		return
	case cancelled:
		m.expect = string(Cancelled)
	case m.held(reader, owned)+r.bytes > historyBudget:
		m.expect = string(Budget)
	case r.at == gone || r.damage == lost:
		m.expect = string(Missing)
	case r.damage == corrupted:
		m.expect = string(Corrupt)
	default:
		m.expect = "accepted"
		r.at = owned
		return
	}
	r.at = gone // the writer deletes it on the ref_nack
}

func (m *model) refuse(k int) {
	if r := &m.refs[k]; r.generation == m.generation {
		r.at = gone
	}
	m.expect = "refused"
}

func (m *model) consume(k int) {
	r := &m.refs[k]
	if r.at != owned {
		m.expect = string(NotOwned)
		return
	}
	m.expect = r.damage.consumed()
	r.at = gone
}

func (d damage) consumed() string {
	if d == whole {
		return "consumed"
	}
	return string(Rejected)
}

func (m *model) spoil(k int, d damage) {
	m.refs[k].damage = d
	m.expect = d.String()
}

func (d damage) String() string { return []string{"whole", "corrupted", "lost"}[d] }

// teardown of one side deletes every file of the generation; that side's writer
// forgets what was pending, the others' files are lost.
func (m *model) teardown(side int) {
	for i := range m.refs {
		r := &m.refs[i]
		if r.at == pending && r.from == side {
			r.at = gone
		}
		r.damage = lost
	}
	m.expect = "torn down"
}

// crash of a side ends the generation. What this side owns when the other one
// dies is still consumed.
func (m *model) crash(side int) {
	answers := []string{}
	for i := range m.refs {
		r := &m.refs[i]
		if side == there && r.at == owned && r.from == there {
			answers = append(answers, fmt.Sprintf("%d %s", i, r.damage.consumed()))
		}
		r.at = gone
	}
	m.generation++
	m.expect = strings.Join(answers, ", ")
}

// A sideState is what a side says of itself; references by their number.
type sideState struct {
	Pending, Overdue, Owned  []int
	PendingBytes, OwnedBytes int64
}

// A snapshot is all that can be seen after a command.
type snapshot struct {
	Answer  string
	Sides   [2]sideState
	Disk    []int // the references whose file stands under its name
	Partial int   // files that are being written
}

func (m *model) snapshot() snapshot {
	s := snapshot{Answer: m.expect}
	for i, r := range m.refs {
		if r.onDisk() {
			s.Disk = append(s.Disk, i)
		}
		switch r.at {
		case pending:
			side := &s.Sides[r.from]
			side.Pending = append(side.Pending, i)
			if m.clock-r.born >= 3 {
				side.Overdue = append(side.Overdue, i)
			}
		case owned:
			side := &s.Sides[1-r.from]
			side.Owned = append(side.Owned, i)
		}
	}
	for side := range s.Sides {
		s.Sides[side].PendingBytes = m.held(side, pending)
		s.Sides[side].OwnedBytes = m.held(side, owned)
	}
	return s
}
