package ports

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"phpwire/ports/port"
)

// inside is a port in this program. A panic is a crash; what hangs goes on hanging,
// for nobody can end it.
type inside struct {
	codec *port.Codec
}

func (i *inside) start(ctx context.Context) (*Hello, error) {
	r, err := i.ask(ctx, port.Request{Op: port.AskHello}, startLimit)
	if err != nil {
		return nil, err
	}
	return r.Hello, r.Hello.Check()
}

func (i *inside) end() {}

func (i *inside) ask(ctx context.Context, q port.Request, limit time.Duration) (*port.Response, error) {
	type outcome struct {
		answer *port.Response
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o = outcome{nil, &broken{errDied, fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}}
			}
			done <- o
		}()
		o.answer = i.codec.Answer(q)
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-late.C:
		return nil, &broken{errTimeout, fmt.Sprintf("%v (%v)", errTimeout, limit)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
