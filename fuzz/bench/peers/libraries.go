package main

import (
	"bytes"
	"errors"
	"fmt"

	elliotchance "github.com/elliotchance/phpserialize"
	trim21 "github.com/trim21/go-phpserialize"

	"phpwire/codec"
)

// library is a codec between bytes and Go's own types.
type library struct {
	module string
	decode func([]byte) (any, error)
	encode func(any) ([]byte, error) // nil where it is another's
}

var libraries = map[string]library{
	"elliotchance": {
		module: "github.com/elliotchance/phpserialize",
		decode: decodeElliotchance,
		encode: func(native any) ([]byte, error) { return elliotchance.Marshal(native, nil) },
	},
	// The call for an array of any sort: lists come as maps.
	"elliotchance (maps)": {
		module: "github.com/elliotchance/phpserialize",
		decode: func(b []byte) (any, error) {
			if len(b) > 0 && b[0] == 'a' {
				return elliotchance.UnmarshalAssociativeArray(b)
			}
			return decodeElliotchance(b)
		},
	},
	"trim21": {
		module: "github.com/trim21/go-phpserialize",
		decode: func(b []byte) (native any, err error) {
			err = trim21.Unmarshal(b, &native)
			return native, err
		},
		encode: func(native any) ([]byte, error) { return trim21.Marshal(native) },
	},
}

// decodeElliotchance calls what a caller calls who knows that lists and strings
// come, which is the fastest that the library has.
func decodeElliotchance(b []byte) (any, error) {
	if len(b) > 0 {
		switch b[0] {
		case 'a':
			return elliotchance.UnmarshalIndexedArray(b)
		case 's':
			return elliotchance.UnmarshalString(b)
		}
	}
	return nil, errors.New("neither a list nor a string")
}

// checkDecoding says what is wrong with what the library reads.
func (l library) checkDecoding(p payload) (wrong string, err error) {
	native, err := l.decode(p.bytes)
	if err != nil {
		return "", err
	}
	return difference(native, p.value), nil
}

// checkEncoding says what is wrong with what the library writes. The order of a
// map's keys does not count: a Go map has none.
func (l library) checkEncoding(p payload) (wrong string, err error) {
	b, err := l.encode(p.native)
	if err != nil {
		return "", err
	}
	if bytes.Equal(b, p.bytes) {
		return "", nil
	}
	v, err := codec.Decode(b, codec.Plugin)
	if err != nil {
		return "PHP cannot read its bytes: " + err.Error(), nil
	}
	native, err := toNative(v)
	if err != nil {
		return "", err
	}
	if d := difference(native, p.value); d != "" {
		return "its bytes are of another value: " + d, nil
	}
	if len(b) != len(p.bytes) {
		return fmt.Sprintf("PHP writes the value in %d bytes, not %d", len(p.bytes), len(b)), nil
	}
	return "", nil
}
