package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"phpwire/frames/payloadref"
	"phpwire/frames/toolchild"
)

const mib = 1 << 20

func refCases(l *list) {
	background := context.Background()

	l.add("refs/inline-at-threshold", "TC-R1", func(s *session) {
		s.open()
		text := toolchild.JSON(`"` + strings.Repeat("v", toolchild.RefThreshold-2) + `"`)
		got := s.done("echo", text, nil)
		s.want(bytes.Equal(got, text), "got %d bytes, want the %d that were sent", len(got), len(text))
		s.want(len(s.files()) == 0, "files were written: %q", s.files())
	})
	l.add("refs/reference-above-threshold", "TC-R2", func(s *session) {
		s.open()
		s.crosses(toolchild.RefThreshold + 1)
	})
	l.add("refs/threshold-counts-bytes", "TC-R2", func(s *session) {
		s.open()
		text := `"` + strings.Repeat("é", toolchild.RefThreshold/2) + `"`
		reply := s.call("echo", toolchild.JSON(text), nil)
		s.want(reply.Ref != nil, "a payload of %d bytes came inline", len(text))
	})
	l.add("refs/17-MiB-both-ways", "TC-R2", func(s *session) {
		s.open()
		s.crosses(17 * mib)
	})
	l.add("refs/20-MiB-both-ways", "TC-R2", func(s *session) {
		s.open()
		s.crosses(20 * mib)
	})

	l.add("refs/path-is-derived", "TC-R3", func(s *session) {
		s.open()
		ref := s.ours(1000, 1)
		s.want(s.accept(ref) == "accepted", "a good reference was refused")
		want := filepath.Join(s.refs(), fmt.Sprintf("gen-%d", generation), "refs")
		theirs := s.theirs(1000, 2)
		s.want(exists(filepath.Join(want, theirs.RefID)), "the peer's file is not at %s/%s", want, theirs.RefID)
	})
	l.add("refs/path-in-message", "TC-R3", func(s *session) {
		s.open()
		ref := s.ours(1000, 1)
		decoy := filepath.Join(s.root, "decoy")
		s.check(os.Rename(s.path(ref), decoy))
		text, err := toolchild.Stringify(toolchild.Fields{
			"refId": ref.RefID, "generation": ref.Generation, "bytes": ref.Bytes, "sha256": ref.SHA256, "path": decoy, "file": decoy,
		})
		s.check(err)
		verdict := s.acceptText(text)
		s.want(verdict == "missing", "got %s for a file that is not where its id says, want missing", verdict)
		s.want(exists(decoy), "the file that the message named is gone")
	})

	corrupt := func(id string, spoil func(content []byte) []byte) {
		l.add("refs/corrupt-"+id, "TC-R4", func(s *session) {
			s.open()
			ref := s.ours(1024, 7)
			content, err := os.ReadFile(s.path(ref))
			s.check(err)
			s.check(os.WriteFile(s.path(ref), spoil(content), 0o600))
			s.refusedAs(ref, "corrupt")
		})
	}
	corrupt("content", func(content []byte) []byte { content[512] ^= 1; return content })
	corrupt("shorter", func(content []byte) []byte { return content[:1023] })
	corrupt("longer", func(content []byte) []byte { return append(content, 0) })
	corrupt("empty", func([]byte) []byte { return nil })

	l.add("refs/ack-moves-ownership", "TC-R5", func(s *session) {
		s.open()
		ref := s.theirs(8192, 3)
		s.check(s.reader.Accept(background, ref))
		state := s.state()
		s.want(len(state.Pending) == 0, "the writer still has %q", state.Pending)
		s.want(exists(s.path(ref)), "the writer deleted the file that it no longer owns")
		s.check(s.reader.Consume(background, ref.RefID, &bytes.Buffer{}))
		s.want(s.state().PendingBytes == 0, "the writer still counts %d bytes", s.state().PendingBytes)
	})

	l.add("refs/refused-cancelled", "TC-R6", func(s *session) {
		s.open()
		ref := s.ours(2048, 1)
		verdict := s.text(s.done("refs.accept", toolchild.Fields{"cancelled": true}, &ref))
		s.want(verdict == "cancelled", "got %s, want cancelled", verdict)
		s.wasRefused(ref, "cancelled")
	})
	l.add("refs/refused-missing", "TC-R6", func(s *session) {
		s.open()
		ref := s.ours(2048, 1)
		s.check(os.Remove(s.path(ref)))
		s.refusedAs(ref, "missing")
	})
	for _, reason := range []string{"cancelled", "corrupt", "missing", "budget", "foreign"} {
		l.add("refs/refuses-with-"+reason, "TC-R6", func(s *session) {
			s.open()
			ref := s.ours(2048, 1)
			s.done("refs.refuse", toolchild.Fields{"reason": reason}, &ref)
			s.wasRefused(ref, reason)
		})
		l.add("refs/nack-deletes-"+reason, "TC-R8", func(s *session) {
			s.open()
			ref := s.theirs(2048, 1)
			s.check(s.reader.Refuse(ref, payloadref.Reason(reason)))
			s.gone(s.path(ref))
			state := s.state()
			s.want(len(state.Pending) == 0 && state.PendingBytes == 0, "the writer still has %q, %d bytes", state.Pending, state.PendingBytes)
		})
	}

	l.add("refs/outlives-its-operation", "TC-R7", func(s *session) {
		s.open()
		ref := s.theirs(5*mib, 7)
		state := s.state()
		s.want(len(state.Pending) == 1 && state.Pending[0] == ref.RefID, "pending is %q, want %q", state.Pending, ref.RefID)
		s.want(exists(s.path(ref)), "the file is gone before it was answered")
		s.check(s.reader.Accept(background, ref))
		s.state()
		s.want(exists(s.path(ref)), "the file is gone before it was consumed")
		got := sha256.New()
		s.check(s.reader.Consume(background, ref.RefID, got))
		s.want(hex.EncodeToString(got.Sum(nil)) == ref.SHA256, "the sha256 differs")
		s.want(len(s.files()) == 0, "files are left: %q", s.files())
	})
	l.add("refs/answers-for-nothing", "TC-R9", func(s *session) {
		s.open()
		ref := s.theirs(100, 1)
		s.send(toolchild.RefNack, toolchild.Fields{"refId": "no-such-ref", "reason": "corrupt"})
		s.send(toolchild.RefAck, toolchild.Fields{"refId": "../../" + ref.RefID})
		s.check(s.reader.Accept(background, ref))
		s.send(toolchild.RefNack, toolchild.Fields{"refId": ref.RefID, "reason": "corrupt"})
		s.state()
		s.want(exists(s.path(ref)), "a file that was acknowledged was deleted on a later ref_nack")
	})
	l.add("refs/nack-of-a-path", "TC-R9", func(s *session) {
		s.open()
		s.theirs(100, 1)
		decoy := filepath.Join(s.refs(), "decoy")
		s.check(os.WriteFile(decoy, nil, 0o600))
		s.send(toolchild.RefNack, toolchild.Fields{"refId": "../../decoy", "reason": "corrupt"})
		s.state()
		s.want(exists(decoy), "a ref_nack deleted a file by its path")
	})

	l.add("refs/kept-until-consumed", "TC-R10", func(s *session) {
		s.open()
		ref := s.ours(8192, 5)
		s.want(s.accept(ref) == "accepted", "a good reference was refused")
		s.alive()
		s.want(exists(s.path(ref)), "the file is gone before it was consumed")
		var consumed struct {
			Bytes  int64
			SHA256 string
		}
		s.into(&consumed, "refs.consume", toolchild.Fields{"refId": ref.RefID})
		s.want(consumed.Bytes == ref.Bytes && consumed.SHA256 == ref.SHA256, "got %+v, want %+v", consumed, ref)
		s.want(!exists(s.path(ref)), "the consumed file is still there")
		s.want(s.state().OwnedBytes == 0, "%d bytes are still owned", s.state().OwnedBytes)
		again := s.call("refs.consume", toolchild.Fields{"refId": ref.RefID}, nil)
		s.want(again.Code != "", "a reference was consumed twice")
	})
	l.add("refs/empty-payload", "TC-R10", func(s *session) {
		s.open()
		ref := s.ours(0, 0)
		s.want(s.accept(ref) == "accepted", "an empty file was refused")
		s.done("refs.consume", toolchild.Fields{"refId": ref.RefID}, nil)
		theirs := s.theirs(0, 0)
		s.check(s.reader.Accept(background, theirs))
		s.check(s.reader.Consume(background, theirs.RefID, &bytes.Buffer{}))
	})

	l.add("refs/writer-budget", "TC-R11", func(s *session) {
		s.openWithBudget(1000)
		ref := s.theirs(1000, 1)
		reply := s.call("refs.create", toolchild.Fields{"bytes": 1, "seed": 1}, nil)
		s.want(reply.Code == "ref_budget_exceeded", "got %s%v, want ref_budget_exceeded", reply.Code, reply.Ref)
		s.want(len(s.files()) == 1, "files are left: %q", s.files())
		s.check(s.reader.Accept(background, ref))
		s.theirs(1000, 2)
	})
	l.add("refs/reader-budget", "TC-R12", func(s *session) {
		s.openWithBudget(1000)
		first := s.ours(1000, 1)
		s.want(s.accept(first) == "accepted", "a reference of exactly the budget was refused")
		s.refusedAs(s.ours(1, 1), "budget")
		s.done("refs.consume", toolchild.Fields{"refId": first.RefID}, nil)
		s.want(s.accept(s.ours(1000, 2)) == "accepted", "the budget was not given back")
	})
	l.add("refs/reader-budget-one-above", "TC-R12", func(s *session) {
		s.openWithBudget(1000)
		s.refusedAs(s.ours(1001, 1), "budget")
	})
	l.add("refs/overdue", "TC-R13", func(s *session) {
		s.open()
		ref := s.theirs(16, 1)
		s.done("refs.clock", toolchild.Fields{"advanceMs": toolchild.RefAckMs / 3}, nil)
		s.want(len(s.state().Overdue) == 0, "it was overdue too early")
		s.done("refs.clock", toolchild.Fields{"advanceMs": toolchild.RefAckMs}, nil)
		state := s.state()
		s.want(len(state.Overdue) == 1 && state.Overdue[0] == ref.RefID, "overdue is %q, want %q", state.Overdue, ref.RefID)
		s.want(exists(s.path(ref)), "an overdue file was deleted")
	})
	l.add("refs/teardown", "TC-R14", func(s *session) {
		s.open()
		acked, waiting := s.theirs(8192, 1), s.theirs(100, 2)
		s.check(s.reader.Accept(background, acked))
		spool := payloadref.SpoolDir(s.refs(), generation)
		s.check(os.MkdirAll(spool, 0o700))
		s.check(os.WriteFile(filepath.Join(spool, "entry-1.chunk"), []byte("spooled"), 0o600))
		other := filepath.Join(s.refs(), fmt.Sprintf("gen-%d0", generation))
		s.check(os.MkdirAll(other, 0o700))
		s.done("refs.teardown", nil, nil)
		s.want(!exists(s.path(acked)) && !exists(s.path(waiting)) && !exists(spool), "files are left: %q", s.files())
		s.want(exists(other), "another generation was deleted")
		s.want(len(s.state().Pending) == 0, "the writer still has %q", s.state().Pending)
	})
	l.add("refs/sweep", "TC-R15", func(s *session) {
		s.open()
		ref := s.theirs(64, 1)
		kept := []string{"gen-8", "gen-x", "gen-02", "gen-", "gen--1", "gen-1.5", "gen-9007199254740992", "generation-1", "notes"}
		for _, name := range append([]string{"gen-0", "gen-2", "gen-12"}, kept...) {
			s.check(os.MkdirAll(filepath.Join(s.refs(), name, "spool"), 0o700))
		}
		var swept []int
		s.into(&swept, "refs.sweep", toolchild.Fields{"live": []any{generation, 8}})
		s.want(fmt.Sprint(swept) == "[0 2 12]", "got %v, want [0 2 12]", swept)
		for _, name := range kept {
			s.want(exists(filepath.Join(s.refs(), name)), "%s was deleted", name)
		}
		s.want(exists(s.path(ref)), "a live generation's file was deleted")
		s.want(!exists(filepath.Join(s.refs(), "gen-2")), "gen-2 is still there")
	})
	l.add("refs/foreign", "TC-R16", func(s *session) {
		s.open()
		other := payloadref.NewWriter(payloadref.WriterOptions{Root: s.refs(), Generation: generation + 1})
		ref, err := other.Create(background, Pattern(100, 1))
		s.check(err)
		s.refusedAs(ref, "foreign")
		s.want(exists(s.path(ref)), "another generation's file was deleted")
	})
	for _, c := range [][2]string{{"dots", ".."}, {"parent", "../refs/a"}, {"absolute", "/etc/passwd"}, {"nul", `a\u0000`}, {"empty", ""}, {"backslash", `..\\a`}} {
		l.add("refs/id-"+c[0], "TC-R17", func(s *session) {
			s.open()
			ref := s.ours(10, 1)
			text := fmt.Sprintf(`{"refId":"%s","generation":%d,"bytes":10,"sha256":%q}`, c[1], generation, ref.SHA256)
			s.sendBody([]byte(s.acceptBody("a", text)))
			s.closed()
		})
	}
	link := func(id string, plant func(s *session, ref toolchild.PayloadRef, outside string)) {
		l.add("refs/link-"+id, "TC-R18", func(s *session) {
			s.open()
			// Another writer's, for it could not delete through the link either.
			other := payloadref.NewWriter(payloadref.WriterOptions{Root: s.refs(), Generation: generation})
			ref, err := other.Create(background, Pattern(1000, 1))
			s.check(err)
			outside := filepath.Join(s.root, "outside")
			plant(s, ref, outside)
			verdict := s.accept(ref)
			s.want(verdict == "corrupt" || verdict == "missing", "got %s, want corrupt or missing", verdict)
			s.want(exists(outside), "what stands outside was deleted")
		})
	}
	link("file", func(s *session, ref toolchild.PayloadRef, outside string) {
		s.check(os.Rename(s.path(ref), outside))
		s.check(os.Symlink(outside, s.path(ref)))
	})
	link("folder", func(s *session, ref toolchild.PayloadRef, outside string) {
		folder := filepath.Dir(s.path(ref))
		s.check(os.Rename(folder, outside))
		s.check(os.Symlink(outside, folder))
	})
	link("generation", func(s *session, ref toolchild.PayloadRef, outside string) {
		folder := filepath.Dir(filepath.Dir(s.path(ref)))
		s.check(os.Rename(folder, outside))
		s.check(os.Symlink(outside, folder))
	})
	l.add("refs/fifo", "TC-R18", func(s *session) {
		s.open()
		ref := s.ours(10, 1)
		s.check(os.Remove(s.path(ref)))
		s.check(unix.Mkfifo(s.path(ref), 0o600))
		s.refusedAs(ref, "corrupt")
	})
	l.add("refs/modes", "TC-R19", func(s *session) {
		s.open()
		path := s.path(s.theirs(10, 1))
		for at, want := path, os.FileMode(0o600); at != s.refs(); at, want = filepath.Dir(at), 0o700 {
			info, err := os.Stat(at)
			s.check(err)
			s.want(info.Mode().Perm() == want, "%s is %o, want %o", filepath.Base(at), info.Mode().Perm(), want)
		}
	})
	l.add("refs/never-half-visible", "TC-R20", func(s *session) {
		s.open()
		const size = 64 * mib
		folder := filepath.Dir(s.path(s.theirs(1, 1)))
		id, err := s.peer.Ask("refs.create", toolchild.Fields{"bytes": size, "seed": 1}, nil)
		s.check(err)
		answer := make(chan error)
		go func() { _, err := s.peer.Answer(s.options.Timeout, id); answer <- err }()
		for {
			entries, err := os.ReadDir(folder)
			s.check(err)
			for _, entry := range entries {
				if info, err := entry.Info(); err == nil && info.Size() != 1 && info.Size() != size {
					<-answer
					s.failf("a file of %d of %d bytes stood under its name", info.Size(), size)
				}
			}
			select {
			case err := <-answer:
				s.check(err)
				return
			default:
			}
		}
	})
	l.add("refs/accepted-twice", "TC-R21", func(s *session) {
		s.open()
		ref := s.ours(1000, 1)
		s.want(s.accept(ref) == "accepted", "a good reference was refused")
		s.want(s.accept(ref) == "accepted", "a reference that is owned was refused")
		state := s.state()
		s.want(len(state.Owned) == 1 && state.OwnedBytes == 1000, "owned are %q, %d bytes", state.Owned, state.OwnedBytes)
	})
	l.add("refs/refused-payload-fails", "TC-R22", func(s *session) {
		s.open()
		ref := s.ours(1000, 1)
		s.check(os.Remove(s.path(ref)))
		reply := s.call("echo", nil, &ref)
		s.want(reply.Code == "ref_rejected", "got %s%s, want ref_rejected", reply.Value, reply.Code)
		s.wasRefused(ref, "missing")
	})
}

// crosses sends a payload of so many bytes of JSON to the peer, and takes it back.
func (s *session) crosses(size int) {
	text := toolchild.JSON(`"` + strings.Repeat("v", size-2) + `"`)
	packed, err := payloadref.Pack(context.Background(), text, s.writer)
	s.check(err)
	s.want(packed.Ref != nil, "%d bytes stayed inline", size)
	reply := s.call("echo", nil, packed.Ref)
	s.want(reply.Ref != nil, "got %s and %d bytes inline, want a reference", reply.Code, len(reply.Value))
	s.want(reply.Ref.SHA256 == packed.Ref.SHA256 && reply.Ref.Bytes == int64(size), "got %+v, want the payload of %+v", *reply.Ref, *packed.Ref)
	got, err := payloadref.Unpack(context.Background(), *reply.Ref, s.reader)
	s.check(err)
	s.want(bytes.Equal(got, text), "the payload came back changed")
	s.want(len(s.writer.PendingIDs()) == 0, "the peer did not answer the reference")
	s.want(len(s.state().Pending) == 0, "the peer did not take the answer")
	s.want(len(s.files()) == 0, "files are left: %q", s.files())
}

// refusedAs fails unless the peer refuses a reference, for a reason.
func (s *session) refusedAs(ref toolchild.PayloadRef, reason string) {
	verdict := s.accept(ref)
	s.want(verdict == reason, "got %s, want %s", verdict, reason)
	state := s.state()
	for _, id := range state.Owned {
		s.want(id != ref.RefID, "the refused reference is owned")
	}
}

// wasRefused fails unless the peer's last answer is a ref_nack.
func (s *session) wasRefused(ref toolchild.PayloadRef, reason string) {
	s.want(len(s.controls) > 0, "no answer came for the reference")
	last := s.controls[len(s.controls)-1]
	s.want(last.Type == toolchild.RefNack && last.Text("refId") == ref.RefID && last.Text("reason") == reason,
		"got %s, want ref_nack of %q for %s", last.Body(), ref.RefID, reason)
	s.want(!exists(s.path(ref)), "this side's writer did not delete the file")
}

// acceptBody asks the peer to accept a reference that is written out.
func (s *session) acceptBody(id, ref string) string {
	return strings.Replace(strings.Replace(s.pingBody(id), `"echo"`, `"refs.accept"`, 1), `"args":"ping"`, `"argsRef":`+ref, 1)
}

func (s *session) acceptText(ref toolchild.JSON) string {
	s.sendBody([]byte(s.acceptBody("accept", string(ref))))
	reply, err := s.peer.Answer(s.options.Timeout, "accept")
	s.check(err)
	return s.text(reply.Value)
}
