package bench

import (
	"context"
	"fmt"

	"phpwire/codec"
	"phpwire/frames"
)

const (
	pingPong = "bare ping-pong"
	// callsPerRun makes a run long enough.
	callsPerRun = 16
)

// calls measures one call beside a ping-pong with as many bytes, and one case a
// call.
func (b *bench) calls(ctx context.Context) ([]Row, error) {
	const echo = "__phpwire_echo"
	five := codec.Int(5)
	call, err := frames.Append(nil, frames.CallFunction{ID: 1, Function: echo, Args: []codec.Value{five}})
	if err != nil {
		return nil, err
	}
	reply, err := frames.Append(nil, frames.Return{ID: 1, Value: five})
	if err != nil {
		return nil, err
	}
	if v, err := b.client.CallFunction(ctx, echo, five); err != nil {
		return nil, err
	} else if !v.Equal(five) {
		return nil, wrong("PHP is sent 5 and gives back %v", v)
	}
	one := [][]byte{[]byte("i:5;")}
	p, err := b.newPing(ctx, len(call), len(reply))
	if err != nil {
		return nil, err
	}
	defer endBare(p.Wire)
	times := func(f func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			return repeat(callsPerRun, func() error { return f(ctx) })
		}
	}
	results, err := b.rounds(ctx, []contestant{
		b.fallible(pingPong, times(func(context.Context) error { return p.pong() })),
		b.fallible(reference, times(func(ctx context.Context) error {
			_, err := b.client.CallFunction(ctx, echo, five)
			return err
		})),
		b.fallible(reference, times(func(ctx context.Context) error {
			a, err := b.client.Reserialize(ctx, one)
			if err == nil && !a[0].Clean() {
				err = fmt.Errorf("PHP refuses %s", one[0])
			}
			return err
		})),
	})
	if err != nil {
		return nil, err
	}
	return []Row{
		newRow("a call that gives an int back", callsPerRun, results[1], results[0]),
		newRow("a case that is re-serialized", callsPerRun, results[2], results[0]),
	}, nil
}
