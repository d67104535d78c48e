package reports

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"sort"
	"strings"
	"time"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"number":   number,
		"some":     some,
		"duration": duration,
		"minus":    func(height float64) float64 { return 100 - height },
		"plain":    plain,
		"breaks":   breaks,
		"join":     func(parts []string) string { return strings.Join(parts, ", ") },
		"day":      func(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04 UTC") },
	}).Parse(pageHTML))
)

// pageFailures is how many failures a page lists at most, so that it opens at
// once; report.json has the others.
const pageFailures = 5000

// pageView is what page.html shows.
type pageView struct {
	*Run
	Heading, Word, Sentence string
	Policy                  string
	Totals                  Counts
	Stats                   []stat
	Areas                   []areaView
	Sum                     []cellView
	FoldAreas               bool
	Gaps                    []gapView
	Kinds                   []kindView
	Facts                   []factView
	News                    int
	Clauses                 []clauseView
	Visited                 int
	Trend                   *trendView
	Rate                    *rateView
	CSS                     template.CSS
	JS                      template.JS
	Index                   template.JS
	Parts                   []template.JS
	Listed                  int
}

// stat is a figure of the headline.
type stat struct {
	Name, Value string
	Bad         bool
}

// WritePage writes index.html: one file that holds all it needs, opens
// offline, and loads nothing. Failures are held as JSON and drawn when they
// are looked at. Its content security policy runs no script but its own, so
// that no payload can.
func WritePage(w io.Writer, run *Run) error {
	r := run.ready()
	r.thin(pageFailures)
	v := &pageView{
		Run: r, Heading: r.heading(), Totals: r.Totals(), Listed: len(r.Failures),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'", hash(pageCSS), hash(pageJS)),
	}
	v.Word, v.Sentence = r.Headline()
	v.Stats = v.stats()
	v.matrix()
	v.Gaps = r.gaps()
	v.Kinds = r.kinds()
	v.facts()
	v.clauses()
	v.Trend = r.trend()
	v.Rate = r.rate()
	var err error
	if v.Index, v.Parts, err = r.pageData(v.Facts); err != nil {
		return err
	}
	return pageTemplate.Execute(w, v)
}

// hash names a script or a style sheet in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// thin lowers ListedPerCell as little as it takes to list at most so many.
func (r *Run) thin(most int) {
	if len(r.Failures) <= most {
		return
	}
	cells := make(map[[2]string]int)
	for _, f := range r.Failures {
		cells[[2]string{f.Suite, f.Column}]++
	}
	tooMany := sort.Search(most, func(k int) bool {
		n := 0
		for _, listed := range cells {
			n += min(listed, k+1)
		}
		return n > most
	})
	r.ListedPerCell = max(1, tooMany)
	r.cut()
}

func (v *pageView) stats() []stat {
	t := v.Totals
	out := []stat{{Name: "Cases", Value: number(t.Cases)}, {Name: "Passed", Value: number(t.Passed)}}
	for _, s := range []struct {
		name string
		n    int64
		bad  bool
	}{
		{"Failed", t.Failed, true}, {"Crashed", t.Crashed, true}, {"Hung", t.Hung, true}, {"Garbage", t.Garbage, true},
		{"Unexpectedly passed", t.Fixed, true}, {"Known", t.Known, false}, {"Skipped", t.Skipped, false},
	} {
		if s.n > 0 || s.name == "Failed" || s.name == "Skipped" {
			out = append(out, stat{Name: s.name, Value: number(s.n), Bad: s.bad && s.n > 0})
		}
	}
	out = append(out, stat{Name: "Time", Value: duration(v.Seconds)})
	if v.Seconds > 0 && t.Cases > 0 {
		out = append(out, stat{Name: "Cases a second", Value: number(int64(float64(t.Cases) / v.Seconds))})
	}
	return append(out, stat{Name: "Seed", Value: fmt.Sprint(v.Seed)})
}

// script is JSON that can stand inside a script element: encoding/json writes
// <, > and & as escapes.
func script(x any) (template.JS, error) {
	b, err := json.Marshal(x)
	return template.JS(b), err
}

// breaks is a name that may be broken after its punctuation.
func breaks(name string) template.HTML {
	var b strings.Builder
	for _, c := range plain(name) {
		b.WriteString(template.HTMLEscapeString(string(c)))
		if strings.ContainsRune("/-:", c) {
			b.WriteString("<wbr>")
		}
	}
	return template.HTML(b.String())
}
