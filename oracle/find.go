package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"phpwire/php/wasm"
)

// Series of PHP that this project speaks to.
var allSeries = []string{"7.2", "7.3", "7.4", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5"}

// The environment variables that name PHPs.
const (
	envPHP  = "PHPWIRE_PHP"  // binaries, separated like PATH
	envWasm = "PHPWIRE_WASM" // the folder whose node_modules holds WebAssembly PHPs
)

// Missing is a PHP that was looked for and not found.
type Missing struct {
	What string // like "PHP 8.4 as WebAssembly"
	Why  string
	Get  string // the command that installs it
}

// The commands that install PHPs.
const (
	getNative = "apt-get install php-cli"
	getWasm   = "make php-all"
)

// Found is what [Find] found, natives first, then by version.
type Found struct {
	PHPs    []Runtime
	Missing []Missing
}

// Find looks for PHPs: the binaries that PHPWIRE_PHP names, php and php7.2 to
// php8.5 on PATH, and the WebAssembly builds in the node_modules of
// PHPWIRE_WASM, or of php/wasm in the checkout that holds the working folder or
// the program.
func Find(ctx context.Context) (Found, error) {
	var f Found
	if err := f.findNative(ctx); err != nil {
		return f, err
	}
	if err := f.findWasm(ctx); err != nil {
		return f, err
	}
	slices.SortStableFunc(f.PHPs, func(a, b Runtime) int {
		if a.Kind != b.Kind {
			return strings.Compare(string(a.Kind), string(b.Kind))
		}
		return compareVersions(a.Version, b.Version)
	})
	return f, nil
}

func (f *Found) findNative(ctx context.Context) error {
	seen := map[string]bool{}
	add := func(path, source string) error {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		if seen[real] {
			return nil
		}
		seen[real] = true
		version, err := nativeVersion(ctx, path)
		if err != nil {
			return err
		}
		f.PHPs = append(f.PHPs, Runtime{Version: version, Kind: Native, Path: path, Source: source})
		return nil
	}
	for _, path := range filepath.SplitList(os.Getenv(envPHP)) {
		if path == "" {
			continue
		}
		if err := add(path, "named in "+envPHP); err != nil {
			return fmt.Errorf("%s: %w", envPHP, err)
		}
	}
	names := []string{"php"}
	for _, s := range allSeries {
		names = append(names, "php"+s)
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := add(path, name+" on PATH"); err != nil {
			f.Missing = append(f.Missing, Missing{What: "PHP at " + path, Why: err.Error(), Get: getNative})
		}
	}
	if len(f.PHPs) == 0 {
		f.Missing = append(f.Missing, Missing{What: "a native PHP", Why: "no php on PATH and none in " + envPHP, Get: getNative})
	}
	return nil
}

var versionPattern = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+\S*$`)

// versionTimeout is how long a binary may take to say its version: long enough
// for a machine that is busy with everything else.
const versionTimeout = 30 * time.Second

func nativeVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-n", "-r", "echo PHP_VERSION;")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s does not run: %w", path, err)
	}
	if version := string(out); versionPattern.MatchString(version) {
		return version, nil
	}
	return "", fmt.Errorf("%s is no PHP: asked for its version it says %.40q", path, out)
}

func (f *Found) findWasm(ctx context.Context) error {
	missing := func(why string) {
		f.Missing = append(f.Missing, Missing{What: "PHP 7.2 to 8.5 as WebAssembly", Why: why, Get: getWasm})
	}
	folder := wasmFolder()
	if folder == "" {
		missing("no php/wasm/node_modules in this checkout, and " + envWasm + " is not set")
		return nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("there is no node (20 or later) on PATH")
		return nil
	}
	dir, err := newFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	host, err := writeHost(dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, host, "--list")
	cmd.Env = append(os.Environ(), envWasm+"="+folder)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the WebAssembly host does not run: %w: %s", err, stderr.String())
	}
	var builds []struct {
		Version, PHP, Package, PackageVersion string
		Loadable                              bool
	}
	if err := json.Unmarshal(out, &builds); err != nil {
		return fmt.Errorf("the WebAssembly host's list: %w", err)
	}
	have := map[string]bool{}
	for _, b := range builds {
		if b.Loadable {
			have[b.Version] = true
			f.PHPs = append(f.PHPs, Runtime{Version: b.PHP, Kind: Wasm, Path: folder, Source: "npm " + b.Package + " " + b.PackageVersion})
		}
	}
	for _, s := range allSeries {
		if !have[s] {
			f.Missing = append(f.Missing, Missing{What: "PHP " + s + " as WebAssembly", Why: "its package is not in " + folder, Get: getWasm})
		}
	}
	return nil
}

// wasmFolder is where the npm packages are: "" for nowhere.
func wasmFolder() string {
	if named := os.Getenv(envWasm); named != "" {
		return named
	}
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, dir := range starts {
		for {
			folder := filepath.Join(dir, "php", "wasm")
			if _, err := os.Stat(filepath.Join(folder, "node_modules")); err == nil {
				return folder
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return ""
}

func writeHost(dir string) (string, error) {
	const name = "host.mjs"
	source, err := wasm.Files.ReadFile(name)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	return path, os.WriteFile(path, source, 0o600)
}

// ErrNoPHP says that a selection names no PHP that is there.
var ErrNoPHP = errors.New("no such PHP")

// Select picks from what was found: "" the best one (native before WebAssembly,
// then the newest), "all", "native", "wasm", or a list of versions (8.2, 8.2.36),
// names ("8.2 wasm") and paths of binaries, separated by commas.
func (f Found) Select(ctx context.Context, selection string) ([]Runtime, error) {
	var picked []Runtime
	switch selection {
	case "", "best":
		if best, ok := f.best(); ok {
			picked = append(picked, best)
		}
	case "all":
		picked = f.PHPs
	case string(Native), string(Wasm):
		for _, r := range f.PHPs {
			if string(r.Kind) == selection {
				picked = append(picked, r)
			}
		}
	default:
		for _, word := range strings.Split(selection, ",") {
			some, err := f.named(ctx, strings.TrimSpace(word))
			if err != nil {
				return nil, err
			}
			for _, r := range some {
				if !slices.Contains(picked, r) {
					picked = append(picked, r)
				}
			}
		}
	}
	if len(picked) == 0 {
		return nil, f.none(selection)
	}
	return picked, nil
}

func (f Found) named(ctx context.Context, word string) ([]Runtime, error) {
	if strings.ContainsRune(word, filepath.Separator) {
		version, err := nativeVersion(ctx, word)
		if err != nil {
			return nil, err
		}
		return []Runtime{{Version: version, Kind: Native, Path: word, Source: "named on the command line"}}, nil
	}
	version, kind, _ := strings.Cut(word, " ")
	var picked []Runtime
	for _, r := range f.PHPs {
		if (r.Version == version || r.Series() == version) && (kind == "" || kind == string(r.Kind)) {
			picked = append(picked, r)
		}
	}
	if len(picked) == 0 {
		return nil, f.none(word)
	}
	return picked, nil
}

func (f Found) none(selection string) error {
	var text strings.Builder
	if selection == "" {
		selection = "best"
	}
	fmt.Fprintf(&text, "%q", selection)
	for _, m := range f.Missing {
		fmt.Fprintf(&text, "\n  %s: %s; to get it: %s", m.What, m.Why, m.Get)
	}
	return fmt.Errorf("%w: %s", ErrNoPHP, text.String())
}

func (f Found) best() (Runtime, bool) {
	if len(f.PHPs) == 0 {
		return Runtime{}, false
	}
	return slices.MaxFunc(f.PHPs, func(a, b Runtime) int {
		if a.Kind != b.Kind {
			return strings.Compare(string(b.Kind), string(a.Kind))
		}
		return compareVersions(a.Version, b.Version)
	}), true
}

func series(version string) string {
	if parts := strings.SplitN(version, ".", 3); len(parts) > 2 {
		return parts[0] + "." + parts[1]
	}
	return version
}

func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < min(len(x), len(y)); i++ {
		m, errM := strconv.Atoi(x[i])
		n, errN := strconv.Atoi(y[i])
		if errM != nil || errN != nil {
			if c := strings.Compare(x[i], y[i]); c != 0 {
				return c
			}
		} else if m != n {
			return m - n
		}
	}
	return len(x) - len(y)
}
