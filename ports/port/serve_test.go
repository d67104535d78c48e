package port

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
)

func TestServe(t *testing.T) {
	var out bytes.Buffer
	c := Codec{
		Hello:  Hello{Name: "half", Version: "1", Language: "Go"},
		Decode: func(b []byte) (codec.Value, error) { return codec.Decode(b, codec.Plugin) },
	}
	in := `{"id":1,"op":"hello"}
{"id":2,"op":"decode","b64":"aTo1Ow=="}
{"id":3,"op":"decode","b64":""}
{"id":4,"op":"encode","value":{"t":"null"}}
{"id":5,"op":"dance"}
`
	require.NoError(t, Serve(strings.NewReader(in), &out, c))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 5)
	assert.JSONEq(t, `{"id":1,"ok":true,"name":"half","version":"1","language":"Go","ops":["decode"]}`, lines[0])
	assert.JSONEq(t, `{"id":2,"ok":true,"value":{"t":"int","v":"5"}}`, lines[1])
	var refused map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &refused))
	assert.Equal(t, false, refused["ok"])
	assert.NotEmpty(t, refused["error"])
	assert.JSONEq(t, `{"id":4,"skip":"no encoder"}`, lines[3])
	assert.JSONEq(t, `{"id":5,"skip":"no such operation: dance"}`, lines[4])
}
