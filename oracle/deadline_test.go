package oracle_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// A context that ends between two calls is of no concern to what another one asks
// of the same child, and neither to what is sent without an answer.
func TestEndOfAContextBetweenCalls(t *testing.T) {
	c := oracletest.Client(t, oracletest.Best(t), nil)
	s, err := c.Begin(context.Background())
	require.NoError(t, err)
	defer s.End()
	length := func(ctx context.Context) error {
		_, err := s.CallFunction(ctx, oracle.Call{Name: "strlen", Args: []codec.Value{codec.String("abc")}})
		return err
	}
	pid := s.Pid()
	for _, next := range []struct {
		name string
		do   func() error
	}{
		{"a call that cannot end", func() error { return length(context.Background()) }},
		{"a call with another context", func() error {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			return length(ctx)
		}},
		{"a frame without an answer", func() error { return s.BumpEpoch(context.Background(), 1, 1) }},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		require.NoError(t, length(ctx))
		require.NoError(t, length(ctx), "the same context again")
		cancel()
		time.Sleep(10 * time.Millisecond) // what waits for the end of ctx has heard of it
		require.NoError(t, next.do(), next.name)
		require.ErrorIs(t, length(ctx), context.Canceled, "it is not even sent")
		require.NoError(t, length(context.Background()))
	}
	require.Equal(t, pid, s.Pid())
}

// The context of a call before it ends the next one, whether it is new or known.
func TestContextOfSeveralCallsEndsTheLast(t *testing.T) {
	for _, before := range []int{0, 1, 3} {
		c := oracletest.Client(t, oracletest.Best(t), nil)
		_, err := c.CallFunction(context.Background(), "strlen", codec.String("abc"))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		for range before {
			_, err := c.CallFunction(ctx, "strlen", codec.String("abc"))
			require.NoError(t, err)
		}
		time.AfterFunc(50*time.Millisecond, cancel)
		began := time.Now()
		_, err = c.CallFunction(ctx, "sleep", codec.Int(30))
		require.Less(t, time.Since(began), 20*time.Second)
		var fatal *oracle.FatalError
		require.True(t, errors.As(err, &fatal), "%v", err)
		require.ErrorIs(t, err, context.Canceled)
		_, err = c.CallFunction(context.Background(), "strlen", codec.String("abc"))
		require.NoError(t, err, "a new child")
	}
}
