// Command trim21-go-phpserialize is github.com/trim21/go-phpserialize as a port:
// its Unmarshal into any, and Marshal.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/trim21/go-phpserialize"

	"phpwire/codec"
	"phpwire/ports/port"
)

func main() {
	if err := port.Serve(os.Stdin, os.Stdout, port.Codec{
		Hello:  port.Hello{Name: "trim21/go-phpserialize", Version: "0.1.2", Language: "Go"},
		Decode: decode,
		Encode: encode, Reencode: reencode,
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func decode(payload []byte) (codec.Value, error) {
	var native any
	if err := phpserialize.Unmarshal(payload, &native); err != nil {
		return codec.Null(), err
	}
	return port.FromNative(native)
}

func encode(v codec.Value) ([]byte, error) {
	native, err := port.ToNative(v)
	if err != nil {
		return nil, err
	}
	return phpserialize.Marshal(native)
}

// reencode writes what was read, in the types that the library read it into.
func reencode(payload []byte) ([]byte, error) {
	var native any
	if err := phpserialize.Unmarshal(payload, &native); err != nil {
		return nil, err
	}
	if _, err := port.FromNative(native); err != nil {
		return nil, err
	}
	if hasMap(native) {
		return nil, port.Unable("it does not write map[any]any, as which it reads arrays where the caller names no type")
	}
	return phpserialize.Marshal(native)
}

func hasMap(native any) bool {
	switch v := native.(type) {
	case map[any]any:
		return true
	case []any:
		return slices.ContainsFunc(v, hasMap)
	}
	return false
}
