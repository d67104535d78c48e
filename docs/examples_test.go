package docs

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
)

// frameOf returns the head of the frame that a clause is about, if it is one of
// F-5 to F-14, whose examples are that frame's payloads.
func frameOf(c Clause) (head frames.Raw, ok bool) {
	for tag := frames.TagCallFunction; tag.Known(); tag++ {
		if c.Part == "Frames" && c.Title == tag.String() {
			head.Tag = tag
			switch tag {
			case frames.TagCallRustMethod:
				head.ID = 2
			case frames.TagReleaseRustHandle, frames.TagReleasePhpHandle, frames.TagEpochBump:
			default:
				head.ID = 1
			}
			return head, true
		}
	}
	return head, false
}

func TestFrameClausesHaveTheTagsNames(t *testing.T) {
	found := 0
	for _, c := range Clauses() {
		if _, ok := frameOf(c); ok {
			found++
			assert.NotEmpty(t, c.Examples, c.ID)
		}
	}
	assert.Equal(t, 10, found)
}

// What the examples promise of the reference.
func TestExamples(t *testing.T) {
	for _, c := range Clauses() {
		head, isFrame := frameOf(c)
		for _, e := range c.Examples {
			t.Run(c.ID+" "+string(e.Kind)+" "+e.Input, func(t *testing.T) {
				switch {
				case e.Kind == AcceptsFrame || e.Kind == RefusesFrame:
					wholeFrame(t, e)
				case isFrame:
					payloadOf(t, head, e)
				case e.Kind == Writes:
					tagged(t, e)
				default:
					value(t, e)
				}
			})
		}
	}
}

func value(t *testing.T, e Example) {
	v, err := codec.Decode([]byte(e.Input), codec.Plugin)
	_, canonicalErr := codec.Decode([]byte(e.Input), codec.Canonical)
	if e.Kind == Refuses || e.Kind == RefusesUnlike {
		require.Error(t, err)
		require.Error(t, canonicalErr)
		return
	}
	require.NoError(t, err)
	want := e.Input
	if e.Kind == AcceptsAs {
		require.Error(t, canonicalErr)
		want = e.Output
	} else {
		require.NoError(t, canonicalErr)
	}
	b, err := codec.Encode(v)
	require.NoError(t, err)
	require.Equal(t, want, string(b))
}

func tagged(t *testing.T, e Example) {
	v, err := codec.Decode([]byte(e.Input), codec.Canonical)
	require.NoError(t, err)
	require.Equal(t, e.Output, string(codec.AppendTagged(nil, v)))
	back, err := codec.ParseTagged([]byte(e.Output))
	require.NoError(t, err)
	require.True(t, back.Equal(v))
}

func payloadOf(t *testing.T, head frames.Raw, e Example) {
	head.Payload = []byte(e.Input)
	f, err := frames.Parse(head, frames.FromAnyone)
	if e.Kind == Refuses {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	want := e.Input
	if e.Kind == AcceptsAs {
		want = e.Output
	}
	b, err := frames.Append(nil, f)
	require.NoError(t, err)
	require.Equal(t, want, string(b[17:]))
}

func wholeFrame(t *testing.T, e Example) {
	in, err := hex.DecodeString(strings.ReplaceAll(e.Input, " ", ""))
	require.NoError(t, err)
	r := frames.NewReader(bytes.NewReader(in), frames.FromAnyone)
	f, err := r.Read()
	if e.Kind == RefusesFrame {
		require.Error(t, err)
		require.NotEqual(t, io.EOF, err)
		return
	}
	require.NoError(t, err)
	_, err = r.Read()
	require.Equal(t, io.EOF, err)
	b, err := frames.Append(nil, f)
	require.NoError(t, err)
	require.Equal(t, in, b)
}
