package conformance

import (
	"encoding/base64"
	"strings"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

// guardCases asks the peer's guard for all vectors of a clause at once, and
// then shows it on the channel, which a refusal ends, a message that it
// must take and one that it must refuse.
func guardCases(l *list) {
	byClause := map[string][]toolchild.GuardVector{}
	for _, v := range toolchild.GuardVectors() {
		if v.Clause != "TC-F5" { // frameCases has it
			byClause[v.Clause] = append(byClause[v.Clause], v)
		}
	}
	for _, clause := range clauses {
		vectors := byClause[clause.ID]
		if vectors == nil {
			continue
		}
		l.add("guard/"+strings.TrimPrefix(clause.ID, "TC-"), clause.ID, func(s *session) { s.judge(vectors) })
		var taken, refused int
		for _, v := range vectors {
			shown := &taken
			if v.Code != "" {
				shown = &refused
			}
			if *shown > 0 || !l.hears(v) {
				continue
			}
			*shown++
			l.add("channel/"+v.ID, v.Clause, func(s *session) { s.shows(v) })
		}
	}
}

func (s *session) shows(v toolchild.GuardVector) {
	s.open()
	s.sendBody(v.Text)
	if v.Code == "" {
		s.alive()
		return
	}
	s.sendBody([]byte(s.pingBody("a")))
	s.closed()
}

// hears says whether a vector is for the list's role: it must not be refused
// for its direction alone. One without a type is for both.
func (l *list) hears(v toolchild.GuardVector) bool {
	known := false
	for _, shape := range toolchild.Vocabulary() {
		if strings.Contains(string(v.Text), `"type":"`+string(shape.Type)+`"`) {
			known = true
			if shape.Direction&l.role.Sends() != shape.Direction {
				return true
			}
		}
	}
	return !known && l.role == peer.Child
}

// judge asks the peer's guard about vectors.
func (s *session) judge(vectors []toolchild.GuardVector) {
	s.open()
	verdicts := s.verdicts(vectors)
	for i, v := range vectors {
		want := "message " + string(v.Want)
		switch v.Code {
		case toolchild.Refused:
			want = "refused"
		case toolchild.Syntax, toolchild.InvalidUTF8:
			want = "syntax"
		}
		s.want(verdicts[i] == want, "%s: got %q, want %q, for %s", v.ID, verdicts[i], want, v.Text)
	}
}

func (s *session) verdicts(vectors []toolchild.GuardVector) (verdicts []string) {
	texts := make([]string, len(vectors))
	for i, v := range vectors {
		texts[i] = base64.StdEncoding.EncodeToString(v.Text)
	}
	s.into(&verdicts, "guard", toolchild.Fields{"texts": texts})
	s.want(len(verdicts) == len(texts), "got %d verdicts, want %d", len(verdicts), len(texts))
	return verdicts
}
