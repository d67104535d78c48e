// Package peer runs tool-child peers: programs that play the child or the
// server at the other end of a channel on their stdin and stdout. It carries
// one, in plain JavaScript for Node, which shares no code with the rest.
package peer

import (
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"phpwire/frames/toolchild"
)

//go:embed *.mjs
var files embed.FS

// A MissingError is a program that is not installed.
type MissingError struct {
	Program string
	Install string // the command that installs it
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed; %s installs it", e.Program, e.Install)
}

// Install writes the JavaScript peer to a folder and returns the command that
// runs it. Without Node the error is a *[MissingError].
func Install(dir string) (command []string, err error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, &MissingError{Program: "node", Install: "apt-get install nodejs"}
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		content, err := files.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, entry.Name()), content, 0o600); err != nil {
			return nil, err
		}
	}
	return []string{node, filepath.Join(dir, "peer.mjs")}, nil
}

// A Role is the side that a peer plays.
type Role string

const (
	Child  Role = "child"
	Server Role = "server"
)

// Sends returns the direction of the messages that the role sends.
func (r Role) Sends() toolchild.Direction {
	if r == Child {
		return toolchild.ChildToServer
	}
	return toolchild.ServerToChild
}

// Options say how to start a peer.
type Options struct {
	Command    []string // the program and its first arguments
	Role       Role
	Root       string // the folder for references
	Generation int64
	RefsBudget int64    // 0 leaves the default
	Faults     []string // faults to plant, for peers that know --fault
	// Log gets every frame that is sent or seen, if it is not nil: a sign, '>'
	// for what went to the peer and '<' for what came, and the body's bytes.
	Log func(sign byte, body []byte)
}

// A Peer is a running peer. One goroutine may use it.
type Peer struct {
	options  Options
	process  *exec.Cmd
	in       io.WriteCloser
	events   chan event
	stderr   *tail
	backlog  []toolchild.Message
	serial   int
	ended    error
	killOnce sync.Once

	// OnControl gets the ref_ack and ref_nack that the peer sends, if it is not
	// nil; they are then not seen by Receive and Await.
	OnControl func(toolchild.Message)
}

type event struct {
	message toolchild.Message
	err     error
}

// Start starts a peer. It must be closed.
func Start(options Options) (*Peer, error) {
	arguments := append(options.Command[1:len(options.Command):len(options.Command)],
		string(options.Role), "--root", options.Root, "--generation", strconv.FormatInt(options.Generation, 10))
	if options.RefsBudget != 0 {
		arguments = append(arguments, "--refs-budget", strconv.FormatInt(options.RefsBudget, 10))
	}
	for _, fault := range options.Faults {
		arguments = append(arguments, "--fault", fault)
	}
	p := &Peer{
		options: options,
		process: exec.Command(options.Command[0], arguments...),
		events:  make(chan event, 4096),
		stderr:  &tail{},
	}
	p.process.Stderr = p.stderr
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	go p.listen(out)
	return p, nil
}

func (p *Peer) listen(out io.Reader) {
	decoder := toolchild.NewDecoder(p.options.Role.Sends())
	chunk := make([]byte, 256<<10)
	for {
		n, err := out.Read(chunk)
		messages, decodeErr := decoder.Push(chunk[:n])
		for _, message := range messages {
			p.events <- event{message: message}
		}
		if decodeErr != nil {
			err = decodeErr
		} else if err == io.EOF && decoder.Finish() != nil {
			err = decoder.Finish()
		}
		if err != nil {
			p.events <- event{err: err}
			// The process must not block on what nobody reads any more.
			_, _ = io.Copy(io.Discard, out)
			return
		}
	}
}

// PID returns the process's id.
func (p *Peer) PID() int { return p.process.Process.Pid }

// Stderr returns the end of what the peer wrote to its stderr.
func (p *Peer) Stderr() string { return p.stderr.String() }

// Close closes the channel and waits for the process to end, or kills it after
// two seconds. It returns the process's exit code, -1 for one that was killed.
func (p *Peer) Close() int {
	p.in.Close()
	timer := time.AfterFunc(2*time.Second, p.signal)
	defer timer.Stop()
	return p.wait()
}

// Kill kills the process and waits for its end.
func (p *Peer) Kill() {
	p.signal()
	p.wait()
}

func (p *Peer) signal() { p.killOnce.Do(func() { _ = p.process.Process.Kill() }) }

func (p *Peer) wait() int {
	for p.ended == nil { // the pipe must be read to its end before Wait
		if e := <-p.events; e.err != nil {
			p.ended = e.err
		}
	}
	_ = p.process.Wait()
	return p.process.ProcessState.ExitCode()
}

// Send sends a message.
func (p *Peer) Send(t toolchild.Type, fields toolchild.Fields) error {
	message, err := toolchild.New(t, fields)
	if err != nil {
		return err
	}
	return p.SendBody(message.Body())
}

// SendMessage sends a message that is already made.
func (p *Peer) SendMessage(message toolchild.Message) error { return p.SendBody(message.Body()) }

// SendBody sends a frame with any body.
func (p *Peer) SendBody(body []byte) error {
	frame, err := toolchild.AppendBody(nil, body)
	if err != nil {
		return err
	}
	p.log('>', body)
	return p.SendBytes(frame)
}

// SendBytes sends bytes as they are, and logs nothing.
func (p *Peer) SendBytes(raw []byte) error {
	_, err := p.in.Write(raw)
	return err
}

func (p *Peer) log(sign byte, body []byte) {
	if p.options.Log != nil {
		p.options.Log(sign, body)
	}
}

// A TimeoutError is an answer that did not come.
type TimeoutError struct{ After time.Duration }

func (e *TimeoutError) Error() string { return fmt.Sprintf("no answer within %s", e.After) }

// Receive returns the next message. The error is io.EOF when the peer closed
// the channel, a *[toolchild.Error] for what is no message, or a *[TimeoutError].
func (p *Peer) Receive(timeout time.Duration) (toolchild.Message, error) {
	if len(p.backlog) > 0 {
		message := p.backlog[0]
		p.backlog = p.backlog[1:]
		return message, nil
	}
	return p.next(time.NewTimer(timeout), timeout)
}

// next returns the next message from the channel that is not OnControl's.
func (p *Peer) next(timer *time.Timer, timeout time.Duration) (toolchild.Message, error) {
	for p.ended == nil {
		select {
		case e := <-p.events:
			if e.err != nil {
				p.ended = e.err
				break
			}
			p.log('<', e.message.Body())
			if p.OnControl != nil && e.message.Direction() == toolchild.Either {
				p.OnControl(e.message)
				continue
			}
			return e.message, nil
		case <-timer.C:
			return toolchild.Message{}, &TimeoutError{timeout}
		}
	}
	return toolchild.Message{}, p.ended
}

// Await returns the first message that matches. The others stay for Receive and
// later Awaits. The errors are those of Receive.
func (p *Peer) Await(timeout time.Duration, matches func(toolchild.Message) bool) (toolchild.Message, error) {
	for i, message := range p.backlog {
		if matches(message) {
			p.backlog = append(p.backlog[:i:i], p.backlog[i+1:]...)
			return message, nil
		}
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		message, err := p.next(timer, timeout)
		if err != nil || matches(message) {
			return message, err
		}
		p.backlog = append(p.backlog, message)
	}
}

// Greet does the handshake.
func (p *Peer) Greet(timeout time.Duration) error {
	generation := toolchild.Fields{"generation": p.options.Generation}
	if p.options.Role == Child {
		if err := p.expect(timeout, toolchild.Hello); err != nil {
			return err
		}
		return p.Send(toolchild.HelloAck, generation)
	}
	hello := toolchild.Fields{"generation": p.options.Generation, "pid": os.Getpid(), "protocol": Protocol}
	if err := p.Send(toolchild.Hello, hello); err != nil {
		return err
	}
	return p.expect(timeout, toolchild.HelloAck)
}

// Protocol is the protocol number that a hello carries.
const Protocol = 1

func (p *Peer) expect(timeout time.Duration, t toolchild.Type) error {
	message, err := p.Receive(timeout)
	if err != nil {
		return fmt.Errorf("waiting for %s: %w%s", t, err, p.said())
	}
	if message.Type != t {
		return fmt.Errorf("got %s, want %s", message.Type, t)
	}
	return nil
}

func (p *Peer) said() string {
	if said := p.Stderr(); said != "" {
		return "; the peer said: " + strings.TrimSpace(said)
	}
	return ""
}

// A Reply is what came of a job or a host call.
type Reply struct {
	Value toolchild.JSON        // nil if there is none
	Ref   *toolchild.PayloadRef // a value that goes by reference
	Code  string                // the code of a failure or a refusal
	// Refused says that there was no place for it.
	Refused bool
}

// Ask has the peer do one of the test service's operations: as a job if it
// plays the child, as a host call if it plays the server. It returns the id
// under which the answer comes; see [Peer.Answer]. args and ref may be nil.
func (p *Peer) Ask(operation string, args any, ref *toolchild.PayloadRef) (id string, err error) {
	p.serial++
	id = "ask-" + strconv.Itoa(p.serial)
	return id, p.AskAs(id, "", operation, args, ref)
}

// AskAs is Ask with an id, and for a nested job with its parent's.
func (p *Peer) AskAs(id, parent, operation string, args any, ref *toolchild.PayloadRef) error {
	fields := toolchild.Fields{}
	if args != nil {
		fields["args"] = args
	}
	if ref != nil {
		fields["argsRef"] = *ref
	}
	if p.options.Role == Server {
		fields["callId"], fields["jobId"], fields["tool"] = id, "job", operation
		return p.Send(toolchild.HostCall, fields)
	}
	fields["jobId"], fields["kind"] = id, operation
	if parent != "" {
		fields["parentJobId"] = parent
	}
	return p.Send(toolchild.Job, fields)
}

// Answer waits for what came of an Ask.
func (p *Peer) Answer(timeout time.Duration, id string) (Reply, error) {
	message, err := p.Await(timeout, func(m toolchild.Message) bool {
		switch m.Type {
		case toolchild.Result, toolchild.ResultRef, toolchild.JobError, toolchild.JobRefused:
			return m.Text("jobId") == id
		case toolchild.HostReply, toolchild.HostCallRefused:
			return m.Text("callId") == id
		}
		return false
	})
	if err != nil {
		return Reply{}, fmt.Errorf("waiting for the answer to %s: %w%s", id, err, p.said())
	}
	reply := Reply{
		Value:   message.JSON("value"),
		Code:    message.Text("code") + message.Text("error"),
		Refused: message.Type == toolchild.JobRefused || message.Type == toolchild.HostCallRefused,
	}
	for _, field := range []string{"ref", "valueRef"} {
		if ref, ok := message.Ref(field); ok {
			reply.Ref = &ref
		}
	}
	return reply, nil
}

// Call asks and waits for the answer.
func (p *Peer) Call(timeout time.Duration, operation string, args any, ref *toolchild.PayloadRef) (Reply, error) {
	id, err := p.Ask(operation, args, ref)
	if err != nil {
		return Reply{}, err
	}
	return p.Answer(timeout, id)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	const most = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
