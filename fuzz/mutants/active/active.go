// Package active tells which mutant of the reference is switched on in this
// process. Only sources that fuzz/mutants writes import it.
package active

import (
	"fmt"
	"os"
	"strconv"
)

// Variable is the environment variable that names the mutant of a process.
const Variable = "PHPWIRE_MUTANT"

// Number is the mutant that is switched on; 0 is none, the reference as it is, and
// Recording that too.
var Number = fromEnvironment()

// Recording has functions say that they are called.
const Recording = -1

// A Function has the mutants from First to Last.
type Function struct {
	First, Last int
	Called      bool // since it was set to false, with Recording
}

// Functions are those that have mutants.
var Functions []*Function

// NewFunction notes a function.
func NewFunction(first, last int) *Function {
	f := &Function{First: first, Last: last}
	Functions = append(Functions, f)
	return f
}

func fromEnvironment() int {
	text := os.Getenv(Variable)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("%s=%q is no number", Variable, text))
	}
	return n
}

var each []func()

// Each has f called now, and whenever another mutant is switched on: it gives a
// variable of a package the value that it has there.
func Each(f func()) {
	each = append(each, f)
	f()
}

// Set switches mutant n on, instead of the one before.
func Set(n int) {
	Number = n
	for _, f := range each {
		f()
	}
}
