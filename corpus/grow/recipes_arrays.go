package grow

import (
	"fmt"
	"strings"
)

// traps are texts of keys about which PHP is particular.
var traps = []string{
	"", "0", "-0", "+0", "00", "5", "-5", "+5", "05", "-05", "5.0", "5.", ".5", "5e0", "1e1", "0x5", " 5", "5 ", "\t5", "5\n", "5\x00", "\x005", "-", "--5", "- 5", "+", ".", "５", "a", "5a", "a5", "true", "null", "N", "-1", "1", "2", "9", "10", "99",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
	"9223372036854775806", "9223372036854775807", "9223372036854775808", "9223372036854775809", "-9223372036854775807", "-9223372036854775808", "-9223372036854775809",
	"09223372036854775807", "9999999999999999999", "-9999999999999999999", "1000000000000000000", "10000000000000000000", "-1000000000000000000", "-10000000000000000000", "18446744073709551615", "18446744073709551616", "99999999999999999999", "1234567890123456789", "12345678901234567890",
	"INF", "NAN", "1.5", "1,5", "é", "\xff", "\"", "\";", "}", "{", "key with spaces", "__", "__x", "class",
}

func keys(q *questions) {
	for _, text := range traps {
		q.decode("K-2", "key "+text, arr(str(text), "N;"))
		q.decode("K-2", "key "+text+" behind an int", arr("i:0;", "N;", str(text), "N;"))
		q.tagged("T-4", "key "+text, fmt.Sprintf(`{"t":"array","v":[[{"b64":"%s"},{"t":"null"}]]}`, b64(text)))
	}
	for _, k := range append(append(append([]spelled{}, kinds...), lenient...), wrong...) {
		q.decode("K-1", "as a key: "+k.what, arr(k.payload, "N;"))
		q.decode("K-1", "as the second key: "+k.what, arr("i:0;", "N;", k.payload, "N;"))
		q.decode("K-1", "as a key without a value: "+k.what, "a:1:{"+k.payload+"}")
	}
	for _, n := range []int{9, 10, 99, 100, 255, 256, 1000} {
		q.decode("K-3", fmt.Sprintf("key of %d bytes", n), arr(str(strings.Repeat("k", n)), "N;"))
	}
	for _, name := range []string{"__rhandle", "__phandle", "__pclass", "__class", "__epoch", "__snapshot", "__implements", "__Rhandle", "__RHANDLE", "_rhandle", "__rhandl", "__rhandle ", " __rhandle", "__rhandle\x00", "__rhandles", "__phandl", "__pclas", "__pclass ", "__PCLASS"} {
		q.decode("H-1", "the key "+name+" alone", arr(str(name), "N;"))
		q.decode("H-1", "the key "+name+" alone, with a string", arr(str(name), str("A")))
		q.decode("H-1", "the key "+name+" before another", arr(str(name), "N;", "i:0;", "N;"))
		q.decode("H-1", "the key "+name+" behind another", arr("i:0;", "N;", str(name), "N;"))
		q.decode("H-1", "the text "+name+" as a value", list(str(name)))
	}
}

// repeatedKeys has every way in which two of three keys are the same one.
func repeatedKeys(q *questions) {
	spellings := []string{"i:5;", str("5"), "i:+5;", "i:05;", `s:01:"5";`}
	for _, a := range spellings {
		for _, b := range spellings {
			q.decode("A-2", fmt.Sprintf("keys %s and %s", a, b), arr(a, "i:1;", b, "i:2;"))
			q.decode("A-2", fmt.Sprintf("keys %s and %s with one between", a, b), arr(a, "i:1;", str("k"), "N;", b, "i:2;"))
		}
	}
	for _, pair := range [][2]string{{str("a"), str("a")}, {str(""), str("")}, {"i:0;", "i:-0;"}, {"i:0;", str("0")}, {str("-0"), "i:0;"}, {str("a"), str("A")}, {"i:-1;", str("-1")}, {str("1"), str("01")}, {str("é"), str("e\u0301")}, {str("\x00"), str("")}, {"i:9223372036854775807;", str("9223372036854775807")}, {str("9223372036854775808"), str("9223372036854775808")}} {
		q.decode("A-2", "keys "+pair[0]+" and "+pair[1], arr(pair[0], "i:1;", pair[1], "i:2;"))
		q.decode("A-2", "keys "+pair[0]+" and "+pair[1]+" and the first again", arr(pair[0], "i:1;", pair[1], "i:2;", pair[0], "i:3;"))
		q.decode("A-2", "keys "+pair[0]+" and "+pair[1]+" of arrays", arr(pair[0], "a:0:{}", pair[1], "a:1:{i:0;N;}"))
	}
	q.decode("A-2", "what a repeated key drops must be right too", arr("i:0;", "x", "i:0;", "N;"))
	q.decode("A-2", "what a repeated key drops must be a plugin value too", arr("i:0;", `O:1:"A":0:{}`, "i:0;", "N;"))
	q.decode("A-2", "what a repeated key drops must be a right handle too", arr("i:0;", `a:1:{s:9:"__rhandle";N;}`, "i:0;", "N;"))
	q.decode("A-2", "a handle that is dropped", arr("i:0;", rhandle, "i:0;", "N;"))
	for _, n := range []int{8, 9, 16, 17, 33, 100, 1000} {
		var same, mixed, ints []string
		for i := range n {
			same = append(same, str("k"), fmt.Sprintf("i:%d;", i))
			mixed = append(mixed, str(fmt.Sprintf("k%d", i%(n-1))), fmt.Sprintf("i:%d;", i))
			ints = append(ints, fmt.Sprintf("i:%d;", (n-i)%(n-1)), fmt.Sprintf("i:%d;", i))
		}
		q.decode("A-2", fmt.Sprintf("one key %d times", n), arr(same...))
		q.decode("A-2", fmt.Sprintf("%d string keys, the last as the first", n), arr(mixed...))
		q.decode("A-2", fmt.Sprintf("%d falling int keys, one again", n), arr(ints...))
	}
}

func arrays(q *questions) {
	keys := []string{"i:0;", "i:1;", "i:2;", "i:-1;", str("0"), str("1"), str("a")}
	for _, a := range keys {
		q.decode("A-3", "keys "+a, arr(a, "N;"))
		for _, b := range keys {
			q.decode("A-3", "keys "+a+b, arr(a, "N;", b, "b:1;"))
			for _, c := range keys[:4] {
				q.decode("A-3", "keys "+a+b+c, arr(a, "N;", b, "b:1;", c, "i:1;"))
			}
		}
	}
	for _, n := range []int{0, 1, 2, 5, 8, 9, 10, 16, 17, 100, 1000} {
		var values, back, words []string
		for i := range n {
			values = append(values, fmt.Sprintf("i:%d;", i*7))
			back = append(back, fmt.Sprintf("i:%d;", n-1-i), "N;")
			words = append(words, str(fmt.Sprintf("key%d", i)), "N;")
		}
		q.decode("V-7", fmt.Sprintf("a list of %d", n), list(values...))
		q.decode("V-8", fmt.Sprintf("%d keys backwards", n), arr(back...))
		q.decode("V-8", fmt.Sprintf("%d string keys", n), arr(words...))
		q.decode("A-3", fmt.Sprintf("a list of %d, then a string key", n), arr(append(pairs(values), str("k"), "N;")...))
		q.decode("A-3", fmt.Sprintf("a list of %d, then a gap", n), arr(append(pairs(values), fmt.Sprintf("i:%d;", n+1), "N;")...))
		q.decode("A-3", fmt.Sprintf("a list of %d, then 0 again", n), arr(append(pairs(values), "i:0;", "N;")...))
		q.decode("A-3", fmt.Sprintf("a list of %d, then the next in digits", n), arr(append(pairs(values), str(fmt.Sprint(n)), "N;")...))
		for d := -2; d <= 2; d++ {
			if d != 0 && n+d >= 0 {
				q.decode("A-1", fmt.Sprintf("%d pairs counted as %d", n, n+d), strings.Replace(list(values...), fmt.Sprintf("a:%d:", n), fmt.Sprintf("a:%d:", n+d), 1))
			}
		}
	}
	for _, count := range []string{"", "+1", "-1", "-0", "+0", " 1", "1 ", "1.0", "1e0", "0x1", "a", "01", "001", "00000000000000000000000001", "１", "99999"} {
		q.decode("A-1", "count "+count, "a:"+count+":{i:0;N;}")
		q.decode("A-1", "count "+count+" inside a list", "a:1:{i:0;a:"+count+":{i:0;N;}}")
	}
	for _, form := range []string{"a", "a:", "a:1", "a:1:", "a:1:{", "a:1:{i", "a:1:{i:0;", "a:1:{i:0;N", "a:1:{i:0;N;", "a:0:{", "a:0:}", "a:0{}", "a:0:[]", "a:0:()", "a:0::{}", "a:0:{ }", "a: 0:{}", "a:0:{;}", "a:0;{}", "a0:{}", "a:0:", "a:0:{}}", "A:0:{}",
		"a:1:{i:0;N;;}", "a:1:{i:0;N;,}", "a:1:{i:0,N;}", "a:1:{i:0;;N;}", "a:1:{i:0;i:1;i:2;}", "a:1:{i:0;}", "a:2:{i:0;N;i:1;}", "a:1:{N;}", "a:1:{}", "a:2:{i:0;N;}", "a:1:{i:0;N;]", "a:1:{i:0;N;)", "a:1:{i:0;N;};", "a:1:{\ni:0;N;}", "a:1:{i:0;N;\n}", "a:1:{i:0;{}}", "a:1:{i:0;a}", "a:1:{i:0;a:}", "a:1:{{", "a:1:{}}", "a:1:i:0;N;}", "a:1:\"i:0;N;\"", "[]", "{}"} {
		q.decode("A-1", "array cut or broken: "+form, form)
		q.decode("A-1", "array cut or broken inside an array: "+form, "a:1:{s:1:\"k\";"+form+"}")
		q.decode("A-1", "array cut or broken behind an element: "+form, "a:2:{i:0;N;i:1;"+form+"}")
	}
	for _, names := range [][]string{{"b", "a"}, {"a", "b"}, {"c", "a", "b"}} {
		var kv []string
		for i, n := range names {
			kv = append(kv, str(n), fmt.Sprintf("i:%d;", i))
		}
		q.decode("V-8", "order "+strings.Join(names, " "), arr(kv...))
	}
}

func pairs(values []string) []string {
	var kv []string
	for i, v := range values {
		kv = append(kv, fmt.Sprintf("i:%d;", i), v)
	}
	return kv
}

// places puts every token into every place where one may stand.
func places(q *questions) {
	all := append(append(append([]spelled{}, kinds...), lenient...), wrong...)
	for _, k := range all {
		for _, at := range []struct{ clause, what, before, after string }{
			{"A-1", "first of two elements", "a:2:{i:0;", "i:1;b:1;}"},
			{"A-1", "last of two elements", "a:2:{i:0;b:1;i:1;", "}"},
			{"V-8", "value of a string key", `a:1:{s:1:"k";`, "}"},
			{"V-8", "value of the last string key", `a:2:{s:1:"k";N;s:1:"l";`, "}"},
			{"V-7", "only element, two deep", "a:1:{i:0;a:1:{i:0;", "}}"},
			{"A-1", "in the place of the brace", "a:1:{i:0;N;", ""},
			{"A-1", "before the brace", "a:1:{i:0;N;", "}"},
			{"H-2", "number of an rhandle", `a:3:{s:9:"__rhandle";`, `s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`},
			{"H-2", "class of an rhandle", `a:3:{s:9:"__rhandle";i:3;s:7:"__class";`, `s:7:"__epoch";i:1;}`},
			{"H-2", "epoch of an rhandle", `a:3:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";`, `}`},
			{"H-2", "snapshot of an rhandle", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";`, `}`},
			{"H-2", "value in a snapshot", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{s:4:"name";`, `}}`},
			{"H-3", "number of a phandle", `a:3:{s:9:"__phandle";`, `s:7:"__class";s:1:"A";s:12:"__implements";a:0:{}}`},
			{"H-3", "class of a phandle", `a:3:{s:9:"__phandle";i:8;s:7:"__class";`, `s:12:"__implements";a:0:{}}`},
			{"H-3", "interfaces of a phandle", `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";`, `}`},
			{"H-3", "an interface of a phandle", `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:2:{i:0;s:1:"I";i:1;`, `}}`},
			{"H-4", "name of a pclass", `a:1:{s:8:"__pclass";`, `}`},
		} {
			q.decode(at.clause, k.what+" as "+at.what, at.before+k.payload+at.after)
		}
	}
}

func handles(q *questions) {
	fields := map[string][][2]string{
		"H-2": {{str("__rhandle"), "i:3;"}, {str("__class"), str("A")}, {str("__epoch"), "i:1;"}},
		"H-3": {{str("__phandle"), "i:8;"}, {str("__class"), str("A")}, {str("__implements"), "a:0:{}"}},
		"H-4": {{str("__pclass"), str("A")}},
	}
	snapshot := [2]string{str("__snapshot"), "a:0:{}"}
	for _, clause := range []string{"H-2", "H-3", "H-4"} {
		of := fields[clause]
		wholes := [][][2]string{of}
		if clause == "H-2" {
			wholes = append(wholes, append(append([][2]string{}, of...), snapshot))
		}
		for _, whole := range wholes {
			q.decode(clause, "whole", flat(whole))
			q.decode(clause, "whole in a list", list("N;", flat(whole)))
			q.decode(clause, "whole as a value", arr(str("k"), flat(whole)))
			permutations(len(whole), func(order []int) {
				var moved [][2]string
				for _, i := range order {
					moved = append(moved, whole[i])
				}
				q.decode("H-5", fmt.Sprint("fields in the order ", order), flat(moved))
			})
			for i := range whole {
				without := append(append([][2]string{}, whole[:i]...), whole[i+1:]...)
				q.decode("H-5", fmt.Sprintf("without field %d of %s", i, clause), flat(without))
				twice := append(append([][2]string{}, whole...), whole[i])
				q.decode("H-5", fmt.Sprintf("field %d of %s twice", i, clause), flat(twice))
				for _, key := range []string{"i:0;", str("x"), str("__pclass"), str("__rhandle"), str("__phandle"), str("__snapshot"), str("__epoch"), str("__implements"), str("__Class")} {
					renamed := append([][2]string{}, whole...)
					renamed[i] = [2]string{key, whole[i][1]}
					q.decode("H-5", fmt.Sprintf("field %d of %s called %s", i, clause, key), flat(renamed))
				}
			}
			for _, more := range [][2]string{{str("x"), "N;"}, {"i:0;", "N;"}, {str(""), "N;"}, {str("__pclass"), str("A")}, {str("__rhandle"), "i:3;"}, {str("__phandle"), "i:8;"}, {str("__implements"), "a:0:{}"}, {str("__epoch"), "i:1;"}, {str("__snapshot"), "a:0:{}"}} {
				q.decode("H-5", fmt.Sprintf("%s with %s behind", clause, more[0]), flat(append(append([][2]string{}, whole...), more)))
				q.decode("H-5", fmt.Sprintf("%s with %s before", clause, more[0]), flat(append([][2]string{more}, whole...)))
			}
		}
	}
	for _, n := range []string{"0", "1", "-1", "+3", "03", "-0", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808"} {
		q.decode("H-2", "rhandle "+n, `a:3:{s:9:"__rhandle";i:`+n+`;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`)
		q.decode("H-2", "epoch "+n, `a:3:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:`+n+`;}`)
		q.decode("H-3", "phandle "+n, `a:3:{s:9:"__phandle";i:`+n+`;s:7:"__class";s:1:"A";s:12:"__implements";a:0:{}}`)
	}
	for _, name := range []string{"", "A", `Some\Name\Space`, "é", "\xff", "class@anonymous\x00/a:1$0", "A B", `"`, strings.Repeat("N", 300)} {
		q.decode("H-2", "class "+name, `a:3:{s:9:"__rhandle";i:3;s:7:"__class";`+str(name)+`s:7:"__epoch";i:1;}`)
		q.decode("H-3", "class "+name, `a:3:{s:9:"__phandle";i:3;s:7:"__class";`+str(name)+`s:12:"__implements";`+list(str(name))+`}`)
		q.decode("H-4", "class "+name, arr(str("__pclass"), str(name)))
	}
	for _, names := range []spelled{{"sorted", list(str("A"), str("B"))}, {"unsorted", list(str("B"), str("A"))}, {"twice one", list(str("A"), str("A"))}, {"keys from 1", arr("i:1;", str("A"))}, {"a string key", arr(str("k"), str("A"))},
		{"a key in digits", arr(str("0"), str("A"))}, {"keys backwards", arr("i:1;", str("A"), "i:0;", str("B"))}, {"a list in a list", list(list())}, {"three", list(str("A"), str("B"), str("C"))}, {"a pclass", list(pclass)}, {"a null behind a name", list(str("A"), "N;")}} {
		q.decode("H-3", "interfaces: "+names.what, `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";`+names.payload+`}`)
	}
	for _, s := range []spelled{{"empty", "a:0:{}"}, {"a list", list("N;", "i:1;")}, {"an rhandle inside", arr(str("x"), rhandle)}, {"a phandle inside", arr(str("x"), phandle)}, {"a broken handle inside", arr(str("x"), arr(str("__rhandle"), "N;"))},
		{"itself an rhandle", rhandle}, {"itself a phandle", phandle}, {"itself a pclass", pclass}, {"repeated keys", arr(str("x"), "N;", str("x"), "i:1;")}, {"int keys", arr("i:7;", "N;")}, {"a key in digits", arr(str("7"), "N;")}, {"a reserved key and another", arr(str("__pclass"), str("A"), str("x"), "N;")}} {
		q.decode("H-2", "snapshot: "+s.what, `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";`+s.payload+`}`)
	}
	for _, clause := range []string{"H-2", "H-3", "H-4"} {
		two := append(append([][2]string{}, fields[clause]...), [2]string{str("x"), "N;"}, [2]string{str("y"), "N;"})
		q.decode("H-5", clause+" with two keys more", flat(two))
		q.decode("H-5", clause+" with a snapshot and a key more", flat(append(append([][2]string{}, fields[clause]...), snapshot, [2]string{str("x"), "N;"})))
		q.decode("H-5", clause+" with a key more and a snapshot", flat(append(append([][2]string{}, fields[clause]...), [2]string{str("x"), "N;"}, snapshot)))
	}
	both := append(append([][2]string{}, fields["H-2"]...), fields["H-3"][0])
	q.decode("H-5", "both kinds of handle in one", flat(both))
	q.decode("H-5", "a handle whose first reserved key is spelled with a zero", `a:1:{s:09:"__rhandle";N;}`)
	q.decode("H-1", "a broken handle that a repeated key makes whole", `a:4:{s:9:"__rhandle";N;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:9:"__rhandle";i:3;}`)
	q.decode("H-1", "a whole handle that a repeated key breaks", `a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:9:"__rhandle";N;}`)
	q.decode("H-1", "a pclass key twice is one key", `a:2:{s:8:"__pclass";N;s:8:"__pclass";s:1:"A";}`)
}

func flat(fields [][2]string) string {
	var kv []string
	for _, f := range fields {
		kv = append(kv, f[0], f[1])
	}
	return arr(kv...)
}

// permutations calls f with every order of n things.
func permutations(n int, f func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var next func(int)
	next = func(at int) {
		if at == n {
			f(order)
			return
		}
		for i := at; i < n; i++ {
			order[at], order[i] = order[i], order[at]
			next(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	next(0)
}
