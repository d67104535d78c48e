package printable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"phpwire/corpus/printable"
)

func TestBytes(t *testing.T) {
	for in, want := range map[string]string{
		"a:1;":             "a:1;",
		"\x00\x1f\x7f\xff": `\x00\x1f\x7f\xff`,
		"\n\r\t\\":         `\n\r\t\\`,
		"é":                `\xc3\xa9`,
	} {
		require.Equal(t, want, printable.Bytes([]byte(in)))
	}
}
