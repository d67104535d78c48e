package oracle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

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

// Dispatcher answers the calls of PHP to the host (clause C-4).
type Dispatcher interface {
	// CallRustMethod serves one call. It may call back into PHP with s, to any
	// depth. A *Throw goes to PHP as it is, any other error as a RuntimeException
	// with its text.
	CallRustMethod(ctx context.Context, s *Session, handle int64, call Call) (Reply, error)
	// ReleaseRustHandle says that PHP does not hold the object any more.
	ReleaseRustHandle(handle int64)
}

// Session is one logical call session on a child: from [Client.Begin] to
// [Session.End] nobody else's frames are on its stream. A session belongs to the
// goroutine that began it, and to the handlers that it is handed to.
type Session struct {
	client  *Client
	child   *child
	waiting bool // for a reply; not so while a handler runs
	ended   bool
}

// End lets the next session begin. Ending twice does nothing.
func (s *Session) End() {
	if s.ended {
		return
	}
	s.ended = true
	s.client.turn <- struct{}{}
}

// CallFunction calls a function of PHP or a helper of the worker.
func (s *Session) CallFunction(ctx context.Context, call Call) (Reply, error) {
	return s.call(ctx, "call "+call.Name, func(id uint64) frames.Frame {
		return frames.CallFunction{ID: id, Function: call.Name, Args: call.Args, OutParams: call.OutParams}
	})
}

// CallStaticMethod calls a static method of a PHP class.
func (s *Session) CallStaticMethod(ctx context.Context, class string, call Call) (Reply, error) {
	return s.call(ctx, "call "+class+"::"+call.Name, func(id uint64) frames.Frame {
		return frames.CallStaticMethod{ID: id, Class: class, Method: call.Name, Args: call.Args, OutParams: call.OutParams}
	})
}

// NewObject makes a PHP object; the reply's value is its handle.
func (s *Session) NewObject(ctx context.Context, class string, args ...codec.Value) (Reply, error) {
	return s.call(ctx, "new "+class, func(id uint64) frames.Frame {
		return frames.NewObject{ID: id, Class: class, Args: args}
	})
}

// CallPhpMethod calls a method of an object that PHP holds.
func (s *Session) CallPhpMethod(ctx context.Context, handle int64, call Call) (Reply, error) {
	return s.call(ctx, fmt.Sprintf("call %s of object %d", call.Name, handle), func(id uint64) frames.Frame {
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
	if s.ended {
		return ErrClosed
	}
	defer s.child.deadline(ctx)()
	return s.write(ctx, f.Tag().String(), f)
}

// write sends a frame; only an error of the stream is the end of the child.
func (s *Session) write(ctx context.Context, op string, f frames.Frame) error {
	err := s.child.writer.Write(f)
	var e *frames.Error
	if errors.As(err, &e) && e.Kind == frames.Stream {
		return s.child.process.failed(ctx, op, err)
	}
	return err
}

// call sends a call and serves PHP until its reply is there.
func (s *Session) call(ctx context.Context, op string, frame func(id uint64) frames.Frame) (Reply, error) {
	if s.ended {
		return Reply{}, ErrClosed
	}
	if s.waiting {
		return Reply{}, ErrBusy
	}
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	s.waiting = true
	defer func() { s.waiting = false }()
	defer s.child.deadline(ctx)()
	id := s.child.nextID()
	if err := s.write(ctx, op, frame(id)); err != nil {
		return Reply{}, err
	}
	for {
		f, err := s.child.reader.Read()
		if err == nil {
			err = ctx.Err() // a nested call may have cleared the deadline of this one
		}
		if err != nil {
			return Reply{}, s.child.process.failed(ctx, op, err)
		}
		switch f := f.(type) {
		case frames.Return:
			if f.ID == id {
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
		return Reply{}, s.child.process.failed(ctx, op, fmt.Errorf("%v with id %d came while the reply to %d was due", f.Tag(), f.CorrID(), id))
	}
}

// serve answers one call of PHP.
func (s *Session) serve(ctx context.Context, f frames.CallRustMethod) error {
	s.waiting = false
	reply, err := s.dispatch(ctx, f)
	s.waiting = true
	var fatal *FatalError
	if errors.As(err, &fatal) {
		return err // the child is gone: there is nobody to answer
	}
	op := "reply to " + f.Method
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

func (s *Session) dispatch(ctx context.Context, f frames.CallRustMethod) (Reply, error) {
	d := s.client.dispatcher
	if d == nil {
		return Reply{}, fmt.Errorf("nothing in the host answers %s of object %d", f.Method, f.Handle)
	}
	return d.CallRustMethod(ctx, s, f.Handle, Call{f.Method, f.Args, f.OutParams})
}

// streamEnded tells whether err means that the other side closed the stream.
func streamEnded(err error) bool {
	var e *frames.Error
	if errors.As(err, &e) && e.Kind == frames.Truncated {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrClosed)
}
