package judge

import (
	"iter"
	"math/bits"
)

// Clauses is a set of the clauses of docs/protocol.md that bind every codec and
// every reader of frames: parts V A K H I S D L P T F, and E-3 and E-5.
type Clauses uint64

// The clauses, in the order of the protocol.
const (
	V1 Clauses = 1 << iota
	V2
	V3
	V4
	V5
	V6
	V7
	V8
	V9
	V10
	A1
	A2
	A3
	K1
	K2
	K3
	H1
	H2
	H3
	H4
	H5
	H6
	I1
	I2
	S1
	S2
	D1
	D2
	D3
	D4
	L1
	L2
	L3
	L4
	P1
	P2
	P3
	P4
	P5
	P6
	T1
	T2
	T3
	T4
	F1
	F2
	F3
	F4
	F5
	F6
	F7
	F8
	F9
	F10
	F11
	F12
	F13
	F14
	F15
	F16
	E3
	E5
)

var clauseIDs = [...]string{
	"V-1", "V-2", "V-3", "V-4", "V-5", "V-6", "V-7", "V-8", "V-9", "V-10", "A-1", "A-2", "A-3", "K-1", "K-2", "K-3",
	"H-1", "H-2", "H-3", "H-4", "H-5", "H-6", "I-1", "I-2", "S-1", "S-2", "D-1", "D-2", "D-3", "D-4", "L-1", "L-2", "L-3", "L-4",
	"P-1", "P-2", "P-3", "P-4", "P-5", "P-6", "T-1", "T-2", "T-3", "T-4",
	"F-1", "F-2", "F-3", "F-4", "F-5", "F-6", "F-7", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "F-14", "F-15", "F-16",
	"E-3", "E-5",
}

// ClauseIDs lists the ids of all clauses that a set can hold, in the order of
// the protocol.
func ClauseIDs() []string { return clauseIDs[:] }

// All gives the ids of the clauses in the set.
func (c Clauses) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := uint64(c); rest != 0; rest &= rest - 1 {
			if !yield(clauseIDs[bits.TrailingZeros64(rest)]) {
				return
			}
		}
	}
}

// when returns the clauses where the condition holds.
func when(holds bool, c Clauses) Clauses {
	if holds {
		return c
	}
	return 0
}

// Visits counts how often cases exercised the clauses, and what became of the
// cases: the mix. The zero Visits is empty; it is not safe for concurrent use.
type Visits struct {
	counts [len(clauseIDs)]int64
	mix    map[Verdict]int64
}

// Verdict is what became of a case.
type Verdict struct {
	Sort string // of case: "payload", "value", "double", "stream", "frame"
	Who  string // accepted it, and who refused it
	Kind string // of the refusal, the error's kind; "" where it was accepted
}

// Add counts a case. Visits may be nil: then nothing is counted.
func (v *Visits) Add(c Clauses, o Verdict) { v.AddMany(c, o, 1) }

// AddMany counts n cases alike.
func (v *Visits) AddMany(c Clauses, o Verdict, n int64) {
	if v == nil {
		return
	}
	for rest := uint64(c); rest != 0; rest &= rest - 1 {
		v.counts[bits.TrailingZeros64(rest)] += n
	}
	if v.mix == nil {
		v.mix = map[Verdict]int64{}
	}
	v.mix[o] += n
}

// Merge adds what other counted.
func (v *Visits) Merge(other *Visits) {
	for i, n := range other.counts {
		v.counts[i] += n
	}
	for o, n := range other.mix {
		v.AddMany(0, o, n)
	}
}

// Of returns how many cases exercised the clause of that id.
func (v *Visits) Of(id string) int64 {
	for i, name := range clauseIDs {
		if name == id {
			return v.counts[i]
		}
	}
	return 0
}

// Mix gives how many cases had each verdict.
func (v *Visits) Mix() map[Verdict]int64 { return v.mix }
