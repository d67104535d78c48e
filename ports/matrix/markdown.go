package matrix

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"phpwire/corpus"
	"phpwire/reports"
)

// longestShown is how many bytes of an input or a call are shown.
const longestShown = 600

// WriteMarkdown writes the matrix as a document: what every port does, area by area,
// why cases were skipped, and each sort of failure with the smallest input and the
// call that shows it.
func (m *Matrix) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	shown, of, _ := m.Shown()
	versions := corpus.AllSeries()
	fmt.Fprintf(b, `# What %d ports do

Made by `+"`make matrix`"+` on %s with all cases of the corpus, which know PHP %s to %s.
A case is judged by what all these PHPs do; where they differ, either is right ([ports.md](ports.md) has the rules).
An adapter repairs nothing, and what a library's values cannot tell is a skip, with its reason.

Each sort of failure below stands with the smallest input that shows it and with a call of the library alone, without
phpwire. All such calls were made: %d of %d show what is said here.

![Which share of the cases a port passes, by area](matrix.svg)

`, len(m.Ports), m.Run.Started.Format("2 January 2006"), versions[0], versions[len(versions)-1], shown, of)
	m.verdicts(b)
	m.areas(b)
	for _, p := range m.Ports {
		m.port(b, p)
	}
	return b.Flush()
}

// Table is the table of verdicts in Markdown, with its date.
func (m *Matrix) Table() string {
	var s strings.Builder
	shown, of, _ := m.Shown()
	fmt.Fprintf(&s, "On %s: %d of %d claims shown by the library's own call.\n\n", m.Run.Started.Format("2 January 2006"), shown, of)
	m.verdicts(&s)
	return s.String()
}

func (m *Matrix) verdicts(b io.Writer) {
	fmt.Fprint(b, "| port | library | cases | pass | fail | crash | hang | skip |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range m.Ports {
		c := p.Counts
		fmt.Fprintf(b, "| `%s` | %s, %s |", p.Adapter.Folder, p.library(), p.Column.Language)
		for _, n := range []int64{c.Cases, c.Passed, c.Failed + c.Garbage, c.Crashed, c.Hung, c.Skipped} {
			fmt.Fprintf(b, " %s |", blank(n))
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintln(b)
}

// library is the library with its version.
func (p *Port) library() string {
	if strings.HasSuffix(p.Adapter.Library, p.Column.Version) || p.Column.Version == "dev" {
		return p.Adapter.Library
	}
	return p.Adapter.Library + " " + p.Column.Version
}

// number writes 1234567 as 1,234,567.
func number(n int64) string { return message.NewPrinter(language.English).Sprint(n) }

// blank is a number, and nothing for 0.
func blank(n int64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

// areaNames are the areas in order.
func (m *Matrix) areaNames() []string {
	var names []string
	for _, s := range m.Run.Suites {
		if name, _, _ := strings.Cut(s.Name, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// area adds up the cells of an area and a port.
func (m *Matrix) area(name string, p *Port) reports.Counts {
	var sum reports.Counts
	for _, c := range m.Run.Cells {
		if c.Column == p.Column.Name && strings.HasPrefix(c.Suite, name+"/") {
			sum = sum.Plus(c.Counts)
		}
	}
	return sum
}

func (m *Matrix) areas(b io.Writer) {
	fmt.Fprint(b, "## By area\n\nPasses, then what does not hold (✗) and what was skipped (–).\n\n| area |")
	for _, p := range m.Ports {
		fmt.Fprintf(b, " %s |", p.Column.Name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(m.Ports)))
	for _, name := range m.areaNames() {
		fmt.Fprintf(b, "| %s |", name)
		for _, p := range m.Ports {
			c := m.area(name, p)
			parts := []string{number(c.Passed)}
			if c.Bad() > 0 {
				parts = append(parts, number(c.Bad())+" ✗")
			}
			if c.Skipped > 0 {
				parts = append(parts, number(c.Skipped)+" –")
			}
			fmt.Fprintf(b, " %s |", strings.Join(parts, "<br>"))
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintln(b)
}

func (m *Matrix) port(b io.Writer, p *Port) {
	fmt.Fprintf(b, "## %s\n\n%s (%s)", p.Adapter.Folder, p.library(), p.Adapter.From)
	if install := p.Adapter.Install; install != "" {
		fmt.Fprintf(b, ", installed by `%s`", p.Adapter.Installation())
	}
	fmt.Fprint(b, ".\n\n")
	if p.Counts.Bad() == 0 {
		fmt.Fprint(b, "It fails nothing.\n\n")
	}
	for _, s := range m.skips(p) {
		fmt.Fprintf(b, "- skipped %s: %s\n", number(s.Count), s.Name)
	}
	fmt.Fprintln(b)
	for _, c := range m.worst(p) {
		m.claimed(b, c)
	}
}

// skips adds up why cases of a port were skipped, the most frequent first.
func (m *Matrix) skips(p *Port) []reports.Tally {
	var all []reports.Tally
	for _, c := range m.Run.Cells {
		if c.Column != p.Column.Name {
			continue
		}
		for _, s := range c.Skips {
			all = reports.Tallied(all, s.Name, s.Count)
		}
	}
	slices.SortStableFunc(all, func(x, y reports.Tally) int { return cmp.Compare(y.Count, x.Count) })
	return all
}

// worst are the claims of a port, one for each operation and kind: that with the
// smallest input, and all cases of the kind.
func (m *Matrix) worst(p *Port) []*Claim {
	byKind := map[[2]string]*Claim{}
	var all []*Claim
	for _, c := range m.Claims {
		if c.Port != p {
			continue
		}
		_, op, _ := strings.Cut(c.Failure.Suite, "/")
		key := [2]string{op, c.Failure.Kind}
		k := byKind[key]
		if k == nil {
			k = &Claim{Port: p}
			byKind[key] = k
			all = append(all, k)
		}
		k.Cases += c.Cases
		if k.Failure == nil || k.Replayed == nil && c.Replayed != nil || (k.Replayed == nil) == (c.Replayed == nil) && bySize(*c.Failure, *k.Failure) < 0 {
			k.Failure, k.Replayed = c.Failure, c.Replayed
		}
	}
	slices.SortStableFunc(all, func(x, y *Claim) int { return cmp.Compare(y.Cases, x.Cases) })
	return all
}

func (m *Matrix) claimed(b io.Writer, c *Claim) {
	f := c.Failure
	area, op, _ := strings.Cut(f.Suite, "/")
	fmt.Fprintf(b, "**%s** (%s): %s. Smallest input, of area %s:\n\n", f.Kind, op, number(c.Cases)+" cases", area)
	fmt.Fprintf(b, "    %s\n", clipped(reports.Brief(f.Input)))
	if what := firstLine(strings.TrimPrefix(f.Title, f.Kind)); what != "" {
		fmt.Fprintf(b, "    %s\n", clipped(what))
	}
	if c.Replayed != nil {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", c.Replayed.Line)
	}
	fmt.Fprintln(b)
}

// firstLine is what a title tells beside the kind, on one line: what follows, where a
// library panics, are paths of this machine.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, ": "), "\n")
	s, _, _ = strings.Cut(s, " at ports/") // where Perl says it died
	_, panicked, found := strings.Cut(s, "stderr: ")
	if found {
		s = panicked
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

func clipped(s string) string {
	if len(s) > longestShown {
		return strings.ToValidUTF8(s[:longestShown], "") + "…"
	}
	return s
}
