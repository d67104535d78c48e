// Package adapter knows the ports that are here: a folder for each, whose
// adapter.json says which library it is, how it is installed and started, and how
// somebody calls the library without us.
package adapter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"phpwire/ports"
)

// File is what a folder has that is an adapter.
const File = "adapter.json"

// Adapter is a library as a port.
type Adapter struct {
	// Folder is the name of its folder, Dir the path of it.
	Folder, Dir string `json:"-"`
	// Library and From say what it is: "locutus 3.0.36", "npm".
	Library  string `json:"library"`
	From     string `json:"from"`
	Language string `json:"language"`
	// Needs are programs and Debian's packages that have them.
	Needs []Need `json:"needs,omitempty"`
	// Install is the command of the shell that installs the library, and Command
	// the one that starts the port; {dir} stands for the folder.
	Install string `json:"install,omitempty"`
	Command string `json:"command"`
	// Call says how the library is called, for those of others.
	Call *Call `json:"call,omitempty"`
}

// Need is a program, and how it is got.
type Need struct {
	Program string `json:"program"`
	Get     string `json:"get"`
}

// All reads the adapters below a folder, in the order of their names.
func All(dir string) ([]Adapter, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", File))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no folder in it has an %s", dir, File)
	}
	var all []Adapter
	for _, path := range files {
		a, err := read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, *a)
	}
	return all, nil
}

func read(path string) (*Adapter, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := &Adapter{Dir: filepath.Dir(path), Folder: filepath.Base(filepath.Dir(path))}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return nil, err
	}
	if a.Library == "" || a.Language == "" || a.Command == "" {
		return nil, fmt.Errorf("library, language and command must be there")
	}
	if a.Call != nil {
		if err := a.Call.check(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Start is the command that starts the port.
func (a *Adapter) Start() string { return a.inDir(a.Command) }

// Installation is the command that installs the library, "" where there is none.
func (a *Adapter) Installation() string { return a.inDir(a.Install) }

func (a *Adapter) inDir(command string) string {
	return strings.ReplaceAll(command, "{dir}", a.Dir)
}

// Ready installs the library where the port does not start, and tells whether it had
// to. The error says what is missing, and the command that gets it.
func (a *Adapter) Ready(ctx context.Context) (installed bool, err error) {
	if missing := a.Missing(); missing != "" {
		return false, errors.New(missing)
	}
	_, err = ports.Greet(ctx, a.Start())
	if err == nil || a.Install == "" {
		return false, err
	}
	if out, err := exec.CommandContext(ctx, "sh", "-c", a.Installation()).CombinedOutput(); err != nil {
		return false, fmt.Errorf("%s: %w\n%s", a.Installation(), err, out)
	}
	_, err = ports.Greet(ctx, a.Start())
	return true, err
}

// Missing tells which program is not there, and how it is got; "" where all are.
func (a *Adapter) Missing() string {
	for _, n := range a.Needs {
		if _, err := exec.LookPath(n.Program); err != nil {
			return fmt.Sprintf("%s is missing; to get it: %s", n.Program, n.Get)
		}
	}
	return ""
}
