package childtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/oracle"
	"phpwire/reports"
)

// Host plays the host against one child. Its methods end the case, with a fault,
// where the child does something else than the script says.
type Host struct {
	wire     *oracle.Wire
	deadline time.Time
	lines    []Line
	first    []byte // what was sent, its first bytes
	lastID   uint64
	ready    bool // the functions of the prelude are defined
	ended    bool
	ending   oracle.Ending
}

// fault is how a case fails.
type fault struct {
	outcome reports.Outcome
	text    string
}

// fail ends the case: the child does not do what it must.
func (h *Host) fail(format string, args ...any) {
	panic(fault{reports.Failed, fmt.Sprintf(format, args...)})
}

// begin starts the transcript of a case.
func (h *Host) begin(limit time.Duration) {
	h.lines, h.first = nil, nil
	h.deadline = time.Now().Add(limit)
	_ = h.wire.Conn().SetDeadline(h.deadline)
}

func (h *Host) note(format string, args ...any) {
	h.lines = append(h.lines, Line{Frame: fmt.Sprintf(format, args...)})
}

func (h *Host) record(who, what string, b []byte) {
	h.lines = append(h.lines, Line{Who: who, Frame: what, Size: len(b), Bytes: shownBytes(b)})
	if room := inputBytes - len(h.first); who == "host" && room > 0 {
		h.first = append(h.first, b[:min(room, len(b))]...)
	}
}

// inputBytes is how much a failure shows of what was sent.
const inputBytes = 4096

// nextID gives the ids of calls: 1, 3, 5 …
func (h *Host) nextID() uint64 {
	h.lastID += 2
	return h.lastID - 1
}

// ---- sending

// encode gives the bytes of a frame.
func encode(f frames.Frame) []byte {
	b, err := frames.Append(nil, f)
	if err != nil {
		panic(fmt.Sprintf("childtest: a case's own frame: %v", err))
	}
	return b
}

// send writes a frame that follows the rules.
func (h *Host) send(f frames.Frame) {
	b := encode(f)
	h.record("host", shown(f), b)
	h.write(b)
}

// sendRaw writes a frame with any tag, id and payload.
func (h *Host) sendRaw(tag frames.Tag, id uint64, payload string) {
	b := frames.AppendRaw(nil, frames.Raw{Tag: tag, ID: id, Payload: []byte(payload)})
	h.record("host", fmt.Sprintf("%v %d with the payload %s", tag, id, cutText(printable([]byte(payload)))), b)
	h.write(b)
}

// sendBytes writes bytes that need not be a frame.
func (h *Host) sendBytes(b []byte, what string) {
	h.record("host", what, b)
	h.write(b)
}

// write puts bytes on the stream. That the child is gone already is seen by the
// next read, which says more.
func (h *Host) write(b []byte) {
	if _, err := h.wire.Conn().Write(b); errors.Is(err, os.ErrDeadlineExceeded) {
		panic(fault{reports.Hung, "the child does not take the bytes that are sent to it"})
	}
}

// call sends a CallFunction and gives its id.
func (h *Host) call(function string, args ...codec.Value) uint64 {
	id := h.nextID()
	h.send(frames.CallFunction{ID: id, Function: function, Args: args})
	return id
}

// reply sends the Return of a call of the child.
func (h *Host) reply(call frames.CallRustMethod, v codec.Value) {
	h.send(frames.Return{ID: call.ID, Value: v})
}

// closeWrite ends the stream towards the child.
func (h *Host) closeWrite() {
	h.note("the host ends the stream")
	_ = h.wire.Conn().CloseWrite()
}

// ---- receiving

// errGone says that the child has closed the stream.
var errGone = errors.New("the stream has ended")

// read gives the bytes of the next frame.
func (h *Host) read() ([]byte, error) {
	head := make([]byte, 8)
	if n, err := io.ReadFull(h.wire.Conn(), head); err != nil {
		return nil, h.readFault(head[:n], err)
	}
	length := binary.LittleEndian.Uint64(head)
	if length < frames.MinLength || length > frames.MaxLength {
		h.record("child", "bytes that are no frame", head)
		panic(fault{reports.Garbage, fmt.Sprintf("the child sends a frame with the length %d, allowed are 9 to 268435456 (F-2)", length)})
	}
	b := make([]byte, 8+length)
	copy(b, head)
	if n, err := io.ReadFull(h.wire.Conn(), b[8:]); err != nil {
		return nil, h.readFault(b[:8+n], err)
	}
	return b, nil
}

func (h *Host) readFault(got []byte, err error) error {
	if len(got) > 0 {
		h.record("child", "the beginning of a frame", got)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		panic(fault{reports.Hung, "the child sends nothing before the deadline"})
	case len(got) > 0:
		panic(fault{reports.Garbage, fmt.Sprintf("the stream ends inside a frame of the child, after %d bytes (F-16)", len(got))})
	case err == io.EOF || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, net.ErrClosed):
		return errGone
	}
	panic(fault{reports.Failed, "reading from the child: " + err.Error()})
}

// receive gives the next frame of the child, checked against part F.
func (h *Host) receive() frames.Frame {
	b, err := h.read()
	if err != nil {
		h.died()
	}
	raw := frames.Raw{Tag: frames.Tag(b[8]), ID: binary.LittleEndian.Uint64(b[9:]), Payload: b[17:]}
	f, err := frames.Parse(raw, frames.FromPHP)
	if err != nil {
		h.record("child", "a frame that breaks the protocol", b)
		panic(fault{reports.Garbage, "the child sends a frame that breaks the protocol: " + err.Error()})
	}
	h.record("child", shown(f), b)
	return f
}

// died ends the case for a child that is gone where it should live.
func (h *Host) died() {
	h.end()
	panic(fault{reports.Crashed, "the child ended: " + describeEnding(h.ending)})
}

func describeEnding(e oracle.Ending) string {
	s := fmt.Sprintf("exit status %d", e.Status)
	switch {
	case e.Killed:
		s = "it was still running and had to be killed"
	case e.Signal != 0:
		s = fmt.Sprintf("signal %d (%v)", int(e.Signal), e.Signal)
	}
	if text := strings.TrimSpace(e.Stderr); text != "" {
		s += "; stderr: " + cutText(text)
	}
	return s
}

// returned waits for the Return of a call, which must be the next frame.
func (h *Host) returned(id uint64) frames.Return {
	f := h.receive()
	r, ok := f.(frames.Return)
	if !ok || r.ID != id {
		h.fail("the next frame must be the Return of call %d, it is %s", id, shown(f))
	}
	return r
}

// returns waits for the Return of a call with this value.
func (h *Host) returns(id uint64, want codec.Value) {
	if r := h.returned(id); !r.Value.Equal(want) {
		h.fail("call %d must return %s, it returns %s", id, shownValue(want), shownValue(r.Value))
	}
}

// threw waits for the Throw of a call, which must be the next frame.
func (h *Host) threw(id uint64) frames.Throw {
	f := h.receive()
	t, ok := f.(frames.Throw)
	if !ok || t.ID != id {
		h.fail("the next frame must be the Throw of call %d, it is %s", id, shown(f))
	}
	return t
}

// throws waits for the Throw of a call whose message holds a text; case does not
// matter.
func (h *Host) throws(id uint64, text string) frames.Throw {
	t := h.threw(id)
	if !strings.Contains(strings.ToLower(t.Message), strings.ToLower(text)) {
		h.fail("the Throw must say %q, it says %q", text, cutText(t.Message))
	}
	return t
}

// served waits for a call of the child.
func (h *Host) served(handle int64, method string, args ...codec.Value) frames.CallRustMethod {
	f := h.receive()
	c, ok := f.(frames.CallRustMethod)
	if !ok || c.Handle != handle || c.Method != method {
		h.fail("the next frame must be the CallRustMethod of %s of rhandle %d, it is %s", method, handle, shown(f))
	}
	if want := codec.List(args...); !want.Equal(codec.List(c.Args...)) {
		h.fail("the arguments must be %s, they are %s", shownValue(want), shownValue(codec.List(c.Args...)))
	}
	return c
}

// released waits for the release of an rhandle.
func (h *Host) released(handle int64) {
	f := h.receive()
	if r, ok := f.(frames.ReleaseRustHandle); !ok || r.Handle != handle {
		h.fail("the next frame must be the ReleaseRustHandle of %d, it is %s", handle, shown(f))
	}
}

// ask calls a function and gives what it returns.
func (h *Host) ask(function string, args ...codec.Value) codec.Value {
	return h.returned(h.call(function, args...)).Value
}

// expect calls a function, which must return this value.
func (h *Host) expect(want codec.Value, function string, args ...codec.Value) {
	h.returns(h.call(function, args...), want)
}

// eval runs PHP code and gives what it returns.
func (h *Host) eval(code string) codec.Value { return h.ask("__shirabe_eval", str(code)) }

// alive makes sure that the child answers, with nothing before its answer.
func (h *Host) alive() { h.expect(num(5), "strlen", str("alive")) }

// handleOf gives the number of a phandle descriptor.
func (h *Host) handleOf(v codec.Value) int64 {
	p, ok := v.PhpHandle()
	if !ok {
		h.fail("an object of PHP must cross as a phandle, it is %s", shownValue(v))
	}
	return p.ID
}

// ---- the end of the child

// grace is how long a child may take to leave when the case wants to see how.
func (h *Host) grace() time.Duration { return max(time.Until(h.deadline), 0) }

func (h *Host) end() {
	if !h.ended {
		h.ended = true
		h.ending = h.wire.End(h.grace())
		h.note("the child ends: %s", describeEnding(h.ending))
	}
}

// gone waits until the child has closed the stream and has ended. No further
// frame may come but, where the child may say goodbye, releases.
func (h *Host) gone(releases bool) oracle.Ending {
	for {
		b, err := h.read()
		if err != nil {
			break
		}
		if tag := frames.Tag(b[8]); !releases || tag != frames.TagReleaseRustHandle {
			h.record("child", "a frame where none may come", b)
			h.fail("the child must end without an answer; it sends %v with id %d", tag, binary.LittleEndian.Uint64(b[9:]))
		}
	}
	select {
	case <-h.wire.Exited():
	case <-time.After(h.grace()):
	}
	h.end()
	if h.ending.Killed {
		panic(fault{reports.Hung, "the child has closed the stream, but its process does not end"})
	}
	return h.ending
}

// refused waits for the end that clause E-4 asks for: no answer, one line on
// stderr, a status that is not 0.
func (h *Host) refused() {
	e := h.gone(false)
	if e.Signal != 0 {
		panic(fault{reports.Crashed, "the child must refuse the frame, it ends by " + describeEnding(e)})
	}
	if e.Status == 0 {
		h.fail("the child must end with a status other than 0 over a frame that breaks the protocol; it ends with 0")
	}
	if lines := strings.Count(strings.TrimSpace(e.Stderr), "\n") + 1; strings.TrimSpace(e.Stderr) == "" || lines != 1 {
		h.fail("the child must say why in one line on stderr; it says %q", cutText(e.Stderr))
	}
}

// leaves waits for the end that clause C-8 asks for.
func (h *Host) leaves() {
	if e := h.gone(true); e.Signal != 0 || e.Status != 0 {
		h.fail("the child must end with status 0, it ends with %s", describeEnding(e))
	}
}

// prelude defines the PHP functions that cases share.
func (h *Host) prelude() {
	if !h.ready {
		h.eval(prelude)
		h.ready = true
	}
}
