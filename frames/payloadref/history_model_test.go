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

type damage int

const (
	whole damage = iota
	corrupted
	lost // no file is there
)

func (d damage) String() string { return []string{"whole", "corrupted", "lost"}[d] }

func (d damage) consumed() string {
	if d == whole {
		return "consumed"
	}
	return string(Rejected)
}

// A modelRef is one reference. Its writer has it until an answer has come, its
// reader from the ref_ack on until it is consumed: while the ref_ack is under
// way, both.
type modelRef struct {
	from       int
	bytes      int64
	writerHas  bool
	readerHas  bool
	file       damage
	generation int
	born       int // in clock steps
}

// An answer is a ref_ack or ref_nack that is under way.
type answer struct {
	ref int
	ack bool
}

type model struct {
	refs       []modelRef
	mail       [2][]answer // by the side that sent it
	generation int
	clock      int
	expect     string // what the last command should have answered
}

func (m *model) clone() *model {
	c := *m
	c.refs = slices.Clone(m.refs)
	for side := range c.mail {
		c.mail[side] = slices.Clone(m.mail[side])
	}
	return &c
}

// written and read sum the bytes that a side's writer and reader own.
func (m *model) written(side int) (bytes int64) {
	for _, r := range m.refs {
		if r.writerHas && r.from == side {
			bytes += r.bytes
		}
	}
	return bytes
}

func (m *model) read(side int) (bytes int64) {
	for _, r := range m.refs {
		if r.readerHas && r.from != side {
			bytes += r.bytes
		}
	}
	return bytes
}

// The commands of a history, each with what the model makes of it.

func (m *model) create(side int, bytes int64) {
	if m.written(side)+bytes > historyBudget {
		m.expect = string(BudgetExceeded)
		return
	}
	m.refs = append(m.refs, modelRef{from: side, bytes: bytes, writerHas: true, generation: m.generation, born: m.clock})
	m.expect = "created"
}

func (m *model) accept(k int, cancelled bool) {
	r := &m.refs[k]
	reader := 1 - r.from
	switch {
	case r.generation != m.generation:
		m.expect = string(Foreign)
	case r.readerHas:
		m.expect = "accepted"
	case cancelled:
		m.expect = string(Cancelled)
	case m.read(reader)+r.bytes > historyBudget:
		m.expect = string(Budget)
	case r.file == lost:
		m.expect = string(Missing)
	case r.file == corrupted:
		m.expect = string(Corrupt)
	default:
		m.expect = "accepted"
		r.readerHas = true
	}
	m.mail[reader] = append(m.mail[reader], answer{k, m.expect == "accepted"})
}

func (m *model) refuse(k int) {
	reader := 1 - m.refs[k].from
	m.mail[reader] = append(m.mail[reader], answer{k, false})
	m.expect = "refused"
}

// mayAnswer says whether a reference has not been refused: whoever refuses must
// not change their mind, for the writer is about to delete the file.
func (m *model) mayAnswer(k int) bool {
	return !slices.Contains(m.mail[1-m.refs[k].from], answer{k, false})
}

// deliver hands the oldest answer that a side has sent to the other side's writer.
func (m *model) deliver(side int) {
	a := m.mail[side][0]
	m.mail[side] = m.mail[side][1:]
	r := &m.refs[a.ref]
	if r.writerHas && !a.ack {
		r.file = lost
	}
	r.writerHas = false
	m.expect = "delivered"
}

func (m *model) consume(k int) {
	r := &m.refs[k]
	if !r.readerHas {
		m.expect = string(NotOwned)
		return
	}
	m.expect = r.file.consumed()
	r.readerHas, r.file = false, lost
}

func (m *model) spoil(k int, d damage) {
	m.refs[k].file = d
	m.expect = d.String()
}

// teardown of one side deletes every file of the generation; that side's writer
// forgets what was pending.
func (m *model) teardown(side int) {
	for i := range m.refs {
		r := &m.refs[i]
		r.writerHas = r.writerHas && r.from != side
		r.file = lost
	}
	m.expect = "torn down"
}

// crash of a side ends the generation, and what is under way. What this side
// owns when the other one dies is still consumed.
func (m *model) crash(side int) {
	answers := []string{}
	for i := range m.refs {
		r := &m.refs[i]
		if side == there && r.from == there && r.readerHas {
			answers = append(answers, fmt.Sprintf("%d %s", i, r.file.consumed()))
		}
		r.writerHas, r.readerHas, r.file = false, false, lost
	}
	m.mail = [2][]answer{}
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
	Mail    [2]int
}

func (m *model) snapshot() snapshot {
	s := snapshot{Answer: m.expect}
	for i, r := range m.refs {
		if r.file != lost {
			s.Disk = append(s.Disk, i)
		}
		if r.writerHas {
			side := &s.Sides[r.from]
			side.Pending = append(side.Pending, i)
			if m.clock-r.born >= 3 {
				side.Overdue = append(side.Overdue, i)
			}
		}
		if r.readerHas {
			side := &s.Sides[1-r.from]
			side.Owned = append(side.Owned, i)
		}
	}
	for side := range s.Sides {
		s.Sides[side].PendingBytes, s.Sides[side].OwnedBytes = m.written(side), m.read(side)
		s.Mail[side] = len(m.mail[side])
	}
	return s
}
