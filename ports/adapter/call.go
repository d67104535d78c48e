package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"phpwire/ports/port"
	"phpwire/reports"
)

// Call says how somebody who has only the library calls it, in one line of a shell.
// Each part is a program in the library's language; in it {payload} and {value}
// stand for what is read and written, {type} for the name of the value's type.
type Call struct {
	// Run runs a program: {program} stands for it, in quotes, {dir} for the folder.
	Run string `json:"run"`
	// Values names how values are written in the language: javascript, typed
	// javascript, python, perl or go; Text whether its strings are utf8 or latin1.
	Values string `json:"values"`
	Text   string `json:"text,omitempty"`
	// Maps says that what is read has no lists, only maps with keys.
	Maps bool `json:"maps,omitempty"`
	// Decode reads a payload and prints the value, DecodeBy does where the payload
	// begins with a certain letter. Show prints a value in the same way.
	Decode   string            `json:"decode"`
	DecodeBy map[string]string `json:"decode_by,omitempty"`
	Show     string            `json:"show"`
	// Encode writes a value, Reencode a payload that it read, to standard output.
	Encode     string            `json:"encode,omitempty"`
	Reencode   string            `json:"reencode,omitempty"`
	ReencodeBy map[string]string `json:"reencode_by,omitempty"`
	// Crash is what standard error has where the program crashed, and did not refuse.
	Crash string `json:"crash,omitempty"`
}

// mostOfCall is how long a call may be, in bytes: it is to be read, and pasted.
const mostOfCall = 4 << 10

func (c *Call) check() error {
	if _, ok := styles[c.Values]; !ok {
		return fmt.Errorf("call: no values of the kind %q", c.Values)
	}
	if !strings.Contains(c.Run, "{program}") || !strings.Contains(c.Show, "{value}") {
		return errors.New("call: run must have {program}, show {value}")
	}
	return nil
}

// LineOf is the line of a shell that shows a failure without us, "" where there is
// none: the library has no such call, its language no such value, or the line would
// be too long.
func (a *Adapter) LineOf(f *reports.Failure) string {
	if a.Call == nil {
		return ""
	}
	program, err := a.Call.program(f)
	if err != nil {
		return ""
	}
	if line := a.line(program); len(line) <= mostOfCall {
		return line
	}
	return ""
}

// line is the line of a shell that runs a program.
func (a *Adapter) line(program string) string {
	return a.inDir(strings.ReplaceAll(a.Call.Run, "{program}", "'"+strings.ReplaceAll(program, "'", `'\''`)+"'"))
}

// operation is what a port did when it failed.
func operation(f *reports.Failure) port.Op {
	_, op, _ := strings.Cut(f.Suite, "/")
	return port.Op(op)
}

func (c *Call) program(f *reports.Failure) (string, error) {
	style := styles[c.Values]
	switch operation(f) {
	case port.Decode:
		return c.reading(c.Decode, c.DecodeBy, f.Input)
	case port.Reencode:
		return c.reading(c.Reencode, c.ReencodeBy, f.Input)
	}
	if c.Encode == "" {
		return "", errNoCall
	}
	value, kind, err := c.literal(style.written, f.Value)
	if err != nil {
		return "", err
	}
	return complete(c.Encode, "{value}", value, "{type}", kind), nil
}

var errNoCall = errors.New("the library has no such call")

func (c *Call) reading(program string, by map[string]string, payload []byte) (string, error) {
	if len(payload) > 0 && by[string(payload[:1])] != "" {
		program = by[string(payload[:1])]
	}
	if program == "" {
		return "", errNoCall
	}
	text, err := c.expression(payload)
	return complete(program, "{payload}", text), err
}

// showing is a program that prints a tagged value as Decode does.
func (c *Call) showing(tagged json.RawMessage) (string, error) {
	value, _, err := c.literal(styles[c.Values].read, tagged)
	return complete(c.Show, "{value}", value), err
}

// complete puts literals into a program, and in Go the imports that they need.
func complete(program string, literals ...string) string {
	program = strings.NewReplacer(literals...).Replace(program)
	imported := ""
	for _, name := range []string{"math", "strings"} {
		if strings.Contains(program, name+".") {
			imported += fmt.Sprintf("; %q", name)
		}
	}
	return strings.Replace(program, "{imports}", imported, 1)
}
