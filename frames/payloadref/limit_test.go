package payloadref

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

// limitFileSize makes writes beyond a size fail until the test ends.
func limitFileSize(t *testing.T, size uint64) {
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: before.Max}))
	t.Cleanup(func() {
		assert.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
		signal.Reset(syscall.SIGXFSZ)
	})
}

const (
	// manyVariable set to 1 makes the budget test hold the whole of refsBudget.
	manyVariable = "PHPWIRE_TOOLCHILD_GIB"
	manyRefs     = 64
	memoryLimit  = 64 << 20
)

// zeros is a payload of any size that takes no memory.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// holdTheWholeBudget runs the Go side in a process of its own, so that its
// memory can be measured: root, node's program, peer's program, budget.
func holdTheWholeBudget(arguments []string) {
	root, command := arguments[0], arguments[1:3]
	var budget int64
	_, err := fmt.Sscan(arguments[3], &budget)
	must(err)
	each := budget / manyRefs
	ctx := context.Background()
	const patience = 2 * time.Minute

	p, err := peer.Start(peer.Options{Command: command, Role: peer.Child, Root: root, Generation: 1, RefsBudget: budget})
	must(err)
	must(p.Greet(patience))
	w := NewWriter(WriterOptions{Root: root, Generation: 1, Budget: budget})
	r := NewReader(ReaderOptions{Root: root, Generation: 1, Budget: budget, Send: p.SendMessage})
	p.OnControl = func(control toolchild.Message) { must(w.Handle(control)) }
	ask := func(operation string, args any, ref *toolchild.PayloadRef) peer.Reply {
		reply, err := p.Call(patience, operation, args, ref)
		must(err)
		return reply
	}
	demand := func(ok bool, what string) {
		if !ok {
			panic(what)
		}
	}

	// Go writes all of it, Node owns all of it.
	var refs []toolchild.PayloadRef
	for range manyRefs {
		ref, err := w.Create(ctx, io.LimitReader(zeros{}, each))
		must(err)
		refs = append(refs, ref)
	}
	_, err = w.Create(ctx, io.LimitReader(zeros{}, 1))
	demand(err != nil && w.OwnedBytes() == budget, "the writer went beyond its budget")
	for _, ref := range refs {
		demand(string(ask("refs.accept", nil, &ref).Value) == `"accepted"`, "a reference within the budget was refused")
	}
	one, err := w.Create(ctx, io.LimitReader(zeros{}, 1))
	must(err)
	demand(string(ask("refs.accept", nil, &one).Value) == `"budget"`, "the peer went beyond its budget")
	for _, ref := range refs {
		demand(ask("refs.consume", toolchild.Fields{"refId": ref.RefID}, nil).Code == "", "a reference was lost")
	}

	// And the other way.
	refs = refs[:0]
	for i := range manyRefs {
		reply := ask("refs.create", toolchild.Fields{"bytes": each, "seed": i}, nil)
		demand(reply.Ref != nil, "the peer wrote no reference: "+reply.Code)
		refs = append(refs, *reply.Ref)
	}
	demand(ask("refs.create", toolchild.Fields{"bytes": 1, "seed": 0}, nil).Code == "ref_budget_exceeded", "the peer's writer went beyond its budget")
	for _, ref := range refs {
		must(r.Accept(ctx, ref))
	}
	demand(r.OwnedBytes() == budget, "the reader does not own the whole budget")
	extra := ask("refs.create", toolchild.Fields{"bytes": 1, "seed": 0}, nil)
	demand(extra.Ref != nil, "the acknowledged bytes still count")
	demand(r.Accept(ctx, *extra.Ref) != nil, "the reader went beyond its budget")
	for _, ref := range refs {
		must(r.Consume(ctx, ref.RefID, io.Discard))
	}
	theirs := peakMemory(p.PID())
	demand(p.Close() == 0, "the peer failed: "+p.Stderr())
	fmt.Println(peakMemory(os.Getpid()), theirs)
}

// peakMemory returns the most memory that a running process has held, in bytes.
func peakMemory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	must(err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kibibytes int64
	_, err = fmt.Sscan(rest, &kibibytes)
	must(err)
	return kibibytes << 10
}

// One side owns its whole budget at once, first the peer and then this package;
// both hold buffers and never a payload.
func TestTheWholeBudgetAtOnce(t *testing.T) {
	budget := int64(128 * mib)
	if os.Getenv(manyVariable) != "" {
		budget = toolchild.RefsBudget
	}
	command, err := peer.Install(t.TempDir())
	require.NoError(t, err)
	root := t.TempDir()
	part := partOf("full", root, command[0], command[1], fmt.Sprint(budget))
	out, err := part.Output()
	require.NoError(t, err)
	var ours, theirs int64
	_, err = fmt.Sscan(string(out), &ours, &theirs)
	require.NoError(t, err)
	t.Logf("%d references of %d bytes at once; at most %d MiB of memory here, %d MiB in the peer", manyRefs, budget/manyRefs, ours>>20, theirs>>20)
	if !raceDetector { // which needs several times the memory
		assert.Less(t, ours, int64(memoryLimit))
	}
	assert.Less(t, theirs, int64(memoryLimit))
	assert.Empty(t, filesBelow(t, root))
}
