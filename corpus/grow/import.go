package grow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
)

// FuzzCorpus is the module whose folders Import knows by itself.
const FuzzCorpus = "github.com/dvyukov/go-fuzz-corpus"

// Imported counts what Import did.
type Imported struct {
	Files, Tried int
	Kept         map[string]int // by fuzz target
}

// mostImported is the largest file that is read: a fuzz target does not get far
// with more.
const mostImported = 64 << 10

// Import reads folders of inputs, any files below them, and keeps as seeds of
// fuzz targets what makes the reference do something that no case of the corpus
// does: each file as a payload and as a stream, as a string, and where it is JSON
// or a number as a value or a double. Seeds go to into, a folder with one folder
// for each target.
func Import(dirs []string, into string, cases []corpus.Case) (Imported, error) {
	i := importer{into: into, known: newKnown(cases).reference, done: Imported{Kept: map[string]int{}}}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			if info, err := entry.Info(); err != nil || info.Size() > mostImported || strings.HasSuffix(path, ".go") {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			i.done.Files++
			return i.file(b)
		})
		if err != nil {
			return i.done, err
		}
	}
	return i.done, nil
}

type importer struct {
	into  string
	known map[string]bool
	done  Imported
}

var aNumber = regexp.MustCompile(`^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$`)

func (i *importer) file(b []byte) error {
	payloads := [][]byte{b, fmt.Appendf(nil, `s:%d:"%s";`, len(b), b)}
	if text := bytes.TrimSpace(b); aNumber.Match(text) {
		payload := fmt.Appendf(nil, "d:%s;", text)
		if err := i.try(corpus.Question{Op: corpus.Decode, Clause: "D-2", Input: payload}, "FuzzDecode"); err != nil {
			return err
		}
	}
	if v, ok := valueOfJSON(b); ok {
		if payload, err := codec.Encode(v); err == nil {
			payloads = append(payloads, payload)
		}
	}
	for _, payload := range payloads {
		if err := i.try(corpus.Question{Op: corpus.Decode, Clause: "P-2", Input: payload}, "FuzzDecode"); err != nil {
			return err
		}
	}
	return i.try(corpus.Question{Op: corpus.Read, Clause: "F-1", Input: b, From: "anyone"}, "FuzzFrame")
}

func (i *importer) try(q corpus.Question, target string) error {
	i.done.Tried++
	c, err := corpus.New(q)
	if err != nil {
		return err
	}
	s := c.ReferenceSignature()
	if i.known[s] {
		return nil
	}
	i.known[s] = true
	i.done.Kept[target]++
	return corpus.WriteSeed(filepath.Join(i.into, target), q.Input)
}

// valueOfJSON is a JSON document as PHP's json_decode() would have it.
func valueOfJSON(b []byte) (codec.Value, bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var tree any
	if d.Decode(&tree) != nil || d.More() {
		return codec.Value{}, false
	}
	return valueOf(tree), true
}

func valueOf(tree any) codec.Value {
	switch t := tree.(type) {
	case bool:
		return codec.Bool(t)
	case string:
		return codec.String(t)
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return codec.Int(n)
		}
		f, _ := t.Float64() // too large a number is an infinity, which is right
		return codec.Float(f)
	case []any:
		var vs []codec.Value
		for _, e := range t {
			vs = append(vs, valueOf(e))
		}
		return codec.List(vs...)
	case map[string]any:
		var es []codec.Entry
		for _, k := range sortedKeys(t) {
			es = append(es, codec.Entry{Key: codec.StringKey(k), Value: valueOf(t[k])})
		}
		return codec.Array(es...)
	}
	return codec.Null()
}

// FuzzCorpusDir finds the go-fuzz-corpus in the module cache, and downloads it
// there if need be. It works in the checkout, whose go.mod names the version.
func FuzzCorpusDir(checkout string) (string, error) {
	for _, args := range [][]string{{"mod", "download", FuzzCorpus}, {"list", "-m", "-f", "{{.Dir}}", FuzzCorpus}} {
		c := exec.Command("go", args...)
		c.Dir = checkout
		out, err := c.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, out)
		}
		if dir := strings.TrimSpace(string(out)); dir != "" {
			return dir, nil
		}
	}
	return "", fmt.Errorf("go list does not say where %s is", FuzzCorpus)
}

// FuzzCacheDir is where `go test -fuzz` keeps what it found for phpwire/fuzz.
func FuzzCacheDir() (string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOCACHE: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "fuzz", "phpwire", "fuzz"), nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
