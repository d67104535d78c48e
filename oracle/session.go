package oracle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"phpwire/codec"
	"phpwire/frames"
)

// The errors of wrong use.
var (
	// ErrClosed: the client was closed, or the session was ended.
	ErrClosed = errors.New("oracle: closed")
	// ErrBusy: another goroutine is waiting for a reply in the same session.
	ErrBusy = errors.New("oracle: the session is waiting for another reply")
)

// Call is what is to be called, and with what.
type Call struct {
	Name string
	Args []codec.Value
	// OutParams are the positions in Args that PHP takes by reference; their
	// values after the call are in the reply.
	OutParams []int
}

// Reply is what a call returned.
type Reply struct {
	Value     codec.Value
	OutParams []frames.OutParam
}

// OutParam returns the value that the argument at a position has after the call,
// and whether it came back.
func (r Reply) OutParam(position int) (codec.Value, bool) {
	for _, p := range r.OutParams {
		if p.Position == position {
			return p.Value, true
		}
	}
	return codec.Value{}, false
}

// Session is one logical call session on a child: from [Client.Begin] to
// [Session.End] nobody else's frames are on its stream. It belongs to the
// goroutine that began it, and to the handlers that it is handed to: a call with
// it re-enters, at any depth. A call while another goroutine of the session waits
// for a reply is ErrBusy; one-way frames may be sent by any goroutine at any time.
type Session struct {
	client *Client
	child  *child

	mu      sync.Mutex
	waiting bool // for a reply; not so while a handler runs
	ended   bool
	left    bool // the turn was given back
	depth   int  // of calls that wait for their reply
}

// End lets the next session begin. Ending twice does nothing. Inside of a handler
// it takes effect when the outermost call is done.
func (s *Session) End() {
	s.mu.Lock()
	s.ended = true
	leave := s.depth == 0 && !s.left
	s.left = s.left || leave
	s.mu.Unlock()
	if leave {
		s.giveBack()
	}
}

// CallFunction calls a function of PHP or a helper of the worker.
func (s *Session) CallFunction(ctx context.Context, call Call) (Reply, error) {
	return s.call(ctx, func() string { return "call " + call.Name }, func(id uint64) frames.Frame {
		return frames.CallFunction{ID: id, Function: call.Name, Args: call.Args, OutParams: call.OutParams}
	})
}

// CallStaticMethod calls a static method of a PHP class.
func (s *Session) CallStaticMethod(ctx context.Context, class string, call Call) (Reply, error) {
	return s.call(ctx, func() string { return "call " + class + "::" + call.Name }, func(id uint64) frames.Frame {
		return frames.CallStaticMethod{ID: id, Class: class, Method: call.Name, Args: call.Args, OutParams: call.OutParams}
	})
}

// NewObject makes a PHP object; the reply's value is its handle.
func (s *Session) NewObject(ctx context.Context, class string, args ...codec.Value) (Reply, error) {
	return s.call(ctx, func() string { return "new " + class }, func(id uint64) frames.Frame {
		return frames.NewObject{ID: id, Class: class, Args: args}
	})
}

// CallPhpMethod calls a method of an object that PHP holds.
func (s *Session) CallPhpMethod(ctx context.Context, handle int64, call Call) (Reply, error) {
	return s.call(ctx, func() string { return fmt.Sprintf("call %s of object %d", call.Name, handle) }, func(id uint64) frames.Frame {
		return frames.CallPhpMethod{ID: id, Handle: handle, Method: call.Name, Args: call.Args, OutParams: call.OutParams}
	})
}

// ReleasePhpHandle tells PHP to let go of an object.
func (s *Session) ReleasePhpHandle(ctx context.Context, handle int64) error {
	return s.notify(ctx, frames.ReleasePhpHandle{Handle: handle})
}

// BumpEpoch tells PHP that the state of an object of the host has changed.
func (s *Session) BumpEpoch(ctx context.Context, handle, epoch int64) error {
	return s.notify(ctx, frames.EpochBump{Handle: handle, Epoch: epoch})
}

func (s *Session) notify(ctx context.Context, f frames.Frame) error {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	defer deadline(ctx, s.child.process.conn.SetWriteDeadline)()
	return s.write(ctx, f.Tag().String, f)
}

// write sends a frame as a part of op; only an error of the stream is the end of the child.
func (s *Session) write(ctx context.Context, op func() string, f frames.Frame) error {
	err := s.child.write(f)
	var e *frames.Error
	if errors.As(err, &e) && e.Kind == frames.Stream {
		return s.child.process.failed(ctx, op(), err)
	}
	return err
}

// giveBack hands the turn to the next session.
func (s *Session) giveBack() {
	s.settled()
	s.client.turn <- struct{}{}
}

// settled tells the dispatcher that no call is open.
func (s *Session) settled() {
	if o, ok := s.client.dispatcher.(Observer); ok {
		o.Settled()
	}
}

// enter begins a call, unless there is one that waits or the session has ended.
func (s *Session) enter() (outermost bool, err error) {
	s.mu.Lock()
	switch {
	case s.ended:
		s.mu.Unlock()
		return false, ErrClosed
	case s.waiting:
		s.mu.Unlock()
		return false, ErrBusy
	}
	s.waiting = true
	s.depth++
	outermost = s.depth == 1
	s.mu.Unlock()
	if outermost {
		s.settled()
	}
	return outermost, nil
}

// leave ends a call, and gives the turn back for a session that was ended inside
// of it.
func (s *Session) leave() {
	s.mu.Lock()
	s.waiting = false
	s.depth--
	last := s.depth == 0 && s.ended && !s.left
	s.left = s.left || last
	s.mu.Unlock()
	if last {
		s.giveBack()
	}
}

// call sends a call and serves PHP until its reply is there.
func (s *Session) call(ctx context.Context, op func() string, frame func(id uint64) frames.Frame) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	outermost, err := s.enter()
	if err != nil {
		return Reply{}, err
	}
	defer s.leave()
	defer s.child.deadline(ctx, outermost)()
	id := s.child.nextID()
	if err := s.write(ctx, op, frame(id)); err != nil {
		return Reply{}, err
	}
	return s.await(ctx, op, id, (*frames.Reader).Read)
}

// ahead is how many calls of a row are on their way at a time: while PHP works on
// one the next one is there already.
const ahead = 2

// callInARow calls a helper that never calls back n times and hands the replies
// over, in order; use keeps nothing of a value. A call is sent before the reply to the one before it is there.
// The first error ends the row, after the replies that are still due.
func (s *Session) callInARow(ctx context.Context, helper string, n int, args func(i int) []codec.Value, use func(i int, v codec.Value) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	outermost, err := s.enter()
	if err != nil {
		return err
	}
	defer s.leave()
	defer s.child.deadline(ctx, outermost)()
	op := func() string { return "call " + helper }
	var failure error
	var fatal *FatalError
	var due [ahead]uint64 // ids, by number of the call
	for replied, sent := 0, 0; ; replied++ {
		for failure == nil && sent < min(n, replied+ahead) {
			id := s.child.nextID()
			due[sent%ahead] = id
			if failure = s.write(ctx, op, frames.CallFunction{ID: id, Function: helper, Args: args(sent)}); failure == nil {
				sent++
			}
		}
		if replied == sent || errors.As(failure, &fatal) {
			return failure
		}
		reply, err := s.await(ctx, op, due[replied%ahead], readPassing)
		if errors.As(err, &fatal) {
			return err
		}
		if err == nil && failure == nil {
			err = use(replied, reply.Value)
		}
		if failure == nil {
			failure = err
		}
	}
}

// readPassing reads a frame of which, if it is a Return, nothing is kept.
func readPassing(r *frames.Reader) (frames.Frame, error) {
	f, err := r.ReadShared()
	if err != nil || f.Tag() == frames.TagReturn {
		return f, err
	}
	return frames.Clone(f)
}

// await serves PHP until the reply to a call is there.
func (s *Session) await(ctx context.Context, op func() string, id uint64, read func(*frames.Reader) (frames.Frame, error)) (Reply, error) {
	for {
		f, err := read(s.child.reader)
		if err == nil {
			err = ctx.Err() // a nested call may have cleared the deadline of this one
		}
		if err != nil {
			return Reply{}, s.child.process.failed(ctx, op(), err)
		}
		switch f := f.(type) {
		case frames.Return:
			if f.ID == id {
				s.child.answered = time.Now()
				return Reply{f.Value, f.OutParams}, nil
			}
		case frames.Throw:
			if f.ID == id {
				return Reply{}, throwOf(f)
			}
		case frames.CallRustMethod:
			if err := s.serve(ctx, f); err != nil {
				return Reply{}, err
			}
			continue
		case frames.ReleaseRustHandle:
			if d := s.client.dispatcher; d != nil {
				d.ReleaseRustHandle(f.Handle)
			}
			continue
		}
		return Reply{}, s.child.process.failed(ctx, op(), fmt.Errorf("%v with id %d came while the reply to %d was due", f.Tag(), f.CorrID(), id))
	}
}

// serve answers one call of PHP.
func (s *Session) serve(ctx context.Context, f frames.CallRustMethod) error {
	reply, err := s.dispatch(ctx, f)
	var fatal *FatalError
	if errors.As(err, &fatal) {
		return err // the child is gone: there is nobody to answer
	}
	op := func() string { return "reply to " + f.Method }
	if err == nil {
		err = s.write(ctx, op, frames.Return{ID: f.ID, Value: reply.Value, OutParams: reply.OutParams})
		if err == nil || errors.As(err, &fatal) {
			return err
		}
	}
	throw := &Throw{Class: "RuntimeException", Message: err.Error()}
	errors.As(err, &throw)
	err = s.write(ctx, op, frames.Throw{ID: f.ID, Class: throw.Class, Message: throw.Message, Code: throw.Code, Properties: throw.Properties})
	if err != nil && !errors.As(err, &fatal) {
		err = s.write(ctx, op, frames.Throw{ID: f.ID, Class: "RuntimeException", Message: err.Error()})
	}
	return err
}

// dispatch runs the handler. While it runs the session does not wait, so that it
// may call back.
func (s *Session) dispatch(ctx context.Context, f frames.CallRustMethod) (reply Reply, err error) {
	d := s.client.dispatcher
	if d == nil {
		return Reply{}, fmt.Errorf("nothing in the host answers %s of object %d", f.Method, f.Handle)
	}
	s.mu.Lock()
	s.waiting = false
	depth := s.depth
	s.mu.Unlock()
	done := false
	defer func() {
		if !done { // the handler panics: nobody will answer PHP
			s.child.process.end(0)
		}
	}()
	reply, err = d.CallRustMethod(ctx, s, f.Handle, Call{f.Method, f.Args, f.OutParams})
	done = true
	s.mu.Lock()
	stray := s.depth != depth
	s.waiting = true
	s.mu.Unlock()
	if stray {
		err = s.child.process.failed(ctx, "serve "+f.Method, errors.New("its handler returned while a call of its own was open in another goroutine"))
	}
	return reply, err
}
