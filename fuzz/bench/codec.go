package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"phpwire/codec"
	"phpwire/codec/payloads"
	"phpwire/fuzz/bench/timing"
)

// The names of those who are compared.
const (
	reference = "reference"
	php       = "PHP"
)

// inputPerObject is how many bytes of input may cost one more object than there are
// containers.
const inputPerObject = 16 << 10

// codec measures the six payloads. The reference has two more forms: decoding that
// shares the payload's memory, and encoding into memory that is there already.
func (b *bench) codec(ctx context.Context) ([]Row, error) {
	var err error
	if b.peers, err = startPeers(ctx, b.folder); err != nil {
		return nil, err
	}
	var rows []Row
	for _, p := range payloads.All() {
		v := p.Value()
		in, err := b.checked(ctx, p.Name, v)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(b.folder, p.Name)
		if err := os.WriteFile(file, in, 0o600); err != nil {
			return nil, err
		}
		var into []byte
		work := map[timing.Operation][2]func(){
			timing.Decode: {
				func() { _, _ = codec.Decode(in, codec.Plugin) },
				func() { _, _ = codec.DecodeShared(in, codec.Plugin) },
			},
			timing.Encode: {
				func() { _, _ = codec.Encode(v) },
				func() { into, _ = codec.AppendValue(into[:0], v) },
			},
		}
		for _, op := range []timing.Operation{timing.Decode, timing.Encode} {
			all := []contestant{b.here(reference, work[op][0]), b.here(reference, work[op][1]), b.insidePHP(op, in)}
			for _, library := range b.peers.names() {
				if !slices.Contains(b.peers.libraries[library].Operations, op) {
					continue
				}
				c, err := b.peer(library, file, op)
				if err != nil {
					return nil, err
				}
				all = append(all, c)
			}
			results, err := b.rounds(ctx, all)
			if err != nil {
				return nil, err
			}
			megabytes := float64(len(in)) / 1e6
			others := results[2:]
			own := newRow(fmt.Sprintf("%s %s", op, p.Name), megabytes, append([]series{results[0]}, others...)...)
			if op == timing.Decode {
				own.MostObjects = containers(v) + (len(in)+inputPerObject-1)/inputPerObject
			}
			form := map[timing.Operation]string{timing.Decode: "shared", timing.Encode: "append"}[op]
			rows = append(rows, own, newRow(form+" "+p.Name, megabytes, append([]series{results[1]}, others...)...))
		}
	}
	return rows, nil
}

// checked encodes a payload and makes sure that everybody reads and writes it alike.
func (b *bench) checked(ctx context.Context, name string, v codec.Value) ([]byte, error) {
	in, err := codec.Encode(v)
	if err != nil {
		return nil, wrong("%s: the reference cannot encode it: %v", name, err)
	}
	if appended, err := codec.AppendValue([]byte("before"), v); err != nil || string(appended) != "before"+string(in) {
		return nil, wrong("%s: the reference appends other bytes than it encodes (%v)", name, err)
	}
	for _, profile := range []codec.Profile{codec.Plugin, codec.Canonical} {
		for how, decode := range map[string]func([]byte, codec.Profile) (codec.Value, error){"Decode": codec.Decode, "DecodeShared": codec.DecodeShared} {
			back, err := decode(in, profile)
			if err != nil {
				return nil, wrong("%s: %s (%v) refuses what Encode writes: %v", name, how, profile, err)
			}
			if !back.Equal(v) {
				return nil, wrong("%s: %s (%v) reads another value than was encoded: %v", name, how, profile, codec.Differences(v, back, 1))
			}
		}
	}
	answers, err := b.client.Reserialize(ctx, [][]byte{in})
	if err != nil {
		return nil, err
	}
	if a := answers[0]; !a.Clean() || !bytes.Equal(a.Bytes, in) {
		return nil, wrong("%s: PHP re-serializes what the reference writes to other bytes: %s", name, strings.Join(a.Warnings, "; "))
	}
	if answers, err = b.client.Describe(ctx, [][]byte{in}); err != nil {
		return nil, err
	}
	if a := answers[0]; !a.Clean() || !bytes.Equal(a.Bytes, codec.AppendTagged(nil, v)) {
		return nil, wrong("%s: PHP reads another value than the reference: %s", name, strings.Join(a.Warnings, "; "))
	}
	return in, nil
}

// insidePHP has PHP do it in a loop and look at its own clock.
func (b *bench) insidePHP(op timing.Operation, in []byte) contestant {
	what := codec.String(map[timing.Operation]string{timing.Decode: "unserialize", timing.Encode: "serialize"}[op])
	payload := codec.Bytes(in)
	return contestant{who: php, round: b.enough(func(ctx context.Context, runs int) (float64, error) {
		v, err := b.client.CallFunction(ctx, "__phpwire_time", what, payload, codec.Int(int64(runs)))
		if err != nil {
			return 0, err
		}
		seconds, ok := v.Float()
		if !ok {
			return 0, fmt.Errorf("PHP tells %v for the seconds that it took", v)
		}
		return seconds, nil
	})}
}

// containers counts the arrays in a value.
func containers(v codec.Value) int {
	n := 0
	if v.Kind() == codec.KindList || v.Kind() == codec.KindArray {
		n = 1
	}
	for _, e := range v.All() {
		n += containers(e)
	}
	return n
}
