// Package skeleton has a port to begin with in several languages: a program that
// answers every question, whose codec is still to be written.
package skeleton

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed port.py port.mjs port.php main.go.txt
var files embed.FS

// Skeleton is a program to begin with.
type Skeleton struct {
	File  string // its name
	Text  []byte
	Build string // the command that builds it, "" for none
	Run   string // the command for --port
}

var byLanguage = map[string]Skeleton{
	"go":         {File: "main.go", Build: "go build -o port main.go", Run: "./port"},
	"javascript": {File: "port.mjs", Run: "node port.mjs"},
	"php":        {File: "port.php", Run: "php port.php"},
	"python":     {File: "port.py", Run: "python3 port.py"},
}

// Languages are the languages, in lower case.
func Languages() []string { return slices.Sorted(maps.Keys(byLanguage)) }

// In returns the skeleton in a language, however its letters are written.
func In(language string) (Skeleton, error) {
	s, ok := byLanguage[strings.ToLower(language)]
	if !ok {
		return s, fmt.Errorf("no skeleton in %q; there are %s", language, strings.Join(Languages(), ", "))
	}
	name := s.File
	if name == "main.go" {
		name += ".txt" // so that it is no package of ours
	}
	var err error
	s.Text, err = files.ReadFile(name)
	return s, err
}
