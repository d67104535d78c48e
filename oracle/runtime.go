package oracle

// Kind tells how a PHP runs.
type Kind string

// The kinds of runtimes.
const (
	Native Kind = "native"
	Wasm   Kind = "wasm"
)

// Runtime is a PHP that can be started.
type Runtime struct {
	Version string // PHP_VERSION, like "8.2.36"
	Kind    Kind
	Path    string // the binary; for WebAssembly the folder with its node_modules
	Source  string // where it was found, in words
}

// Name is the version and the kind: "8.2.36 native".
func (r Runtime) Name() string { return r.Version + " " + string(r.Kind) }

// Series is the version without its last part: "8.2".
func (r Runtime) Series() string { return series(r.Version) }

// Command is how a child of r is started, without the worker's arguments.
func (r Runtime) Command() []string {
	if r.Kind == Wasm {
		return append([]string{"node", "host.mjs", r.Series()}, settings...)
	}
	return append([]string{r.Path}, settings...)
}

// settings are the ini settings of every child. serialize_precision is what the
// wire's floats are written with; what PHP displays must not go to stdout.
var settings = []string{
	"-n", "-d", "serialize_precision=-1", "-d", "memory_limit=2G", "-d", "display_errors=stderr", "-d", "html_errors=0",
}
