package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
)

func TestKindsOfErrorsHaveNames(t *testing.T) {
	names := []string{"truncated", "syntax", "range", "too large", "bad key", "unsupported", "not canonical", "trailing data", "depth", "reserved key", "invalid"}
	for i, name := range names {
		assert.Equal(t, name, codec.ErrorKind(i).String())
	}
	assert.Equal(t, codec.Invalid, codec.ErrorKind(len(names)-1), "all kinds are there")
	assert.Equal(t, "unknown", codec.ErrorKind(len(names)).String())
	assert.Equal(t, "unknown", codec.ErrorKind(255).String())
}
