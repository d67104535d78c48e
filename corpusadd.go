package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/corpus/grow"
)

type addFlags struct {
	php, dir, clause, comment, from, chunks string
	partial, force, later, waiting          bool
}

func newCorpusAddCommand() *cobra.Command {
	var f addFlags
	c := &cobra.Command{
		Use:   "add [FILE|-] --clause ID",
		Short: "Judge an input with every PHP and file it in the corpus",
		Long: `Judge an input with the reference and every PHP from 7.2 to 8.5, and file it in its
area of the corpus in the checkout.

The input is a payload, from a file, from standard input (-) or in --b64; or
  --value JSON     a value as tagged JSON, to be encoded
  --float BITS     a double by its 16 hex digits, to be encoded
  --tagged TEXT    a text that may be tagged JSON
  --stream B64     a stream of frames, with --from and --chunks

It is refused where the corpus has it, or, without --force, a case that shows the
same behaviour.

A case says what the reference does. What it does wrong waits in corpus/waiting.json:
--later puts an input there, and --waiting, without an input, makes cases of those
about which the reference and every PHP agree by now.`,
		Example: `  printf 'i:+7;' | phpwire corpus add - --clause I-1 --comment 'a plus sign'
  phpwire corpus add --float 3fb999999999999a --clause D-1
  phpwire corpus add --waiting`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return addToCorpus(c, f, args) },
	}
	c.Flags().StringVar(&f.php, "php", "all", "which PHPs, as in run")
	c.Flags().StringVar(&f.dir, "dir", "", "the checkout (default the one that holds the working folder)")
	c.Flags().StringVar(&f.clause, "clause", "", "the clause of docs/protocol.md that it is about")
	c.Flags().StringVar(&f.comment, "comment", "", "what it shows, in a few words")
	c.Flags().String("b64", "", "the payload in base64")
	c.Flags().String("value", "", "a value as tagged JSON")
	c.Flags().String("float", "", "the bits of a double, 16 hex digits")
	c.Flags().String("tagged", "", "a text that may be tagged JSON")
	c.Flags().String("stream", "", "a stream of frames in base64")
	c.Flags().StringVar(&f.from, "from", "anyone", "who wrote the stream: host, php or anyone")
	c.Flags().StringVar(&f.chunks, "chunks", "", "the sizes of the stream's chunks, over and over")
	c.Flags().BoolVar(&f.partial, "partial", false, "go on where a PHP version is missing")
	c.Flags().BoolVar(&f.later, "later", false, "have it wait until the reference and PHP agree")
	c.Flags().BoolVar(&f.waiting, "waiting", false, "add what waits")
	c.Flags().BoolVar(&f.force, "force", false, "add it although a case shows the same behaviour")
	return c
}

func addToCorpus(c *cobra.Command, f addFlags, args []string) error {
	if f.waiting {
		data, err := dataDir(f.dir)
		if err != nil {
			return err
		}
		return addWaiting(c, f, data)
	}
	q, err := questionOf(c, f, args)
	if err != nil {
		return err
	}
	if f.clause == "" {
		hint := ""
		if q.Op == corpus.Decode {
			hint = "; by what the reference makes of it, it may be " + corpus.Suggest(q.Input)
		}
		return errors.New("--clause must name the clause of docs/protocol.md that it is about" + hint)
	}
	q.Clause, q.Comment = f.clause, f.comment
	if q.Comment == "" {
		q.Comment = f.clause
	}
	data, err := dataDir(f.dir)
	if err != nil {
		return err
	}
	if f.later {
		return addLater(c, data, q)
	}
	cases, err := corpus.ReadDir(data)
	if err != nil {
		return err
	}
	return withPanel(c.Context(), f.php, func(panel *grow.Panel) error {
		if err := refuseMissing(panel, f.partial); err != nil {
			return err
		}
		cases, added, err := panel.Add(c.Context(), cases, q, f.force)
		var same *grow.Same
		if errors.As(err, &same) && !same.Question {
			return fmt.Errorf("%w (--force adds it all the same)", err)
		}
		if err != nil {
			return err
		}
		if err := corpus.WriteDir(data, cases); err != nil {
			return err
		}
		printAdded(c.OutOrStdout(), added)
		return nil
	})
}

func printAdded(w io.Writer, added *corpus.Case) {
	fmt.Fprintf(w, "%s\n  plugin %s, canonical %s, php %s\n", added.ID, added.Expect.Plugin, orNone(added.Expect.Canonical), orNone(added.Expect.PHP))
	for _, a := range added.PHP {
		fmt.Fprintf(w, "  %s  %s %s\n", a.Does, strings.Join(a.On, " "), strings.Join(a.Warnings, "; "))
	}
}

func orNone(r corpus.Requirement) string {
	if r == "" {
		return "-"
	}
	return string(r)
}

// questionOf reads the input, which must be given in exactly one way.
func questionOf(c *cobra.Command, f addFlags, args []string) (corpus.Question, error) {
	var given []string
	text := ""
	for _, name := range []string{"b64", "value", "float", "tagged", "stream"} {
		if c.Flags().Changed(name) {
			given = append(given, name)
			text, _ = c.Flags().GetString(name)
		}
	}
	if len(given)+len(args) != 1 {
		return corpus.Question{}, errors.New("add takes one input: a FILE, - for standard input, --b64, --value, --float, --tagged or --stream")
	}
	if len(args) == 1 {
		payload, err := readPayload(c, replayFlags{}, args)
		return corpus.Question{Op: corpus.Decode, Input: payload}, err
	}
	switch given[0] {
	case "value":
		v, err := codec.ParseTagged([]byte(text))
		if err != nil && f.later {
			return corpus.Question{Op: corpus.Encode, Input: []byte(text)}, nil
		}
		return corpus.Question{Op: corpus.Encode, Input: codec.AppendTagged(nil, v)}, err
	case "float":
		if _, err := strconv.ParseUint(text, 16, 64); err != nil || len(text) != 16 {
			return corpus.Question{}, fmt.Errorf("--float %q: it must be 16 hex digits", text)
		}
		return corpus.Question{Op: corpus.Encode, Input: []byte(`{"t":"float","bits":"` + strings.ToLower(text) + `"}`)}, nil
	case "tagged":
		return corpus.Question{Op: corpus.Tagged, Input: []byte(text)}, nil
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return corpus.Question{}, fmt.Errorf("--%s: %w", given[0], err)
	}
	if given[0] == "b64" {
		return corpus.Question{Op: corpus.Decode, Input: b}, nil
	}
	q := corpus.Question{Op: corpus.Read, Input: b, From: f.from}
	if _, err := corpus.SideOf(f.from); err != nil {
		return q, err
	}
	if f.chunks != "" {
		for _, word := range strings.Split(f.chunks, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 {
				return q, fmt.Errorf("--chunks %q: it must be sizes of 1 or more, separated by commas", f.chunks)
			}
			q.Chunks = append(q.Chunks, n)
		}
	}
	return q, nil
}
