package payloadref

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"phpwire/frames/toolchild"
)

const bufferBytes = 256 << 10

// WriterOptions configure a [Writer].
type WriterOptions struct {
	Root       string // a folder that both sides share; it must exist
	Generation int64  // the channel's generation, 0 to 2^53-1
	// Budget bounds the bytes that the writer owns; 0 means toolchild.RefsBudget.
	Budget int64
	Now    func() time.Time // nil means time.Now
}

// A Writer makes the references that one side sends. It owns their files until
// they are acknowledged. It may be used from several goroutines.
type Writer struct {
	root       string
	generation int64
	budget     int64
	now        func() time.Time
	step       func(string) // tests die here

	mu       sync.Mutex
	closed   bool
	creating sync.WaitGroup
	owned    int64
	pending  map[string]pendingRef
}

type pendingRef struct {
	bytes int64
	since time.Time
}

// NewWriter returns a writer. It touches no file before the first Create.
func NewWriter(options WriterOptions) *Writer {
	w := &Writer{
		root:       options.Root,
		generation: options.Generation,
		budget:     options.Budget,
		now:        options.Now,
		step:       func(string) {},
		pending:    map[string]pendingRef{},
	}
	if w.budget == 0 {
		w.budget = toolchild.RefsBudget
	}
	if w.now == nil {
		w.now = time.Now
	}
	return w
}

// Generation returns the channel's generation.
func (w *Writer) Generation() int64 { return w.generation }

// Budget returns the most bytes that the writer may own.
func (w *Writer) Budget() int64 { return w.budget }

// OwnedBytes returns the bytes of the files that are the writer's, those being
// written included.
func (w *Writer) OwnedBytes() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.owned
}

// PendingIDs returns the ids that have not been acknowledged or refused, sorted.
func (w *Writer) PendingIDs() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.pending))
}

// Overdue returns the pending ids that are at least toolchild.RefAckMs old,
// sorted. They are reported, not deleted.
func (w *Writer) Overdue() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var ids []string
	for id, ref := range w.pending {
		if w.now().Sub(ref.since) >= toolchild.RefAckMs*time.Millisecond {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Create writes a payload to a file and returns the reference to send. It holds
// a buffer of the payload, never the whole. If it fails, nothing is left of the
// file: the *[Error] is of code [BudgetExceeded], [Closed], or [Failed] for the
// context, the payload's reader or the file system.
func (w *Writer) Create(ctx context.Context, payload io.Reader) (toolchild.PayloadRef, error) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return toolchild.PayloadRef{}, &Error{Code: Closed, Detail: "the writer has been torn down"}
	}
	w.creating.Add(1)
	w.mu.Unlock()
	defer w.creating.Done()

	id := rand.Text()
	reserved := int64(0)
	ref, err := w.write(ctx, id, payload, &reserved)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.owned -= reserved
		if _, ours := err.(*Error); !ours {
			err = failed(id, err)
		}
		return toolchild.PayloadRef{}, err
	}
	w.pending[id] = pendingRef{bytes: reserved, since: w.now()}
	return ref, nil
}

func (w *Writer) write(ctx context.Context, id string, payload io.Reader, reserved *int64) (toolchild.PayloadRef, error) {
	none := toolchild.PayloadRef{}
	partial, err := openDir(w.root, w.generation, partialName, true)
	if err != nil {
		return none, err
	}
	defer partial.Close()
	refs, err := openDir(w.root, w.generation, refsName, true)
	if err != nil {
		return none, err
	}
	defer refs.Close()
	w.step("folders made")
	file, err := openAt(partial, id, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return none, err
	}
	w.step("file opened")
	hash := sha256.New()
	err = w.fill(ctx, io.MultiWriter(file, hash), payload, reserved)
	if closing := file.Close(); err == nil {
		err = closing
	}
	w.step("file written")
	if err == nil {
		err = unix.Renameat(int(partial.Fd()), id, int(refs.Fd()), id)
	}
	if err != nil {
		if removing := removeAt(partial, id); removing != nil {
			err = errors.Join(err, removing)
		}
		return none, err
	}
	w.step("file renamed")
	return toolchild.PayloadRef{
		RefID: id, Generation: w.generation, Bytes: *reserved, SHA256: hex.EncodeToString(hash.Sum(nil)),
	}, nil
}

// fill copies the payload, and takes its bytes from the budget before they are written.
func (w *Writer) fill(ctx context.Context, file io.Writer, payload io.Reader, reserved *int64) error {
	buffer := make([]byte, bufferBytes)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(payload, buffer)
		if n > 0 {
			if err := w.reserve(int64(n)); err != nil {
				return err
			}
			*reserved += int64(n)
			if _, err := file.Write(buffer[:n]); err != nil {
				return err
			}
			w.step("part written")
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return nil
		default:
			return err
		}
	}
}

func (w *Writer) reserve(n int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return &Error{Code: Closed, Detail: "the writer has been torn down"}
	}
	if w.owned+n > w.budget {
		return &Error{
			Code:   BudgetExceeded,
			Detail: fmt.Sprintf("%d bytes are owned and at least %d more wanted, of at most %d", w.owned, n, w.budget),
		}
	}
	w.owned += n
	return nil
}

// Handle takes a ref_ack, which makes the writer forget a file, or a ref_nack,
// on which it deletes the file. An id that is not pending, and any other
// message, means nothing. The error is an *[Error] of code [Failed] if the file
// could not be deleted; it is then still pending.
func (w *Writer) Handle(control toolchild.Message) error {
	if control.Type != toolchild.RefAck && control.Type != toolchild.RefNack {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id := control.Text("refId")
	ref, ok := w.pending[id]
	if !ok {
		return nil
	}
	if control.Type == toolchild.RefNack {
		if err := removeRef(w.root, w.generation, id); err != nil {
			return failed(id, err)
		}
	}
	delete(w.pending, id)
	w.owned -= ref.bytes
	return nil
}

// Teardown ends the writer and deletes its generation: every file of both
// sides, acknowledged or not, and the spool folder.
func (w *Writer) Teardown() error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.creating.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := TeardownGeneration(w.root, w.generation); err != nil {
		return err
	}
	clear(w.pending)
	w.owned = 0
	return nil
}
