package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"phpwire/frames/payloadref"
	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

const generation = 7

// A session is one case's peer, and the other end of its channel.
type session struct {
	options Options
	role    peer.Role // the peer's
	root    string    // the case's own folder; the references' root is inside
	frames  []string
	peer    *peer.Peer

	writer   *payloadref.Writer
	reader   *payloadref.Reader
	controls []toolchild.Message // what the peer answered to references
}

// failure ends a case.
type failure string

func (s *session) failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

func (s *session) check(err error) {
	if err != nil {
		s.failf("%v", err)
	}
}

func (s *session) want(ok bool, format string, args ...any) {
	if !ok {
		s.failf(format, args...)
	}
}

// refs is the root of the references.
func (s *session) refs() string { return filepath.Join(s.root, "refs") }

// launch starts the peer without a greeting.
func (s *session) launch(budget int64) {
	s.check(os.MkdirAll(s.refs(), 0o700))
	p, err := peer.Start(peer.Options{
		Command: s.options.Command, Role: s.role, Root: s.refs(), Generation: generation,
		RefsBudget: budget, Faults: s.options.Faults, Log: s.log,
	})
	if err != nil {
		panic(&StartError{s.options.Command, err})
	}
	s.peer = p
	s.writer = payloadref.NewWriter(payloadref.WriterOptions{Root: s.refs(), Generation: generation})
	s.reader = payloadref.NewReader(payloadref.ReaderOptions{Root: s.refs(), Generation: generation, Send: p.SendMessage})
	p.OnControl = func(control toolchild.Message) {
		s.controls = append(s.controls, control)
		s.check(s.writer.Handle(control))
	}
}

// open starts the peer and greets it.
func (s *session) open() { s.openWithBudget(0) }

func (s *session) openWithBudget(budget int64) {
	s.launch(budget)
	s.check(s.peer.Greet(s.options.Timeout))
}

func (s *session) end() {
	if s.peer != nil {
		s.peer.Kill()
	}
}

func (s *session) log(sign byte, body []byte) {
	const most = 240
	line := string(sign) + " "
	if len(body) > most {
		line += strings.ToValidUTF8(string(body[:most]), "\ufffd") + fmt.Sprintf("… (%d bytes)", len(body))
	} else {
		line += strings.ToValidUTF8(string(body), "\ufffd")
	}
	s.frames = append(s.frames, line)
}

// note records bytes that are no frame.
func (s *session) note(format string, args ...any) {
	s.frames = append(s.frames, fmt.Sprintf(format, args...))
}

func (s *session) send(t toolchild.Type, fields toolchild.Fields) { s.check(s.peer.Send(t, fields)) }

// sendBody sends a body that may be no message. That the peer has already
// closed is no failure here: what it answers is what counts.
func (s *session) sendBody(body []byte) { _ = s.peer.SendBody(body) }

// raw sends bytes that may be no frame.
func (s *session) raw(bytes []byte) {
	const most = 80
	if len(bytes) > most {
		s.note("> raw %s… (%d bytes)", strconv.Quote(string(bytes[:most])), len(bytes))
	} else {
		s.note("> raw %s", strconv.Quote(string(bytes)))
	}
	_ = s.peer.SendBytes(bytes)
}

func frame(body string) []byte {
	out, err := toolchild.AppendBody(nil, []byte(body))
	if err != nil {
		panic(err)
	}
	return out
}

// pingBody is the body of a message that a peer answers.
func (s *session) pingBody(id string) string {
	if s.role == peer.Child {
		return fmt.Sprintf(`{"type":"job","jobId":%q,"kind":"echo","args":"ping"}`, id)
	}
	return fmt.Sprintf(`{"type":"host_call","callId":%q,"jobId":"job","tool":"echo","args":"ping"}`, id)
}

// alive fails unless the peer answers.
func (s *session) alive() {
	s.sendBody([]byte(s.pingBody("ping")))
	s.answered("ping")
}

func (s *session) answered(id string) {
	reply, err := s.peer.Answer(s.options.Timeout, id)
	s.check(err)
	s.want(string(reply.Value) == `"ping"`, "got %s%s for %s, want \"ping\"", reply.Value, reply.Code, id)
}

// closed fails unless the peer closes its side without a further message, with
// a status that is not 0.
func (s *session) closed() {
	s.closedWithoutMessage()
	if status := s.peer.Close(); status == 0 {
		s.failf("the failed channel ended with status 0, want another")
	}
}

func (s *session) closedWithoutMessage() {
	message, err := s.peer.Receive(s.options.Timeout)
	switch {
	case err == nil:
		s.failf("got %s, want that the peer closes the channel", message.Body())
	case !errors.Is(err, io.EOF):
		s.failf("%v, want that the peer closes the channel", err)
	}
	s.note("< the peer closed the channel")
}

// count counts the messages of a type that came before the answer to a question.
func (s *session) count(t toolchild.Type) int {
	s.alive()
	return s.drain(t)
}

// drain takes the messages of a type that have been passed over, and counts them.
func (s *session) drain(t toolchild.Type) int {
	for n := 0; ; n++ {
		if _, err := s.peer.Await(0, func(m toolchild.Message) bool { return m.Type == t }); err != nil {
			return n
		}
	}
}

func (s *session) await(t toolchild.Type) toolchild.Message {
	message, err := s.peer.Await(s.options.Timeout, func(m toolchild.Message) bool { return m.Type == t })
	if err != nil {
		s.failf("waiting for %s: %v", t, err)
	}
	return message
}

// call has the peer do an operation of the test service.
func (s *session) call(operation string, args any, ref *toolchild.PayloadRef) peer.Reply {
	reply, err := s.peer.Call(s.options.Timeout, operation, args, ref)
	s.check(err)
	return reply
}

// done is call for an operation that must succeed with a value.
func (s *session) done(operation string, args any, ref *toolchild.PayloadRef) toolchild.JSON {
	reply := s.call(operation, args, ref)
	s.want(reply.Code == "" && reply.Value != nil, "%s failed: %s", operation, reply.Code)
	return reply.Value
}

// into is done, and decodes the value.
func (s *session) into(value any, operation string, args any) {
	s.check(json.Unmarshal(s.done(operation, args, nil), value))
}

// refState is what the test service tells about references.
type refState struct {
	Pending      []string
	PendingBytes int64
	Overdue      []string
	Owned        []string
	OwnedBytes   int64
}

func (s *session) state() (state refState) {
	s.into(&state, "refs.state", toolchild.Fields{})
	return state
}

// theirs has the peer write a file and returns the reference.
func (s *session) theirs(bytes, seed int) toolchild.PayloadRef {
	reply := s.call("refs.create", toolchild.Fields{"bytes": bytes, "seed": seed}, nil)
	s.want(reply.Ref != nil, "refs.create failed: %s", reply.Code)
	return *reply.Ref
}

// ours writes a file with this side's writer.
func (s *session) ours(bytes, seed int) toolchild.PayloadRef {
	ref, err := s.writer.Create(context.Background(), Pattern(int64(bytes), seed))
	s.check(err)
	return ref
}

// accept has the peer accept a reference; the verdict is "accepted", or a reason.
func (s *session) accept(ref toolchild.PayloadRef) string {
	before := len(s.controls)
	verdict := s.text(s.done("refs.accept", nil, &ref))
	s.want(len(s.controls) == before+1, "%d answers came for one reference", len(s.controls)-before)
	control := s.controls[before]
	s.want(control.Text("refId") == ref.RefID, "the answer is for %q, want %q", control.Text("refId"), ref.RefID)
	wire := control.Text("reason")
	if control.Type == toolchild.RefAck {
		wire = "accepted"
	}
	s.want(wire == verdict, "the peer says %q and sent %q", verdict, wire)
	return wire
}

func (s *session) text(value toolchild.JSON) (text string) {
	s.check(json.Unmarshal(value, &text))
	return text
}

func (s *session) path(ref toolchild.PayloadRef) string {
	path, err := payloadref.RefFilePath(s.refs(), ref)
	s.check(err)
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// gone fails unless a file disappears soon.
func (s *session) gone(path string) {
	for deadline := time.Now().Add(s.options.Timeout / 5); exists(path); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.failf("%s is still there", filepath.Base(path))
		}
	}
}

// files lists what is left of files below the root.
func (s *session) files() []string {
	var files []string
	s.check(filepath.WalkDir(s.refs(), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// Pattern yields the bytes that the test service's refs.create writes: byte i is
// i*31+seed, modulo 256.
func Pattern(size int64, seed int) io.Reader {
	period := make([]byte, 256)
	for i := range period {
		period[i] = byte(i*31 + seed)
	}
	return io.LimitReader(&cycle{period: period}, size)
}

type cycle struct {
	period []byte
	at     int
}

func (c *cycle) Read(out []byte) (int, error) {
	n := 0
	for n < len(out) {
		m := copy(out[n:], c.period[c.at:])
		n += m
		c.at = (c.at + m) % len(c.period)
	}
	return n, nil
}
