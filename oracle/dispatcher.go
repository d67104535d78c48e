package oracle

import "context"

// Dispatcher answers the calls of PHP to the host (clause C-4). Its methods are
// called by the goroutine whose call waits, one at a time for each client.
type Dispatcher interface {
	// CallRustMethod serves one call. It may call back into PHP with s, to any
	// depth. A *Throw goes to PHP as it is, any other error as a RuntimeException
	// with its text. A handler that panics ends the child.
	CallRustMethod(ctx context.Context, s *Session, handle int64, call Call) (Reply, error)
	// ReleaseRustHandle says that PHP does not hold the object any more. The reply
	// to the call during which it comes may still name the handle (clause C-5).
	ReleaseRustHandle(handle int64)
}

// Observer is a [Dispatcher] that wants to know when what PHP let go of may be
// forgotten.
type Observer interface {
	Dispatcher
	// Settled says that no call is open and that the reply to the last one has been
	// used: the next call is about to be sent, or the session ends.
	Settled()
	// ChildGone says that a child has ended, with all that it held.
	ChildGone()
}
