package payloadref

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

// The tests of this file are the counterparts of the protocol's own: the names
// of the subtests are theirs.

const mib = 1 << 20

func bytesOf(size, seed int) []byte {
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = byte(i*31 + seed)
	}
	return payload
}

func create(t *testing.T, w *Writer, payload []byte) toolchild.PayloadRef {
	t.Helper()
	ref, err := w.Create(context.Background(), bytes.NewReader(payload))
	require.NoError(t, err)
	return ref
}

func pathOf(t *testing.T, root string, ref toolchild.PayloadRef) string {
	t.Helper()
	path, err := RefFilePath(root, ref)
	require.NoError(t, err)
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// A wire delivers every control that the receiver sends to the writer.
type wire struct {
	reader *Reader
	sent   []string
}

func link(t *testing.T, root string, w *Writer, budget int64) *wire {
	l := &wire{}
	l.reader = NewReader(ReaderOptions{
		Root: root, Generation: w.Generation(), Budget: budget,
		Send: func(control toolchild.Message) error {
			l.sent = append(l.sent, strings.TrimSpace(string(control.Type)+" "+control.Text("refId")+" "+control.Text("reason")))
			return w.Handle(control)
		},
	})
	return l
}

// received sends a message through a frame.
func received(t *testing.T, typ toolchild.Type, fields toolchild.Fields) toolchild.Message {
	t.Helper()
	message, err := toolchild.New(typ, fields)
	require.NoError(t, err)
	frame, err := toolchild.Append(nil, message)
	require.NoError(t, err)
	messages, err := toolchild.NewDecoder(toolchild.Either).Push(frame)
	require.NoError(t, err)
	require.Len(t, messages, 1)
	return messages[0]
}

func assertRejected(t *testing.T, err error, reason Reason) {
	t.Helper()
	rejected := new(Error)
	if assert.ErrorAs(t, err, &rejected) {
		assert.Equal(t, Rejected, rejected.Code)
		assert.Equal(t, reason, rejected.Reason)
	}
}

type delayed struct {
	existsAfterSettlement, existsAfterAck, existsAfterConsume bool
	acceptance                                                error
	sha256Verified                                            bool
	sent                                                      []string
	ref                                                       toolchild.PayloadRef
	writerPending                                             []string
}

// delayedConsumption sends a 5 MiB result_ref, lets the sender's operation
// settle, and only then has the receiver look at the file.
func delayedConsumption(t *testing.T, onSenderSettled func(path string)) delayed {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	l := link(t, root, w, 0)
	payload := bytesOf(5*mib, 7)
	ref := create(t, w, payload)
	frame := received(t, toolchild.ResultRef, toolchild.Fields{"jobId": "j1", "ref": ref})
	got, ok := frame.Ref("ref")
	require.True(t, ok)
	path := pathOf(t, root, got)

	onSenderSettled(path)
	result := delayed{ref: ref, existsAfterSettlement: exists(path)}
	result.acceptance = l.reader.Accept(context.Background(), got)
	result.existsAfterAck = exists(path)
	if result.acceptance == nil {
		var consumed bytes.Buffer
		require.NoError(t, l.reader.Consume(context.Background(), got.RefID, &consumed))
		result.sha256Verified = bytes.Equal(consumed.Bytes(), payload)
	}
	result.sent, result.writerPending, result.existsAfterConsume = l.sent, w.PendingIDs(), exists(path)
	return result
}

func (d delayed) meetsOwnershipTransfer() bool {
	return d.existsAfterSettlement && d.acceptance == nil && d.existsAfterAck && d.sha256Verified &&
		len(d.sent) == 1 && d.sent[0] == "ref_ack "+d.ref.RefID && len(d.writerPending) == 0 && !d.existsAfterConsume
}

func TestPayloadRefLifetime(t *testing.T) {
	ctx := context.Background()

	t.Run("delayed consumption: the file outlives sender-side settlement, ownership moves on ref_ack, the owner deletes", func(t *testing.T) {
		result := delayedConsumption(t, func(string) {})
		assert.True(t, result.existsAfterSettlement)
		assert.NoError(t, result.acceptance)
		assert.Equal(t, []string{"ref_ack " + result.ref.RefID}, result.sent)
		assert.True(t, result.existsAfterAck)
		assert.True(t, result.sha256Verified)
		assert.False(t, result.existsAfterConsume)
		assert.True(t, result.meetsOwnershipTransfer())
	})

	t.Run("delayed consumption negative control: the old writer-deletes-on-settlement rule is rejected", func(t *testing.T) {
		result := delayedConsumption(t, func(path string) { require.NoError(t, os.Remove(path)) })
		assertRejected(t, result.acceptance, Missing)
		assert.Equal(t, []string{"ref_nack " + result.ref.RefID + " missing"}, result.sent)
		assert.False(t, result.meetsOwnershipTransfer())
	})

	t.Run("a corrupted file is nacked and the writer deletes it", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		l := link(t, root, w, 0)
		ref := create(t, w, bytesOf(1024, 7))
		require.NoError(t, os.WriteFile(pathOf(t, root, ref), bytesOf(1024, 99), 0o600))
		assertRejected(t, l.reader.Accept(ctx, ref), Corrupt)
		assert.Equal(t, []string{"ref_nack " + ref.RefID + " corrupt"}, l.sent)
		assert.False(t, exists(pathOf(t, root, ref)))
		assert.Empty(t, w.PendingIDs())
		assert.Zero(t, w.OwnedBytes())
	})

	t.Run("cancellation before ack sends ref_nack{cancelled} and the writer deletes", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		l := link(t, root, w, 0)
		first, second := create(t, w, bytesOf(2048, 7)), create(t, w, bytesOf(2048, 7))
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		assertRejected(t, l.reader.Accept(cancelled, first), Cancelled)
		require.NoError(t, l.reader.Refuse(second, Cancelled))
		assert.Equal(t, []string{"ref_nack " + first.RefID + " cancelled", "ref_nack " + second.RefID + " cancelled"}, l.sent)
		assert.False(t, exists(pathOf(t, root, first)))
		assert.False(t, exists(pathOf(t, root, second)))
	})

	t.Run("receiver death before ack: generation teardown deletes the ref and spool/", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 4})
		ref := create(t, w, bytesOf(4096, 7))
		received(t, toolchild.ResultRef, toolchild.Fields{"jobId": "j1", "ref": ref})
		require.NoError(t, os.MkdirAll(SpoolDir(root, 4), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(SpoolDir(root, 4), "entry-1.chunk"), []byte("spooled"), 0o600))
		require.NoError(t, w.Teardown())
		assert.False(t, exists(pathOf(t, root, ref)))
		assert.False(t, exists(SpoolDir(root, 4)))
		assert.Empty(t, w.PendingIDs())
	})

	t.Run("death before ack of an earlier process: the generation sweep removes every generation that is not live", func(t *testing.T) {
		root := t.TempDir()
		stale := create(t, NewWriter(WriterOptions{Root: root, Generation: 2}), bytesOf(64, 7))
		require.NoError(t, os.MkdirAll(SpoolDir(root, 2), 0o700))
		live := create(t, NewWriter(WriterOptions{Root: root, Generation: 3}), bytesOf(64, 7))
		swept, err := SweepGenerations(root, 3)
		require.NoError(t, err)
		assert.Equal(t, []int64{2}, swept)
		assert.False(t, exists(pathOf(t, root, stale)))
		assert.False(t, exists(SpoolDir(root, 2)))
		assert.True(t, exists(pathOf(t, root, live)))
	})

	t.Run("an acked ref whose owner dies is deleted by the teardown sweep", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		l := link(t, root, w, 0)
		ref := create(t, w, bytesOf(8192, 7))
		require.NoError(t, l.reader.Accept(ctx, ref))
		assert.Empty(t, w.PendingIDs())
		assert.Equal(t, []string{ref.RefID}, l.reader.OwnedIDs())
		assert.True(t, exists(pathOf(t, root, ref)))
		require.NoError(t, TeardownGeneration(root, 1))
		assert.False(t, exists(pathOf(t, root, ref)))
	})

	t.Run("refuses a ref past refsBudget with ref_budget_exceeded, on both sides", func(t *testing.T) {
		root := t.TempDir()
		assert.EqualValues(t, toolchild.RefsBudget, NewWriter(WriterOptions{Root: root, Generation: 1}).Budget())
		w := NewWriter(WriterOptions{Root: root, Generation: 1, Budget: 6 * mib})
		first := create(t, w, bytesOf(5*mib, 7))
		_, err := w.Create(ctx, bytes.NewReader(bytesOf(2*mib, 7)))
		exceeded := new(Error)
		require.ErrorAs(t, err, &exceeded)
		assert.Equal(t, BudgetExceeded, exceeded.Code)
		assert.EqualError(t, err, "payloadref: ref_budget_exceeded: 6291456 bytes are owned and at least 262144 more wanted, of at most 6291456")
		entries, err := os.ReadDir(filepath.Dir(pathOf(t, root, first)))
		require.NoError(t, err)
		require.Len(t, entries, 1)
		assert.Equal(t, first.RefID, entries[0].Name())

		l := link(t, root, w, 4*mib)
		assertRejected(t, l.reader.Accept(ctx, first), Budget)
		assert.Equal(t, []string{"ref_nack " + first.RefID + " budget"}, l.sent)
		assert.Zero(t, w.OwnedBytes())
		create(t, w, bytesOf(5*mib, 7))
	})

	t.Run("reports an unacknowledged ref overdue after refAckMs without deleting it", func(t *testing.T) {
		root := t.TempDir()
		now := time.UnixMilli(1_000)
		w := NewWriter(WriterOptions{Root: root, Generation: 1, Now: func() time.Time { return now }})
		ref := create(t, w, bytesOf(16, 7))
		now = now.Add((toolchild.RefAckMs - 1) * time.Millisecond)
		assert.Empty(t, w.Overdue())
		now = now.Add(time.Millisecond)
		assert.Equal(t, []string{ref.RefID}, w.Overdue())
		assert.True(t, exists(pathOf(t, root, ref)))
	})
}

func TestPayloadsAboveTheReferenceThresholdInBothDirections(t *testing.T) {
	ctx := context.Background()
	roundTrip := func(t *testing.T, value any, frame func(ref toolchild.PayloadRef) toolchild.Message, field string) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 5})
		l := link(t, root, w, 0)
		packed, err := Pack(ctx, value, w)
		require.NoError(t, err)
		require.NotNil(t, packed.Ref, "it must move by reference")
		ref, ok := frame(*packed.Ref).Ref(field)
		require.True(t, ok)
		got, err := Unpack(ctx, ref, l.reader)
		require.NoError(t, err)
		want, err := toolchild.Stringify(value)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), "the payload is not what was sent")
		assert.Equal(t, []string{"ref_ack " + ref.RefID}, l.sent)
		assert.False(t, exists(pathOf(t, root, ref)))
		assert.Empty(t, w.PendingIDs())
	}

	t.Run("a 17 MiB host_call.args (child -> server) round-trips by acknowledged reference", func(t *testing.T) {
		args := map[string]any{"path": "big.txt", "content": strings.Repeat("a", 17*mib)}
		call := toolchild.Fields{"callId": "c1", "jobId": "j1", "tool": "write"}
		call["args"] = args
		inline, err := toolchild.New(toolchild.HostCall, call)
		require.NoError(t, err)
		_, err = toolchild.Append(nil, inline)
		oversize := new(toolchild.Error)
		require.ErrorAs(t, err, &oversize)
		assert.Equal(t, toolchild.Oversize, oversize.Code)
		delete(call, "args")
		roundTrip(t, args, func(ref toolchild.PayloadRef) toolchild.Message {
			call["argsRef"] = ref
			return received(t, toolchild.HostCall, call)
		}, "argsRef")
	})

	t.Run("a 20 MiB host_reply.value (server -> child) round-trips by acknowledged reference", func(t *testing.T) {
		roundTrip(t, strings.Repeat("v", 20*mib), func(ref toolchild.PayloadRef) toolchild.Message {
			return received(t, toolchild.HostReply, toolchild.Fields{"callId": "c1", "valueRef": ref})
		}, "valueRef")
	})

	t.Run("keeps a payload at or below REF_THRESHOLD inline and writes no file", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		packed, err := Pack(ctx, map[string]any{"small": true}, w)
		require.NoError(t, err)
		assert.Equal(t, Packed{Inline: toolchild.JSON(`{"small":true}`)}, packed)
		packed, err = Pack(ctx, strings.Repeat("x", toolchild.RefThreshold-2), w)
		require.NoError(t, err)
		assert.Len(t, packed.Inline, toolchild.RefThreshold)
		packed, err = Pack(ctx, nil, w)
		require.NoError(t, err)
		assert.Equal(t, "null", string(packed.Inline))
		assert.False(t, exists(filepath.Join(root, "gen-1")))
	})

	t.Run("unpackPayload rejects a ref it had to nack", func(t *testing.T) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		l := link(t, root, w, 0)
		packed, err := Pack(ctx, strings.Repeat("x", toolchild.RefThreshold+1), w)
		require.NoError(t, err)
		require.NotNil(t, packed.Ref, "expected a ref")
		require.NoError(t, os.Remove(pathOf(t, root, *packed.Ref)))
		_, err = Unpack(ctx, *packed.Ref, l.reader)
		assertRejected(t, err, Missing)
	})
}
