package main

import (
	"regexp"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"

	"phpwire/corpus/printable"
)

func TestPayloadsHaveColouredTokensOnATerminal(t *testing.T) {
	payloads := []string{`a:1:{s:1:"k";d:0.5;}`, "", "i:5", "s:3:\"\x00\xff\n\";", "N;junk"}
	for _, p := range payloads {
		assert.Equal(t, printable.Bytes([]byte(p)), glance([]byte(p)), "without colours")
	}
	text.EnableColors()
	defer text.DisableColors()
	shown := glance([]byte(payloads[0]))
	assert.Contains(t, shown, "\x1b[33m0.5\x1b[0m", "a number is yellow")
	assert.Contains(t, shown, "\x1b[32mk\x1b[0m", "a string is green")
	assert.Contains(t, glance([]byte("N;junk")), "\x1b[31;4mjunk\x1b[0m", "what is no token is red")
	colour := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, p := range payloads {
		assert.Equal(t, printable.Bytes([]byte(p)), colour.ReplaceAllString(glance([]byte(p)), ""))
	}
}
