package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"phpwire/corpus/printable"
)

// How much a summary lists: a job page shows one MiB of Markdown at most.
const (
	summaryFailures = 20
	summaryRows     = 200
	summaryPayload  = 400
)

// WriteSummary writes summary.md, GitHub-flavoured Markdown for a job page:
// the outcome, what is new about PHP, the matrix, and the first failures with the
// commands that replay them.
func WriteSummary(w io.Writer, run *Run) error {
	r := run.ready()
	b := bufio.NewWriter(w)
	word, sentence := r.Headline()
	mark := map[string]string{"passed": "✅", "failed": "❌", "incomplete": "⚠️"}[word]
	fmt.Fprintf(b, "## %s %s\n\n", mark, md(r.heading()))
	fmt.Fprintf(b, "**%s%s** %s.\n\n", strings.ToUpper(word[:1]), word[1:]+":", md(sentence))
	if r.Aborted != "" {
		fmt.Fprintf(b, "Ended early: %s\n\n", md(r.Aborted))
	}
	t := r.Totals()
	fmt.Fprintf(b, "%s in %s", some(t.Cases, "case"), duration(r.Seconds))
	if found := t.found(); found != "" {
		fmt.Fprintf(b, " (%s)", found)
	}
	fmt.Fprintf(b, ", %s %s, seed %d.\n\n", md(r.Tool), md(r.Version), r.Seed)
	if r.Command != "" {
		fmt.Fprintf(b, "%s\n", fence("sh", plain(r.Command)))
	}
	r.summaryFacts(b)
	r.summaryMatrix(b)
	r.summaryKnown(b)
	r.summaryFailures(b)
	return b.Flush()
}

func (r *Run) summaryMatrix(b *bufio.Writer) {
	if len(r.Suites) == 0 || len(r.Columns) == 0 {
		return
	}
	cells := r.grid()
	b.WriteString("| Suite |")
	for _, c := range r.Columns {
		fmt.Fprintf(b, " %s |", md(c.Name))
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(r.Columns)) + "\n")
	for i, s := range r.Suites {
		if i == summaryRows {
			fmt.Fprintf(b, "\nThe other %s are in the full report.\n", some(int64(len(r.Suites)-i), "suite"))
			break
		}
		fmt.Fprintf(b, "| %s |", md(s.Name))
		for _, c := range r.Columns {
			mark, text, note := cellText(cells[[2]string{s.Name, c.Name}])
			cell := mark + " " + text
			if note != "" {
				cell += " (" + note + ")"
			}
			fmt.Fprintf(b, " %s |", strings.TrimSpace(md(cell)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// summaryNews is how many news are listed.
const summaryNews = 50

func (r *Run) summaryFacts(b *bufio.Writer) {
	news := 0
	for _, f := range r.Facts {
		if !f.IsNews() {
			continue
		}
		if news++; news == 1 {
			b.WriteString("### News about PHP\n\n| | Difference | Example | Who does what |\n|---|---|---|---|\n")
		}
		if news > summaryNews {
			continue
		}
		example := ""
		if len(f.Input) > 0 {
			example = code(clip(printable.Bytes(f.Input), summaryPayload))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", md(string(f.Change)), md(strings.TrimSpace(f.Clause+" "+f.Title)), example, f.summaryAnswers())
	}
	if news > summaryNews {
		fmt.Fprintf(b, "\nThe other %d are in the full report.\n", news-summaryNews)
	}
	if news > 0 {
		b.WriteString("\n")
	}
}

// summaryAnswers is what is unlike the last night, and what everybody does where
// there was nothing then.
func (f *Fact) summaryAnswers() string {
	if len(f.News) > 0 {
		return md(clip(strings.Join(f.News, "; "), 4*summaryPayload))
	}
	var parts []string
	for _, a := range f.Answers {
		parts = append(parts, "**"+md(clip(a.Answer, summaryPayload))+"** "+md(strings.Join(a.Columns, ", ")))
	}
	return strings.Join(parts, "; ")
}

func (r *Run) summaryKnown(b *bufio.Writer) {
	first := true
	for _, k := range r.Known {
		if k.State != NowPasses {
			continue
		}
		if first {
			b.WriteString("### Known failures that pass\n\n")
			first = false
		}
		fmt.Fprintf(b, "- %s on %s, known as: %s\n", code(plain(k.Case)), md(k.Column), md(k.Reason))
	}
	if !first {
		b.WriteString("\n")
	}
}

func (r *Run) summaryFailures(b *bufio.Writer) {
	if len(r.Failures) == 0 {
		return
	}
	b.WriteString("### Failures\n\n")
	list := spread(r.Failures, summaryFailures)
	if bad := r.Totals().Bad(); bad > int64(len(list)) {
		fmt.Fprintf(b, "%d of %s are shown.\n\n", len(list), number(bad))
	}
	for i := range list {
		f := &list[i]
		fmt.Fprintf(b, "<details><summary>%s: %s, %s</summary>\n\n", md(f.Title), md(f.Suite), md(f.Column))
		b.WriteString(fence("", clip(printable.Bytes(f.Input), summaryPayload)))
		for _, s := range f.Sides {
			fmt.Fprintf(b, "- %s: %s", md(s.Name), md(clip(s.says(), summaryPayload)))
			if len(s.Bytes) > 0 {
				fmt.Fprintf(b, ", wrote %s", code(clip(printable.Bytes(s.Bytes), summaryPayload)))
			}
			b.WriteString("\n")
		}
		for _, d := range f.Differences {
			fmt.Fprintf(b, "- difference: %s\n", md(clip(d, summaryPayload)))
		}
		b.WriteString("\n")
		if f.Replay != "" && len(f.Replay) <= 4*summaryPayload {
			b.WriteString(fence("sh", plain(f.Replay)))
		}
		b.WriteString("</details>\n\n")
	}
}

// says is what a side did, on one line, but for what it wrote.
func (s *Side) says() string {
	text := line(string(s.Verdict))
	if s.Offset != nil {
		text += fmt.Sprintf(" at offset %d", *s.Offset)
	}
	if s.Message != "" {
		text += ": " + line(s.Message)
	}
	for _, w := range s.Warnings {
		text += ", warned: " + line(w)
	}
	return text
}

// spread takes n failures so that every cell has its turn, the first of each
// cell first.
func spread(all []Failure, n int) []Failure {
	if len(all) <= n {
		return all
	}
	turns := make(map[[2]string]int)
	rounds := make(map[int][]Failure)
	last := 0
	for _, f := range all {
		at := [2]string{f.Suite, f.Column}
		rounds[turns[at]] = append(rounds[turns[at]], f)
		last = max(last, turns[at])
		turns[at]++
	}
	var out []Failure
	for round := 0; round <= last && len(out) < n; round++ {
		out = append(out, rounds[round]...)
	}
	return out[:min(n, len(out))]
}

// grid finds the cells by suite and column.
func (r *Run) grid() map[[2]string]*Cell {
	cells := make(map[[2]string]*Cell, len(r.Cells))
	for i := range r.Cells {
		cells[[2]string{r.Cells[i].Suite, r.Cells[i].Column}] = &r.Cells[i]
	}
	return cells
}

// md makes a text stand for itself in Markdown and in the HTML inside it.
func md(text string) string {
	text = line(text)
	var b strings.Builder
	for _, c := range text {
		switch c {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '!', '$', '@':
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return strings.ReplaceAll(b.String(), "://", "&#58;//")
}

// code is an inline code span, which ends at no backtick of the text.
func code(text string) string {
	text = strings.ReplaceAll(line(text), "|", `\|`)
	ticks := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// fence is a block of code, which ends at no backtick of the text.
func fence(language, text string) string {
	ticks := strings.Repeat("`", max(3, longestRun(text)+1))
	return ticks + language + "\n" + text + "\n" + ticks + "\n"
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
