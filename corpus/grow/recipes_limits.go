package grow

import (
	"fmt"
	"strings"
)

// nest puts a payload into so many arrays.
func nest(n int, before, inner, after string) string {
	return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
}

// shapes are ways to stand inside one another.
var shapes = []struct{ what, before, after string }{
	{"lists", "a:1:{i:0;", "}"},
	{"arrays", `a:1:{s:1:"k";`, "}"},
	{"last elements", "a:2:{i:0;N;i:1;", "}"},
	{"first elements", "a:2:{i:0;", "i:1;N;}"},
	{"keys in digits", `a:1:{s:1:"0";`, "}"},
	{"snapshots", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{s:1:"k";`, "}}"},
}

func depth(q *questions) {
	inner := []spelled{{"null", "N;"}, {"an empty array", "a:0:{}"}, {"a pclass", pclass}, {"an rhandle", rhandle}, {"a phandle", phandle}, {"an rhandle with a snapshot", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:0:{}}`}, {"a fault", "x"}, {"nothing", ""}, {"an object", `O:1:"A":0:{}`}}
	for _, s := range shapes {
		for _, n := range []int{2, 10, 256} {
			q.decode("L-1", fmt.Sprintf("%d %s", n, s.what), nest(n, s.before, "N;", s.after))
		}
		for _, k := range inner {
			for _, n := range []int{511, 512, 513} {
				if s.what != "lists" && (k.what != "null" && k.what != "an empty array" || n < 511 || n > 513) || s.what == "snapshots" {
					continue
				}
				q.decode("L-1", fmt.Sprintf("%s in %d %s", k.what, n, s.what), nest(n, s.before, k.payload, s.after))
			}
		}
	}
	for _, n := range []int{4095, 4096, 4097} {
		q.decode("W-6", fmt.Sprintf("%d lists", n), nest(n, "a:1:{i:0;", "N;", "}"))
		q.decode("W-6", fmt.Sprintf("%d lists around an empty one", n), nest(n, "a:1:{i:0;", "a:0:{}", "}"))
	}
	var many []string
	for range 300 {
		many = append(many, list(list("N;")))
	}
	q.decode("L-1", "300 arrays beside one another, none deep", list(many...))
	q.decode("L-1", "two deep branches", list(nest(511, "a:1:{i:0;", "N;", "}"), nest(511, "a:1:{i:0;", "N;", "}")))
	q.decode("L-1", "a branch too deep behind a right one", list(nest(511, "a:1:{i:0;", "N;", "}"), nest(512, "a:1:{i:0;", "N;", "}")))
	q.decode("L-1", "a branch too deep that a repeated key drops", arr("i:0;", nest(512, "a:1:{i:0;", "N;", "}"), "i:0;", "N;"))
	for _, n := range []int{1, 2, 5, 511, 512, 513, 514} {
		q.decode("L-1", fmt.Sprintf("%d arrays that do not end", n), strings.Repeat("a:1:{i:0;", n))
		q.decode("L-1", fmt.Sprintf("%d arrays with a brace too few", n), nest(n, "a:1:{i:0;", "N;", "}")[:n*10+1])
		q.decode("L-1", fmt.Sprintf("%d arrays with a brace too many", n), nest(n, "a:1:{i:0;", "N;", "}")+"}")
	}
}

func limits(q *questions) {
	numbers := []string{"2147483646", "2147483647", "2147483648", "4294967295", "4294967296", "4294967297", "4294967298", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "18446744073709551617", "18446744073709551618", "99999999999999999999", "1000000000000000000000000000000", "999999999", "99999", "100", "7"}
	clause := func(n string) string {
		if len(n) > 10 || len(n) == 10 && n > "2147483647" {
			return "L-3"
		}
		return "L-2"
	}
	for _, n := range numbers {
		for _, zeros := range []string{"", "000"} {
			q.decode(clause(n), "string of length "+zeros+n, "s:"+zeros+n+`:"a";`)
			q.decode(clause(n), "string of length "+zeros+n+", cut", "s:"+zeros+n+`:"abc`)
			q.decode(clause(n), "string of length "+zeros+n+" in a list", list("s:"+zeros+n+`:"a";`))
			q.decode(clause(n), "key of length "+zeros+n, "a:1:{s:"+zeros+n+`:"a";N;}`)
			q.decode(clause(n), "array of "+zeros+n, "a:"+zeros+n+":{i:0;N;}")
			q.decode(clause(n), "array of "+zeros+n+", cut", "a:"+zeros+n+":{")
			q.decode(clause(n), "array of "+zeros+n+", cut in an element", "a:"+zeros+n+":{i:0;N;i:1;N;")
			q.decode(clause(n), "array of "+zeros+n+" in a list", list("a:"+zeros+n+":{i:0;N;}"))
			q.decode(clause(n), "array of "+zeros+n+" behind an element", list("N;", "a:"+zeros+n+":{}"))
		}
		q.decode(clause(n), "string of length "+n+" without more", "s:"+n)
		q.decode(clause(n), "string of length "+n+" without a quote", "s:"+n+":a")
		q.decode(clause(n), "array of "+n+" without a brace", "a:"+n+":x")
		q.decode("W-5", "one byte counted as "+n, "s:"+n+`:"b";`)
	}
	// How many elements the bytes that are left can hold.
	for pairs := range 4 {
		for _, more := range []int{0, 1, 2, 3, 5, 6, 7, 11, 12} {
			body := strings.Repeat("i:0;N;", pairs) + strings.Repeat("x", more)
			for count := pairs; count <= pairs+3; count++ {
				q.decode("L-2", fmt.Sprintf("%d counted, %d there and %d bytes", count, pairs, more), fmt.Sprintf("a:%d:{%s", count, body))
			}
		}
	}
	q.decode("L-2", "claims inside one another", strings.Repeat("a:1000:{i:0;", 20))
	q.decode("L-2", "claims beside one another", list("a:50:{}", "a:50:{}", "a:50:{}"))
	for _, n := range []int{20, 200, 2000, 5000} {
		z := strings.Repeat("0", n)
		q.decode("L-4", fmt.Sprintf("%d zeros before an int", n), "i:"+z+"1;")
		q.decode("L-4", fmt.Sprintf("%d zeros before a length", n), "s:"+z+`1:"a";`)
		q.decode("L-4", fmt.Sprintf("%d zeros before a count", n), "a:"+z+"1:{i:0;N;}")
		q.decode("L-4", fmt.Sprintf("%d digits of an int", n), "i:"+strings.Repeat("1", n)+";")
		q.decode("L-4", fmt.Sprintf("%d digits of a length", n), "s:"+strings.Repeat("1", n)+`:"a";`)
		q.decode("L-4", fmt.Sprintf("%d digits of a double", n), "d:"+strings.Repeat("1", n)+";")
		q.decode("L-4", fmt.Sprintf("%d digits behind the point", n), "d:0."+strings.Repeat("3", n)+";")
		q.decode("L-4", fmt.Sprintf("%d digits of an exponent", n), "d:1e"+strings.Repeat("1", n)+";")
		q.decode("L-4", fmt.Sprintf("%d arrays that do not end", n), strings.Repeat("a:1:{i:0;", n))
		q.decode("L-4", fmt.Sprintf("%d closing braces", n), strings.Repeat("}", n))
		q.decode("L-4", fmt.Sprintf("%d minus signs", n), "i:"+strings.Repeat("-", n)+"1;")
	}
	// Int keys that a hash table of 2^k places takes for one another.
	for _, n := range []int{100, 500} {
		var kv []string
		for i := range n {
			kv = append(kv, fmt.Sprintf("i:%d;", i<<16), "N;")
		}
		q.decode("L-4", fmt.Sprintf("%d int keys with the same low bits", n), arr(kv...))
	}
}

func otherTypes(q *questions) {
	for _, k := range []spelled{
		{"object", `O:8:"stdClass":0:{}`}, {"object with a property", `O:8:"stdClass":1:{s:1:"a";i:1;}`}, {"object of an unknown class", `O:7:"Unknown":1:{s:1:"a";N;}`},
		{"object with an int property", `O:8:"stdClass":1:{i:0;N;}`}, {"object with a count of two", `O:8:"stdClass":2:{s:1:"a";N;}`}, {"object with a name too long", `O:9:"stdClass":0:{}`}, {"object with a plus", `O:+8:"stdClass":0:{}`},
		{"object without a name", `O:0:"":0:{}`}, {"object with a name that is none", `O:3:"A B":0:{}`}, {"object cut", `O:8:"stdClass":0:{`}, {"object without a count", `O:8:"stdClass":{}`}, {"object in small letters", `o:8:"stdClass":0:{}`}, {"object with a private property", "O:8:\"stdClass\":1:{s:4:\"\x00A\x00b\";i:1;}"},
		{"ArrayObject", `O:11:"ArrayObject":4:{i:0;i:0;i:1;a:0:{}i:2;a:0:{}i:3;N;}`}, {"DateTime", `O:8:"DateTime":0:{}`}, {"Closure", `O:7:"Closure":0:{}`}, {"exception", `O:9:"Exception":0:{}`},
		{"custom object", `C:1:"A":0:{}`}, {"custom object with a body", `C:1:"A":3:{xyz}`}, {"custom object with a body too short", `C:1:"A":4:{xyz}`}, {"custom ArrayObject", `C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}`}, {"custom object cut", `C:1:"A":3:{xy`},
		{"enum", `E:3:"A:B";`}, {"enum without a case", `E:1:"A";`}, {"enum without a name", `E:2:":B";`}, {"enum cut", `E:3:"A:B"`},
		{"reference to the second", "R:2;"}, {"reference to none", "R:0;"}, {"reference below 0", "R:-1;"}, {"reference cut", "R:1"}, {"reference without a number", "R:;"}, {"reference out of range", "R:9223372036854775808;"},
		{"object reference to the second", "r:2;"}, {"object reference to none", "r:0;"}, {"object reference cut", "r:1"},
		{"escaped string", `S:1:"\61";`}, {"escaped string without an escape", `S:1:"a";`}, {"escaped string of two", `S:2:"\61b";`}, {"escaped NUL", `S:1:"\00";`}, {"escaped string with a wrong escape", `S:1:"\6g";`}, {"escaped string in capitals", `S:1:"\4A";`}, {"escaped string too short", `S:2:"\61";`}, {"escaped string cut", `S:1:"\61"`},
		{"module's string U", `U:1:"a";`}, {"long L", "L:1;"}, {"x", "x:1;"}, {"null in small letters", "n;"}, {"bool in capitals", "B:1;"},
	} {
		q.decode("P-4", k.what, k.payload)
		q.decode("P-4", k.what+" behind a value", list("i:1;", k.payload))
		q.decode("P-4", k.what+" behind an array", list("a:0:{}", k.payload))
		q.decode("P-4", k.what+" as a key", arr(k.payload, "N;"))
		q.decode("P-4", k.what+" with bytes behind", k.payload+"x")
	}
	q.decode("P-4", "a reference to itself", "R:1;")
	q.decode("P-4", "an object reference to itself", "r:1;")
	q.decode("P-4", "references to one array, twice", "a:3:{i:0;a:1:{i:0;N;}i:1;R:2;i:2;R:2;}")
}

func trailing(q *questions) {
	all := append(append([]spelled{}, kinds...), lenient...)
	for _, k := range all {
		for _, more := range []string{"x", ";", "}", " ", "\n", "\x00", "N;", "i:5;", "\xff", ":", "\"", "{", "a:1:{", "O:1:\"A\":0:{}"} {
			q.decode("P-5", fmt.Sprintf("%q behind %s", more, k.what), k.payload+more)
		}
		q.decode("P-5", k.what+" twice", k.payload+k.payload)
		q.decode("P-5", "a space before "+k.what, " "+k.payload)
		q.decode("P-5", "a newline before "+k.what, "\n"+k.payload)
		q.decode("P-5", "a mark of byte order before "+k.what, "\xef\xbb\xbf"+k.payload)
	}
	q.decode("P-6", "no bytes", "")
	for b := range 256 {
		q.decode("P-6", fmt.Sprintf("the byte %02x alone", b), string([]byte{byte(b)}))
		q.decode("P-5", fmt.Sprintf("the byte %02x behind a value", b), "N;"+string([]byte{byte(b)}))
	}
}

func differing(q *questions) {
	q.decode("W-1", "bytes behind a value", "b:1;b:0;")
	q.decode("W-2", "an escaped string", `S:3:"a\62c";`)
	q.decode("W-3", "an enum of a class that is none", `E:11:"Phpwire:One";`)
	q.decode("W-4", "a fault", "i:1:")
	q.decode("W-10", "an int that 7.2 takes for an octal one", "i:010;")
	q.decode("W-10", "a count that 7.2 takes for an octal one", "a:010:{"+strings.Repeat("i:0;N;", 10)+"}")
	q.decode("W-8", "an int out of range, deep inside", list(list("i:99999999999999999999;")))
	q.decode("W-9", "an object whose name has a space", list(`O:3:"C D":0:{}`))
}
