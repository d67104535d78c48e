package reports

import "time"

// Format is the version of report.json that this package writes. [Read]
// refuses a report with a higher one.
const Format = 1

// Kind says which verb made the run.
type Kind string

// The kinds of runs.
const (
	KindRun       Kind = "run"       // the reference against PHPs
	KindCheck     Kind = "check"     // ports against what PHP does
	KindNightly   Kind = "nightly"   // everything, for hours
	KindChild     Kind = "child"     // the worker protocol of a PHP child
	KindToolChild Kind = "toolchild" // the tool-child protocol
)

// Run is the result of one run, the root of report.json.
//
// Columns and Suites are in the order in which they are to be shown. Every
// Cell, Failure and Known names a suite and a column of the run; [Run.Check]
// tells what does not fit.
type Run struct {
	// Format is set to the constant [Format] on writing.
	Format int `json:"format"`
	// Tool and Version say what made the run: "phpwire", "1.2.0".
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Kind says which verb made it.
	Kind Kind `json:"kind"`
	// Title is the subject in a few words, as "Ten ports against PHP 8.5".
	// When empty, one is made from the kind and the columns.
	Title string `json:"title,omitempty"`
	// Command repeats the run; it can be pasted into a shell.
	Command string `json:"command,omitempty"`
	// Seed is what the generated cases came from. In JSON it is a string,
	// because a JSON number carries only 53 bits in many languages.
	Seed int64 `json:"seed,string"`
	// Started is when the run began; Seconds is how long it took by the wall.
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
	// Aborted says why the run ended before its work was done. A run that
	// was aborted never passes.
	Aborted string `json:"aborted,omitempty"`

	Columns []Column `json:"columns"`
	Suites  []Suite  `json:"suites"`
	// Cells has at most one cell for a suite and a column. No cell means
	// that the suite was not run there.
	Cells []Cell `json:"cells"`

	// ListedPerCell is how many failures are kept for one suite and column;
	// 0 keeps all. The counts of the cells are never cut. See [Run.Add].
	ListedPerCell int `json:"listed_per_cell,omitempty"`
	// Failures are the failures that are told in full.
	Failures []Failure `json:"failures"`

	// Clauses are all clauses of the protocol, those without a visit too.
	Clauses []ClauseVisits `json:"clauses,omitempty"`
	// Facts are differences between PHP versions: news, not failures.
	Facts []Fact `json:"facts,omitempty"`
	// Known are the failures that a file declares as known.
	Known []Known `json:"known,omitempty"`
	// Throughput has points in order of time.
	Throughput []Point `json:"throughput,omitempty"`
	// History has earlier runs of the same work, oldest first, without this.
	History []Night `json:"history,omitempty"`
}

// ColumnKind says what a column judges.
type ColumnKind string

// The kinds of columns.
const (
	ColumnNative ColumnKind = "native" // a PHP binary
	ColumnWASM   ColumnKind = "wasm"   // a PHP on WebAssembly
	ColumnPort   ColumnKind = "port"   // an implementation under judgement
)

// Column is what the suites were run against: a PHP or a port.
type Column struct {
	// Name is unique in the run and shown as the column's head:
	// "PHP 8.2.36 native", "php-serialize".
	Name string `json:"name"`
	// Version is its own version: "8.2.36".
	Version string     `json:"version,omitempty"`
	Kind    ColumnKind `json:"kind"`
	// Platform is what it runs on: "linux/amd64, 64-bit", "wasm32 on Node 20".
	Platform string `json:"platform,omitempty"`
	// Language is a port's: "Go", "Perl".
	Language string `json:"language,omitempty"`
	// Started is the command that started it.
	Started string `json:"started,omitempty"`
}

// Suite is a group of cases, one row of the matrix.
type Suite struct {
	// Name is unique in the run. Its parts are separated by slashes; the
	// first is the area by which rows are grouped: "codec/decode/mutated".
	Name string `json:"name"`
	// Title says in words what it checks.
	Title string `json:"title,omitempty"`
	// Clauses are the clauses of the protocol that it tests.
	Clauses []string `json:"clauses,omitempty"`
}

// Counts tells what became of the cases. Each case is in exactly one count
// beside Cases, so that
//
//	Cases = Passed + Failed + Crashed + Hung + Garbage + Known + Fixed + Skipped
type Counts struct {
	Cases   int64 `json:"cases"`
	Passed  int64 `json:"passed"`
	Failed  int64 `json:"failed,omitempty"`  // gave a wrong answer
	Crashed int64 `json:"crashed,omitempty"` // died
	Hung    int64 `json:"hung,omitempty"`    // gave no answer before the deadline
	Garbage int64 `json:"garbage,omitempty"` // gave something that is no answer
	Known   int64 `json:"known,omitempty"`   // failed, as a file of known failures says
	Fixed   int64 `json:"fixed,omitempty"`   // passed, although declared as a known failure
	Skipped int64 `json:"skipped,omitempty"` // not asked, for a reason that is told
}

// Cell is what one suite found in one column.
type Cell struct {
	Suite  string `json:"suite"`
	Column string `json:"column"`
	Counts
	// Skips tells for which reasons cases were skipped, and how many; the
	// counts add up to Counts.Skipped.
	Skips []Tally `json:"skips,omitempty"`
	// Kinds counts the failures by [Failure.Kind], the unlisted ones too.
	Kinds []Tally `json:"kinds,omitempty"`
	// NotApplicable is the reason why the suite has no meaning here, such as
	// "WeakReference exists from PHP 7.4 on". Such a cell has no cases.
	NotApplicable string `json:"not_applicable,omitempty"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds,omitempty"`
}

// Tally is how often something happened.
type Tally struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// ClauseVisits is how often the cases of the run tested a clause.
type ClauseVisits struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Visits int64  `json:"visits"`
	// Failed is how many of them failed.
	Failed int64 `json:"failed,omitempty"`
}

// Change says how a fact differs from the last night's.
type Change string

// The changes of a fact; the empty one means that it stands as before.
const (
	Unchanged Change = ""
	New       Change = "new"
	Changed   Change = "changed"
	Gone      Change = "gone"
	// Found is a difference that was only found now, since what is drawn is not the
	// same every night; no PHP has changed. It is no news.
	Found Change = "found"
)

// Fact is a difference between PHP versions.
type Fact struct {
	// ID is unique in the run and the same from night to night.
	ID     string `json:"id"`
	Clause string `json:"clause,omitempty"`
	Title  string `json:"title"`
	// Op is what was done with Input, an operation of the corpus; empty for reading
	// a payload.
	Op string `json:"op,omitempty"`
	// Input is an example, the shortest one, with the tokens that colour it.
	Input  []byte  `json:"input,omitempty"`
	Tokens []Token `json:"tokens,omitempty"`
	// Answers groups the columns by what they do with the example.
	Answers []FactAnswer `json:"answers"`
	// Cases is how many cases of the run show it.
	Cases int64 `json:"cases,omitempty"`
	// Drawn says that only drawn cases show it, which are others every night.
	Drawn  bool   `json:"drawn,omitempty"`
	Change Change `json:"change,omitempty"`
	// News says in sentences what is unlike the last night.
	News []string `json:"news,omitempty"`
}

// IsNews tells whether the fact is unlike the last night.
func (f *Fact) IsNews() bool { return f.Change != Unchanged && f.Change != Found }

// FactAnswer is what some columns do alike.
type FactAnswer struct {
	Columns []string `json:"columns"`
	Answer  string   `json:"answer"`
}

// KnownState says whether a known failure still fails.
type KnownState string

// The states of a known failure.
const (
	StillFails KnownState = "fails"
	NowPasses  KnownState = "passes" // fails the run until the file is updated
	NotRun     KnownState = "not run"
)

// Known is a failure that a file declares as known.
type Known struct {
	Case   string     `json:"case"`
	Suite  string     `json:"suite,omitempty"`
	Column string     `json:"column"`
	Reason string     `json:"reason"`
	State  KnownState `json:"state"`
}

// Point says how many cases were done, in all, at a time after the start.
type Point struct {
	Seconds float64 `json:"seconds"`
	Cases   int64   `json:"cases"`
}

// Night is an earlier run, in a line.
type Night struct {
	Started time.Time `json:"started"`
	Version string    `json:"version,omitempty"`
	Counts
	Seconds float64 `json:"seconds,omitempty"`
	// NewFacts is how many differences between PHPs were news that night.
	NewFacts int `json:"new_facts,omitempty"`
}
