package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"phpwire/oracle"
)

func newPHPCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "php",
		Short: "List the PHPs at hand, and how to get those that are not",
		Long: `List the PHPs that runs can use: each is started and asked what it is.

Looked for are the binaries that PHPWIRE_PHP names (separated like PATH), php
and php7.2 to php8.5 on PATH, and the WebAssembly builds in php/wasm of the
checkout, or in the folder that PHPWIRE_WASM names.`,
		Example: `  phpwire php
  phpwire php --json
  PHPWIRE_PHP=$HOME/php-8.4/bin/php phpwire php`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return listPHPs(c, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// listed is a PHP as `phpwire php --json` prints it.
type listed struct {
	Name      string      `json:"name"`
	Version   string      `json:"version"`
	Kind      oracle.Kind `json:"kind"`
	Path      string      `json:"path"`
	Source    string      `json:"source"`
	IntBits   int         `json:"int_bits,omitempty"`
	SizeBits  int         `json:"size_t_bits,omitempty"`
	OS        string      `json:"os,omitempty"`
	Machine   string      `json:"machine,omitempty"`
	Started   string      `json:"started"` // how
	WeakRefs  bool        `json:"weak_references"`
	Enums     bool        `json:"enums"`
	ExtraData string      `json:"extra_data"` // what it does about bytes behind a value
	Error     string      `json:"error,omitempty"`
}

type notFound struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Get  string `json:"get"`
}

func listPHPs(c *cobra.Command, asJSON bool) error {
	ctx := c.Context()
	found, err := oracle.Find(ctx)
	if err != nil {
		return err
	}
	list := make([]listed, len(found.PHPs))
	var g errgroup.Group
	g.SetLimit(2)
	for i, r := range found.PHPs {
		g.Go(func() error {
			client := oracle.NewClient(r, nil)
			defer client.Close()
			facts, err := client.Facts(ctx)
			list[i] = listed{
				Name: r.Name(), Version: r.Version, Kind: r.Kind, Path: r.Path, Source: r.Source, Started: strings.Join(r.Command(), " "),
				IntBits: facts.IntBits, SizeBits: facts.SizeBits, OS: facts.OS, Machine: facts.Machine,
				WeakRefs: facts.WeakReference, Enums: facts.Enums, ExtraData: "silent",
			}
			if facts.ExtraDataWarns {
				list[i].ExtraData = "warns"
			}
			if err != nil {
				list[i].Error = err.Error()
			}
			return nil
		})
	}
	_ = g.Wait() // each error stands with its PHP
	missing := make([]notFound, len(found.Missing))
	for i, m := range found.Missing {
		missing[i] = notFound{m.What, m.Why, m.Get}
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), map[string]any{"php": list, "missing": missing})
	}
	printPHPs(c.OutOrStdout(), list, missing)
	for _, l := range list {
		if l.Error != "" {
			return fmt.Errorf("PHP %s does not work: %s", l.Name, l.Error)
		}
	}
	if len(list) == 0 {
		return oracle.ErrNoPHP
	}
	return nil
}

func printPHPs(w io.Writer, list []listed, missing []notFound) {
	t := newTable(w)
	t.AppendHeader(row("PHP", "kind", "int", "size_t", "platform", "found as", "started as"))
	for _, l := range list {
		program, _, _ := strings.Cut(l.Started, " -n ")
		t.AppendRow(row(l.Version, l.Kind, bitsOf(l.IntBits), bitsOf(l.SizeBits), l.OS+"/"+l.Machine, l.Source, program))
	}
	if len(list) > 0 {
		t.Render()
		_, settings, _ := strings.Cut(list[0].Started, " -n ")
		fmt.Fprintf(w, "each with -n %s\n", settings)
	}
	if len(missing) > 0 {
		fmt.Fprintln(w, "\nLooked for and not found:")
		for _, m := range missing {
			fmt.Fprintf(w, "  %s: %s\n    to get it: %s\n", m.What, m.Why, m.Get)
		}
	}
}

func bitsOf(n int) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprintf("%d bits", n)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
