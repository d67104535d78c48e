// Command phpwire checks implementations of PHP's wire codec, the reference
// among them, against live PHP. `phpwire help` lists what it does.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set when a release is built.
var version = "dev"

// The exit statuses of every verb.
const (
	exitOK     = 0
	exitFailed = 1 // something does not hold
	exitError  = 2 // the verb could not do its work
)

// errFailed says that the verb did its work and something does not hold. What it
// was is printed already.
var errFailed = errors.New("not all hold")

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	// The first signal ends the work in order: children go, and what was found
	// so far is told. A second one ends the program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	}
	fmt.Fprintln(os.Stderr, "phpwire:", err)
	return exitError
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "phpwire",
		Short: "Check codecs of PHP's wire format against live PHP",
		Long: `phpwire checks implementations of PHP's wire format, serialize() and the tagged
frames that carry it, against live PHP: native binaries and WebAssembly builds.

Exit status: 0 all holds, 1 something does not hold, 2 the work could not be done.`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		newPHPCommand(),
		newRunCommand(),
		newReplayCommand(),
		newCorpusCommand(),
		newToolchildCommand(),
		newChildCommand(),
		newCheckCommand(),
		newPortInitCommand(),
		newMatrixCommand(),
		newBenchCommand(),
		newNightlyCommand(),
		newReportCommand(),
	)
	return root
}
