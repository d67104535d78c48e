package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"phpwire/corpus/printable"
)

// WriteJUnit writes junit.xml. A column is a test suite, a cell a test case
// named after its suite, and every listed failure a test case of its own.
func WriteJUnit(w io.Writer, run *Run) error {
	r := run.ready()
	all := junit.Testsuites{Name: line(r.heading()), Time: seconds(r.Seconds)}
	cells := r.grid()
	for i, column := range r.Columns {
		suite := junit.Testsuite{Name: line(column.Name), ID: i}
		if !r.Started.IsZero() {
			suite.SetTimestamp(r.Started)
		}
		suite.AddProperty("command", line(r.Command))
		suite.AddProperty("seed", fmt.Sprint(r.Seed))
		suite.AddProperty("version", line(column.Version))
		suite.AddProperty("platform", line(column.Platform))
		var took float64
		for _, s := range r.Suites {
			if c := cells[[2]string{s.Name, column.Name}]; c != nil {
				suite.AddTestcase(cellCase(c))
				took += c.Seconds
			}
		}
		for i := range r.Failures {
			if r.Failures[i].Column == column.Name {
				suite.AddTestcase(failureCase(&r.Failures[i]))
			}
		}
		suite.Time = seconds(took)
		all.AddSuite(suite)
	}
	if r.Aborted != "" {
		suite := junit.Testsuite{Name: "run", ID: len(r.Columns), Time: seconds(r.Seconds)}
		suite.AddTestcase(junit.Testcase{Name: "comes to its end", Classname: "run", Error: &junit.Result{Message: line(r.Aborted), Data: plain(r.Aborted)}})
		all.AddSuite(suite)
	}
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	if err := all.WriteXML(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// cellCase is the test case that says what all cases of a cell came to.
func cellCase(c *Cell) junit.Testcase {
	tc := junit.Testcase{Name: line(c.Suite), Classname: area(c.Suite), Time: seconds(c.Seconds)}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s passed", some(c.Cases, "case"), number(c.Passed))
	if found := c.found(); found != "" {
		out.WriteString(", " + found)
	}
	out.WriteString("\n")
	for _, k := range c.Kinds {
		fmt.Fprintf(&out, "%s: %s\n", number(k.Count), line(k.Name))
	}
	for _, s := range c.Skips {
		fmt.Fprintf(&out, "%s skipped: %s\n", number(s.Count), line(s.Name))
	}
	tc.SystemOut = &junit.Output{Data: out.String()}
	switch {
	case c.NotApplicable != "":
		tc.Skipped = &junit.Result{Message: line(c.NotApplicable)}
	case c.Bad() > 0:
		tc.Failure = &junit.Result{Message: c.found() + " of " + some(c.Cases, "case"), Data: out.String()}
	case c.Cases == c.Skipped:
		tc.Skipped = &junit.Result{Message: some(c.Skipped, "case") + " skipped"}
	}
	return tc
}

// failureCase is the test case that tells one failure. A crash, a hang or
// garbage is an error in JUnit's terms, a wrong answer a failure.
func failureCase(f *Failure) junit.Testcase {
	var b strings.Builder
	fmt.Fprintf(&b, "input: %s\n", printable.Bytes(f.Input))
	if f.Offset != nil {
		fmt.Fprintf(&b, "offset: %d\n", *f.Offset)
	}
	for _, s := range f.Sides {
		fmt.Fprintf(&b, "%s: %s\n", line(s.Name), s.says())
		if s.Bytes != nil {
			fmt.Fprintf(&b, "  wrote: %s\n", printable.Bytes(s.Bytes))
		}
	}
	for _, d := range f.Differences {
		fmt.Fprintf(&b, "difference: %s\n", line(d))
	}
	for _, c := range []string{f.Call, f.Replay, f.File} {
		if c != "" {
			fmt.Fprintf(&b, "%s\n", plain(c))
		}
	}
	result := &junit.Result{Message: line(f.Title), Type: line(f.Kind), Data: b.String()}
	tc := junit.Testcase{Name: line(f.Title) + " [" + line(f.ID) + "]", Classname: line(f.Suite)}
	if f.Outcome == Failed || f.Outcome == Fixed {
		tc.Failure = result
	} else {
		tc.Error = result
	}
	return tc
}

// area is the first part of a suite's name.
func area(suite string) string {
	name, _, _ := strings.Cut(suite, "/")
	return line(name)
}
