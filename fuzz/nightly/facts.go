package nightly

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"phpwire/corpus"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

// probe is an input that every PHP is asked.
type probe struct {
	op     corpus.Op
	clause string
	input  []byte
}

func (p probe) question() *corpus.Case {
	return &corpus.Case{Op: p.op, Input: *corpus.NewBytes(p.input)}
}

// facts are the differences between PHPs that the probes show, given what each
// PHP answered. Probes with the same clause and the same pattern of answers show
// the same fact.
func (w *worker) facts(probes []probe, given [][]corpus.Given) (facts []reports.Fact) {
	at := map[string]int{}
	answers := make([]corpus.Given, len(w.PHPs))
	for i, p := range probes {
		for php := range w.PHPs {
			answers[php] = given[php][i]
		}
		f, differ := w.fact(p, answers)
		if !differ {
			continue
		}
		known, there := at[f.ID]
		if !there {
			at[f.ID] = len(facts)
			facts = append(facts, f)
			continue
		}
		cases := facts[known].Cases + 1
		if c := cmp.Or(cmp.Compare(len(f.Input), len(facts[known].Input)), bytes.Compare(f.Input, facts[known].Input)); c < 0 {
			facts[known] = f
		}
		facts[known].Cases = cases
	}
	return facts
}

// mostColoured is the size of an example, in bytes, beyond which nobody looks at its
// tokens.
const mostColoured = 1 << 10

// fact is the difference that one probe shows, if it shows any.
func (w *worker) fact(p probe, answers []corpus.Given) (f reports.Fact, differ bool) {
	labels, clause := w.labelled(answers), p.clause
	if labels == nil {
		if labels = w.worded(answers); labels == nil {
			return f, false
		}
		clause = "" // words have nothing to do with what the payload is
	}
	story := w.story(labels)
	sum := sha256.Sum256([]byte(strings.Join([]string{string(p.op), clause, story}, "\x00")))
	f = reports.Fact{ID: hex.EncodeToString(sum[:6]), Clause: clause, Title: story, Input: p.input, Cases: 1}
	switch {
	case p.op == corpus.Decode && len(p.input) <= mostColoured:
		f.Tokens = tokens.Of(p.input)
	case p.op != corpus.Decode:
		f.Op = string(p.op)
	}
	labelOf := map[string]string{}
	for php, g := range answers {
		text := inWords(p, g)
		if label, there := labelOf[text]; there && label != labels[php] {
			text += " (" + labels[php] + ")" // the texts are cut, and the same so far
		}
		labelOf[text] = labels[php]
		i := slices.IndexFunc(f.Answers, func(a reports.FactAnswer) bool { return a.Answer == text })
		if i < 0 {
			i = len(f.Answers)
			f.Answers = append(f.Answers, reports.FactAnswer{Answer: text})
		}
		f.Answers[i].Columns = append(f.Answers[i].Columns, w.column(php))
	}
	return f, true
}

// labelled says what each PHP does in a word, where they do not all do the same;
// else it returns nil. PHPs with one label do the same, but for its words.
func (w *worker) labelled(answers []corpus.Given) []string {
	return w.groups(answers, substance, func(g corpus.Given) string { return string(g.Does) })
}

func substance(g corpus.Given) string {
	return fmt.Sprintf("%s %t %q %q", g.Does, g.Bytes == nil, g.Bytes, g.Value)
}

// worded says what each PHP says, numbers left out, where they do not all say the
// same.
func (w *worker) worded(answers []corpus.Given) []string {
	return w.groups(answers, func(g corpus.Given) string { return strings.Join(g.Warnings, "; ") }, func(g corpus.Given) string {
		if len(g.Warnings) == 0 {
			return "says nothing"
		}
		words := quotedName.ReplaceAllString(strings.Join(g.Warnings, "; "), "$1 '…'")
		return "says " + number.ReplaceAllString(words, "N")
	})
}

// What differs from case to case in what PHP says.
var (
	number     = regexp.MustCompile(`[0-9]+`)
	quotedName = regexp.MustCompile(`(?s)(Class|Class name|enum name|constant) '.*?'`)
)

// groups labels answers, those with the same key alike. Of those that differ and
// have the same word, the newest PHP has it as it is.
func (w *worker) groups(answers []corpus.Given, key, word func(corpus.Given) string) []string {
	byKey, words := map[string]string{}, map[string]int{}
	labels := make([]string, len(answers))
	order := w.byVersion()
	slices.Reverse(order)
	for _, i := range order {
		k := key(answers[i])
		if _, there := byKey[k]; !there {
			label := word(answers[i])
			switch words[label]++; words[label] {
			case 1:
			case 2:
				label += " (otherwise)"
			default:
				label += fmt.Sprintf(" (in way %d)", words[label])
			}
			byKey[k] = label
		}
		labels[i] = byKey[k]
	}
	if len(byKey) < 2 {
		return nil
	}
	return labels
}

// story tells labels by version: "refuses, from 8.1 on accepts". So a PHP that
// does what its neighbour does changes nothing.
func (w *worker) story(labels []string) string {
	order := w.byVersion()
	story, last := "", ""
	for len(order) > 0 {
		series := w.PHPs[order[0]].Series()
		n := 1
		for n < len(order) && w.PHPs[order[n]].Series() == series {
			n++
		}
		says := labels[order[0]]
		for _, i := range order[1:n] {
			if labels[i] != labels[order[0]] {
				says = ""
			}
		}
		if says == "" { // the builds of a version differ
			var parts []string
			for _, i := range order[:n] {
				if part := labels[i] + " (" + string(w.PHPs[i].Kind) + ")"; !slices.Contains(parts, part) {
					parts = append(parts, part)
				}
			}
			says = strings.Join(parts, " or ")
		}
		switch {
		case story == "":
			story = says
		case says != last:
			story += ", from " + series + " on " + says
		}
		last = says
		order = order[n:]
	}
	return story
}

// byVersion are the numbers of the PHPs, the oldest first.
func (w *worker) byVersion() []int {
	order := make([]int, len(w.PHPs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(compareSeries(w.PHPs[a].Series(), w.PHPs[b].Series()), cmp.Compare(w.PHPs[a].Kind, w.PHPs[b].Kind))
	})
	return order
}

// compareSeries compares versions like 7.4.
func compareSeries(a, b string) int {
	numbers := func(s string) []int {
		var ns []int
		for _, part := range strings.Split(s, ".") {
			n, _ := strconv.Atoi(part) // what is no number comes first
			ns = append(ns, n)
		}
		return ns
	}
	return slices.Compare(numbers(a), numbers(b))
}

// inWords is what a PHP does with the probe.
func inWords(p probe, g corpus.Given) string {
	text := string(g.Does)
	if g.Does == corpus.Accepts || g.Does == corpus.Warns {
		if g.Bytes != nil && !bytes.Equal(g.Bytes, p.input) {
			text += ", writes " + shortened(reports.Brief(g.Bytes))
		}
		if len(g.Value) > 0 && (bytes.Equal(g.Bytes, p.input) || g.Bytes == nil) {
			text += ", reads " + shortened(string(g.Value))
		}
	}
	if len(g.Warnings) > 0 {
		text += ": " + shortened(strings.Join(g.Warnings, "; "))
	}
	return text
}

func shortened(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
