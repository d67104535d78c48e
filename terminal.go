package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newTable returns a table that is printed to w, no wider than a terminal there.
func newTable(w io.Writer) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.SeparateRows = false
	if width, ok := terminalWidth(w); ok {
		t.Style().Size.WidthMax = width
	}
	return t
}

func row(cells ...any) table.Row { return cells }

func terminalWidth(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return width, err == nil && width > 0
}

// progress shows how far a run is: a bar with its rate on a terminal, and a line
// every few seconds elsewhere.
type progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar
	began time.Time
	last  time.Time
}

func newProgress(w io.Writer) *progress { return &progress{w: w, began: time.Now(), last: time.Now()} }

const lineEvery = 5 * time.Second

func (p *progress) update(done, total int64) {
	if _, ok := terminalWidth(p.w); ok {
		if p.bar == nil {
			p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.w), progressbar.OptionShowIts(), progressbar.OptionSetItsString("cases"),
				progressbar.OptionShowCount(), progressbar.OptionSetElapsedTime(true), progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
		}
		_ = p.bar.Set64(done)
		return
	}
	if now := time.Now(); now.Sub(p.last) >= lineEvery && done < total {
		p.last = now
		fmt.Fprintf(p.w, "%3d %%  %s of %s cases, %s a second\n", 100*done/total, grouped(done), grouped(total),
			grouped(int64(float64(done)/now.Sub(p.began).Seconds())))
	}
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// grouped writes 1234567 as 1,234,567.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// program is how the user called us, for the commands that we print.
func program() string {
	path := os.Args[0]
	if strings.HasPrefix(path, filepath.Join(os.TempDir(), "go-build")) || strings.Contains(path, "/go-build/") {
		return "go run ."
	}
	return path
}
