package childtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Case is one requirement of the protocol, and a conversation that shows whether
// a child meets it.
type Case struct {
	// ID is "area/name". It stays the same from version to version.
	ID string
	// Clause is the clause of docs/protocol.md that the case checks.
	Clause string
	// Requirement says in words what the child must do.
	Requirement string

	child lifetime
	needs need
	run   func(h *Host)
}

// Area is the first part of the id.
func (c *Case) Area() string {
	area, _, _ := strings.Cut(c.ID, "/")
	return area
}

// Ends tells whether the case ends its child, so that the next one needs another.
func (c *Case) Ends() bool { return c.child == ends || c.child == single }

// lifetime says which child a case needs, since starting one may take seconds.
type lifetime int

const (
	shared lifetime = iota // any child; it is left as it was
	ends                   // any child; it is gone afterwards
	fresh                  // a child that nobody spoke to; it is left as it was
	single                 // a child that nobody spoke to; it is gone afterwards
)

// need is what PHP must have for a case to mean anything.
type need int

const (
	anyPHP need = iota
	needsWeakReference
	needsEnums
)

// unmet says why a case does not apply to a PHP, "" where it does.
func (n need) unmet(versionID int64) string {
	switch {
	case n == needsWeakReference && versionID < 70400:
		return "WeakReference exists from PHP 7.4 on (W-7): below it every descriptor may make a stub of its own"
	case n == needsEnums && versionID < 80100:
		return "enums exist from PHP 8.1 on"
	}
	return ""
}

// All returns the cases in the order in which they run.
func All() []Case {
	return slices.Concat(startCases, lengthCases, tagCases, idCases, payloadCases(), fieldCases(), functionCases, outParamCases,
		nestingCases, replyCases, oneWayCases, phpObjectCases, stubCases, releaseCases, epochCases, valueCases(), handleCases(),
		throwCases, rebuildCases, helperCases, survivalCases, streamCases, endCases, fatalCases)
}

// Match returns the cases whose id matches a pattern, in which * stands for any
// part of a name and the first parts of an id for all that begin with them; ""
// matches every case.
func Match(pattern string) ([]Case, error) {
	var matched []Case
	for _, c := range All() {
		ok := pattern == "" || strings.HasPrefix(c.ID, strings.TrimSuffix(pattern, "/")+"/")
		if !ok {
			var err error
			if ok, err = path.Match(pattern, c.ID); err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", pattern, err)
			}
		}
		if ok {
			matched = append(matched, c)
		}
	}
	return matched, nil
}
