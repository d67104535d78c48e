// Package timing times a piece of work, in one way for everybody who takes part in
// a comparison, and says how a program with other libraries is asked to.
package timing

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// Sample is what some runs of a piece of work took.
type Sample struct {
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
	Objects uint64  `json:"objects"` // allocated
	Bytes   uint64  `json:"bytes"`   // allocated
}

// Each is what one run took, in seconds.
func (s Sample) Each() float64 { return s.Seconds / float64(s.Runs) }

// The longest that a round is made for the sake of collecting garbage, in times of
// its own length, and how much must be allocated by then so that it is.
const (
	mostTimes = 4
	mostFree  = 1 << 20 // in mostTimes it is the least heap that Go collects
)

// Time runs work again and again until at least so much time has gone by, and until
// its garbage was collected once, unless it makes next to none: work that allocates
// must not look cheaper in a short time than it is in a long one. A run should take a
// microsecond or more, so that looking at the clock does not count.
func Time(atLeast time.Duration, work func()) Sample {
	runtime.GC() // what there is from before
	collected := Collected()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var took time.Duration
	runs := 0
	for began := time.Now(); runs == 0 || took < atLeast || took < mostTimes*atLeast && !collected(); took = time.Since(began) {
		work()
		runs++
	}
	runtime.ReadMemStats(&after)
	return Sample{runs, took.Seconds(), after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}

// Collected returns what tells whether garbage was collected from now on, or next to
// none was made.
func Collected() func() bool {
	seen := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(seen)
	cyclesBefore, bytesBefore := seen[0].Value.Uint64(), seen[1].Value.Uint64()
	return func() bool {
		metrics.Read(seen)
		return seen[0].Value.Uint64() > cyclesBefore || seen[1].Value.Uint64()-bytesBefore < mostFree
	}
}

// Operation is what a codec is timed at.
type Operation string

// The operations.
const (
	Decode Operation = "decode"
	Encode Operation = "encode"
)

// Question asks a program, in a line of JSON, to work with a library.
type Question struct {
	Library   string        `json:"library"`
	File      string        `json:"file"` // holds the payload
	Operation Operation     `json:"operation"`
	AtLeast   time.Duration `json:"at_least"`        // in nanoseconds
	Check     bool          `json:"check,omitempty"` // whether the result is right, instead of the time
}

// Answer is the line that comes back.
type Answer struct {
	Sample Sample `json:"sample,omitzero"`
	Wrong  string `json:"wrong,omitempty"` // what is wrong with the result
	Error  string `json:"error,omitempty"` // why there is no result
}

// Greeting is the first line of such a program: the libraries that it has, by
// name.
type Greeting struct {
	Libraries map[string]Library `json:"libraries"`
}

// Library says which one it is.
type Library struct {
	Module     string      `json:"module"`
	Version    string      `json:"version"`
	Operations []Operation `json:"operations"` // that it takes part in
}
