package payloadref

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"phpwire/frames/toolchild"
)

// ReaderOptions configure a [Reader].
type ReaderOptions struct {
	Root       string // a folder that both sides share; it must exist
	Generation int64  // the channel's generation, 0 to 2^53-1
	// Budget bounds the bytes that the reader owns; 0 means toolchild.RefsBudget.
	Budget int64
	Send   func(toolchild.Message) error // sends a ref_ack or ref_nack to the writer
}

// A Reader takes the references that the other side sends. It owns the files of
// those that it has accepted. It may be used from several goroutines.
type Reader struct {
	root       string
	generation int64
	budget     int64
	send       func(toolchild.Message) error
	step       func(string) // tests die here

	mu         sync.Mutex
	ownedBytes int64
	refs       map[string]heldRef
}

type heldRef struct {
	toolchild.PayloadRef
	accepted bool // false while it is being checked
}

// NewReader returns a reader.
func NewReader(options ReaderOptions) *Reader {
	r := &Reader{
		root:       options.Root,
		generation: options.Generation,
		budget:     options.Budget,
		send:       options.Send,
		step:       func(string) {},
		refs:       map[string]heldRef{},
	}
	if r.budget == 0 {
		r.budget = toolchild.RefsBudget
	}
	return r
}

// OwnedBytes returns the bytes of the files that are the reader's.
func (r *Reader) OwnedBytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ownedBytes
}

// OwnedIDs returns the ids that are accepted and not consumed, sorted.
func (r *Reader) OwnedIDs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(r.refs)) {
		if r.refs[id].accepted {
			ids = append(ids, id)
		}
	}
	return ids
}

// Accept checks the file of a reference and answers the writer. Nil means that
// it sent ref_ack and that the file is the reader's. An *[Error] of code
// [Rejected] means that it sent ref_nack; the context's end is reason
// [Cancelled]. Of code [Invalid] or [Failed], it has decided nothing: the
// reference is one that the guard refuses, or the file could not be read, or
// the answer not be sent.
//
// A reference that is already owned is acknowledged again. One that was refused
// must not be accepted later: the writer is about to delete its file.
func (r *Reader) Accept(ctx context.Context, ref toolchild.PayloadRef) error {
	if !ref.Valid() {
		return invalid(ref)
	}
	before := r.owns(ref.RefID)
	reason, err := r.hold(ctx, ref)
	if err != nil {
		return failed(ref.RefID, err)
	}
	if reason != "" {
		return r.reject(ref, reason)
	}
	r.step("file checked")
	if err := r.control(toolchild.RefAck, toolchild.Fields{"refId": ref.RefID}); err != nil {
		if !before {
			r.release(ref.RefID)
		}
		return failed(ref.RefID, err)
	}
	r.step("ack sent")
	return nil
}

// Refuse answers a reference with ref_nack without looking at its file. One
// that is already owned cannot be refused any more: the error is an *[Error] of
// code [Invalid].
func (r *Reader) Refuse(ref toolchild.PayloadRef, reason Reason) error {
	if r.owns(ref.RefID) {
		return &Error{Code: Invalid, RefID: ref.RefID, Detail: "it has been accepted, so it can only be consumed"}
	}
	return r.nack(ref, reason)
}

// owns reports whether a reference is accepted, or being checked.
func (r *Reader) owns(refID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, held := r.refs[refID]
	return held
}

func (r *Reader) reject(ref toolchild.PayloadRef, reason Reason) error {
	if err := r.nack(ref, reason); err != nil {
		return err
	}
	return &Error{Code: Rejected, RefID: ref.RefID, Reason: reason}
}

func (r *Reader) nack(ref toolchild.PayloadRef, reason Reason) error {
	err := r.control(toolchild.RefNack, toolchild.Fields{"refId": ref.RefID, "reason": string(reason)})
	if err != nil {
		return failed(ref.RefID, err)
	}
	return nil
}

func (r *Reader) control(t toolchild.Type, fields toolchild.Fields) error {
	message, err := toolchild.New(t, fields)
	if err != nil {
		return err
	}
	return r.send(message)
}

// hold makes a reference the reader's own, or says why not.
func (r *Reader) hold(ctx context.Context, ref toolchild.PayloadRef) (Reason, error) {
	if ref.Generation != r.generation {
		return Foreign, nil
	}
	r.mu.Lock()
	if held, again := r.refs[ref.RefID]; again {
		r.mu.Unlock()
		switch {
		case !held.accepted:
			return "", errors.New("it is being checked already, and that decides")
		case held.PayloadRef != ref:
			return Corrupt, nil
		}
		return "", nil
	}
	if ctx.Err() != nil {
		r.mu.Unlock()
		return Cancelled, nil
	}
	// The budget cannot overflow: both numbers are below 2^53.
	if r.ownedBytes+ref.Bytes > r.budget {
		r.mu.Unlock()
		return Budget, nil
	}
	r.ownedBytes += ref.Bytes
	r.refs[ref.RefID] = heldRef{PayloadRef: ref}
	r.mu.Unlock()

	reason, err := r.check(ctx, ref)
	if reason != "" || err != nil {
		r.release(ref.RefID)
		return reason, err
	}
	r.mu.Lock()
	r.refs[ref.RefID] = heldRef{ref, true}
	r.mu.Unlock()
	return "", nil
}

func (r *Reader) release(refID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ownedBytes -= r.refs[refID].Bytes
	delete(r.refs, refID)
}

// check reads the file once and compares its size and sha256.
func (r *Reader) check(ctx context.Context, ref toolchild.PayloadRef) (Reason, error) {
	err := r.stream(ctx, ref, io.Discard)
	if mismatch, ok := err.(*Error); ok {
		return mismatch.Reason, nil
	}
	if ctx.Err() != nil {
		return Cancelled, nil
	}
	return "", err
}

// stream copies the file of a reference to dst. An *[Error] itself, not one that
// is wrapped, says that the file is [Missing] or [Corrupt].
func (r *Reader) stream(ctx context.Context, ref toolchild.PayloadRef, dst io.Writer) error {
	file, err := r.open(ref)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Code: Rejected, RefID: ref.RefID, Reason: Missing}
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENXIO):
		return &Error{Code: Rejected, RefID: ref.RefID, Reason: Corrupt, Err: err}
	case err != nil:
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != ref.Bytes {
		return &Error{
			Code: Rejected, RefID: ref.RefID, Reason: Corrupt,
			Detail: fmt.Sprintf("got a file of %d bytes, mode %s, want a regular file of %d", info.Size(), info.Mode(), ref.Bytes),
		}
	}
	return copyChecked(ctx, dst, file, ref, sha256.New())
}

func copyChecked(ctx context.Context, dst io.Writer, file io.Reader, ref toolchild.PayloadRef, sum hash.Hash) error {
	buffer := make([]byte, bufferBytes)
	for left := ref.Bytes; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := file.Read(buffer[:min(left, bufferBytes)])
		sum.Write(buffer[:n])
		if _, err := dst.Write(buffer[:n]); err != nil {
			return fmt.Errorf("handing the payload on: %w", err)
		}
		left -= int64(n)
		if left == 0 || err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != ref.SHA256 {
		return &Error{
			Code: Rejected, RefID: ref.RefID, Reason: Corrupt,
			Detail: fmt.Sprintf("got sha256 %s, want %s", got, ref.SHA256),
		}
	}
	return nil
}

func (r *Reader) open(ref toolchild.PayloadRef) (*os.File, error) {
	dir, err := openDir(r.root, ref.Generation, refsName, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openAt(dir, ref.RefID, unix.O_RDONLY, 0)
}

// Consume copies the payload of an accepted reference to dst, and then deletes
// the file. It holds a buffer of it, never the whole.
//
// An *[Error] of code [NotOwned] says that the id is not owned, of code
// [Rejected] that the file is no longer what it was: it is deleted and no
// longer owned, and what dst got is not to be trusted. After any other error
// (the context, dst, the file system) the file is still owned.
func (r *Reader) Consume(ctx context.Context, refID string, dst io.Writer) error {
	r.mu.Lock()
	held := r.refs[refID]
	r.mu.Unlock()
	if !held.accepted {
		return &Error{Code: NotOwned, RefID: refID}
	}
	err := r.stream(ctx, held.PayloadRef, dst)
	if _, lost := err.(*Error); err != nil && !lost {
		return failed(refID, err)
	}
	r.step("file consumed")
	if removing := removeRef(r.root, r.generation, refID); removing != nil {
		return failed(refID, removing)
	}
	r.step("file deleted")
	r.release(refID)
	return err
}

// PeerDied deletes what the dead other side has left in the generation: every
// file that this reader does not own. What it owns stays, to be consumed; after
// that, [TeardownGeneration] ends the generation.
func (r *Reader) PeerDied() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	held := func(name string) bool { _, held := r.refs[name]; return held }
	none := func(string) bool { return false }
	err := errors.Join(
		emptyDir(r.root, r.generation, refsName, held),
		emptyDir(r.root, r.generation, partialName, none),
		emptyDir(r.root, r.generation, spoolName, none),
	)
	if err != nil {
		return failed("", err)
	}
	return nil
}
