package gen_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/fuzz/gen"
)

// mistaken is a decoder for the Plugin profile that makes a mistake: the functions
// that are set replace what would be right.
type mistaken struct {
	text   func(s string) (value codec.Value)                  // of a string that is a value
	key    func(s string) codec.Key                            // of a string that is a key
	bytes  func(digits string, rest []byte) int                // of a string's text, of which so many are said to be there
	count  func(n int) int                                     // of elements to read, where n are counted
	array  func(raw []codec.Entry, v codec.Value) *codec.Value // what becomes of an array; nil refuses it
	value  func(v codec.Value, token string) *codec.Value      // what becomes of a scalar
	behind string                                              // what is taken behind a value
	limit  int                                                 // of depth
}

type parser struct {
	mistaken
	rest []byte
}

var errMistaken = fmt.Errorf("refused")

func (m mistaken) decode(payload []byte) (v codec.Value, err error) {
	p := parser{m, payload}
	defer func() {
		if r := recover(); r == errMistaken {
			err = errMistaken
		} else if r != nil {
			panic(r)
		}
	}()
	v = p.next(1)
	p.must(len(p.rest) == 0 || m.behind != "" && strings.HasPrefix(string(p.rest), m.behind))
	return v, nil
}

func (p *parser) must(right bool) {
	if !right {
		panic(errMistaken)
	}
}

func (p *parser) expect(s string) {
	p.must(bytes.HasPrefix(p.rest, []byte(s)))
	p.rest = p.rest[len(s):]
}

func (p *parser) digits(end string) string {
	n := 0
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	p.must(n > 0 && n < 10)
	digits := string(p.rest[:n])
	p.rest = p.rest[n:]
	p.expect(end)
	return digits
}

func (p *parser) next(depth int) codec.Value {
	p.must(len(p.rest) > 0)
	switch p.rest[0] {
	case 's':
		s := p.str()
		if p.text != nil {
			return p.text(s)
		}
		return codec.String(s)
	case 'a':
		return p.container(depth)
	}
	end := bytes.IndexByte(p.rest, ';') + 1
	token := p.rest[:end]
	v, err := codec.Decode(token, codec.Plugin)
	p.must(err == nil)
	p.rest = p.rest[end:]
	if p.value != nil {
		changed := p.value(v, string(token))
		p.must(changed != nil)
		return *changed
	}
	return v
}

func (p *parser) str() string {
	p.expect("s:")
	digits := p.digits(`:"`)
	n, _ := strconv.Atoi(digits)
	if p.bytes != nil {
		n = p.bytes(digits, p.rest)
	}
	p.must(n <= len(p.rest))
	s := string(p.rest[:n])
	p.rest = p.rest[n:]
	p.expect(`";`)
	return s
}

func (p *parser) container(depth int) codec.Value {
	p.must(depth <= codec.MaxDepth && (p.limit == 0 || depth <= p.limit))
	p.expect("a:")
	n, _ := strconv.Atoi(p.digits(":{"))
	if p.count != nil {
		n = p.count(n)
	}
	var raw []codec.Entry
	for range n {
		var k codec.Key
		p.must(len(p.rest) > 0)
		if p.rest[0] == 's' {
			s := p.str()
			if k = codec.StringKey(s); p.key != nil {
				k = p.key(s)
			}
		} else {
			i, isInt := p.next(depth).Int()
			p.must(isInt)
			k = codec.IntKey(i)
		}
		raw = append(raw, codec.Entry{Key: k, Value: p.next(depth + 1)})
	}
	p.expect("}")
	v := codec.Array(append([]codec.Entry{}, raw...)...)
	if p.array != nil {
		changed := p.array(raw, v)
		p.must(changed != nil)
		return *changed
	}
	return v
}

// difference is the kind of a finding: who accepts, or that the values differ.
func (m mistaken) difference(payload []byte) string {
	right, rightErr := codec.Decode(payload, codec.Plugin)
	var e *codec.Error
	if errors.As(rightErr, &e) && e.Kind == codec.Reserved || anyNode(right, func(v codec.Value) bool { return v.Kind() > codec.KindObject }) {
		return "" // the mistaken decoder knows no handles
	}
	wrong, wrongErr := m.decode(payload)
	switch {
	case rightErr != nil && wrongErr != nil:
		return ""
	case wrongErr != nil:
		return "refuses"
	case rightErr != nil:
		return "accepts"
	case !right.Equal(wrong):
		return "differs"
	}
	return ""
}

func as(v codec.Value) *codec.Value { return &v }

func text(k codec.Key) string { s, _ := k.Text(); return s }

// repeats tells where an entry repeats the key of an earlier one.
func repeats(raw []codec.Entry) (first, again int) {
	for again := range raw {
		for first := range again {
			if raw[first].Key.Equal(raw[again].Key) {
				return first, again
			}
		}
	}
	return -1, -1
}

// plantedInDecoder are mistakes, the payload that shows each among others, and how
// long the smallest payload is that does.
var plantedInDecoder = []struct {
	name  string
	wrong mistaken
	shows string
	most  int
}{
	{"a repeated key keeps its first value", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		if i, j := repeats(raw); i >= 0 {
			raw[j].Value = raw[i].Value
		}
		return as(codec.Array(raw...))
	}}, `a:5:{s:3:"abc";i:1;s:4:"name";i:2;s:3:"xyz";d:0.5;s:4:"name";a:1:{i:0;b:1;}i:77;N;}`, 20},
	{"a repeated key is refused", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		if i, _ := repeats(raw); i >= 0 {
			return nil
		}
		return &v
	}}, `a:5:{s:3:"abc";i:1;s:4:"name";i:2;s:3:"xyz";d:0.5;s:4:"name";a:1:{i:0;b:1;}i:77;N;}`, 18},
	{"a repeated string key is refused", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		if i, _ := repeats(raw); i >= 0 && !raw[i].Key.IsInt() {
			return nil
		}
		return &v
	}}, `a:5:{s:3:"abc";i:1;s:14:"a longer name.";i:2;s:3:"xyz";d:0.5;s:14:"a longer name.";a:1:{i:0;b:1;}i:77;N;}`, 24},
	{"a repeated key moves to the end", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		if i, j := repeats(raw); i >= 0 {
			raw = append(append(append([]codec.Entry{}, raw[:i]...), raw[i+1:]...), raw[j])
		}
		return as(codec.Array(raw...))
	}}, `a:5:{s:3:"abc";i:1;s:4:"name";i:2;s:3:"xyz";d:0.5;s:4:"name";a:1:{i:0;b:1;}i:77;N;}`, 24},
	{"the keys 5 and \"5\" are two", mistaken{key: func(s string) codec.Key {
		if codec.StringKey(s).IsInt() {
			return codec.StringKey("int " + s)
		}
		return codec.StringKey(s)
	}, array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		right := make([]codec.Entry, len(raw))
		for i, e := range raw {
			right[i] = codec.Entry{Key: codec.StringKey(strings.TrimPrefix(text(e.Key), "int ")), Value: e.Value}
			if e.Key.IsInt() {
				right[i].Key = e.Key
			}
		}
		if i, j := repeats(right); i >= 0 && raw[i].Key.IsInt() != raw[j].Key.IsInt() {
			return nil
		}
		return as(codec.Array(right...))
	}}, `a:5:{s:3:"abc";i:1;i:1234567;i:2;s:3:"xyz";d:0.5;s:7:"1234567";a:1:{i:0;b:1;}i:77;N;}`, 23},
	{"the key \"05\" is an int", mistaken{key: func(s string) codec.Key {
		if trimmed := strings.TrimLeft(s, "0"); trimmed != s && trimmed != "" {
			return codec.StringKey(trimmed)
		}
		return codec.StringKey(s)
	}}, `a:3:{i:7;N;s:7:"0012345";a:2:{i:0;i:5;i:1;d:0.25;}s:1:"k";N;}`, 17},
	{"the key \"-0\" is an int", mistaken{key: func(s string) codec.Key {
		if s == "-0" {
			return codec.IntKey(0)
		}
		return codec.StringKey(s)
	}}, `a:3:{i:7;N;s:2:"-0";a:2:{i:0;i:5;i:1;d:0.25;}s:1:"k";N;}`, 17},
	{"an empty key is lost", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		for i, e := range raw {
			if s, isText := e.Key.Text(); isText && s == "" {
				return as(codec.Array(append(append([]codec.Entry{}, raw[:i]...), raw[i+1:]...)...))
			}
		}
		return &v
	}}, `a:3:{i:7;N;s:0:"";a:2:{i:0;i:5;i:1;d:0.25;}s:1:"k";N;}`, 15},
	{"lengths count characters", mistaken{bytes: func(digits string, rest []byte) int {
		n, _ := strconv.Atoi(digits)
		at := 0
		for range n {
			_, size := utf8.DecodeRune(rest[at:])
			at += size
		}
		return at
	}}, `a:1:{s:5:"title";s:29:"Die schöne Müllerin, op. 25";}`, 9},
	{"of a length only two digits are read", mistaken{bytes: func(digits string, _ []byte) int {
		n, _ := strconv.Atoi(digits[:min(2, len(digits))])
		return n
	}}, `a:1:{i:0;s:120:"` + strings.Repeat("0123456789", 12) + `";}`, 109},
	{"a string ends at \";", mistaken{bytes: func(digits string, rest []byte) int {
		n, _ := strconv.Atoi(digits)
		if end := bytes.Index(rest, []byte(`";`)); end >= 0 {
			return min(n, end)
		}
		return n
	}}, `a:1:{i:0;s:31:"a text with "; in it, and more.";}`, 10},
	{"a string loses a NUL at its end", mistaken{text: func(s string) codec.Value { return codec.String(strings.TrimRight(s, "\x00")) }},
		"a:2:{i:3;s:12:\"some bytes\x00\x00\";i:5;N;}", 8},
	{"a string of digits is an int", mistaken{text: func(s string) codec.Value {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return codec.Int(n)
		}
		return codec.String(s)
	}}, `a:2:{i:3;s:6:"123456";i:5;N;}`, 8},
	{"ints go through a double", mistaken{value: func(v codec.Value, _ string) *codec.Value {
		if n, isInt := v.Int(); isInt && (n > 1<<53 || n < -1<<53) {
			return as(codec.Int(int64(float64(n))))
		}
		return &v
	}}, `a:2:{i:3;i:-1234567890123456789;i:5;N;}`, 19},
	{"a plus sign is refused", mistaken{value: func(v codec.Value, token string) *codec.Value {
		if strings.HasPrefix(token, "i:+") {
			return nil
		}
		return &v
	}}, `a:2:{i:3;i:+00123;i:5;N;}`, 5},
	{"minus zero is zero", mistaken{value: func(v codec.Value, _ string) *codec.Value {
		if f, isFloat := v.Float(); isFloat && f == 0 {
			return as(codec.Float(0))
		}
		return &v
	}}, `a:2:{i:3;d:-0.00;i:5;N;}`, 5},
	{"exponents end at 300", mistaken{value: func(v codec.Value, _ string) *codec.Value {
		if f, isFloat := v.Float(); isFloat && math.Abs(f) > 1e300 && !math.IsInf(f, 0) {
			return as(codec.Float(math.Inf(1)))
		}
		return &v
	}}, `a:2:{i:3;d:-1.2345678901234567E+305;i:5;N;}`, 8},
	{"fractions have 15 digits", mistaken{value: func(v codec.Value, token string) *codec.Value {
		f, isFloat := v.Float()
		if isFloat && strings.Contains(token, ".") {
			f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
			return as(codec.Float(f))
		}
		return &v
	}}, `a:2:{i:3;d:0.30000000000000004;i:5;N;}`, 20},
	{"a count may be one too small", mistaken{count: func(n int) int { return n - n/3 }},
		`a:3:{i:3;N;s:3:"abc";i:4;i:5;N;}`, 24},
	{"the tenth element is lost", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		return as(codec.Array(raw[:min(len(raw), 9)]...))
	}}, `a:12:{i:3;N;i:4;b:0;i:5;s:1:"a";i:6;N;i:7;N;i:8;N;i:9;N;i:10;N;i:11;N;i:12;N;i:13;N;s:5:"thing";d:0.5;}`, 67},
	{"more follows after a brace", mistaken{behind: "}"}, `a:1:{i:0;a:2:{i:0;s:3:"abc";i:1;N;}}`, 3},
	{"six levels are too deep", mistaken{limit: 5}, `a:1:{s:3:"key";a:1:{i:7;a:2:{i:0;i:5;i:1;a:1:{i:0;a:1:{s:1:"a";a:1:{i:0;N;}}}}}}`, 56},
	{"an element like its key is null", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		for i, e := range raw {
			if s, isText := e.Value.Text(); isText && !e.Key.IsInt() && s == text(e.Key) {
				raw[i].Value = codec.Null()
			}
		}
		return as(codec.Array(raw...))
	}}, `a:2:{i:3;N;s:10:"some words";s:10:"some words";}`, 22},
	{"the second of two equal strings is null", mistaken{array: func(raw []codec.Entry, v codec.Value) *codec.Value {
		seen := map[string]bool{}
		for i, e := range raw {
			if s, isText := e.Value.Text(); isText {
				if seen[s] && len(s) > 2 {
					raw[i].Value = codec.Null()
				}
				seen[s] = true
			}
		}
		return as(codec.Array(raw...))
	}}, `a:3:{i:3;s:10:"some words";i:4;N;i:5;s:10:"some words";}`, 35},
}

// noise10k is a valid payload of about 10 kB with the given one somewhere in it.
func noise10k(t *testing.T, seed int64, inside string) []byte {
	r := gen.NewRand(seed)
	var elements []string
	size := 0
	for size < 10_000 {
		b, err := codec.Encode(gen.RandomValue(r, gen.Options{MaxNodes: 60, MaxDepth: 4, Without: gen.Handles}))
		require.NoError(t, err)
		elements = append(elements, string(b))
		size += len(b)
	}
	elements[r.Intn(len(elements))] = `a:2:{s:5:"inner";N;i:9;` + inside + `}`
	var b strings.Builder
	fmt.Fprintf(&b, "a:%d:{", len(elements))
	for i, e := range elements {
		fmt.Fprintf(&b, "s:%d:\"element %d\";%s", len(strconv.Itoa(i))+8, i, e)
	}
	b.WriteByte('}')
	return []byte(b.String())
}

func TestShrinkPlantedMistakes(t *testing.T) {
	for _, tc := range plantedInDecoder {
		t.Run(tc.name, func(t *testing.T) {
			kind := tc.wrong.difference([]byte(tc.shows + tc.wrong.behind))
			require.NotEmpty(t, kind, "%s does not show the mistake", tc.shows)
			for seed := range int64(3) {
				payload := append(noise10k(t, seed, tc.shows), tc.wrong.behind...)
				kind := tc.wrong.difference(payload)
				require.NotEmpty(t, kind)
				began, asked := processorTime(t), 0
				small, err := gen.Shrink(payload, gen.SmallerPayloads, func(batch [][]byte) (int, error) {
					asked += len(batch)
					for i, b := range batch {
						if tc.wrong.difference(b) == kind {
							return i, nil
						}
					}
					return -1, nil
				}, many)
				require.NoError(t, err)
				took := processorTime(t) - began
				assert.Less(t, took, slow)
				t.Logf("%d bytes to %d in %v, %d asked: %s", len(payload), len(small), took.Round(time.Millisecond), asked, small)
				assert.LessOrEqual(t, len(small), tc.most, "%s", small)
			}
		})
	}
}

// everywhere calls look with every value in v, and the values that its handles
// stand for.
func everywhere(v codec.Value, look func(codec.Value)) {
	nodes(v, 1, func(v codec.Value, _ int) { look(v) })
}

// plantedInEncoder are faults of an encoder, a value that shows each among others,
// and how long the payload of the smallest value is that does.
var plantedInEncoder = []struct {
	name  string
	wrong func(codec.Value) bool
	shows codec.Value
	most  int
}{
	{"a string that was written before", func(v codec.Value) bool {
		return repeated(v, func(v codec.Value) (string, bool) { s, ok := v.Text(); return s, ok && len(s) > 2 })
	}, codec.List(codec.String("some words"), codec.Int(5), codec.List(codec.String("some words"))), 36},
	{"an int that was written before", func(v codec.Value) bool {
		return repeated(v, func(v codec.Value) (string, bool) { n, ok := v.Int(); return strconv.FormatInt(n, 10), ok && n > 999 })
	}, codec.List(codec.Int(1234567), codec.Int(5), codec.List(codec.Int(1234567))), 30},
	{"a value like its key", func(v codec.Value) bool {
		found := false
		everywhere(v, func(v codec.Value) {
			for k, e := range v.All() {
				s, isText := e.Text()
				found = found || isText && len(s) > 0 && s == text(k)
			}
		})
		return found
	}, codec.Array(codec.Entry{Key: codec.StringKey("a name"), Value: codec.String("a name")}), 22},
	{"a key that was written before", func(v codec.Value) bool {
		keys := map[string]int{}
		everywhere(v, func(v codec.Value) {
			for k := range v.All() {
				if s := text(k); s != "" {
					keys[s]++
				}
			}
		})
		for _, n := range keys {
			if n > 1 {
				return true
			}
		}
		return false
	}, codec.Array(codec.Entry{Key: codec.StringKey("name"), Value: codec.Array(codec.Entry{Key: codec.StringKey("name"), Value: codec.Int(5)})}), 32},
	{"two handles with one number", func(v codec.Value) bool {
		return repeated(v, func(v codec.Value) (string, bool) { h, ok := v.RustHandle(); return strconv.FormatInt(h.ID, 10), ok })
	}, codec.List(codec.NewRustHandle(codec.RustHandle{ID: 77, Class: "Class", Epoch: 99}), codec.NewRustHandle(codec.RustHandle{ID: 77, Class: "Class", Epoch: 98})), 145},
	{"a class that was named before", func(v codec.Value) bool {
		return repeated(v, func(v codec.Value) (string, bool) { h, ok := v.RustHandle(); return h.Class, ok && len(h.Class) > 0 })
	}, codec.List(codec.NewRustHandle(codec.RustHandle{ID: 77, Class: "Class", Epoch: 99}), codec.NewRustHandle(codec.RustHandle{ID: 78, Class: "Class", Epoch: 98})), 147},
	{"a string of ten bytes", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool { s, ok := v.Text(); return ok && len(s) > 9 })
	}, codec.List(codec.String("The quick brown fox")), 18},
	{"a property that is an int", func(v codec.Value) bool {
		return anyNode(v, func(v codec.Value) bool {
			for k := range v.All() {
				if v.Kind() == codec.KindObject && k.IsInt() {
					return true
				}
			}
			return false
		})
	}, codec.Object(codec.Entry{Key: codec.StringKey("a"), Value: codec.Int(1)}, codec.Entry{Key: codec.IntKey(12345), Value: codec.Int(1)}), 12},
}

// repeated tells whether what is told of the values in v is told of two alike.
func repeated(v codec.Value, tell func(codec.Value) (string, bool)) bool {
	seen := map[string]int{}
	again := false
	everywhere(v, func(v codec.Value) {
		if s, ok := tell(v); ok {
			seen[s]++
			again = again || seen[s] > 1
		}
	})
	return again
}

func TestShrinkPlantedInEncoder(t *testing.T) {
	for _, tc := range plantedInEncoder {
		t.Run(tc.name, func(t *testing.T) {
			require.True(t, tc.wrong(tc.shows))
			for seed := range int64(3) {
				r := gen.NewRand(seed)
				var es []codec.Entry
				for size := 0; size < 10_000; {
					v := gen.RandomValue(r, gen.Options{MaxNodes: 60, MaxDepth: 4, Without: gen.Handles})
					size += len(encode(t, v))
					es = append(es, codec.Entry{Key: codec.StringKey(fmt.Sprint("element ", len(es))), Value: v})
				}
				es[r.Intn(len(es))].Value = codec.List(codec.Null(), tc.shows)
				began, asked := processorTime(t), 0
				small, err := gen.Shrink(codec.Array(es...), gen.SmallerValues, func(batch []codec.Value) (int, error) {
					asked += len(batch)
					for i, v := range batch {
						if tc.wrong(v) {
							return i, nil
						}
					}
					return -1, nil
				}, many)
				require.NoError(t, err)
				took := processorTime(t) - began
				assert.Less(t, took, slow)
				b := encode(t, small)
				t.Logf("to %d in %v, %d asked: %s", len(b), took.Round(time.Millisecond), asked, b)
				assert.LessOrEqual(t, len(b), tc.most, "%s", b)
			}
		})
	}
}

// plantedInReader are faults of who handles frames, the frames that show each, and
// how long the smallest stream is that does.
var plantedInReader = []struct {
	name  string
	wrong func([]frames.Frame) bool
	shows []frames.Frame
	most  int
}{
	{"a handle is released twice", func(fs []frames.Frame) bool {
		released := map[int64]bool{}
		for _, f := range fs {
			if f, ok := f.(frames.ReleasePhpHandle); ok {
				if released[f.Handle] {
					return true
				}
				released[f.Handle] = true
			}
		}
		return false
	}, []frames.Frame{frames.ReleasePhpHandle{Handle: 1234567}, frames.ReleasePhpHandle{Handle: 1234567}}, 62},
	{"two calls have one id", func(fs []frames.Frame) bool {
		ids := map[uint64]bool{}
		for _, f := range fs {
			if f, ok := f.(frames.CallFunction); ok {
				if ids[f.ID] {
					return true
				}
				ids[f.ID] = true
			}
		}
		return false
	}, []frames.Frame{
		frames.CallFunction{ID: 12345, Function: "strlen", Args: []codec.Value{codec.String("text")}},
		frames.CallFunction{ID: 12345, Function: "strrev", Args: []codec.Value{codec.String("text")}},
	}, 118},
	{"a class is named by two calls", func(fs []frames.Frame) bool {
		classes := map[string]bool{}
		for _, f := range fs {
			if f, ok := f.(frames.NewObject); ok && f.Class != "" {
				if classes[f.Class] {
					return true
				}
				classes[f.Class] = true
			}
		}
		return false
	}, []frames.Frame{frames.NewObject{ID: 5, Class: "A\\Name"}, frames.NewObject{ID: 7, Class: "A\\Name"}}, 100},
	{"a call has ten arguments", func(fs []frames.Frame) bool {
		for _, f := range fs {
			if f, ok := f.(frames.CallFunction); ok && len(f.Args) >= 10 {
				return true
			}
		}
		return false
	}, []frames.Frame{frames.CallFunction{ID: 12345, Function: "max", Args: make([]codec.Value, 12)}}, 115},
}

func readAll(stream []byte) (fs []frames.Frame) {
	r := frames.NewReader(bytes.NewReader(stream), frames.FromHost)
	for {
		f, err := r.Read()
		if err != nil {
			return fs
		}
		fs = append(fs, f)
	}
}

func TestShrinkPlantedInReader(t *testing.T) {
	for _, tc := range plantedInReader {
		t.Run(tc.name, func(t *testing.T) {
			require.True(t, tc.wrong(tc.shows))
			for seed := range int64(3) {
				r := gen.NewRand(seed)
				var stream []byte
				add := func(f frames.Frame) {
					b, err := frames.Append(nil, f)
					require.NoError(t, err)
					if len(b) < 1000 {
						stream = append(stream, b...)
					}
				}
				for _, f := range tc.shows {
					for end := len(stream) + 10_000/(1+len(tc.shows)); len(stream) < end; {
						add(gen.RandomFrame(r, frames.FromHost))
					}
					add(f)
				}
				for len(stream) < 10_000 {
					add(gen.RandomFrame(r, frames.FromHost))
				}
				began, asked := processorTime(t), 0
				small, err := gen.Shrink(stream, gen.SmallerStreams, func(batch [][]byte) (int, error) {
					asked += len(batch)
					for i, b := range batch {
						if tc.wrong(readAll(b)) {
							return i, nil
						}
					}
					return -1, nil
				}, many)
				require.NoError(t, err)
				took := processorTime(t) - began
				assert.Less(t, took, slow)
				t.Logf("%d bytes to %d in %v, %d asked: %q", len(stream), len(small), took.Round(time.Millisecond), asked, small)
				assert.LessOrEqual(t, len(small), tc.most, "%q", small)
			}
		})
	}
}
