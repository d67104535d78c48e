// Command write writes the payloads to files of a folder, for programs that are
// not in Go:
//
//	go run ./codec/payloads/write FOLDER
package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"

	"phpwire/codec"
	"phpwire/codec/payloads"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run ./codec/payloads/write FOLDER")
	}
	if err := os.MkdirAll(args[0], 0o777); err != nil {
		return err
	}
	for _, p := range payloads.All() {
		payload, err := codec.Encode(p.Value())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(args[0], p.Name), payload, 0o666); err != nil {
			return err
		}
	}
	return nil
}
