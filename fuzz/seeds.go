package fuzz

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"phpwire/docs"
	"phpwire/fuzz/judge"
)

// envSeeds names a folder whose files are seeds.
const envSeeds = "PHPWIRE_FUZZ_SEEDS"

// The seeds of the targets: the examples of the protocol, and the files of the
// folder that envSeeds names.
var (
	payloadSeeds = sync.OnceValue(func() [][]byte { return append(examples(false), files()...) })
	frameSeeds   = sync.OnceValue(func() [][]byte { return append(examples(true), files()...) })
	taggedSeeds  = sync.OnceValue(func() [][]byte {
		var all [][]byte
		for _, c := range docs.Clauses() {
			for _, e := range c.Examples {
				if e.Kind == docs.Writes {
					all = append(all, []byte(e.Output))
				}
			}
		}
		return append(all, files()...)
	})
)

// examples are the payloads, or the frames, of the protocol's examples.
func examples(framed bool) [][]byte {
	var all [][]byte
	for _, c := range docs.Clauses() {
		for _, e := range c.Examples {
			isFrame := e.Kind == docs.AcceptsFrame || e.Kind == docs.RefusesFrame
			switch {
			case isFrame != framed:
			case isFrame:
				if b, err := hex.DecodeString(strings.ReplaceAll(e.Input, " ", "")); err == nil {
					all = append(all, b)
				}
			default:
				all = append(all, []byte(e.Input))
			}
		}
	}
	return all
}

// files are the contents of the folder's files that are no larger than an input
// may be.
func files() [][]byte {
	var all [][]byte
	dir := os.Getenv(envSeeds)
	if dir == "" {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if b, err := os.ReadFile(path); err == nil && len(b) <= mostInput {
			all = append(all, b)
		}
		return nil
	})
	return all
}

// fieldSeeds are the payloads of the examples of clauses F-5 to F-14, by tag.
func fieldSeeds() map[int][][]byte {
	seeds := map[int][][]byte{}
	for _, c := range docs.Clauses() {
		for tag := range frameRules {
			if c.ID == clauseOfTag(tag) {
				for _, e := range c.Examples {
					seeds[tag] = append(seeds[tag], []byte(e.Input))
				}
			}
		}
	}
	return seeds
}

// frameID is an id that a frame of the tag may have.
func frameID(tag int) byte {
	return map[string]byte{"odd": 1, "even": 2, "reply": 1, "none": 0}[frameRules[tag].id]
}

// streamSeeds are the frames of the examples, each by itself, and all that are
// sound one after another.
func streamSeeds() [][]byte {
	seeds := frameSeeds()
	var all []byte
	for tag, payloads := range fieldSeeds() {
		for _, p := range payloads {
			frame := framed(append([]byte{byte(tag), frameID(tag), 0, 0, 0, 0, 0, 0, 0}, p...))
			if judgeCuts(judge.Stream{Bytes: frame}) == nil {
				seeds = append(seeds, frame)
				all = append(all, frame...)
			}
		}
	}
	return append(seeds, all)
}
