package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// reasons is a file that says something of mutants. A line at the margin is a
// reason; the lines below it, each behind a tab, are the ids that it is about. A *
// in them stands for anything.
type reasons struct {
	path string
	list []*reason
}

type reason struct {
	why     string
	id      string
	pattern *regexp.Regexp
	used    bool
}

func readReasons(path string) (*reasons, error) {
	r := &reasons{path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	why := ""
	for i, line := range strings.Split(string(text), "\n") {
		id, behindTab := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "":
		case !behindTab:
			why = line
		case why == "":
			return nil, fmt.Errorf("%s:%d: an id without a reason above it", path, i+1)
		default:
			parts := strings.Split(id, "*")
			for j := range parts {
				parts[j] = regexp.QuoteMeta(parts[j])
			}
			r.list = append(r.list, &reason{why: why, id: id, pattern: regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")})
		}
	}
	return r, nil
}

// of returns the reason for a mutant, or nil.
func (r *reasons) of(m *mutant) *reason {
	for _, one := range r.list {
		if one.pattern.MatchString(m.ID) {
			one.used = true
			return one
		}
	}
	return nil
}

// idle lists the ids that are those of no mutant.
func (r *reasons) idle() (ids []string) {
	for _, one := range r.list {
		if !one.used {
			ids = append(ids, one.id)
		}
	}
	return ids
}
