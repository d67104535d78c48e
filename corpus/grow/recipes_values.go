package grow

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"phpwire/codec"
	"phpwire/docs"
	"phpwire/frames"
)

func examples(q *questions) {
	for _, c := range docs.Clauses() {
		tag, isFrame := tagOf(c)
		for _, e := range c.Examples {
			comment := "example: " + string(e.Kind)
			switch {
			case e.Kind == docs.AcceptsFrame || e.Kind == docs.RefusesFrame:
				b, err := hex.DecodeString(strings.ReplaceAll(e.Input, " ", ""))
				if err != nil {
					panic(err) // the tests of docs read every example
				}
				q.read(c.ID, comment, frames.FromAnyone, b)
			case isFrame:
				q.frame(c.ID, comment, tag, e.Input)
			case e.Kind == docs.Writes:
				q.tagged(c.ID, comment, e.Output)
				if v, err := codec.ParseTagged([]byte(e.Output)); err == nil {
					q.encode(c.ID, comment, v)
				}
			default:
				q.decode(c.ID, comment, e.Input)
			}
		}
	}
}

// tagOf is the tag that a clause of part F is about.
func tagOf(c docs.Clause) (frames.Tag, bool) {
	for tag := frames.Tag(0); tag.Known(); tag++ {
		if c.Part == "Frames" && c.Title == tag.String() {
			return tag, true
		}
	}
	return 0, false
}

// spelled is a payload and what it is.
type spelled struct{ what, payload string }

const (
	rhandle = `a:3:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`
	phandle = `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;s:1:"I";}}`
	pclass  = `a:1:{s:8:"__pclass";s:1:"A";}`
)

// kinds are the payloads of every kind of value, as an encoder writes them.
var kinds = []spelled{
	{"null", "N;"}, {"false", "b:0;"}, {"true", "b:1;"}, {"an int", "i:5;"}, {"a negative int", "i:-5;"}, {"a float", "d:0.5;"},
	{"infinity", "d:INF;"}, {"not a number", "d:NAN;"}, {"a string", `s:1:"a";`}, {"an empty string", `s:0:"";`},
	{"an empty list", "a:0:{}"}, {"a list", "a:1:{i:0;N;}"}, {"an array", `a:1:{s:1:"k";N;}`},
	{"an rhandle", rhandle}, {"a phandle", phandle}, {"a pclass", pclass},
}

// lenient are spellings that PHP reads and never writes.
var lenient = []spelled{
	{"a plus sign", "i:+5;"}, {"a zero before an int", "i:05;"}, {"minus zero", "i:-0;"}, {"a float from its point on", "d:.5;"},
	{"a float with an exponent", "d:1e5;"}, {"a zero behind a float", "d:0.50;"}, {"a zero before a length", `s:01:"a";`}, {"a zero before a count", "a:00:{}"},
	{"a key in digits", `a:1:{s:1:"5";N;}`}, {"a key twice", "a:2:{i:5;N;i:5;N;}"},
	{"a handle in another order", `a:3:{s:7:"__class";s:1:"A";s:9:"__rhandle";i:3;s:7:"__epoch";i:1;}`},
}

// wrong are near misses of every kind, and what no plugin value has. References go
// nowhere: PHP crashes when it serializes an array that contains itself.
var wrong = []spelled{
	{"nothing", ""}, {"a closing brace", "}"}, {"a letter", "x"}, {"a null without its end", "N"}, {"a bool of 2", "b:2;"}, {"an int without digits", "i:;"},
	{"an int out of range", "i:9223372036854775808;"}, {"a float without digits", "d:.;"}, {"a string too short", `s:2:"a";`}, {"a string too long", `s:0:"a";`},
	{"an array with a pair too few", "a:1:{}"}, {"a broken handle", `a:1:{s:9:"__rhandle";N;}`},
	{"an object", `O:1:"A":0:{}`}, {"a custom object", `C:1:"A":0:{}`}, {"an enum", `E:3:"A:B";`}, {"a reference", "R:99;"}, {"an object reference", "r:99;"},
	{"an escaped string", `S:1:"\61";`},
}

func everyKind(q *questions) {
	clauseOf := map[string]string{"null": "V-2", "false": "V-3", "true": "V-3", "an int": "V-4", "a negative int": "V-4", "a float": "V-5"}
	for _, k := range kinds {
		clause := clauseOf[k.what]
		if clause == "" {
			clause = "V-1"
		}
		q.decode(clause, k.what, k.payload)
	}
	for _, k := range kinds {
		if v, err := codec.Decode([]byte(k.payload), codec.Plugin); err == nil {
			q.encode("V-1", k.what, v)
		}
	}
	for _, k := range lenient {
		q.decode("P-3", k.what, k.payload)
		q.decode("P-3", k.what+" inside a list", list("N;", k.payload))
		q.decode("P-3", k.what+" deep inside", arr(str("k"), list(arr(str("k"), k.payload))))
	}
	for _, k := range []spelled{{"read by Plugin, refused by Canonical", "i:007;"}, {"read by PHP alone", `O:1:"P":0:{}`}, {"read by all", "a:1:{i:0;i:7;}"}, {"read by none", "i:7"}} {
		q.decode("P-1", k.what, k.payload)
	}
	for _, k := range lenient {
		q.decode("P-2", "read as PHP reads it: "+k.what, arr("i:7;", k.payload))
	}
}

// ints at every edge, in every spelling.
func ints(q *questions) {
	var numbers []*big.Int
	add := func(n *big.Int) {
		for d := int64(-1); d <= 1; d++ {
			numbers = append(numbers, new(big.Int).Add(n, big.NewInt(d)))
		}
	}
	for _, bits := range []uint{0, 8, 31, 32, 53, 63, 64, 65} {
		add(new(big.Int).Lsh(big.NewInt(1), bits))
	}
	ten := big.NewInt(10)
	for _, digits := range []int64{1, 2, 9, 18, 19, 20} {
		add(new(big.Int).Exp(ten, big.NewInt(digits), nil))
	}
	for _, n := range numbers {
		for _, sign := range []string{"", "-", "+"} {
			text := sign + new(big.Int).Abs(n).String()
			q.decode(rangeClause(n, sign), "int "+text, "i:"+text+";")
			if sign != "+" {
				q.decode(rangeClause(n, sign), "int key "+text, "a:1:{i:"+text+";N;}")
				q.decode("K-2", "string key "+text, arr(str(text), "N;"))
			}
		}
	}
	for _, n := range []string{"0", "5", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"} {
		for _, zeros := range []int{1, 18, 20, 300} {
			for _, sign := range []string{"", "+", "-"} {
				text := sign + strings.Repeat("0", zeros) + n
				q.decode("I-1", fmt.Sprintf("%d zeros before %s%s", zeros, sign, n), "i:"+text+";")
				q.decode("I-1", fmt.Sprintf("%d zeros before the key %s%s", zeros, sign, n), "a:1:{i:"+text+";N;}")
			}
		}
	}
	for _, text := range []string{"", "+", "-", "++5", "--5", "+-5", "-+5", " 5", "5 ", "\t5", "5\n", "0x5", "0b1", "0o7", "5e1", "5.0", ".5", "1,000", "1_000", "５", "5L", "INF", "NAN", "true", "null", "-", "5-", "5+5", "\x005", "5\x00"} {
		q.decode("I-1", "int "+text, "i:"+text+";")
		q.decode("I-1", "int key "+text, "a:1:{i:"+text+";N;}")
	}
	for _, tail := range []string{"i", "i:", "i;5;", "i5;", "i:5", "i:5:", "i::5;", "i:5,", "I:5;", "i:5;;", "i: ;", "i:-", "i:+", "i:-;"} {
		q.decode("I-1", "int cut or broken: "+tail, tail)
		q.decode("I-1", "int cut or broken inside a list: "+tail, "a:1:{i:0;"+tail+"}")
	}
	for _, n := range []int64{0, 1, -1, 9, 10, -10, 127, -128, 99999, 1<<53 + 1, -1 << 63, 1<<63 - 1} {
		q.encode("I-1", fmt.Sprintf("int %d", n), codec.Int(n))
		q.encode("I-1", fmt.Sprintf("int key %d", n), codec.Array(codec.Entry{Key: codec.IntKey(n), Value: codec.Null()}))
	}
}

func rangeClause(n *big.Int, sign string) string {
	if new(big.Int).Abs(n).BitLen() >= 63 || sign == "" && n.Sign() == 0 {
		return "I-2"
	}
	return "I-1"
}

func texts(q *questions) {
	contents := []spelled{
		{"NUL", "\x00"}, {"a newline", "\n"}, {"a quote", `"`}, {"a quote and a semicolon", `";`}, {"what ends a string in an array", `";}`}, {"a backslash", `\`},
		{"a payload", "i:5;"}, {"a whole string", `s:1:"a";`}, {"two bytes of UTF-8", "é"}, {"three bytes of UTF-8", "€"}, {"four bytes of UTF-8", "😀"},
		{"a lone continuation byte", "\x80"}, {"a cut character", "\xe2\x82"}, {"an overlong slash", "\xc0\xaf"}, {"a surrogate", "\xed\xa0\x80"}, {"byte ff", "\xff"},
		{"a byte order mark", "\xef\xbb\xbf"}, {"a space", " "}, {"digits", "12"}, {"an escape", `\61`}, {"a brace", "}"}, {"an opening brace", "{"}, {"HTML", "<&>"}, {"delete", "\x7f"},
	}
	for _, c := range contents {
		q.decode("S-2", c.what, str(c.payload))
		q.decode("S-2", c.what+" between letters", str("a"+c.payload+"b"))
		q.decode("K-3", "key of "+c.what, arr(str(c.payload), str(c.payload)))
		q.encode("S-2", c.what, codec.String(c.payload))
		q.decode("S-1", "length a byte short: "+c.what, fmt.Sprintf(`s:%d:"%s";`, len(c.payload)-1, c.payload))
		q.decode("S-1", "length a byte long: "+c.what, fmt.Sprintf(`s:%d:"%s";`, len(c.payload)+1, c.payload))
	}
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	q.decode("S-2", "every byte", str(string(all)))
	q.encode("S-2", "every byte", codec.Bytes(all))
	for _, n := range []int{0, 1, 2, 9, 10, 11, 99, 100, 101, 255, 256, 999, 1000, 4095, 4096, 5000} {
		q.decode("S-1", fmt.Sprintf("%d bytes", n), str(strings.Repeat("a", n)))
		for _, zeros := range []int{1, 2, 20} {
			q.decode("S-1", fmt.Sprintf("%d bytes, %d zeros before the length", n, zeros), fmt.Sprintf(`s:%s%d:"%s";`, strings.Repeat("0", zeros), n, strings.Repeat("a", n)))
		}
		q.encode("S-1", fmt.Sprintf("%d bytes", n), codec.String(strings.Repeat("b", n)))
	}
	for _, length := range []string{"", "+1", "-1", "-0", "+0", " 1", "1 ", "1.0", "1e0", "0x1", "a", "1:", "\"", "１", "9", "99", "99999999"} {
		q.decode("S-1", "length "+length, `s:`+length+`:"a";`)
		q.decode("S-1", "key of length "+length, `a:1:{s:`+length+`:"a";N;}`)
	}
	for _, form := range []string{`s`, `s:`, `s:1`, `s:1:`, `s:1:"`, `s:1:"a`, `s:1:"a"`, `s:1"a";`, `s1:"a";`, `s:1:a";`, `s:1:a;`, `s:1:'a';`, `s:1:"a':`, `s:1:"a':;`, `s:1:"a;`, `s:1:"a":`, `s:1:"a"}`,
		`s;1:"a";`, `s:1;"a";`, `s::"a";`, `s:1::"a";`, `S:1:"a"`, `s:1:""";`, `s:0:"`, `s:0:""`, `s:0:;`, `s:0;`, `s:1: "a";`, `s:1:"a" ;`, `s:3:"a";`, `s:4:"a";b";`, `"a"`, `s:1:"a";"`} {
		q.decode("S-1", "string cut or broken: "+form, form)
		q.decode("S-1", "string cut or broken inside an array: "+form, `a:1:{s:1:"k";`+form+`}`)
		q.decode("K-1", "key cut or broken: "+form, `a:1:{`+form+`i:1;}`)
	}
}
