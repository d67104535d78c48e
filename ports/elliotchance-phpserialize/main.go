// Command elliotchance-phpserialize is github.com/elliotchance/phpserialize as a
// port: its Unmarshal functions by the payload's first byte, since it has none that
// returns any value, and Marshal.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/elliotchance/phpserialize"

	"phpwire/codec"
	"phpwire/ports/port"
)

func main() {
	if err := port.Serve(os.Stdin, os.Stdout, port.Codec{
		Hello:  port.Hello{Name: "elliotchance/phpserialize", Version: "1.4.0", Language: "Go"},
		Decode: decode,
		Encode: encode, Reencode: reencode,
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// unmarshal reads any value, as the caller does who does not know its type.
func unmarshal(payload []byte) (any, error) {
	if len(payload) == 0 {
		return nil, errors.New("no payload")
	}
	switch payload[0] {
	case 'N':
		return nil, phpserialize.UnmarshalNil(payload)
	case 'b':
		return phpserialize.UnmarshalBool(payload)
	case 'i':
		return phpserialize.UnmarshalInt(payload)
	case 'd':
		return phpserialize.UnmarshalFloat(payload)
	case 's':
		return phpserialize.UnmarshalString(payload)
	case 'a':
		if v, err := phpserialize.UnmarshalIndexedArray(payload); err == nil {
			return v, nil
		}
		return phpserialize.UnmarshalAssociativeArray(payload)
	case 'O':
		return nil, port.Unable("an object is no plain data")
	}
	return nil, errors.New("no type that the library has")
}

func decode(payload []byte) (codec.Value, error) {
	native, err := unmarshal(payload)
	if err != nil {
		return codec.Null(), err
	}
	return port.FromNative(native)
}

func encode(v codec.Value) ([]byte, error) {
	native, err := port.ToNative(v)
	if err != nil {
		return nil, err
	}
	return phpserialize.Marshal(native, nil)
}

// reencode writes what was read, in the types that the library read it into.
func reencode(payload []byte) ([]byte, error) {
	native, err := unmarshal(payload)
	if err != nil {
		return nil, err
	}
	if _, err := port.FromNative(native); err != nil {
		return nil, err // a map has no order
	}
	return phpserialize.Marshal(native, nil)
}
