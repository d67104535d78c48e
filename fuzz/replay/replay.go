// Package replay puts one input before the reference and before PHPs, side by
// side: what a person looks at when something differs.
package replay

import (
	"context"
	"encoding/json"
	"errors"

	"phpwire/codec"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// Reading is what one profile of the reference makes of a payload.
type Reading struct {
	OK     bool            `json:"ok"`
	Error  string          `json:"error,omitempty"`
	Offset *int            `json:"offset,omitempty"`
	B64    []byte          `json:"b64,omitempty"` // the value encoded again
	Value  json.RawMessage `json:"value,omitempty"`
	value  codec.Value
}

// Shown is the value in words, where the payload was accepted.
func (r Reading) Shown() string { return r.value.String() }

// Answer is what one PHP makes of a payload.
type Answer struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Kind     oracle.Kind     `json:"kind"`
	OK       bool            `json:"ok"`
	B64      []byte          `json:"b64,omitempty"`
	Warnings []string        `json:"warnings"`
	Value    json.RawMessage `json:"value,omitempty"`
}

// Shown is PHP's value in words, where the payload was accepted.
func (a Answer) Shown() string {
	if v, err := codec.ParseTagged(a.Value); err == nil {
		return v.String()
	}
	return string(a.Value)
}

// Reference is what both profiles make of a payload.
type Reference struct {
	Plugin    Reading `json:"plugin"`
	Canonical Reading `json:"canonical"`
}

// Comparison is one payload before everybody.
type Comparison struct {
	Input     []byte    `json:"input"`
	Reference Reference `json:"reference"`
	PHP       []Answer  `json:"php"`
	// Agree tells that every invariant holds with every PHP; Differences say
	// which does not, and where.
	Agree       bool     `json:"agree"`
	Differences []string `json:"differences"`
}

// Payload puts a payload before the reference and the PHPs of the clients. A PHP
// that dies of it is a difference.
func Payload(ctx context.Context, payload []byte, clients []*oracle.Client) (*Comparison, error) {
	read := judge.Read([][]byte{payload})
	c := &Comparison{
		Input:       payload,
		Reference:   Reference{newReading(read[0].Plugin), newReading(read[0].Canonical)},
		PHP:         []Answer{},
		Differences: []string{},
	}
	for _, client := range clients {
		answer, finding, err := ask(ctx, client, payload, read)
		if err != nil {
			return nil, err
		}
		c.PHP = append(c.PHP, answer)
		if finding != nil {
			c.Differences = append(c.Differences, "PHP "+answer.Name+": "+finding.String())
		}
	}
	c.Agree = len(c.Differences) == 0
	return c, nil
}

func ask(ctx context.Context, client *oracle.Client, payload []byte, read []judge.Payload) (Answer, *judge.Finding, error) {
	r := client.Runtime()
	answer := Answer{Name: r.Name(), Version: r.Version, Kind: r.Kind, Warnings: []string{}}
	facts, err := client.Facts(ctx)
	if err != nil {
		return answer, nil, err
	}
	one := [][]byte{payload}
	reserialized, err := client.Reserialize(ctx, one)
	var described []oracle.Answer
	if err == nil {
		described, err = client.Describe(ctx, one)
	}
	var fatal *oracle.FatalError
	if errors.As(err, &fatal) {
		answer.Warnings = append(answer.Warnings, err.Error())
		return answer, &judge.Finding{Invariant: "P6", Title: err.Error(), Offset: -1}, nil
	}
	if err != nil {
		return answer, nil, err
	}
	answer.OK, answer.B64 = reserialized[0].Accepted, reserialized[0].Bytes
	answer.Warnings = append(answer.Warnings, reserialized[0].Warnings...)
	if described[0].Accepted {
		answer.Value = described[0].Bytes
	}
	findings, err := judge.Payloads(ctx, client, judge.BehaviourOf(facts), read)
	if err != nil {
		return answer, nil, err
	}
	return answer, findings[0], nil
}

func newReading(r judge.Reading) Reading {
	if r.Err != nil {
		return Reading{Error: r.Err.Error(), Offset: &r.Err.Offset}
	}
	encoded, err := codec.Encode(r.Value)
	if err != nil {
		return Reading{OK: true, Error: err.Error(), Value: codec.AppendTagged(nil, r.Value), value: r.Value}
	}
	return Reading{OK: true, B64: encoded, Value: codec.AppendTagged(nil, r.Value), value: r.Value}
}
