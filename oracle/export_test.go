package oracle

import "context"

// NewClientOf is NewClient for another worker than ours.
func NewClientOf(r Runtime, d Dispatcher, write func(folder string) (worker string, err error)) *Client {
	return newClient(r, d, func(ctx context.Context) (*child, error) { return start(ctx, r, write) })
}

// Pid is the number of the process of the session's child.
func (s *Session) Pid() int { return s.child.process.cmd.Process.Pid }
