package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"phpwire/oracle"
)

// Options say what is measured, and how long.
type Options struct {
	PHP     oracle.Runtime
	Only    []string      // the names of parts; none for all
	AtLeast time.Duration // how long each round of each one is
	Rounds  int
	Version string // of this program
	Command string // that repeats it
	// Progress is told the title of each part that begins.
	Progress func(title string)
}

// WrongError says that something is not only slow or fast, but wrong.
type WrongError struct{ What string }

func (e *WrongError) Error() string { return e.What }

func wrong(format string, args ...any) error { return &WrongError{fmt.Sprintf(format, args...)} }

// part measures something.
type part struct {
	name, title, unit string
	run               func(*bench, context.Context) ([]Row, error)
}

var parts = []part{
	{"codec", "Decoding and encoding", "MB", (*bench).codec},
	{"doubles", "Doubles and their text", "doubles", (*bench).doubles},
	{"frames", "64 KiB frames through a pipe", "MB", (*bench).frames},
	{"small", "Small frames", "frames", (*bench).smallFrames},
	{"calls", "One call of a child", "calls", (*bench).calls},
	{"batches", "Batches", "cases", (*bench).batches},
	{"judging", "Judging a batch: CPU time of Go and of PHP", "cases", (*bench).judging},
	{growthPart, "Twice the input", "", nil},
}

const growthPart = "growth"

// Parts are the names of what [Options.Only] chooses from.
func Parts() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// bench is one run.
type bench struct {
	options Options
	folder  string // for files, and the program with the other codecs
	client  *oracle.Client
	peers   *peers
}

// Run measures. The error is a [*WrongError] where something is wrong.
func Run(ctx context.Context, o Options) (*Report, error) {
	for _, name := range o.Only {
		if !slices.Contains(Parts(), name) {
			return nil, fmt.Errorf("there is no part %q; there are %s", name, strings.Join(Parts(), ", "))
		}
	}
	if o.AtLeast <= 0 || o.Rounds < 1 {
		return nil, errors.New("a round must take some time, and there must be one")
	}
	folder, err := os.MkdirTemp("", "phpwire-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	b := &bench{options: o, folder: folder, client: oracle.NewClient(o.PHP, nil)}
	defer b.client.Close()
	defer func() {
		if b.peers != nil {
			b.peers.close()
		}
	}()
	report := &Report{
		Version: o.Version, Date: time.Now().UTC().Truncate(time.Second), Command: o.Command, Machine: newMachine(),
		AtLeast: o.AtLeast.Seconds(), Rounds: o.Rounds,
	}
	report.Machine.PHP = o.PHP.Name()
	began := time.Now()
	for _, p := range parts {
		if len(o.Only) > 0 && !slices.Contains(o.Only, p.name) {
			continue
		}
		if o.Progress != nil {
			o.Progress(p.title)
		}
		if p.name == growthPart {
			report.Growth, err = b.growth(ctx)
		} else {
			s := Section{Name: p.name, Title: p.title, Unit: p.unit}
			s.Rows, err = p.run(b, ctx)
			report.Sections = append(report.Sections, s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if b.peers != nil {
		for _, name := range b.peers.names() {
			l := b.peers.libraries[name]
			report.Machine.Peers = append(report.Machine.Peers, l.Module+" "+l.Version)
		}
		report.Machine.Peers = slices.Compact(report.Machine.Peers)
	}
	report.Took = time.Since(began).Seconds()
	report.Targets = targets(report)
	return report, nil
}
