package corpus

import (
	"strings"

	"phpwire/docs"
)

// wireParts are the parts of the protocol that a payload or a frame can show.
const wireParts = "VAKHISDLPTF"

// IsWire tells whether a clause is about payloads and frames, so that it must have
// cases. What the others say can be seen only in a session with a child.
func IsWire(clause string) bool { return strings.Contains(wireParts, clause[:1]) }

// ClauseStat is how well a clause is covered.
type ClauseStat struct {
	Clause docs.Clause
	Cases  int
	Accept int // Plugin must accept
	Reject int // Plugin must reject
	Differ int // PHPs differ
}

// AreaStat is how many cases an area has.
type AreaStat struct {
	Area                          Area
	Cases, Accept, Reject, Differ int
}

// Stats counts cases by clause and by area, all of which are listed.
func Stats(cases []Case) ([]ClauseStat, []AreaStat) {
	var clauses []ClauseStat
	for _, c := range docs.Clauses() {
		s := ClauseStat{Clause: c}
		s.Cases, s.Accept, s.Reject, s.Differ = count(cases, func(k *Case) bool { return k.Clause == c.ID })
		clauses = append(clauses, s)
	}
	var of []AreaStat
	for _, a := range areas {
		s := AreaStat{Area: a}
		s.Cases, s.Accept, s.Reject, s.Differ = count(cases, func(k *Case) bool { return k.Area() == a.Name })
		of = append(of, s)
	}
	return clauses, of
}

func count(cases []Case, is func(*Case) bool) (all, accept, reject, differ int) {
	for i := range cases {
		c := &cases[i]
		if !is(c) {
			continue
		}
		all++
		switch c.Expect.Plugin {
		case MustAccept:
			accept++
		case MustReject:
			reject++
		}
		if c.Differ() {
			differ++
		}
	}
	return all, accept, reject, differ
}
