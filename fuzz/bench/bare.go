package bench

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"phpwire/codec"
	"phpwire/oracle"
)

//go:embed bare
var bareFiles embed.FS

// startTimeout is how long a bare child may take until it answers.
const startTimeout = 30 * time.Second

// bare starts a PHP with one of our smallest programs instead of the worker, on the
// same kind of stream and with the same settings. Greet is the first exchange.
func (b *bench) bare(ctx context.Context, name string, greet func(*oracle.Wire) error) (*oracle.Wire, error) {
	w, err := oracle.Launch(ctx, b.options.PHP, func(folder string) (string, error) {
		for _, file := range []string{name, "stream.php"} {
			source, err := bareFiles.ReadFile("bare/" + file)
			if err != nil {
				return "", err
			}
			if err := os.WriteFile(filepath.Join(folder, file), source, 0o600); err != nil {
				return "", err
			}
		}
		return filepath.Join(folder, name), nil
	})
	if err != nil {
		return nil, err
	}
	err = w.Conn().SetDeadline(time.Now().Add(startTimeout))
	if err == nil {
		err = greet(w)
	}
	if err == nil {
		err = w.Conn().SetDeadline(time.Time{})
	}
	if err != nil {
		e := w.End(0)
		return nil, fmt.Errorf("%s: %w: %s", name, err, e.Stderr)
	}
	context.AfterFunc(ctx, func() { _ = w.Conn().SetDeadline(time.Unix(1, 0)) })
	return w, nil
}

// endBare gives a bare child as long to leave as any other.
func endBare(w *oracle.Wire) { w.End(2 * time.Second) }

// number is how a bare child is told a number.
func number(n int) string { return fmt.Sprintf("%016d", n) }

// ping is a bare child that answers messages of one length with replies of one
// length.
type ping struct {
	*oracle.Wire
	message, reply []byte
}

func (b *bench) newPing(ctx context.Context, message, reply int) (*ping, error) {
	p := &ping{message: []byte(number(message) + number(reply)), reply: make([]byte, reply)}
	_, err := b.bare(ctx, "ping.php", func(w *oracle.Wire) error {
		p.Wire = w
		return p.pong()
	})
	p.message = make([]byte, message)
	return p, err
}

func (p *ping) pong() error {
	if _, err := p.Conn().Write(p.message); err != nil {
		return err
	}
	_, err := io.ReadFull(p.Conn(), p.reply)
	return err
}

// loop is a bare child that does nothing but to unserialize and to serialize.
type loop struct{ *oracle.Wire }

func (b *bench) newLoop(ctx context.Context, cases [][]byte) (*loop, error) {
	list := make([]codec.Value, len(cases))
	for i, c := range cases {
		list[i] = codec.Bytes(c)
	}
	payload, err := codec.Encode(codec.List(list...))
	if err != nil {
		return nil, err
	}
	l := new(loop)
	_, err = b.bare(ctx, "loop.php", func(w *oracle.Wire) error {
		l.Wire = w
		counted, err := l.ask(number(len(payload)) + string(payload))
		if err == nil && counted != float64(len(cases)) {
			err = fmt.Errorf("it was given %d cases and counts %v", len(cases), counted)
		}
		return err
	})
	return l, err
}

func (l *loop) ask(text string) (float64, error) {
	if _, err := io.WriteString(l.Conn(), text); err != nil {
		return 0, err
	}
	var answer [16]byte
	if _, err := io.ReadFull(l.Conn(), answer[:]); err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(answer[:]), 64)
}

// run does all cases so many times and tells the seconds that PHP took; none at
// all takes none.
func (l *loop) run(_ context.Context, times int) (float64, error) {
	if times == 0 {
		return 0, nil
	}
	return l.ask(number(times))
}
