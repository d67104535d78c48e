package oracle

import (
	"context"
	"fmt"
	"io"
	"time"

	"phpwire/codec"
	"phpwire/frames"
)

// What the speed of an oracle is measured with.
const (
	helperAlone    = "__phpwire_time_alone"
	helperPingPong = "__phpwire_ping_pong"
)

// Question names one of the questions that are asked in batches.
type Question string

// The questions of [Client.Reserialize], [Client.Describe], [Client.Build] and
// [Client.Floats].
const (
	Reserialize Question = "reserialize"
	Describe    Question = "describe"
	Build       Question = "build"
	Floats      Question = "floats"
)

// Alone returns how long PHP takes for the work of a question on the cases, and
// nothing else, in a loop inside the child, rounds times. A case of [Floats] is
// a double in eight bytes, little-endian. Cases must be such that PHP accepts
// them without a warning.
func (c *Client) Alone(ctx context.Context, q Question, cases [][]byte, rounds int) (time.Duration, error) {
	args := make([]codec.Value, len(cases))
	for i, b := range cases {
		args[i] = codec.Bytes(b)
	}
	v, err := c.CallFunction(ctx, helperAlone, codec.String(string(q)), codec.List(args...), codec.Int(int64(rounds)))
	if err != nil {
		return 0, err
	}
	seconds, ok := v.Float()
	if !ok {
		return 0, fmt.Errorf("%s answered with %.60s", helperAlone, v)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// PingPong returns how long it takes to send so many bytes to the child and to
// get so many back, rounds times: both sides read and write the stream and do
// nothing else.
func (w *Wire) PingPong(rounds, out, in int) (time.Duration, error) {
	conn := w.Conn()
	writer, reader := frames.NewWriter(conn), frames.NewReader(conn, frames.FromPHP)
	err := writer.Write(frames.CallFunction{ID: 1, Function: helperPingPong,
		Args: []codec.Value{codec.Int(int64(rounds)), codec.Int(int64(out)), codec.Int(int64(in))}})
	if err != nil {
		return 0, err
	}
	ping, pong := make([]byte, out), make([]byte, in)
	began := time.Now()
	for range rounds {
		if _, err := conn.Write(ping); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(conn, pong); err != nil {
			return 0, err
		}
	}
	took := time.Since(began)
	f, err := reader.Read()
	if err != nil {
		return 0, err
	}
	if f.Tag() != frames.TagReturn {
		return 0, fmt.Errorf("%s answered with %v", helperPingPong, f.Tag())
	}
	return took, nil
}
