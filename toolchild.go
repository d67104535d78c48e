package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"phpwire/frames/toolchild/conformance"
	"phpwire/frames/toolchild/peer"
)

type toolchildFlags struct {
	peer    string
	only    string
	faults  []string
	json    bool
	verbose bool
}

func newToolchildCommand() *cobra.Command {
	var f toolchildFlags
	c := &cobra.Command{
		Use:   "toolchild",
		Short: "Judge a tool-child peer, clause by clause",
		Long: `Judge a peer of the tool-child protocol: its frames, its message guard, its
budgets and its payload references, in the role of the child and in that of the
server. Every case names the clause of docs/toolchild.md that it tests, and shows
the frames that it sent and saw.

The peer is the JavaScript one that comes with phpwire, which needs Node, or any
program that speaks the protocol on its stdin and stdout and knows the test
service that docs/toolchild.md describes. It is started anew for each case, as

  PEER child|server --root DIR --generation N [--refs-budget BYTES] [--fault NAME]

The status is 0 if every case holds, 1 if one failed, 2 if the run could not be
done.`,
		Example: `  phpwire toolchild
  phpwire toolchild --peer 'python3 my_peer.py' --only 'child/*'
  phpwire toolchild --only '*/refs/*' --json
  phpwire toolchild --fault ack-deletes       # see that the suite names a planted fault`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return judgePeer(c, f) },
	}
	c.Flags().StringVar(&f.peer, "peer", "", "the peer's `command`, split at spaces (default: the JavaScript peer)")
	c.Flags().StringVar(&f.only, "only", "", "run the cases whose id matches a `glob`, in which * matches anything")
	c.Flags().StringArrayVar(&f.faults, "fault", nil, "plant a fault in the peer, by `name`; may be repeated")
	c.Flags().BoolVar(&f.json, "json", false, "write one JSON object per case, one per line")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show the cases that hold, too")
	return c
}

func judgePeer(c *cobra.Command, f toolchildFlags) error {
	program := strings.Fields(f.peer)
	if len(program) == 0 {
		dir, err := os.MkdirTemp("", "phpwire-peer-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if program, err = peer.Install(dir); err != nil {
			return err
		}
	}
	bar := newProgress(c.ErrOrStderr())
	results, err := conformance.Run(c.Context(), conformance.Options{
		Command: program, Only: f.only, Faults: f.faults,
		Report: func(_ conformance.Result, done, total int) { bar.update(int64(done), int64(total)) },
	})
	bar.done()
	if err != nil {
		return err
	}
	failed := 0
	for _, result := range results {
		if !result.Passed {
			failed++
		}
		if err := f.show(c.OutOrStdout(), result); err != nil {
			return err
		}
	}
	if !f.json {
		fmt.Fprintf(c.OutOrStdout(), "%d cases, %d failed\n", len(results), failed)
	}
	return failedUnless(failed == 0, nil)
}

func (f toolchildFlags) show(out io.Writer, result conformance.Result) error {
	if f.json {
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false) // the frames are for reading
		return lines.Encode(result)
	}
	word := "ok  "
	if !result.Passed {
		word = "FAIL"
	} else if !f.verbose {
		return nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s\n     %s: %s\n", word, result.ID, result.Clause, result.Requirement)
	if !result.Passed {
		fmt.Fprintf(&text, "     %s\n", result.Failure)
	}
	for _, frame := range result.Frames {
		fmt.Fprintf(&text, "       %s\n", frame)
	}
	_, err := io.WriteString(out, text.String())
	return err
}
