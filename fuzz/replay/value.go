package replay

import (
	"context"
	"encoding/json"

	"phpwire/codec"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// Encoding is one value before everybody: what each writes for it.
type Encoding struct {
	Value     json.RawMessage `json:"value"`
	Reference struct {
		B64   []byte `json:"b64,omitempty"`
		Error string `json:"error,omitempty"`
	} `json:"reference"`
	PHP         []Answer `json:"php"`
	Agree       bool     `json:"agree"`
	Differences []string `json:"differences"`
}

// Value puts a value, given as tagged JSON, before the encoder and the PHPs of
// the clients. String keys may be spelled as PHP would not keep them: {"b64":
// "NQ=="} asks whether both make an int key of it.
func Value(ctx context.Context, tagged []byte, clients []*oracle.Client) (*Encoding, error) {
	v, err := codec.ParseTaggedKeys(tagged)
	if err != nil {
		return nil, err
	}
	e := &Encoding{Value: codec.AppendTagged(nil, v), PHP: []Answer{}, Differences: []string{}}
	encoded, err := codec.Encode(v)
	e.Reference.B64 = encoded
	if err != nil {
		e.Reference.Error = err.Error()
	}
	for _, client := range clients {
		built, err := client.Build(ctx, [][]byte{tagged})
		if err != nil {
			return nil, err
		}
		r := client.Runtime()
		a := Answer{Name: r.Name(), Version: r.Version, Kind: r.Kind, OK: built[0].Accepted, B64: built[0].Bytes, Warnings: append([]string{}, built[0].Warnings...)}
		e.PHP = append(e.PHP, a)
		findings, err := judge.Values(ctx, client, []judge.Value{{Value: v, Tagged: tagged}})
		if err != nil {
			return nil, err
		}
		if findings[0] != nil {
			e.Differences = append(e.Differences, "PHP "+a.Name+": "+findings[0].String())
		}
	}
	e.Agree = len(e.Differences) == 0
	return e, nil
}
