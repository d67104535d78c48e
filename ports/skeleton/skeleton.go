// Package skeleton has a port to begin with in several languages: a program that
// answers every question, whose codec is still to be written.
package skeleton

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed port.py port.mjs port.php main.go.txt main.rs.txt Cargo.toml.txt
var files embed.FS

// Skeleton is a program to begin with.
type Skeleton struct {
	Files   []File
	Build   string // the command that builds it, "" for none
	Run     string // the command for --port
	Program string // what must be installed
	Get     string // the command that installs it on Debian
}

// File is a file of a skeleton.
type File struct {
	Name string // with slashes, below the folder
	Text []byte
}

// skeletons are without the texts of their files.
var skeletons = map[string]Skeleton{
	"go":         {Files: named("main.go"), Build: "go build -o port main.go", Run: "./port", Program: "go", Get: "install Go 1.22 or later"},
	"javascript": {Files: named("port.mjs"), Run: "node port.mjs", Program: "node", Get: "install Node 20 or later"},
	"php":        {Files: named("port.php"), Run: "php port.php", Program: "php", Get: "apt-get install php-cli"},
	"python":     {Files: named("port.py"), Run: "python3 port.py", Program: "python3", Get: "apt-get install python3"},
	"rust": {
		Files: named("Cargo.toml", "src/main.rs"), Build: "cargo build --release --offline", Run: "./target/release/port", Program: "cargo", Get: "apt-get install cargo",
	},
}

func named(names ...string) []File {
	var all []File
	for _, name := range names {
		all = append(all, File{Name: name})
	}
	return all
}

// Languages are the languages, in lower case.
func Languages() []string { return slices.Sorted(maps.Keys(skeletons)) }

// In returns the skeleton in a language, however its letters are written.
func In(language string) (Skeleton, error) {
	s, ok := skeletons[strings.ToLower(language)]
	if !ok {
		return s, fmt.Errorf("no skeleton in %q; there are %s", language, strings.Join(Languages(), ", "))
	}
	s.Files = slices.Clone(s.Files)
	for i, f := range s.Files {
		kept := path.Base(f.Name)
		if s.Build != "" {
			kept += ".txt" // so that it is no package of ours
		}
		var err error
		if s.Files[i].Text, err = files.ReadFile(kept); err != nil {
			return s, err
		}
	}
	return s, nil
}
