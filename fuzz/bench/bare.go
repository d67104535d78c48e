package bench

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"phpwire/codec"
	"phpwire/oracle"
)

//go:embed bare
var bareFiles embed.FS

// bare starts a PHP with one of our smallest programs instead of the worker, on the
// same kind of stream and with the same settings.
func (b *bench) bare(ctx context.Context, name string) (*oracle.Wire, error) {
	return oracle.Launch(ctx, b.options.PHP, func(folder string) (string, error) {
		source, err := bareFiles.ReadFile("bare/" + name)
		if err != nil {
			return "", err
		}
		path := filepath.Join(folder, name)
		return path, os.WriteFile(path, source, 0o600)
	})
}

// endBare gives a bare child as long to leave as any other.
func endBare(w *oracle.Wire) { w.End(2 * time.Second) }

// ping is a bare child that answers any message with the same bytes.
type ping struct {
	*oracle.Wire
	message, reply []byte
}

// newPing starts a child for messages and replies of the given lengths, which must
// go through the stream in one piece.
func (b *bench) newPing(ctx context.Context, message, reply int) (*ping, error) {
	w, err := b.bare(ctx, "ping.php")
	if err != nil {
		return nil, err
	}
	p := &ping{w, make([]byte, reply), make([]byte, reply)}
	if err := p.pong(); err != nil {
		endBare(w)
		return nil, err
	}
	p.message = make([]byte, message)
	return p, nil
}

func (p *ping) pong() error {
	if _, err := p.Conn().Write(p.message); err != nil {
		return err
	}
	_, err := io.ReadFull(p.Conn(), p.reply)
	return err
}

// loop is a bare child that does nothing but to unserialize and to serialize.
type loop struct {
	*oracle.Wire
	lines *bufio.Reader
}

func (b *bench) newLoop(ctx context.Context, cases [][]byte) (*loop, error) {
	list := make([]codec.Value, len(cases))
	for i, c := range cases {
		list[i] = codec.Bytes(c)
	}
	payload, err := codec.Encode(codec.List(list...))
	if err != nil {
		return nil, err
	}
	w, err := b.bare(ctx, "loop.php")
	if err != nil {
		return nil, err
	}
	l := &loop{w, bufio.NewReader(w.Conn())}
	line, err := l.ask(fmt.Sprintf("%d\n%s", len(payload), payload))
	if err == nil && line != strconv.Itoa(len(cases)) {
		err = fmt.Errorf("it was given %d cases and counts %s", len(cases), line)
	}
	if err != nil {
		endBare(w)
		return nil, err
	}
	return l, nil
}

func (l *loop) ask(text string) (string, error) {
	if _, err := io.WriteString(l.Conn(), text); err != nil {
		return "", err
	}
	line, err := l.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

// run does all cases so many times and tells the seconds that PHP took.
func (l *loop) run(_ context.Context, times int) (float64, error) {
	line, err := l.ask(strconv.Itoa(times) + "\n")
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(line, 64)
}
