package payloadref

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

// The test binary plays the second process: TestMain runs a part by its name.
const partVariable = "PHPWIRE_PAYLOADREF_PART"

var parts = map[string]func(arguments []string){
	"write": writeAndDie,
	"read":  readAndDie,
	"full":  holdTheWholeBudget,
}

func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		parts[part](os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

func partOf(name string, arguments ...string) *exec.Cmd {
	part := exec.Command(os.Args[0], arguments...)
	part.Env = append(os.Environ(), partVariable+"="+name)
	part.Stderr = os.Stderr
	return part
}

// dieAt kills this process at a step, as nothing that it could prepare for.
func dieAt(wanted string) func(string) {
	return func(step string) {
		if step == wanted {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// writeAndDie creates a reference: root, step.
func writeAndDie(arguments []string) {
	w := NewWriter(WriterOptions{Root: arguments[0], Generation: 1})
	w.step = dieAt(arguments[1])
	_, err := w.Create(context.Background(), bytes.NewReader(bytesOf(mib, 1)))
	must(err)
	dieAt("reference sent")("reference sent")
}

// readAndDie accepts and consumes a reference: root, step, reference. Its
// answers go to stdout as frames.
func readAndDie(arguments []string) {
	var ref toolchild.PayloadRef
	must(json.Unmarshal([]byte(arguments[2]), &ref))
	r := NewReader(ReaderOptions{Root: arguments[0], Generation: 1, Send: func(control toolchild.Message) error {
		frame, err := toolchild.Append(nil, control)
		must(err)
		_, err = os.Stdout.Write(frame)
		return err
	}})
	r.step = dieAt(arguments[1])
	must(r.Accept(context.Background(), ref))
	must(r.Consume(context.Background(), ref.RefID, &bytes.Buffer{}))
}

func assertKilled(t *testing.T, err error) {
	t.Helper()
	killed := new(exec.ExitError)
	require.ErrorAs(t, err, &killed)
	assert.Equal(t, syscall.SIGKILL, killed.Sys().(syscall.WaitStatus).Signal())
}

// filesBelow lists the files below a root, relative to it.
func filesBelow(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			relative, _ := filepath.Rel(root, path)
			files = append(files, relative)
		}
		return err
	}))
	return files
}

// owner makes a reference that this process owns as a reader, and returns what consumes it.
func owner(t *testing.T, root string, generation int64) (*Reader, toolchild.PayloadRef) {
	w := NewWriter(WriterOptions{Root: root, Generation: generation})
	l := link(t, root, w, 0)
	ref := create(t, w, bytesOf(1000, 5))
	require.NoError(t, l.reader.Accept(context.Background(), ref))
	return l.reader, ref
}

// The writer dies between each two of its steps. What this process owns, in the
// same generation and in another, is not lost; nothing else is left.
func TestCrashOfTheWriterThenSweep(t *testing.T) {
	for _, step := range []string{"folders made", "file opened", "part written", "file written", "file renamed", "reference sent"} {
		t.Run(step, func(t *testing.T) {
			root := t.TempDir()
			same, sameRef := owner(t, root, 1)
			other, otherRef := owner(t, root, 2)
			assertKilled(t, partOf("write", root, step).Run())

			require.NoError(t, same.PeerDied())
			assert.ElementsMatch(t, []string{"gen-1/refs/" + sameRef.RefID, "gen-2/refs/" + otherRef.RefID}, filesBelow(t, root))
			consume := func(r *Reader, ref toolchild.PayloadRef) {
				var got bytes.Buffer
				require.NoError(t, r.Consume(context.Background(), ref.RefID, &got))
				assert.Equal(t, bytesOf(1000, 5), got.Bytes())
			}
			consume(same, sameRef)
			swept, err := SweepGenerations(root, 2)
			require.NoError(t, err)
			assert.Equal(t, []int64{1}, swept)
			consume(other, otherRef)
			_, err = SweepGenerations(root)
			require.NoError(t, err)
			entries, err := os.ReadDir(root)
			require.NoError(t, err)
			assert.Empty(t, entries)
		})
	}
}

// The reader dies between each two of its steps. Its generation goes, whether
// it had acknowledged or not; the writer forgets what was acknowledged.
func TestCrashOfTheReaderThenSweep(t *testing.T) {
	for step, acknowledged := range map[string]bool{
		"file checked": false, "ack sent": true, "file consumed": true, "file deleted": true,
	} {
		t.Run(step, func(t *testing.T) {
			root := t.TempDir()
			other, otherRef := owner(t, root, 2)
			w := NewWriter(WriterOptions{Root: root, Generation: 1})
			ref := create(t, w, bytesOf(mib, 1))
			described, err := json.Marshal(ref)
			require.NoError(t, err)
			part := partOf("read", root, step, string(described))
			var out bytes.Buffer
			part.Stdout = &out
			assertKilled(t, part.Run())

			decoder := toolchild.NewDecoder(toolchild.Either)
			messages, err := decoder.Push(out.Bytes())
			require.NoError(t, err)
			require.NoError(t, decoder.Finish())
			for _, message := range messages {
				require.NoError(t, w.Handle(message))
			}
			pending := []string{ref.RefID}
			if acknowledged {
				pending = nil
			}
			assert.Equal(t, pending, w.PendingIDs())
			assert.Equal(t, step != "file deleted", exists(pathOf(t, root, ref)))

			require.NoError(t, w.Teardown())
			swept, err := SweepGenerations(root, 2)
			require.NoError(t, err)
			assert.Empty(t, swept)
			assert.Equal(t, []string{"gen-2/refs/" + otherRef.RefID}, filesBelow(t, root))
			require.NoError(t, other.Consume(context.Background(), otherRef.RefID, &bytes.Buffer{}))
		})
	}
}

// A sweep that died half-way is taken up by the next one.
func TestSweepAfterAHalfSweep(t *testing.T) {
	root := t.TempDir()
	for generation := range int64(3) {
		create(t, NewWriter(WriterOptions{Root: root, Generation: generation}), bytesOf(10, 1))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(root, "gen-1", refsName)))
	swept, err := SweepGenerations(root, 0)
	require.NoError(t, err)
	assert.Equal(t, []int64{1, 2}, swept)
	assert.Len(t, filesBelow(t, root), 1)
}

// A disk that is full fails the creation, leaves nothing of the file and gives
// the budget back.
func TestDiskFull(t *testing.T) {
	root := t.TempDir()
	switch err := syscall.Mount("none", root, "tmpfs", 0, "size=1m"); {
	case err == nil:
		t.Cleanup(func() { assert.NoError(t, syscall.Unmount(root, 0)) })
	default:
		// Without the right to mount, a limit on the size of files does it.
		limitFileSize(t, mib)
	}
	w := NewWriter(WriterOptions{Root: root, Generation: 1})
	first := create(t, w, bytesOf(mib/2, 1))
	_, err := w.Create(context.Background(), bytes.NewReader(bytesOf(2*mib, 1)))
	full := new(Error)
	require.ErrorAs(t, err, &full)
	assert.Equal(t, Failed, full.Code)
	assert.True(t, strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "file too large"), err.Error())
	assert.Equal(t, []string{"gen-1/refs/" + first.RefID}, filesBelow(t, root))
	assert.EqualValues(t, mib/2, w.OwnedBytes())
	assert.Equal(t, []string{first.RefID}, w.PendingIDs())

	l := link(t, root, w, 0)
	require.NoError(t, l.reader.Accept(context.Background(), first))
	require.NoError(t, l.reader.Consume(context.Background(), first.RefID, &bytes.Buffer{}))
	create(t, w, bytesOf(mib/2, 2))
}
