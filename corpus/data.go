package corpus

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"phpwire/docs"
)

//go:embed data
var data embed.FS

// Schema is the JSON Schema (2020-12) of the files in data.
//
//go:embed vectors.schema.json
var Schema string

// format is the version of the files' form.
const format = 1

// file is one area in JSON.
type file struct {
	Format int    `json:"format"`
	Area   string `json:"area"`
	Title  string `json:"title"`
	Cases  []Case `json:"cases"`
}

var embedded = sync.OnceValues(func() ([]Case, error) { return readFS(data, "data") })

// Cases returns the corpus that is part of the program: area by area, in the
// order of clauses and ids. The cases must not be changed.
func Cases() []Case {
	cases, err := embedded()
	if err != nil {
		panic("corpus: " + err.Error()) // it is part of the program, and the tests read it
	}
	return cases
}

// Filter returns the cases that are of the area and the clause, where these are
// not empty. A clause may also be a part, like "K".
func Filter(cases []Case, area, clause string) []Case {
	var chosen []Case
	for _, c := range cases {
		part, _, _ := strings.Cut(c.Clause, "-")
		if (area == "" || c.Area() == area) && (clause == "" || c.Clause == clause || part == clause) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// ReadDir reads the corpus in a folder, which may have no file yet.
func ReadDir(dir string) ([]Case, error) { return readFS(os.DirFS(dir), ".") }

func readFS(from fs.FS, dir string) ([]Case, error) {
	var cases []Case
	for _, a := range areas {
		name := path.Join(dir, a.Name+".json")
		b, err := fs.ReadFile(from, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		var f file
		if err := d.Decode(&f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if f.Format != format || f.Area != a.Name {
			return nil, fmt.Errorf("%s has format %d and area %q, not %d and %q", name, f.Format, f.Area, format, a.Name)
		}
		cases = append(cases, f.Cases...)
	}
	return cases, nil
}

// Sort puts cases into the order of their areas, clauses and ids.
func Sort(cases []Case) {
	order := map[string]int{}
	for i, a := range areas {
		order[a.Name] = i
	}
	clause := map[string]int{}
	for i, c := range docs.Clauses() {
		clause[c.ID] = i
	}
	slices.SortFunc(cases, func(a, b Case) int {
		if d := order[a.Area()] - order[b.Area()]; d != 0 {
			return d
		}
		if d := clause[a.Clause] - clause[b.Clause]; d != 0 {
			return d
		}
		return strings.Compare(a.ID, b.ID)
	})
}

// WriteDir writes the corpus into a folder, one file for each area, one line for
// each case. Files of areas without cases are removed.
func WriteDir(dir string, cases []Case) error {
	cases = slices.Clone(cases)
	Sort(cases)
	for _, a := range areas {
		name := filepath.Join(dir, a.Name+".json")
		of := Filter(cases, a.Name, "")
		if len(of) == 0 {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		b, err := marshal(a, of)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func marshal(a Area, cases []Case) ([]byte, error) {
	var b bytes.Buffer
	title, err := json.Marshal(a.Title)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "{\"format\":%d,\"area\":%q,\"title\":%s,\"cases\":[\n", format, a.Name, title)
	for i := range cases {
		line, err := Line(&cases[i])
		if err != nil {
			return nil, err
		}
		b.Write(line)
		if i < len(cases)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// Line is a case as one line of JSON, without the line's end.
func Line(c *Case) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
