package port

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Op is what a port is asked to do.
type Op string

// The operations of a port.
const (
	Decode   Op = "decode"   // read a payload
	Encode   Op = "encode"   // write a value
	Reencode Op = "reencode" // read a payload and write what was read
)

// Profile is the behaviour that a port claims (clause P-1).
type Profile string

// The profiles. PHP is what a port has that names none: PHP's own behaviour on
// the types that it supports.
const (
	Plugin    Profile = "plugin"
	Canonical Profile = "canonical"
	PHP       Profile = "php"
)

// Hello is what a port says of itself.
type Hello struct {
	Name     string  `json:"name"`
	Version  string  `json:"version"`
	Language string  `json:"language"`
	Ops      []Op    `json:"ops"`
	Profile  Profile `json:"profile,omitempty"`
}

// Has tells whether the port has an operation.
func (h *Hello) Has(op Op) bool { return slices.Contains(h.Ops, op) }

// Check tells what a port said of itself that makes no sense. It fills in the profile.
func (h *Hello) Check() error {
	if h.Name == "" {
		return errors.New("hello: no name")
	}
	if len(h.Ops) == 0 {
		return errors.New("hello: no ops")
	}
	for _, op := range h.Ops {
		if op != Decode && op != Encode && op != Reencode {
			return fmt.Errorf("hello: unknown op %q; there are decode, encode and reencode", op)
		}
	}
	switch h.Profile {
	case "":
		h.Profile = PHP
	case Plugin, Canonical, PHP:
	default:
		return fmt.Errorf("hello: unknown profile %q; there are plugin, canonical and php", h.Profile)
	}
	return nil
}

// Request is a line to a port.
type Request struct {
	ID    int64           `json:"id"`
	Op    Op              `json:"op"`
	B64   []byte          `json:"b64,omitzero"` // no bytes are not the same as none
	Value json.RawMessage `json:"value,omitempty"`
}

// AskHello is the operation that starts a conversation.
const AskHello Op = "hello"

// Response is a line of a port.
type Response struct {
	ID    *int64          `json:"id"`
	OK    *bool           `json:"ok,omitempty"`
	Error string          `json:"error,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
	B64   []byte          `json:"b64,omitzero"`
	Skip  string          `json:"skip,omitempty"`
	*Hello
}

// ParseResponse reads the answer to a request. An error says why it is none.
func ParseResponse(line []byte, id int64, op Op) (*Response, error) {
	r := new(Response)
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fmt.Errorf("not the JSON of an answer (%w): %s", err, Brief(line))
	}
	switch {
	case r.ID == nil || *r.ID != id:
		return nil, fmt.Errorf("not the id %d of the question: %s", id, Brief(line))
	case r.Skip != "":
		return r, nil
	case r.OK == nil:
		return nil, fmt.Errorf("neither ok nor skip: %s", Brief(line))
	case *r.OK && op == Decode && r.Value == nil:
		return nil, fmt.Errorf("ok without a value: %s", Brief(line))
	case *r.OK && (op == Encode || op == Reencode) && r.B64 == nil:
		return nil, fmt.Errorf("ok without b64: %s", Brief(line))
	}
	return r, nil
}

// Brief is the beginning of what somebody wrote, in quotes.
func Brief(line []byte) string {
	const most = 80
	if len(line) > most {
		return fmt.Sprintf("%q... (%d bytes)", line[:most], len(line))
	}
	return fmt.Sprintf("%q", line)
}
