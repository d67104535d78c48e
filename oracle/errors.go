package oracle

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"phpwire/codec"
	"phpwire/frames"
)

// Throw is a PHP exception that crossed the boundary, or one that a handler
// sends to PHP: the recoverable lane (clause E-1).
type Throw struct {
	Class   string
	Message string // any bytes
	Code    int64
	// Properties is the state beyond message and code by property name; for an
	// exception with a cause, "previous" is an array of its class, message, code
	// and properties.
	Properties []codec.Entry
}

func (t *Throw) Error() string {
	return fmt.Sprintf("PHP threw %s (code %d): %s", t.Class, t.Code, t.Message)
}

func throwOf(f frames.Throw) *Throw { return &Throw{f.Class, f.Message, f.Code, f.Properties} }

// FatalError is the end of a child (clause E-2). The next call gets a new one.
type FatalError struct {
	PHP string // the runtime's name
	Op  string // what was asked, like "call strlen"
	// Err is the cause: a *frames.Error for broken framing, a context's error for
	// a time-out, io.EOF for a stream that ended.
	Err error
	// How the child ended: its exit status, or the signal that ended it. When we
	// ended it ourselves, because of Err, Killed is set.
	Killed bool
	Status int
	Signal syscall.Signal
	Stderr string // the last bytes that it wrote there
}

func (e *FatalError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "PHP %s: %s: ", e.PHP, e.Op)
	switch {
	case e.Killed:
		fmt.Fprintf(&b, "%v; the child was ended", e.Err)
	case e.Signal != 0:
		fmt.Fprintf(&b, "the child was ended by signal %d (%v)", int(e.Signal), e.Signal)
	default:
		fmt.Fprintf(&b, "the child ended with exit status %d", e.Status)
	}
	if e.Stderr != "" {
		fmt.Fprintf(&b, "; its stderr ends: %s", strings.TrimSpace(e.Stderr))
	}
	return b.String()
}

func (e *FatalError) Unwrap() error { return e.Err }

// streamEnded tells whether err means that the other side closed the stream.
func streamEnded(err error) bool {
	var e *frames.Error
	if errors.As(err, &e) && e.Kind == frames.Truncated {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrClosed)
}
