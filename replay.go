package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"phpwire/frames"
	"phpwire/fuzz/judge"
	"phpwire/fuzz/replay"
	"phpwire/oracle"
	"phpwire/reports"
)

type replayFlags struct {
	php, b64, value, float, stream, from, chunks string
	precision                                    int
	json                                         bool
}

func newReplayCommand() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay [FILE|-]",
		Short: "Put one input before the reference and every PHP, side by side",
		Long: `Put one input before the reference and the PHPs, and name what differs.

The input is a payload, from a file, from standard input (-) or in --b64; or
  --value JSON    a value as tagged JSON: what each writes for it
  --float BITS    a double by its 16 hex digits, under --precision
  --stream B64    a stream of frames, in one piece and in --chunks (no PHP)

Exit status 1 where an invariant is broken.`,
		Example: `  printf 'a:1:{s:1:"5";i:1;}' | phpwire replay -
  phpwire replay --b64 'aTowNTs=' --php all --json
  phpwire replay --value '{"t":"float","bits":"3fb999999999999a"}'
  phpwire replay --float 3fb999999999999a --precision 17`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return replayInput(c, f, args) },
	}
	c.Flags().StringVar(&f.php, "php", "all", "which PHPs, as in run")
	c.Flags().StringVar(&f.b64, "b64", "", "the payload in base64")
	c.Flags().StringVar(&f.value, "value", "", "a value as tagged JSON")
	c.Flags().StringVar(&f.float, "float", "", "the bits of a double, 16 hex digits")
	c.Flags().IntVar(&f.precision, "precision", -1, "serialize_precision for --float")
	c.Flags().StringVar(&f.stream, "stream", "", "a stream of frames in base64")
	c.Flags().StringVar(&f.from, "from", "anyone", "who wrote the stream: host, php or anyone")
	c.Flags().StringVar(&f.chunks, "chunks", "", "the sizes of the stream's chunks, over and over (default 1)")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// replayTimeout is how long one input may take before everybody.
const replayTimeout = 2 * time.Minute

func replayInput(c *cobra.Command, f replayFlags, args []string) error {
	ctx, cancel := context.WithTimeout(c.Context(), replayTimeout)
	defer cancel()
	out := c.OutOrStdout()
	given := len(args)
	for _, name := range []string{"b64", "value", "float", "stream"} {
		if c.Flags().Changed(name) {
			given++
		}
	}
	if given != 1 {
		return errors.New("replay takes one input: a FILE, - for standard input, --b64, --value, --float or --stream")
	}
	if c.Flags().Changed("stream") {
		return replayStream(out, f)
	}
	runtimes, err := choosePHPs(ctx, f.php)
	if err != nil {
		return err
	}
	clients := make([]*oracle.Client, len(runtimes))
	for i, r := range runtimes {
		clients[i] = oracle.NewClient(r, nil)
		defer clients[i].Close()
	}
	switch {
	case c.Flags().Changed("value"):
		return replayValue(ctx, out, f, []byte(f.value), clients)
	case c.Flags().Changed("float"):
		return replayFloat(ctx, out, f, clients)
	}
	payload, err := readPayload(c, f, args)
	if err != nil {
		return err
	}
	comparison, err := replay.Payload(ctx, payload, clients)
	if err != nil {
		return err
	}
	if f.json {
		err = printJSON(out, comparison)
	} else {
		printComparison(out, comparison)
	}
	return failedUnless(comparison.Agree, err)
}

func failedUnless(holds bool, err error) error {
	if err == nil && !holds {
		return errFailed
	}
	return err
}

func readPayload(c *cobra.Command, f replayFlags, args []string) ([]byte, error) {
	if len(args) == 0 {
		payload, err := base64.StdEncoding.DecodeString(f.b64)
		if err != nil {
			return nil, fmt.Errorf("--b64: %w", err)
		}
		return payload, nil
	}
	in := c.InOrStdin()
	if args[0] != "-" {
		file, err := os.Open(args[0])
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	payload, err := io.ReadAll(io.LimitReader(in, frames.MaxLength+1))
	if err == nil && len(payload) > frames.MaxLength {
		err = fmt.Errorf("%s: more than %d bytes, which no frame can carry", args[0], frames.MaxLength)
	}
	return payload, err
}

func printComparison(w io.Writer, c *replay.Comparison) {
	fmt.Fprintf(w, "input  %s  (%d bytes)\n\n", glance(c.Input), len(c.Input))
	t := newTable(w)
	t.AppendHeader(row("who", "verdict", "value", "writes it as", "says"))
	for _, side := range []struct {
		name string
		r    replay.Reading
	}{{"Plugin", c.Reference.Plugin}, {"Canonical", c.Reference.Canonical}} {
		line := row(side.name, verdictText(side.r.OK), "", "", side.r.Error)
		if side.r.OK {
			line[2], line[3] = clip(side.r.Shown()), clip(reports.Brief(side.r.B64))
		}
		t.AppendRow(line)
	}
	t.AppendSeparator()
	for _, a := range c.PHP {
		line := row("PHP "+a.Name, verdictText(a.OK), "", "", strings.Join(a.Warnings, "\n"))
		if a.OK {
			line[2], line[3] = clip(a.Shown()), clip(reports.Brief(a.B64))
		}
		t.AppendRow(line)
	}
	t.Render()
	printAgreement(w, c.Agree, c.Differences)
}

func printAgreement(w io.Writer, agree bool, differences []string) {
	if agree {
		fmt.Fprintln(w, "every invariant holds")
	}
	for _, d := range differences {
		fmt.Fprintln(w, "DIFFERS ", d)
	}
}

func verdictText(ok bool) string {
	if ok {
		return "accepts"
	}
	return "refuses"
}

// clip cuts a text for a cell of a table.
func clip(s string) string { return clipped(s, 120) }

func replayValue(ctx context.Context, w io.Writer, f replayFlags, tagged []byte, clients []*oracle.Client) error {
	e, err := replay.Value(ctx, tagged, clients)
	if err != nil {
		return err
	}
	if f.json {
		return failedUnless(e.Agree, printJSON(w, e))
	}
	t := newTable(w)
	t.AppendHeader(row("who", "writes", "says"))
	t.AppendRow(row("reference", clip(reports.Brief(e.Reference.B64)), e.Reference.Error))
	t.AppendSeparator()
	for _, a := range e.PHP {
		t.AppendRow(row("PHP "+a.Name, clip(reports.Brief(a.B64)), strings.Join(a.Warnings, "\n")))
	}
	t.Render()
	printAgreement(w, e.Agree, e.Differences)
	return failedUnless(e.Agree, nil)
}

func replayFloat(ctx context.Context, w io.Writer, f replayFlags, clients []*oracle.Client) error {
	bits, err := strconv.ParseUint(f.float, 16, 64)
	if err != nil || len(f.float) != 16 {
		return fmt.Errorf("--float %q: it must be 16 hex digits", f.float)
	}
	if f.precision < -1 {
		return fmt.Errorf("--precision %d: it must be -1 or more", f.precision)
	}
	e, err := replay.Float(ctx, judge.Float{Bits: bits, Precision: f.precision}, clients)
	if err != nil {
		return err
	}
	if f.json {
		return failedUnless(e.Agree, printJSON(w, e))
	}
	t := newTable(w)
	t.AppendHeader(row("who", "writes"))
	t.AppendRow(row("reference", e.Reference))
	t.AppendSeparator()
	for _, a := range e.PHP {
		t.AppendRow(row("PHP "+a.Name, a.Text))
	}
	t.Render()
	printAgreement(w, e.Agree, e.Differences)
	return failedUnless(e.Agree, nil)
}

func replayStream(w io.Writer, f replayFlags) error {
	stream, err := base64.StdEncoding.DecodeString(f.stream)
	if err != nil {
		return fmt.Errorf("--stream: %w", err)
	}
	s := judge.Stream{Bytes: stream}
	switch f.from {
	case "host":
		s.From = frames.FromHost
	case "php":
		s.From = frames.FromPHP
	case "anyone":
	default:
		return fmt.Errorf("--from %q: it must be host, php or anyone", f.from)
	}
	for _, word := range strings.Split(f.chunks, ",") {
		if word == "" {
			continue
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("--chunks %q: it must be sizes of 1 or more, separated by commas", f.chunks)
		}
		s.Chunks = append(s.Chunks, n)
	}
	e := replay.Stream(s)
	if f.json {
		return failedUnless(e.Agree, printJSON(w, e))
	}
	t := newTable(w)
	t.AppendHeader(row("frame", "in one piece", "in chunks"))
	for i := range max(len(e.Whole), len(e.Chunks)) {
		line := row(i+1, "", "")
		if i < len(e.Whole) {
			line[1] = clip(e.Whole[i])
		}
		if i < len(e.Chunks) {
			line[2] = clip(e.Chunks[i])
		}
		t.AppendRow(line)
	}
	t.Render()
	printAgreement(w, e.Agree, e.Differences)
	return failedUnless(e.Agree, nil)
}
