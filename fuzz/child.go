package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// envPHP chooses the PHP that judges.
const envPHP = "PHPWIRE_FUZZ_PHP"

// reference is the PHP of this process.
type reference struct {
	client *oracle.Client
	is     judge.Behaviour
	pid    int64 // of the child, 0 where it is not native
}

// startTimeout is how long finding and starting PHP may take, batchTimeout how
// long a batch may take before PHP counts as hanging.
const (
	startTimeout = time.Minute
	batchTimeout = 20 * time.Second
)

// asked tells whether anybody wanted PHP.
var asked atomic.Bool

// php finds and starts the PHP of this process, once.
var php = sync.OnceValues(func() (*reference, error) {
	asked.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if err := usePHPBeside(); err != nil {
		return nil, err
	}
	found, err := oracle.Find(ctx)
	if err != nil {
		return nil, err
	}
	picked, err := found.Select(ctx, os.Getenv(envPHP))
	if err != nil {
		return nil, err
	}
	client := oracle.NewClient(picked[0], nil)
	facts, err := client.Facts(ctx)
	if err != nil {
		client.Close()
		return nil, err
	}
	p := &reference{client: client, is: judge.BehaviourOf(facts)}
	if picked[0].Kind == oracle.Native {
		if v, err := client.CallFunction(ctx, "getmypid"); err == nil {
			p.pid, _ = v.Int()
		}
	}
	return p, nil
})

// ready has the child running.
func (p *reference) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	_, err := p.client.Facts(ctx)
	return err
}

// usePHPBeside has the PHP found that the build for fuzzing clusters puts beside
// the targets, whose machines have none.
func usePHPBeside() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(program), "php", "php")
	if _, err := os.Stat(path); err != nil {
		return nil // the usual case: the PHPs of this machine judge
	}
	return os.Setenv("PHPWIRE_PHP", path+string(filepath.ListSeparator)+os.Getenv("PHPWIRE_PHP"))
}

// closeChild ends the child, where there is one.
func closeChild() {
	if asked.Load() {
		if p, err := php(); err == nil {
			p.client.Close()
		}
	}
}
