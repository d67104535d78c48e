// Command judge holds mutants of the reference against the corpus, one after
// another in one process. It reads their numbers, one a line, each with the case to
// begin with, if there is one, and writes a line of JSON for each (see [Verdict]). fuzz/mutants builds it with all mutants inside.
//
// A mutant that hangs, eats memory or kills the process ends it: whoever started
// it has a verdict or none for the last number, and starts another.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"phpwire/corpus"
	"phpwire/fuzz/mutants/active"
)

// Verdict is what became of a mutant.
type Verdict struct {
	Number int    `json:"number"`
	Caught bool   `json:"caught"`
	Case   string `json:"case,omitempty"` // the id of the case that caught it
	What   string `json:"what,omitempty"` // in a line
	Last   bool   `json:"last,omitempty"` // the process ends with it
	// Question is what showed it, where inputs were sought.
	Question *question `json:"question,omitempty"`
}

type question struct {
	Op     corpus.Op `json:"op"`
	Clause string    `json:"clause"`
	Input  []byte    `json:"b64"`
	From   string    `json:"from,omitempty"`
	Chunks []int     `json:"chunks,omitempty"`
}

const (
	mostCPU    = 2 * time.Second // for one case, of which the largest take a tenth
	mostMemory = 2 << 30
	mostStack  = 128 << 20
)

func main() {
	reachFile := flag.String("reach", "", "the file that says which cases call which functions; it is written where it is not there")
	kind := flag.String("seek", "", "look for inputs that show mutants of this package, instead of the corpus")
	n := flag.Int("n", 100_000, "how many inputs to draw")
	seed := flag.Int64("seed", 1, "what they are drawn with")
	most := flag.Int("most", 0, "ask only this many of the shortest cases about each; 0 asks all")
	flag.Parse()
	debug.SetMaxStack(mostStack)
	debug.SetGCPercent(400)
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 4 * mostMemory, Max: 4 * mostMemory}); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
	j := &judge{most: *most, cases: corpus.Cases(), out: json.NewEncoder(os.Stdout)}
	var err error
	if j.reach, err = reached(*reachFile, j.cases); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
	one := j.judge
	if *kind != "" {
		one = newSeeker(j, *kind, *n, *seed).seek
	}
	go j.watch()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		number, first, _ := strings.Cut(lines.Text(), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			fmt.Fprintln(os.Stderr, "judge:", err)
			os.Exit(1)
		}
		one(n, first)
	}
}

type judge struct {
	most  int // cases that are asked about a mutant; 0 for all
	cases []corpus.Case
	reach *reach
	out   *json.Encoder
	now   atomic.Pointer[running]
}

// running is the case that is being judged.
type running struct {
	number int
	id     string
	began  time.Duration // of the process's CPU time
}

func (j *judge) say(v Verdict) {
	if err := j.out.Encode(v); err != nil {
		os.Exit(1)
	}
}

// judge begins with the case that is called first, which caught the mutant before.
func (j *judge) judge(n int, first string) {
	order := j.reach.of(n)
	if j.most > 0 {
		order = order[:min(len(order), j.most)]
	}
	if i := slices.IndexFunc(j.cases, func(c corpus.Case) bool { return c.ID == first }); i >= 0 {
		order = append([]int{i}, order...)
	}
	active.Set(n)
	v := Verdict{Number: n}
	for _, i := range order {
		c := &j.cases[i]
		j.now.Store(&running{n, c.ID, cpuTime()})
		if what := check(c); what != "" {
			v = Verdict{Number: n, Caught: true, Case: c.ID, What: what}
			break
		}
	}
	j.now.Store(nil)
	active.Set(0)
	if resident() > mostMemory/4 {
		debug.FreeOSMemory()
	}
	j.say(v)
}

func check(c *corpus.Case) (what string) {
	defer func() {
		if p := recover(); p != nil {
			what = fmt.Sprint("panic: ", p)
		}
	}()
	what = strings.Join(c.Check(), "; ")
	if what == "" && c.Has(corpus.FlagClaim) {
		what = c.CheckMemory()
	}
	return what
}

// watch ends the process where a case takes too much.
func (j *judge) watch() {
	var m runtime.MemStats
	for round := 0; ; round++ {
		time.Sleep(20 * time.Millisecond)
		r := j.now.Load()
		if r == nil {
			continue
		}
		what := ""
		if cpuTime()-r.began > mostCPU {
			what = "hangs"
		} else if resident() > mostMemory {
			runtime.ReadMemStats(&m)
			what = fmt.Sprintf("takes %d bytes of memory", m.Sys)
		}
		if what != "" && j.now.Load() == r {
			j.say(Verdict{Number: r.number, Caught: true, Case: r.id, What: what, Last: true})
			os.Exit(0)
		}
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the memory of the process, in bytes.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
