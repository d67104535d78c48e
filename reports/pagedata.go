package reports

import (
	"encoding/json"
	"html/template"
)

const (
	// partSize is how many failures are parsed at once by the page.
	partSize = 64
	// window is how many bytes of a long payload the page shows, around the
	// place that matters.
	window = 16 << 10
	// valueLimit is how long the JSON of a value may be that the page shows.
	valueLimit = 256 << 10
)

// pageIndex is what the page knows of all failures from the start.
type pageIndex struct {
	Suites   []string `json:"suites"`
	Columns  []string `json:"columns"`
	Kinds    []string `json:"kinds"`
	PartSize int      `json:"partSize"`
	Bad      int64    `json:"bad"`
	PerCell  int      `json:"perCell"`
	// Rows has for every failure: id, suite, column, outcome, kind,
	// invariant, clause, title, case, size, preview.
	Rows [][11]any `json:"rows"`
	// Facts has the examples of the facts, in the order of the page.
	Facts []payload `json:"facts"`
}

// payload is a part of some bytes, which begins at From.
type payload struct {
	Bytes  []byte   `json:"b"`
	From   int      `json:"f"`
	Size   int      `json:"n"`
	Tokens [][3]any `json:"t,omitempty"`
	// Mark is the offset to mark, -1 for none.
	Mark int `json:"m"`
}

type pageFailure struct {
	Failure
	Input payload         `json:"input"`
	Value json.RawMessage `json:"value,omitempty"`
	Sides []pageSide      `json:"sides"`
}

type pageSide struct {
	Side
	Bytes *payload        `json:"bytes,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
	// TooLong is set when the value is left out for its length.
	TooLong bool `json:"tooLong,omitempty"`
}

// pageData is the failures as the page's script reads them: an index, and
// parts of partSize failures, with the facts in the order in which they stand
// in the page.
func (r *Run) pageData(facts []factView) (index template.JS, parts []template.JS, err error) {
	ix := pageIndex{PartSize: partSize, Bad: r.Totals().Bad(), PerCell: r.ListedPerCell, Rows: [][11]any{}}
	for _, f := range facts {
		ix.Facts = append(ix.Facts, cutOut(f.Input, f.Tokens, -1))
	}
	suites, columns, kinds := numbering{}, numbering{}, numbering{}
	var part []pageFailure
	for i := range r.Failures {
		f := &r.Failures[i]
		ix.Rows = append(ix.Rows, [11]any{
			f.ID, suites.of(line(f.Suite), &ix.Suites), columns.of(line(f.Column), &ix.Columns), f.Outcome, kinds.of(line(f.Kind), &ix.Kinds),
			line(f.Invariant), line(f.Clause), line(f.Title), line(f.Case), len(f.Input), preview(f.Input),
		})
		part = append(part, f.page())
		if len(part) == partSize || i == len(r.Failures)-1 {
			js, err := script(part)
			if err != nil {
				return "", nil, err
			}
			parts = append(parts, js)
			part = nil
		}
	}
	index, err = script(ix)
	return index, parts, err
}

// numbering gives texts numbers in the order of their first appearance.
type numbering map[string]int

func (n numbering) of(text string, list *[]string) int {
	i, ok := n[text]
	if !ok {
		i = len(*list)
		n[text] = i
		*list = append(*list, text)
	}
	return i
}

func (f *Failure) page() pageFailure {
	mark := -1
	if f.Offset != nil {
		mark = *f.Offset
	}
	p := pageFailure{Failure: *f, Input: cutOut(f.Input, f.Tokens, mark), Value: f.Value}
	if len(p.Value) > valueLimit {
		p.Value = nil
	}
	p.Tokens = nil // they stand in the payload
	for _, text := range []*string{&p.Title, &p.Kind, &p.Suite, &p.Column, &p.Clause, &p.Invariant, &p.Case} {
		*text = line(*text)
	}
	for _, text := range []*string{&p.Replay, &p.File, &p.Call} {
		*text = plain(*text)
	}
	p.Differences = plainAll(f.Differences)
	var first []byte
	p.Sides = []pageSide{}
	for _, s := range f.Sides {
		q := pageSide{Side: s, Value: s.Value}
		q.Tokens = nil
		q.Name, q.Message, q.Warnings = line(s.Name), plain(s.Message), plainAll(s.Warnings)
		if s.Bytes != nil {
			if first == nil {
				first = s.Bytes
			}
			b := cutOut(s.Bytes, s.Tokens, differ(first, s.Bytes))
			q.Bytes = &b
		}
		if len(s.Value) > valueLimit {
			q.Value, q.TooLong = nil, true
		}
		p.Sides = append(p.Sides, q)
	}
	return p
}

func plainAll(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, plain(t))
	}
	return out
}

// differ is where two byte strings first differ, -1 if nowhere.
func differ(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// cutOut takes the window of b around the mark, or its beginning.
func cutOut(b []byte, tokens []Token, mark int) payload {
	from := 0
	if len(b) > window && mark > window/2 {
		from = min(mark-window/2, len(b)-window)
	}
	to := min(len(b), from+window)
	p := payload{Bytes: b[from:to], From: from, Size: len(b), Mark: mark}
	for _, t := range tokens {
		if t.End > from && t.Offset < to {
			p.Tokens = append(p.Tokens, [3]any{max(t.Offset, from), min(t.End, to), t.Kind})
		}
	}
	return p
}
