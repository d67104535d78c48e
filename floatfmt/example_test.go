package floatfmt_test

import (
	"fmt"

	"phpwire/floatfmt"
)

func ExampleAppendFloat() {
	fmt.Printf("%s\n", floatfmt.AppendFloat(nil, 0.1, -1))
	fmt.Printf("%s\n", floatfmt.AppendFloat(nil, 0.1, 17))
	fmt.Printf("%s\n", floatfmt.AppendFloat(nil, 1e25, -1))
	// Output:
	// 0.1
	// 0.10000000000000001
	// 1.0E+25
}

func ExampleParsePrefix() {
	wire := []byte("1.5E+3;i:7;")
	f, n, err := floatfmt.ParsePrefix(wire)
	fmt.Println(f, string(wire[n:]), err)

	_, _, err = floatfmt.ParsePrefix([]byte("1.5E;"))
	fmt.Println(err)
	// Output:
	// 1500 ;i:7; <nil>
	// float: offset 4: found ";", expected a sign or a digit
}
