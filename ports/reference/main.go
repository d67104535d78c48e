// Command reference is our codec as a port.
//
//	phpwire check --port 'go run ./ports/reference'
//	phpwire check --port 'go run ./ports/reference --profile canonical'
package main

import (
	"flag"
	"fmt"
	"os"

	"phpwire/codec"
	"phpwire/ports/port"
)

func main() {
	profile := flag.String("profile", "plugin", "plugin or canonical")
	flag.Parse()
	p := codec.Plugin
	if *profile == codec.Canonical.String() {
		p = codec.Canonical
	}
	err := port.Serve(os.Stdin, os.Stdout, port.Codec{
		Hello:  port.Hello{Name: "reference", Version: "dev", Language: "Go", Profile: port.Profile(*profile)},
		Decode: func(payload []byte) (codec.Value, error) { return codec.Decode(payload, p) },
		Encode: codec.Encode,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}
