package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// measurement is what one start of the command does.
type measurement struct {
	options
	began              time.Time
	files              []*sourceFile
	all                []*mutant
	shop               *workshop
	broken             map[*mutant]bool
	equivalent, unseen *reasons
	unreached          map[string][]block
	fates              map[*mutant]*fate
	kept               *kept
	wrong              error // in what is kept
}

func (m *measurement) folders() (folders []string) {
	for _, f := range m.files {
		if folder := filepath.Dir(f.path); len(folders) == 0 || folders[len(folders)-1] != folder {
			folders = append(folders, folder)
		}
	}
	return folders
}

// prepare builds the mutants and has the corpus run once on the reference as it
// is.
func (m *measurement) prepare(ctx context.Context) (err error) {
	if m.equivalent, err = readReasons(m.options.equivalent); err != nil {
		return err
	}
	if m.unseen, err = readReasons(m.options.unseen); err != nil {
		return err
	}
	if m.kept, err = openKept(m.results, m.files, m.trust); err != nil {
		return err
	}
	if m.trust {
		m.settle()
	}
	if m.broken, err = m.shop.mix(ctx, m.files); err != nil {
		return err
	}
	for _, one := range m.all {
		if refused, known := m.kept.answer(theCompiler, one); known && refused.Failed {
			m.broken[one] = true
		}
	}
	if !m.trust {
		if m.unreached, err = unreached(ctx, m.shop.dir, m.folders()); err != nil {
			return err
		}
	}
	m.fates = map[*mutant]*fate{}
	for _, one := range m.all {
		f := &fate{Builds: !m.broken[one], Equivalent: m.equivalent.of(one), Unseen: m.unseen.of(one)}
		for _, b := range m.unreached[one.File] {
			f.Unreached = f.Unreached || one.number > 0 && b.has(one.Line, one.Column)
		}
		m.fates[one] = f
	}
	fmt.Printf("%d mutants, built in %s\n", len(m.all), time.Since(m.began).Round(time.Second))
	return nil
}

// settle leaves out of the program those that were caught before, where the wire does
// not show them by the tests, and those that are said to be equivalent.
func (m *measurement) settle() {
	for _, f := range m.files {
		f.mutants = slices.DeleteFunc(f.mutants, func(one *mutant) bool {
			one.settled = m.equivalent.of(one) != nil
			settling := []string{theCorpus, apartCorpus, theCompiler}
			if m.unseen.of(one) != nil {
				settling = append(settling, theTests)
			}
			for _, who := range settling {
				a, known := m.kept.answer(who, one)
				one.settled = one.settled || known && a.Failed
			}
			return one.settled || !strings.Contains(one.ID, m.match)
		})
	}
}

// judge asks the corpus about all, and a run and the tests about what is left.
func (m *measurement) judge(ctx context.Context) error {
	if err := m.askCorpus(ctx); err != nil {
		return err
	}
	if m.seek != "" {
		return nil
	}
	if err := m.askTests(ctx); err != nil || !m.run {
		return err
	}
	return m.askRun(ctx)
}

func (m *measurement) askCorpus(ctx context.Context) error {
	for _, one := range m.all {
		if one.settled {
			a, known := m.kept.answer(theCorpus, one)
			b, alone := m.kept.answer(apartCorpus, one)
			m.fates[one].Corpus = known && a.Failed || alone && b.Failed
		}
	}
	if !m.askAgain {
		return nil
	}
	program, err := m.shop.build(ctx, "judge", "./fuzz/mutants/judge")
	if err != nil {
		return err
	}
	reach := filepath.Join(m.shop.dir, "reach.json")
	if err := os.Remove(reach); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sound := false
	if err := judgeAll(ctx, []string{program, "-reach", reach}, []int{0}, nil, func(v verdict) {
		sound = !v.Caught
		if v.Caught {
			fmt.Printf("%s: %s\n", v.Case, v.What)
		}
	}); err != nil {
		return err
	}
	if !sound {
		return errors.New("the corpus catches the reference as it is")
	}
	var numbers, certain []int // certain are those that nothing shows, as it is said
	byNumber := map[int]*mutant{}
	first := map[int]string{}
	var apart []*mutant
	for _, one := range m.all {
		f := m.fates[one]
		switch {
		case !f.Builds, f.Unreached, one.settled:
		case one.number == 0 && !m.options.apart:
			f.Builds = false // not asked
		case one.number == 0:
			apart = append(apart, one)
		default:
			if f.Equivalent != nil || f.Unseen != nil {
				certain = append(certain, one.number)
			} else {
				numbers = append(numbers, one.number)
			}
			byNumber[one.number] = one
			if known, ok := m.kept.answer(theCorpus, one); ok {
				first[one.number] = known.Said
			}
		}
	}
	bar := newBar(len(numbers)+len(certain)+len(apart), "the corpus")
	told := func(v verdict) {
		m.noteCorpus(byNumber[v.Number], v)
		_ = bar.Add(1)
	}
	if err = judgeAll(ctx, []string{program, "-reach", reach}, numbers, first, told); err == nil {
		err = judgeAll(ctx, []string{program, "-reach", reach, "-most", strconv.Itoa(m.most)}, certain, first, told)
	}
	for _, one := range apart {
		if err != nil {
			break
		}
		err = m.apart(ctx, one)
		_ = bar.Add(1)
	}
	_ = bar.Finish()
	return errors.Join(err, m.wrong)
}

func newBar(n int, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(n, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(time.Second), progressbar.OptionClearOnFinish())
}

func (m *measurement) noteCorpus(one *mutant, v verdict) {
	f := m.fates[one]
	f.Corpus, f.Case, f.What = v.Caught, v.Case, v.What
	if _, known := m.kept.answer(theCorpus, one); v.Caught && !known && one.number > 0 { // without a case, where it killed the process
		m.wrong = errors.Join(m.wrong, m.kept.keep(theCorpus, one, answer{true, v.Case}))
	}
	if m.verbose {
		fmt.Printf("%-8s %s:%d  %s  [%s %.200s]\n", map[bool]string{true: "caught", false: "SURVIVES"}[v.Caught], one.File, one.Line, one.ID, v.Case, v.What)
	}
}

func (m *measurement) fileOf(one *mutant) *sourceFile {
	for _, f := range m.files {
		if f.path == one.File {
			return f
		}
	}
	return nil
}

// apart builds a mutant by itself and has the corpus judge it.
func (m *measurement) apart(ctx context.Context, one *mutant) error {
	if a, known := m.kept.answer(apartCorpus, one); known && a.Failed {
		m.fates[one].Corpus, m.fates[one].Case = true, a.Said
		return nil
	}
	shop, err := m.shop.alone(m.fileOf(one), one)
	if err != nil {
		return err
	}
	program, err := shop.build(ctx, "judge-alone", "./fuzz/mutants/judge")
	var not notBuilt
	if errors.As(err, &not) {
		m.fates[one].Builds = false
		return m.kept.keep(theCompiler, one, answer{Failed: true})
	}
	if err != nil {
		return err
	}
	most := 0
	if f := m.fates[one]; f.Equivalent != nil || f.Unseen != nil {
		most = m.most
	}
	return judgeAll(ctx, []string{program, "-most", strconv.Itoa(most)}, []int{0}, nil, func(v verdict) {
		m.noteCorpus(one, v)
		m.wrong = errors.Join(m.wrong, m.kept.keep(apartCorpus, one, answer{v.Caught, v.Case}))
	})
}

// apartCorpus is the corpus asked about a mutant that was built by itself, which
// takes so long that what it caught is not asked again, nor what the compiler
// refused there.
const (
	theCorpus   = "the corpus"
	apartCorpus = "the corpus, apart"
	theCompiler = "the compiler"
)

// left are the mutants that nobody has caught, and that are not known to be
// equivalent.
func (m *measurement) left(unseen bool) (some []*mutant) {
	for _, one := range m.all {
		f := m.fates[one]
		if f.Builds && !f.caught() && f.Equivalent == nil && (!unseen || f.Unseen != nil) {
			some = append(some, one)
		}
	}
	return some
}

const theTests = "the tests"

// slow are tests of memory and of doubles on live PHP, which the corpus stands for.
const slow = "Memory|Allocate|ArePHPs|IsPHPs|Fuzz"

// askTests asks a package's tests about its mutants that the wire does not show.
func (m *measurement) askTests(ctx context.Context) error {
	return m.ask(ctx, theTests, m.left(true), func(ctx context.Context, shop *workshop, one *mutant) (func(number int) (bool, string, error), error) {
		folder := filepath.Dir(one.File)
		program, err := shop.once(ctx, strings.ReplaceAll(folder, "/", "-")+".test", "./"+folder)
		r := runner{dir: m.shop.dir, timeout: m.timeout}
		return func(number int) (bool, string, error) {
			return r.fails(ctx, number, folder, program, "-test.failfast", "-test.skip", slow)
		}, err
	}, func(f *fate, failed bool, said string) { f.Tests, f.What = failed, said })
}

const (
	seed       = "1"
	shortCases = "20000" // takes a moment
)

// askRun asks phpwire run.
func (m *measurement) askRun(ctx context.Context) error {
	return m.ask(ctx, "a run", m.left(false), func(ctx context.Context, shop *workshop, _ *mutant) (func(number int) (bool, string, error), error) {
		program, err := shop.once(ctx, "phpwire", ".")
		r := runner{dir: m.shop.dir, timeout: m.timeout}
		return func(number int) (bool, string, error) {
			run := []string{"run", "--fail-fast", "--seed", seed, "--out", filepath.Join(m.shop.dir, "out")}
			failed, said, err := r.fails(ctx, number, ".", program, append(run, "--cases", shortCases)...)
			if err == nil && !failed && number != 0 {
				failed, said, err = r.fails(ctx, number, ".", program, run...)
			}
			return failed, said, err
		}, err
	}, func(f *fate, failed bool, said string) { f.Run, f.What = failed, said })
}

// ask has a command judge mutants, after the reference as it is.
func (m *measurement) ask(ctx context.Context, who string, some []*mutant, with func(context.Context, *workshop, *mutant) (func(number int) (bool, string, error), error),
	note func(f *fate, failed bool, said string)) error {
	if len(some) == 0 {
		return nil
	}
	sound := map[string]bool{}
	bar := newBar(len(some), who)
	defer func() { _ = bar.Finish() }()
	for _, one := range some {
		_ = bar.Add(1)
		if a, known := m.kept.answer(who, one); known {
			note(m.fates[one], a.Failed, a.Said)
			continue
		}
		if who == theTests && !m.tests {
			continue
		}
		shop := m.shop
		if one.number == 0 {
			var err error
			if shop, err = m.shop.alone(m.fileOf(one), one); err != nil {
				return err
			}
		}
		command, err := with(ctx, shop, one)
		if err != nil {
			return err
		}
		if folder := filepath.Dir(one.File); one.number > 0 && !sound[folder] {
			failed, said, err := command(0)
			if err != nil {
				return err
			}
			if failed {
				return fmt.Errorf("%s fails on the reference as it is: %s", who, said)
			}
			sound[folder] = true
		}
		failed, said, err := command(one.number)
		if err != nil {
			return err
		}
		note(m.fates[one], failed, said)
		if err := m.kept.keep(who, one, answer{failed, said}); err != nil {
			return err
		}
		if m.verbose {
			m.say(os.Stdout, who, one, failed, said)
		}
	}
	return nil
}

func (m *measurement) say(w io.Writer, who string, one *mutant, failed bool, said string) {
	fmt.Fprintf(w, "%s  %-8s %s:%d  %s  [%.200s]\n", who, map[bool]string{true: "catches", false: "SURVIVES"}[failed], one.File, one.Line, one.ID, said)
}

// idle names lines of the two files that are about no mutant.
func (m *measurement) idle() error {
	if m.match != "" {
		return nil
	}
	var all []error
	for _, r := range []*reasons{m.equivalent, m.unseen} {
		for _, id := range r.idle() {
			all = append(all, fmt.Errorf("%s: there is no mutant %q", r.path, id))
		}
	}
	return errors.Join(all...)
}
