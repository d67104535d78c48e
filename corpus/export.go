package corpus

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Export writes cases into a folder, which it makes, in one of the Formats.
func Export(dir, format string, cases []Case) error {
	for _, f := range formats {
		if f.name == format {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return f.write(dir, cases)
		}
	}
	return fmt.Errorf("there is no format %q, but %s", format, strings.Join(Formats(), ", "))
}

var formats = []struct {
	name  string
	write func(string, []Case) error
}{{"files", exportFiles}, {"go-fuzz", exportGoFuzz}, {"jsonl", exportLines}}

// Formats are the names of the formats of Export:
//
//	files    for languages without JSON: ID.in holds the input, ID.expect lines of
//	         name=value, ID.out what is written
//	go-fuzz  the seed corpora of Go's fuzz targets, one folder for each
//	jsonl    corpus.jsonl, one case a line
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func exportFiles(dir string, cases []Case) error {
	for i := range cases {
		c := &cases[i]
		name := filepath.Join(dir, filepath.FromSlash(c.ID))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name+".in", c.Input.B64, 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(name+".expect", c.expectLines(), 0o644); err != nil {
			return err
		}
		if out := c.Written(); out != nil {
			if err := os.WriteFile(name+".out", out, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Case) expectLines() []byte {
	var b bytes.Buffer
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" {
			fmt.Fprintf(&b, "%s=%s\n", name, text)
		}
	}
	line("op", c.Op)
	line("clause", c.Clause)
	line("plugin", c.Expect.Plugin)
	line("canonical", c.Expect.Canonical)
	line("php", c.Expect.PHP)
	line("from", c.From)
	var flags []string
	for _, f := range c.Flags {
		flags = append(flags, string(f))
	}
	line("flags", strings.Join(flags, ","))
	line("value", string(c.Value))
	return b.Bytes()
}

// fuzzTargets are the folders of the operations whose input is any bytes.
var fuzzTargets = map[Op]string{Decode: "FuzzDecode", Read: "FuzzFrame", Tagged: "FuzzTagged"}

func exportGoFuzz(dir string, cases []Case) error {
	for i := range cases {
		target, ok := fuzzTargets[cases[i].Op]
		if !ok {
			continue
		}
		if err := WriteSeed(filepath.Join(dir, target), cases[i].Input.B64); err != nil {
			return err
		}
	}
	return nil
}

const seedHead = "go test fuzz v1\n"

// WriteSeed writes an input as a seed of a Go fuzz target that takes bytes. The
// file's name comes from the input.
func WriteSeed(dir string, input []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text := seedHead + "[]byte(" + strconv.Quote(string(input)) + ")\n"
	h := sha256.Sum256([]byte(text))
	return os.WriteFile(filepath.Join(dir, hex.EncodeToString(h[:8])), []byte(text), 0o644)
}

// ReadSeed reads what WriteSeed wrote.
func ReadSeed(b []byte) ([]byte, error) {
	text, isSeed := strings.CutPrefix(string(b), seedHead+"[]byte(")
	text, closed := strings.CutSuffix(text, ")\n")
	if !isSeed || !closed {
		return nil, fmt.Errorf("%.40q is no seed of bytes", b)
	}
	input, err := strconv.Unquote(text)
	return []byte(input), err
}

func exportLines(dir string, cases []Case) error {
	f, err := os.Create(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i := range cases {
		line, err := Line(&cases[i])
		if err != nil {
			return err
		}
		w.Write(line)
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// ReadLines reads cases one a line, as the format jsonl has them.
func ReadLines(r io.Reader) ([]Case, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var cases []Case
	for {
		var c Case
		if err := d.Decode(&c); err == io.EOF {
			return cases, nil
		} else if err != nil {
			return nil, fmt.Errorf("case %d: %w", len(cases)+1, err)
		}
		cases = append(cases, c)
	}
}
