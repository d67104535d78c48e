package toolchild_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

// startPeer starts the JavaScript peer as a child process that plays the child.
func startPeer(t testing.TB, faults ...string) *peer.Peer {
	t.Helper()
	dir := t.TempDir()
	command, err := peer.Install(dir)
	require.NoError(t, err)
	p, err := peer.Start(peer.Options{Command: command, Role: peer.Child, Root: t.TempDir(), Generation: 1, Faults: faults})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	require.NoError(t, p.Greet(10*time.Second))
	return p
}

// verdict is what this package's guard says, in the words of the peer's.
func verdict(text []byte) string {
	message, err := toolchild.Parse(text)
	if err == nil {
		return "message " + string(message.Type)
	}
	failure := new(toolchild.Error)
	if errors.As(err, &failure) && failure.Code == toolchild.Refused {
		return "refused"
	}
	return "syntax"
}

// peerVerdicts asks the peer's guard about many texts in one frame.
func peerVerdicts(t testing.TB, p *peer.Peer, texts [][]byte) []string {
	t.Helper()
	encoded := make([]string, len(texts))
	for i, text := range texts {
		encoded[i] = base64.StdEncoding.EncodeToString(text)
	}
	reply, err := p.Call(time.Minute, "guard", toolchild.Fields{"texts": encoded}, nil)
	require.NoError(t, err)
	require.Empty(t, reply.Code)
	var verdicts []string
	require.NoError(t, json.Unmarshal(reply.Value, &verdicts))
	require.Len(t, verdicts, len(texts))
	return verdicts
}

func TestGuardVectors(t *testing.T) {
	vectors := toolchild.GuardVectors()
	texts := make([][]byte, len(vectors))
	seen := map[string]bool{}
	for i, v := range vectors {
		texts[i] = v.Text
		assert.False(t, seen[v.ID], "the id %s is there twice", v.ID)
		seen[v.ID] = true
		message, err := toolchild.Parse(v.Text)
		if v.Code == "" {
			if assert.NoError(t, err, v.ID) {
				assert.Equal(t, v.Want, message.Type, v.ID)
			}
			continue
		}
		failure := new(toolchild.Error)
		if assert.ErrorAs(t, err, &failure, v.ID) {
			assert.Equal(t, v.Code, failure.Code, "%s: %v", v.ID, err)
		}
	}
	for i, theirs := range peerVerdicts(t, startPeer(t), texts) {
		assert.Equal(t, verdict(texts[i]), theirs, vectors[i].ID)
	}
	t.Logf("%d vectors", len(vectors))
}

// The deepest nesting that a frame has room for is judged without recursion.
func TestGuardDeepestNesting(t *testing.T) {
	const head, tail = `{"type":"result","jobId":"j","value":`, `}`
	depth := (toolchild.FrameBytes - len(head) - len(tail)) / 2
	text := make([]byte, 0, toolchild.FrameBytes)
	text = append(text, head...)
	for range depth {
		text = append(text, '[')
	}
	for range depth {
		text = append(text, ']')
	}
	text = append(text, tail...)
	message, err := toolchild.Parse(text)
	require.NoError(t, err)
	assert.Len(t, message.JSON("value"), 2*depth)
}

func TestGuardErrorsSayWhereAndWhat(t *testing.T) {
	for text, want := range map[string]string{
		``:                                `toolchild: syntax at offset 0: got the end of the text, want a value`,
		`{"type":"cancel",}`:              `toolchild: syntax at offset 17: got "}", want a string`,
		`[1 2]`:                           `toolchild: syntax at offset 3: got "2]", want ',' or ']'`,
		"\"a\xffb\"":                      `toolchild: invalid_utf8 at offset 2: got "\xffb\"", want UTF-8`,
		` {"type":"cancel"}`:              `toolchild: refused at offset 1: got "{\"type\":\"cancel\"}", want cancel with a member "jobId"`,
		`{"type":"cancel","jobId": 5 }`:   `toolchild: refused at offset 26: got "5", want a string`,
		`{"type":"x"}`:                    `toolchild: refused at offset 8: got "\"x\"", want a known message type`,
		`{"type":"shutdown","b":1,"a":2}`: `toolchild: refused at offset 23: got "1", want shutdown without a member "b"`,
		`{"type":"ref_nack","refId":"a","reason":"no"}`:                                                             `toolchild: refused at offset 40: got "\"no\"", want one of cancelled, corrupt, missing, budget, foreign`,
		`{"type":"trace","atMs":0,"event":"","detail":{"ref":1}}`:                                                   `toolchild: refused at offset 52: got "1", want no reserved key (ref)`,
		`{"type":"result_ref","jobId":"j","ref":{"refId":"a","generation":9007199254740992,"bytes":0,"sha256":""}}`: `toolchild: refused at offset 65: got "9007199254740992", want a safe integer from 0`,
	} {
		_, err := toolchild.Parse([]byte(text))
		assert.EqualError(t, err, want, text)
	}
}

func TestMessageAccessors(t *testing.T) {
	parse := func(text string) toolchild.Message {
		message, err := toolchild.Parse([]byte(text))
		require.NoError(t, err)
		return message
	}
	hash := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

	call := parse(`{"type":"host_call","callId":"\ud800\ud83d\ude00","jobId":"j","tool":"t","args": [1 , 2] ,"argsRef":{"refId":"a","generation":5e0,"bytes":0.0,"sha256":"` + hash + `"}}`)
	assert.Equal(t, "\xed\xa0\x80😀", call.Text("callId"))
	assert.Equal(t, "[1 , 2]", string(call.JSON("args")))
	ref, ok := call.Ref("argsRef")
	assert.True(t, ok)
	assert.Equal(t, toolchild.PayloadRef{RefID: "a", Generation: 5, Bytes: 0, SHA256: hash}, ref)
	assert.Equal(t, toolchild.ChildToServer, call.Direction())

	slot := parse(`{"type":"slot_state","launchId":"l","ackTick":null,"invokeTick":2.5,"invocations":-0}`)
	_, ok = slot.Number("ackTick")
	assert.False(t, ok)
	tick, ok := slot.Number("invokeTick")
	assert.True(t, ok)
	assert.Equal(t, 2.5, tick)
	assert.True(t, slot.Has("ackTick"))
	assert.False(t, slot.Has("type"))

	batch := parse(`{"type":"batch","jobId":"j","done":true,"entries":[{"id":"e","parentId":"p","lineOffset":1,"lineBytes":2,"lineDelta":-3,"entry":{"a":1}},{"id":"f","parentId":null,"lineOffset":0,"lineBytes":0,"lineDelta":0}]}`)
	assert.True(t, batch.Bool("done"))
	parent := "p"
	assert.Equal(t, []toolchild.EntryMeta{
		{ID: "e", ParentID: &parent, LineOffset: 1, LineBytes: 2, LineDelta: -3, Entry: toolchild.JSON(`{"a":1}`)},
		{ID: "f"},
	}, batch.Entries())

	trace := parse(`{"type":"trace","atMs":0,"event":"e","detail":{"a":"b","c":1,"d":false}}`)
	assert.Equal(t, map[string]any{"a": "b", "c": 1.0, "d": false}, trace.Detail())
	assert.True(t, trace.Type.Lossy())
	for _, shape := range toolchild.Vocabulary() {
		assert.Equal(t, shape.Type == toolchild.Trace, shape.Type.Lossy(), shape.Type)
	}
}

// What New makes passes the guard, or is an error.
func TestNew(t *testing.T) {
	message, err := toolchild.New(toolchild.Cancel, toolchild.Fields{"jobId": "j"})
	require.NoError(t, err)
	assert.Equal(t, `{"type":"cancel","jobId":"j"}`, string(message.Body()))
	for _, fields := range []toolchild.Fields{{}, {"jobId": 1}, {"jobId": "j", "more": nil}, {"jobId": "\xff"}, {"jobId": struct{}{}}} {
		_, err := toolchild.New(toolchild.Cancel, fields)
		assert.Error(t, err, "%v", fields)
	}
}
