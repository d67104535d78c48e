package gen_test

import (
	"fmt"
	"strings"

	"phpwire/codec"
	"phpwire/fuzz/gen"
)

// A codec that takes "-0" for an int key fails on this value. What is left of it
// shows why.
func ExampleShrink() {
	wrong := func(v codec.Value) bool { return strings.Contains(v.String(), `"-0"`) }
	start := codec.List(codec.Float(1.5), codec.Array(
		codec.Entry{Key: codec.StringKey("name"), Value: codec.String("text")},
		codec.Entry{Key: codec.StringKey("-0"), Value: codec.List(codec.Int(1), codec.Int(2))},
	))
	smallest, err := gen.Shrink(start, gen.SmallerValues, func(batch []codec.Value) (int, error) {
		for i, v := range batch {
			if wrong(v) {
				return i, nil
			}
		}
		return -1, nil
	}, 100)
	fmt.Println(smallest, err)
	// Output: {"-0": null} <nil>
}
