package payloadref

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

// An id or a generation that the guard would refuse has no path, and nothing is
// sent or touched for it.
func TestPathsStayInTheirFolder(t *testing.T) {
	root := t.TempDir()
	good := create(t, NewWriter(WriterOptions{Root: root, Generation: 1}), []byte("payload"))
	assert.Equal(t, filepath.Join(root, "gen-1", "refs", good.RefID), pathOf(t, root, good))
	assert.Regexp(t, `\A[A-Za-z0-9_-]{1,64}\z`, good.RefID)
	l := link(t, root, NewWriter(WriterOptions{Root: root, Generation: 1}), 0)
	for _, spoil := range []func(*toolchild.PayloadRef){
		func(r *toolchild.PayloadRef) { r.RefID = "" },
		func(r *toolchild.PayloadRef) { r.RefID = ".." },
		func(r *toolchild.PayloadRef) { r.RefID = "../refs/" + good.RefID },
		func(r *toolchild.PayloadRef) { r.RefID = "/etc/passwd" },
		func(r *toolchild.PayloadRef) { r.RefID = "a\x00" },
		func(r *toolchild.PayloadRef) { r.RefID = good.RefID + "\n" },
		func(r *toolchild.PayloadRef) { r.RefID = strings.Repeat("a", 65) },
		func(r *toolchild.PayloadRef) { r.Generation = -1 },
		func(r *toolchild.PayloadRef) { r.Generation = 1 << 53 },
		func(r *toolchild.PayloadRef) { r.Bytes = -1 },
		func(r *toolchild.PayloadRef) { r.Bytes = 1 << 53 },
		func(r *toolchild.PayloadRef) { r.SHA256 = strings.ToUpper(r.SHA256) },
	} {
		ref := good
		spoil(&ref)
		_, err := RefFilePath(root, ref)
		invalid := new(Error)
		require.ErrorAs(t, err, &invalid)
		assert.Equal(t, Invalid, invalid.Code)
		require.ErrorAs(t, l.reader.Accept(context.Background(), ref), &invalid)
		assert.Equal(t, Invalid, invalid.Code)
	}
	assert.Empty(t, l.sent)
	assert.True(t, exists(pathOf(t, root, good)))
}

func TestForeign(t *testing.T) {
	root := t.TempDir()
	other := NewWriter(WriterOptions{Root: root, Generation: 2})
	ref := create(t, other, []byte("payload"))
	l := link(t, root, NewWriter(WriterOptions{Root: root, Generation: 1}), 0)
	assertRejected(t, l.reader.Accept(context.Background(), ref), Foreign)
	assert.Equal(t, []string{"ref_nack " + ref.RefID + " foreign"}, l.sent)
	assert.True(t, exists(pathOf(t, root, ref)))
	assert.Equal(t, []string{ref.RefID}, other.PendingIDs())
}

// Files are 0600 in folders that are 0700, and a file has its name only when it
// is whole.
func TestModesAndVisibility(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	w.step = func(step string) {
		entries, err := os.ReadDir(filepath.Join(root, "gen-1", refsName))
		if step != "folders made" && step != "file renamed" {
			assert.NoError(t, err)
			assert.Empty(t, entries, step)
		}
	}
	path := pathOf(t, root, create(t, w, bytesOf(mib, 1)))
	for at, want := range map[string]os.FileMode{
		path: 0o600, filepath.Dir(path): 0o700, filepath.Join(root, "gen-1", partialName): 0o700, filepath.Join(root, "gen-1"): 0o700,
	} {
		info, err := os.Stat(at)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), at)
	}
	assert.Empty(t, filesBelow(t, filepath.Join(root, "gen-1", partialName)))
}

// No operation follows a link below the root, or deletes what it points to.
func TestLinksAreNotFollowed(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		at   func(path string) string // what is moved away and linked to
	}{
		{"file", func(path string) string { return path }},
		{"folder", func(path string) string { return filepath.Dir(path) }},
		{"generation", func(path string) string { return filepath.Dir(filepath.Dir(path)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
			w := NewWriter(WriterOptions{Root: root, Generation: 1})
			ref := create(t, w, bytesOf(100, 1))
			moved := c.at(pathOf(t, root, ref))
			require.NoError(t, os.Rename(moved, outside))
			require.NoError(t, os.Symlink(outside, moved))
			before := filesBelow(t, filepath.Dir(outside))

			r := NewReader(ReaderOptions{Root: root, Generation: 1, Send: func(toolchild.Message) error { return nil }})
			assertRejected(t, r.Accept(ctx, ref), Corrupt)
			nack, err := toolchild.New(toolchild.RefNack, toolchild.Fields{"refId": ref.RefID, "reason": "corrupt"})
			require.NoError(t, err)
			_ = w.Handle(nack) // an error where the folder is a link
			if c.name != "file" {
				_, err = w.Create(ctx, strings.NewReader("more"))
				assert.Error(t, err)
				assert.Error(t, r.PeerDied())
			} else {
				require.NoError(t, r.PeerDied())
			}
			_, err = SweepGenerations(root)
			require.NoError(t, err)
			assert.Equal(t, before, filesBelow(t, filepath.Dir(outside)))
			assert.Empty(t, filesBelow(t, root))
		})
	}
}

// A FIFO under a reference's name neither hangs the reader nor is taken.
func TestNoRegularFileIsCorrupt(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	l := link(t, root, w, 0)
	for _, plant := range []func(path string) error{
		func(path string) error { return unix.Mkfifo(path, 0o600) },
		func(path string) error { return unix.Mknod(path, unix.S_IFSOCK|0o600, 0) },
	} {
		ref := create(t, w, nil)
		require.NoError(t, os.Remove(pathOf(t, root, ref)))
		require.NoError(t, plant(pathOf(t, root, ref)))
		assertRejected(t, l.reader.Accept(context.Background(), ref), Corrupt)
	}
}

// A file of another size is corrupt, though its beginning be what was promised.
func TestSizeIsChecked(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	l := link(t, root, w, 0)
	for _, content := range []string{"payload and more", "payloa", ""} {
		ref := create(t, w, []byte("payload"))
		require.NoError(t, os.WriteFile(pathOf(t, root, ref), []byte(content), 0o600))
		assertRejected(t, l.reader.Accept(context.Background(), ref), Corrupt)
	}
}

// failing is a payload that breaks off.
type failing struct{ after int64 }

func (f *failing) Read(p []byte) (int, error) {
	if f.after <= 0 {
		return 0, errors.New("the payload broke off")
	}
	n := int(min(f.after, int64(len(p))))
	f.after -= int64(n)
	return n, nil
}

func TestCreateThatFailsLeavesNothing(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	_, err := w.Create(context.Background(), &failing{after: mib})
	assert.ErrorContains(t, err, "the payload broke off")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = w.Create(cancelled, bytes.NewReader(bytesOf(10, 1)))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, filesBelow(t, root))
	assert.Zero(t, w.OwnedBytes())
	require.NoError(t, w.Teardown())
	_, err = w.Create(context.Background(), bytes.NewReader(nil))
	closed := new(Error)
	require.ErrorAs(t, err, &closed)
	assert.Equal(t, Closed, closed.Code)
	assert.False(t, exists(filepath.Join(root, "gen-1")))
	_, err = NewWriter(WriterOptions{Root: filepath.Join(root, "none"), Generation: 1}).Create(context.Background(), bytes.NewReader(nil))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// A receiver that fails to take the payload keeps the file.
func TestConsumeThatFailsKeepsTheFile(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	l := link(t, root, w, 0)
	ctx := context.Background()
	ref := create(t, w, bytesOf(mib, 1))
	require.NoError(t, l.reader.Accept(ctx, ref))
	assert.Error(t, l.reader.Refuse(ref, Cancelled), "it has been accepted")

	broken, out := io.Pipe()
	require.NoError(t, broken.Close())
	assert.ErrorIs(t, l.reader.Consume(ctx, ref.RefID, out), io.ErrClosedPipe)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, l.reader.Consume(cancelled, ref.RefID, io.Discard), context.Canceled)
	assert.Equal(t, []string{ref.RefID}, l.reader.OwnedIDs())
	var got bytes.Buffer
	require.NoError(t, l.reader.Consume(ctx, ref.RefID, &got))
	assert.Equal(t, bytesOf(mib, 1), got.Bytes())

	// Even if what failed to take it was this package's own.
	ref = create(t, w, bytesOf(100, 1))
	require.NoError(t, l.reader.Accept(ctx, ref))
	in, relay := io.Pipe()
	require.NoError(t, in.CloseWithError(&Error{Code: Rejected, Reason: Corrupt}))
	assert.ErrorContains(t, l.reader.Consume(ctx, ref.RefID, relay), "handing the payload on")
	require.NoError(t, l.reader.Consume(ctx, ref.RefID, io.Discard))

	// One that was changed after it was accepted is not passed off as good.
	ref = create(t, w, bytesOf(100, 1))
	require.NoError(t, l.reader.Accept(ctx, ref))
	require.NoError(t, os.WriteFile(pathOf(t, root, ref), bytesOf(100, 2), 0o600))
	assertRejected(t, l.reader.Consume(ctx, ref.RefID, io.Discard), Corrupt)
	assert.Zero(t, l.reader.OwnedBytes())
	assert.Empty(t, filesBelow(t, root))
}

// If the answer cannot be sent, the file stays the writer's.
func TestAnAnswerThatIsNotSentDecidesNothing(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	ref := create(t, w, bytesOf(100, 1))
	broken := errors.New("broken pipe")
	r := NewReader(ReaderOptions{Root: root, Generation: 1, Send: func(toolchild.Message) error { return broken }})
	assert.ErrorIs(t, r.Accept(context.Background(), ref), broken)
	assert.ErrorIs(t, r.Refuse(ref, Cancelled), broken)
	assert.Empty(t, r.OwnedIDs())
	assert.True(t, exists(pathOf(t, root, ref)))

	// One that was acknowledged before stays owned.
	broken = nil
	require.NoError(t, r.Accept(context.Background(), ref))
	broken = errors.New("broken pipe")
	assert.ErrorIs(t, r.Accept(context.Background(), ref), broken)
	assert.Equal(t, []string{ref.RefID}, r.OwnedIDs())
}

// Writers and readers of both sides are used from many goroutines at once.
func TestConcurrentUse(t *testing.T) {
	root := t.TempDir()
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	r := NewReader(ReaderOptions{Root: root, Generation: 1, Send: w.Handle})
	var group sync.WaitGroup
	for seed := range 16 {
		group.Go(func() {
			for range 20 {
				ref, err := w.Create(context.Background(), bytes.NewReader(bytesOf(5000, seed)))
				assert.NoError(t, err)
				assert.NoError(t, r.Accept(context.Background(), ref))
				var got bytes.Buffer
				assert.NoError(t, r.Consume(context.Background(), ref.RefID, &got))
				assert.Equal(t, bytesOf(5000, seed), got.Bytes())
			}
		})
	}
	group.Wait()
	assert.Zero(t, w.OwnedBytes())
	assert.Zero(t, r.OwnedBytes())
	assert.Empty(t, filesBelow(t, root))
}

// A payload's bytes that are not UTF-8 are read as Node reads them.
func TestUnpackReadsInvalidUTF8AsNodeDoes(t *testing.T) {
	command, err := peer.Install(t.TempDir())
	require.NoError(t, err)
	root := t.TempDir()
	p, err := peer.Start(peer.Options{Command: command, Role: peer.Child, Root: root, Generation: 1})
	require.NoError(t, err)
	defer p.Close()
	require.NoError(t, p.Greet(10*time.Second))
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	l := link(t, root, w, 0)
	// Every pair and triple of bytes that border on a class of UTF-8.
	edges := []byte{'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff}
	payload := []byte(`["`)
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				payload = append(payload, a, b, c, '"', ',', '"')
			}
			payload = append(payload, 0xf1, 0x80, a, b, '"', ',', '"')
		}
	}
	payload = append(payload, `"]`...)
	ours, err := Unpack(context.Background(), create(t, w, payload), l.reader)
	require.NoError(t, err)
	ref := create(t, w, payload)
	reply, err := p.Call(10*time.Second, "echo", nil, &ref)
	require.NoError(t, err)
	assert.Equal(t, string(reply.Value), string(ours))

	_, err = Unpack(context.Background(), create(t, w, []byte("\xff")), l.reader)
	failure := new(toolchild.Error)
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, toolchild.Syntax, failure.Code)
	assert.NotContains(t, l.reader.OwnedIDs(), ref.RefID)
}

// FuzzReferenceFiles: whatever stands in a file and in a reference, the reader
// takes exactly what fits, answers once, and leaves the rest alone.
func FuzzReferenceFiles(f *testing.F) {
	f.Add([]byte("payload"), []byte("payload"), int64(7), int64(1), "")
	f.Add([]byte("payload"), []byte("payload!"), int64(8), int64(1), "")
	f.Add([]byte("payload!"), []byte("payload"), int64(7), int64(1), "")
	f.Add([]byte{}, []byte{}, int64(0), int64(1), "")
	f.Add([]byte("a"), []byte("a"), int64(-1), int64(2), "../refs/a")
	f.Add([]byte("a"), []byte("a"), int64(1)<<53, int64(-1), "a/b")
	f.Fuzz(func(t *testing.T, content, hashed []byte, size, generation int64, id string) {
		root := t.TempDir()
		w := NewWriter(WriterOptions{Root: root, Generation: 1})
		made := create(t, w, content)
		outside := filepath.Join(root, "outside")
		require.NoError(t, os.WriteFile(outside, content, 0o600))
		sum := sha256.Sum256(hashed)
		ref := toolchild.PayloadRef{RefID: made.RefID, Generation: generation, Bytes: size, SHA256: hex.EncodeToString(sum[:])}
		if id != "" {
			ref.RefID = id
		}
		l := link(t, root, w, 0)
		err := l.reader.Accept(context.Background(), ref)

		fits := ref == made
		assert.Equal(t, fits, err == nil, "%v", err)
		answers := 1
		if !ref.Valid() {
			answers = 0
		}
		assert.Len(t, l.sent, answers)
		if fits {
			var got bytes.Buffer
			require.NoError(t, l.reader.Consume(context.Background(), ref.RefID, &got))
			assert.True(t, bytes.Equal(content, got.Bytes()))
		}
		assert.Zero(t, l.reader.OwnedBytes())
		assert.True(t, exists(outside))
		// The writer's file is gone if its own id was answered, and there otherwise.
		assert.Equal(t, answers == 0 || ref.RefID != made.RefID, exists(pathOf(t, root, made)))
	})
}
