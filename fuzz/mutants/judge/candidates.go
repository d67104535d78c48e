package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"strings"

	"phpwire/codec"
	"phpwire/corpus"
	"phpwire/frames"
	"phpwire/fuzz/gen"
)

// candidates draw questions of a kind.
var candidates = map[string]func(r *rand.Rand, cases []corpus.Case) corpus.Question{
	"floatfmt": aboutDoubles, "frames": aboutFrames, "codec": aboutValues,
}

// certain are the questions of a kind that are always tried.
func certain(kind string) (all []corpus.Question) {
	if kind == "floatfmt" {
		for e := -1074; e <= 1023; e++ {
			all = append(all, encode("D-1", codec.Float(math.Ldexp(1, e))))
		}
	}
	if kind == "codec" {
		all = append(all, certainPayloads()...)
	}
	if kind == "frames" {
		for n := range 80 {
			payload := fmt.Sprintf("s:%d:\"%s\";", n, strings.Repeat("x", n))
			all = append(all, read(frames.FromHost, frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReturn, ID: 2, Payload: []byte(payload)})))
		}
		all = append(all, read(frames.FromPHP, frames.AppendRaw(nil, frames.Raw{Tag: frames.TagReleaseRustHandle, Payload: []byte("a:1:{i:0;i:-300;}")})))
		for tag := frames.Tag(0); tag <= 10; tag++ {
			for _, id := range []uint64{0, 1, 2, 3, 11, 12, 256, math.MaxUint64} {
				for _, side := range sides {
					all = append(all, read(side, frames.AppendRaw(nil, frames.Raw{Tag: tag, ID: id, Payload: []byte("a:0:{}")})))
				}
			}
		}
	}
	return all
}

var sides = []frames.Side{frames.FromHost, frames.FromPHP, frames.FromAnyone}

func aboutDoubles(r *rand.Rand, _ []corpus.Case) corpus.Question {
	f := gen.RandomFloat(r)
	if r.Intn(4) == 0 {
		f = edge(r)
	}
	switch r.Intn(6) {
	case 0, 1:
		return encode("D-1", codec.Float(f))
	case 2:
		how := []string{"serialize", "serialize", "serialize", "var_export", "json_encode"}[r.Intn(5)]
		precision := r.Intn(22) - 1
		if r.Intn(2) == 0 {
			f, precision = half(r)
		}
		if r.Intn(10) == 0 {
			precision = []int{40, 100, 765, 766, 767, 768, 1000}[r.Intn(7)]
		}
		input, err := json.Marshal(map[string]any{"bits": fmt.Sprintf("%016x", math.Float64bits(f)), "precision": precision, "how": how})
		if err != nil {
			panic(err) // it is JSON
		}
		return corpus.Question{Op: corpus.Float, Clause: "D-1", Input: input}
	case 3:
		return double(gen.RandomFloatText(r))
	}
	return double(numberText(r))
}

// double is a payload about how a number is read, if it is one.
func double(text string) corpus.Question {
	q := decode("d:" + text + ";")
	if q.Clause == "D-1" || q.Clause == "P-3" {
		q.Clause = "D-4"
	}
	return q
}

// half is a whole number that lies in the middle between two of fewer digits,
// and how many these have.
func half(r *rand.Rand) (f float64, precision int) {
	precision = 1 + r.Intn(15)
	n := math.Pow(10, float64(precision-1))
	if r.Intn(3) > 0 {
		n += math.Trunc(r.Float64() * 9 * n)
	}
	n = math.Trunc(n/10)*10 + []float64{0, 9, float64(r.Intn(10))}[r.Intn(3)]
	f = (n*10 + 5) * math.Pow(10, float64(r.Intn(4)))
	return f, precision + r.Intn(3) - 1
}

// edge is a double where writing turns: whole numbers, powers, halves of few
// digits.
func edge(r *rand.Rand) float64 {
	switch r.Intn(5) {
	case 0:
		return math.Ldexp(1, r.Intn(2098)-1074)
	case 4: // 2^485 is nearly 10^146
		return math.Ldexp(1+r.Float64(), []int{-970, -485, 485, 970}[r.Intn(4)]+52)
	case 1:
		ten := math.Pow(10, float64(r.Intn(19)))
		return ten + float64(r.Intn(41)-20)/8
	case 2:
		digits := r.Intn(15)
		return math.Trunc(r.Float64()*math.Pow(10, float64(digits)))*10 + 5
	}
	return math.Float64frombits(uint64(r.Intn(2047))<<52 | uint64(r.Intn(8)))
}

// numberText is a text of a double: of any digits, or beside the middle between
// two doubles.
func numberText(r *rand.Rand) string {
	sign := []string{"", "", "", "-", "+"}[r.Intn(5)]
	if r.Intn(3) == 0 {
		return sign + middle(r)
	}
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('0' + r.Intn(10))
		}
		switch r.Intn(6) {
		case 0:
			return strings.Repeat("0", n)
		case 1:
			return strings.Repeat("9", n)
		}
		return string(b)
	}
	size := 1 + r.Intn(24)
	if r.Intn(50) == 0 {
		size = 1 + r.Intn(900)
	}
	whole := r.Intn(size + 1)
	text := sign + digits(whole)
	if whole < size || r.Intn(2) == 0 {
		text += "." + digits(size-whole)
	}
	if r.Intn(4) == 0 {
		at := r.Intn(len(text) + 1)
		text = text[:at] + string("0123456789+-.eE/:"[r.Intn(17)]) + text[at:]
	}
	if r.Intn(2) == 0 {
		span := []int{10, 30, 340, 30_000}[r.Intn(4)]
		text += []string{"e", "E", "e-", "E+"}[r.Intn(4)] + fmt.Sprintf("%0*d", 1+r.Intn(5), r.Intn(span))
	}
	return text
}

// middle is the middle between two doubles, in all its digits or a few, or
// something beside it.
func middle(r *rand.Rand) string {
	f := math.Abs(gen.RandomFloat(r))
	next := math.Nextafter(f, math.Inf(1))
	if math.IsInf(next, 0) || f != f {
		return "1"
	}
	sum := new(big.Float).SetPrec(3000).Add(new(big.Float).SetFloat64(f), new(big.Float).SetFloat64(next))
	sum.Quo(sum, big.NewFloat(2))
	if r.Intn(2) == 0 {
		return sum.Text('e', 15+r.Intn(8))
	}
	text := sum.Text('e', 800)
	mantissa, exponent, _ := strings.Cut(text, "e")
	mantissa = strings.TrimRight(mantissa, "0")
	switch r.Intn(4) {
	case 0:
		mantissa += strings.Repeat("0", 800)
	case 1:
		mantissa += strings.Repeat("0", r.Intn(800)) + "1"
	case 2:
		if last := mantissa[len(mantissa)-1]; last > '0' {
			mantissa = mantissa[:len(mantissa)-1] + string(last-1) + "9"
		}
	}
	return mantissa + "e" + exponent
}

func decode(payload string) corpus.Question {
	return corpus.Question{Op: corpus.Decode, Clause: corpus.Suggest([]byte(payload)), Input: []byte(payload)}
}

func encode(clause string, v codec.Value) corpus.Question {
	return corpus.Question{Op: corpus.Encode, Clause: clause, Input: codec.AppendTagged(nil, v)}
}

func aboutFrames(r *rand.Rand, cases []corpus.Case) corpus.Question {
	side := sides[r.Intn(len(sides))]
	switch r.Intn(6) {
	case 5: // a frame, then a part of another
		first, second := pickCase(r, cases, corpus.Read), pickCase(r, cases, corpus.Read)
		cut := second.Input.B64[:r.Intn(len(second.Input.B64)+1)]
		return corpus.Question{Op: corpus.Read, Clause: "F-16", Input: append(bytes.Clone(first.Input.B64), cut...), From: first.From}
	case 0:
		return read(side, gen.RandomValidStream(r, side))
	case 1:
		return read(side, gen.RandomStream(r, side))
	case 2:
		stream, _ := gen.Break(r, gen.RandomValidStream(r, side))
		return read(side, stream)
	case 3: // a frame of the corpus from another side, or changed a little
		c := pickCase(r, cases, corpus.Read)
		stream := bytes.Clone(c.Input.B64)
		if len(stream) > 0 && len(stream) < 500 && r.Intn(2) == 0 {
			stream[r.Intn(len(stream))] += byte(r.Intn(3) - 1)
		}
		return read(side, stream)
	}
	c := pickCase(r, cases, corpus.Write)
	return corpus.Question{Op: corpus.Write, Clause: c.Clause, Input: oneChange(r, c.Input.B64)}
}

func read(side frames.Side, stream []byte) corpus.Question {
	return corpus.Question{Op: corpus.Read, Clause: "F-16", Input: stream, From: corpus.SideName(side)}
}

func pickCase(r *rand.Rand, cases []corpus.Case, op corpus.Op) *corpus.Case {
	for {
		c := &cases[r.Intn(len(cases))]
		if c.Op == op && len(c.Input.B64) < 3000 {
			return c
		}
	}
}

// oneChange changes a text of JSON at one place.
func oneChange(r *rand.Rand, text []byte) []byte {
	words := []string{`"`, `0`, `1`, `-`, `9`, `,`, `null`, `true`, `{}`, `[]`, `"v"`, `"t"`, `:`, `A`, `=`, `a`, `"b64":"NQ=="`, `"x":1,`, `9223372036854775808`}
	b := bytes.Clone(text)
	at := r.Intn(len(b) + 1)
	switch r.Intn(3) {
	case 0:
		return append(append(bytes.Clone(b[:at]), words[r.Intn(len(words))]...), b[at:]...)
	case 1:
		end := min(len(b), at+1+r.Intn(3))
		return append(b[:at], b[end:]...)
	}
	if at < len(b) {
		b[at] = words[r.Intn(len(words))][0]
	}
	return b
}

func aboutValues(r *rand.Rand, cases []corpus.Case) corpus.Question {
	switch r.Intn(10) {
	case 0:
		return decode(string(gen.RandomPayload(r)))
	case 1, 2, 3:
		return decode(siblings(r))
	case 4:
		return decode(string(gen.Mutate(r, pickCase(r, cases, corpus.Decode).Input.B64)))
	case 5:
		return decode(gen.RandomDescriptor(r))
	case 6:
		return encode("V-8", gen.RandomValue(r, gen.Options{}))
	case 7:
		var es []codec.Entry
		for range 1 + r.Intn(4) {
			es = append(es, codec.Entry{Key: gen.RandomKey(r), Value: gen.RandomValue(r, gen.Options{MaxNodes: 3})})
		}
		return encode("V-9", codec.Object(es...))
	case 8:
		return corpus.Question{Op: corpus.Tagged, Clause: "T-1", Input: oneChange(r, codec.AppendTagged(nil, gen.RandomValue(r, gen.Options{})))}
	}
	c := pickCase(r, cases, corpus.Tagged)
	text := bytes.Clone(c.Input.B64)
	if r.Intn(2) == 0 {
		return corpus.Question{Op: corpus.Tagged, Clause: "T-1", Input: []byte(`{"t":"string","b64":"` + nearlyBase64(r) + `"}`)}
	}
	return corpus.Question{Op: corpus.Tagged, Clause: "T-1", Input: oneChange(r, text)}
}

// nearlyBase64 is base64 with one byte changed, left out or added.
func nearlyBase64(r *rand.Rand) string {
	b := make([]byte, r.Intn(20))
	r.Read(b)
	text := []byte(base64.StdEncoding.EncodeToString(b))
	if len(text) == 0 {
		return "="
	}
	at := r.Intn(len(text))
	if r.Intn(2) == 0 {
		at = len(text) - 1 - r.Intn(4)
	}
	switch other := "=-_*@[`{/0 +A9z~"[r.Intn(16)]; r.Intn(4) {
	case 0:
		return string(append(text[:at], text[at+1:]...))
	case 1:
		return string(text[:at]) + string(other) + string(text[at:])
	default:
		text[at] = other
	}
	return string(text)
}

// certainPayloads are payloads long enough for the fast ways of reading, with
// every byte changed, and cut everywhere; ints of every length, texts of many.
func certainPayloads() (all []corpus.Question) {
	for _, base := range []string{
		`N;`, `b:1;`, `b:0;`, `i:5;`, `i:-5;`, `i:1234567;`, `i:12345678;`, `i:123456789012;`, `i:-123456789012345678;`, `i:1234567890123456789;`, `d:0.5;`, `s:1:"a";`, `s:12:"abcdefghijkl";`, `a:0:{}`,
		`a:1:{i:0;N;}`, `a:2:{i:0;i:1234567;i:1;N;}`, `a:3:{i:0;N;i:1;b:1;i:2;s:3:"abc";}`, `a:2:{s:3:"key";i:1;i:7;N;}`, `a:2:{i:-7;N;i:123456789;a:1:{i:0;N;}}`,
		`a:1:{s:8:"__pclass";s:1:"A";}`, `a:3:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`, `a:2:{i:0;a:1:{s:1:"k";i:1;}i:1;a:1:{s:1:"k";i:2;}}`,
	} {
		all = append(all, decode(base))
		for _, long := range []string{base, "a:2:{i:0;" + base + `i:1;s:9:"xxxxxxxxx";}`} {
			for at := range len(long) {
				for _, to := range []byte{long[at] + 1, long[at] - 1, long[at] ^ 0x80, 0, 'O'} {
					all = append(all, decode(long[:at]+string([]byte{to})+long[at+1:]))
				}
				all = append(all, decode(long[:at]))
			}
		}
	}
	for _, text := range []string{"=", "==", "===", "====", "A", "AA", "AAA", "A=", "AA=", "A===", "AB==", "AI==", "AQ==", "AAB=", "AAC=", "AAE=", "AA=A", "=AAA", "AAA>", "AA>>", "AAAA====", "AAAAA===", "AAAAAAAAAAAA", "AAAAAAAAAAAAAAAA"} {
		tagged := func(text string) corpus.Question {
			return corpus.Question{Op: corpus.Tagged, Clause: "T-1", Input: []byte(`{"t":"string","b64":"` + text + `"}`)}
		}
		all = append(all, tagged(text))
		for at := range text {
			all = append(all, tagged(text[:at]+"-"+text[at+1:]), tagged(text[:at]+"é"+text[min(len(text), at+2):]))
		}
	}
	for n := 30; n < 80; n++ {
		all = append(all, decode(fmt.Sprintf("a:1:{s:8:\"__pclass\";a:1:{i:0;s:%d:\"%s\";}}", n, strings.Repeat("x", n))))
	}
	for _, key := range []string{"1:", "1/", ":", "/", "-:", "-1:", "-/", "12:4", "123456789012345678:", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "-0", "00", "0"} {
		all = append(all, decode(fmt.Sprintf("a:1:{s:%d:\"%s\";N;}", len(key), key)))
	}
	digits := "98765432101234567890123"
	for n := 1; n <= 22; n++ {
		for _, text := range []string{digits[:n], "-" + digits[:n], "1" + strings.Repeat("0", n-1), strings.Repeat("9", n), "-" + strings.Repeat("9", n), "0" + digits[:n]} {
			all = append(all, decode("i:"+text+";"), decode("a:2:{i:"+text+`;N;i:1;s:16:"xxxxxxxxxxxxxxxx";}`), decode("a:2:{i:0;i:"+text+`;i:1;s:16:"xxxxxxxxxxxxxxxx";}`))
		}
	}
	for n := range 130 {
		text := strings.Repeat("x", n)
		all = append(all, encode("S-1", codec.String(text)), decode(fmt.Sprintf("a:2:{s:%d:\"%s\";N;i:1;N;}", n, text)))
	}
	return all
}

// siblings is a list of arrays whose keys are drawn from few, so that many are
// alike and many repeat.
func siblings(r *rand.Rand) string {
	keys := []string{"i:0;", "i:1;", "i:2;", "i:9;", "i:7;", `s:1:"x";`, `s:1:"y";`, `s:2:"zz";`, "i:-3;", `s:1:"5";`, "i:05;"}
	array := func(n int) string {
		var b strings.Builder
		for i := range n {
			key := keys[r.Intn(len(keys))]
			if n > 8 {
				key = fmt.Sprintf("i:%d;", r.Intn(3*n))
			}
			if r.Intn(3) == 0 {
				key = fmt.Sprintf("i:%d;", i)
			}
			b.WriteString(key + []string{"N;", "b:1;", "i:5;", "a:0:{}"}[r.Intn(4)])
		}
		return fmt.Sprintf("a:%d:{%s}", n, b.String())
	}
	handle := `a:3:{s:9:"__rhandle";i:1;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;}`
	one := array(1 + r.Intn(5))
	var b strings.Builder
	n := 2 + r.Intn(3)
	for i := range n {
		item := one
		switch r.Intn(8) {
		case 0, 1, 2:
			item = array(1 + r.Intn(5))
		case 3:
			item = array(8 + r.Intn(6))
		case 4:
			item = handle
		case 5: // the same, and one more
			var elements int
			if _, err := fmt.Sscanf(one, "a:%d:{", &elements); err == nil {
				item = fmt.Sprintf("a:%d:{%s%sN;}", elements+1, one[len("a:1:{"):len(one)-1], keys[r.Intn(len(keys))])
			}
		}
		fmt.Fprintf(&b, "i:%d;%s", i, item)
	}
	return fmt.Sprintf("a:%d:{%s}", n, b.String())
}
