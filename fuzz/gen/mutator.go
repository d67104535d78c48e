package gen

import (
	"bytes"
	"math/big"
	"math/rand"
	"strconv"
	"strings"

	"phpwire/codec"
)

// mutator changes one thing of a payload that was taken apart. Its methods
// return the new payload, or nil where there is nothing to change.
type mutator struct {
	r *rand.Rand
	*payload
}

// find draws a part that fits, or returns -1.
func (m *mutator) find(fits func(i int) bool) int {
	n := len(m.parts)
	if n == 0 {
		return -1
	}
	first := m.r.Intn(n)
	for i := range n {
		if at := (first + i) % n; fits(at) {
			return at
		}
	}
	return -1
}

func (m *mutator) findKind(kinds ...codec.TokenKind) int {
	return m.find(func(i int) bool {
		for _, k := range kinds {
			if m.parts[i].is(k) {
				return true
			}
		}
		return false
	})
}

func (m *mutator) findValue() int { return m.find(func(i int) bool { return m.parts[i].value() }) }

func (m *mutator) findElement() int { return m.find(m.element) }

// replace returns the payload with src[from:to] replaced.
func (m *mutator) replace(from, to int, with string) []byte {
	return edited(m.src, edit{from, to, []byte(with)})
}

// replaceValue puts a text in the place of any value.
func (m *mutator) replaceValue(with string) []byte {
	i := m.findValue()
	if i < 0 {
		return nil
	}
	return m.replace(m.parts[i].Start, m.end(i), with)
}

func (m *mutator) changeCount() []byte {
	i := m.findKind(codec.TokenArray, codec.TokenObject)
	if i < 0 {
		return nil
	}
	from, to := m.parts[i].count()
	return m.replace(from, to, otherLength(m.r, m.parts[i].Count))
}

func (m *mutator) changeLength() []byte {
	i := m.findKind(codec.TokenString, codec.TokenEscaped)
	if i < 0 {
		return nil
	}
	from, to := m.parts[i].number()
	return m.replace(from, to, otherLength(m.r, m.parts[i].To-m.parts[i].From))
}

// wraps are what a length is raised by to be the same to a machine that counts
// in 8, 16, 31, 32 or 64 bits.
var wraps = []string{
	"256", "65536", "2147483648", "4294967296", "8589934592", "9223372036854775808", "18446744073709551616",
	"340282366920938463463374607431768211456",
}

var hugeLengths = []string{
	"2147483646", "2147483647", "2147483648", "4294967295", "4294967296", "9999999999", "9223372036854775807",
	"9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999",
	"-1", "", " 1", "0x1", "1e1", "1.0", "-0",
}

// otherLength returns the text of a length or count other than n: often by one.
func otherLength(r *rand.Rand, n int) string {
	switch r.Intn(6) {
	case 0, 1:
		return strconv.Itoa(n + 1)
	case 2, 3:
		return strconv.Itoa(n - 1)
	case 4:
		return plus(pick(r, wraps), n)
	}
	return pick(r, hugeLengths)
}

func plus(text string, n int) string {
	sum, _ := new(big.Int).SetString(text, 10)
	return sum.Add(sum, big.NewInt(int64(n))).String()
}

// findNumber draws a part with a number: often an int or a float, of which more
// spellings are accepted than of a length.
func (m *mutator) findNumber() int {
	if m.r.Intn(4) > 0 {
		if i := m.findKind(codec.TokenInt, codec.TokenFloat); i >= 0 {
			return i
		}
	}
	return m.find(func(i int) bool { from, to := m.parts[i].number(); return from < to })
}

func (m *mutator) changeSign() []byte {
	i := m.findNumber()
	if i < 0 {
		return nil
	}
	from, to := m.parts[i].number()
	sign := pick(m.r, []string{"+", "+", "+", "-", "-", "-", "--", "+-", " ", "+ "})
	if c := m.src[from]; from < to && (c == '-' || c == '+') {
		return m.replace(from, from+1, pick(m.r, []string{"", "+", "-", sign}))
	}
	return m.replace(from, from, sign)
}

func (m *mutator) addZeros() []byte {
	i := m.find(func(i int) bool { from, to := m.parts[i].number(); return from < to })
	if i < 0 {
		return nil
	}
	zeros := "000"[:1+m.r.Intn(3)]
	if oneIn(m.r, 8) {
		zeros = strings.Repeat("0", m.r.Intn(30))
	}
	from, to := m.parts[i].number()
	if m.parts[i].Kind == codec.TokenFloat && coin(m.r) {
		return m.replace(to, to, zeros)
	}
	if c := m.src[from]; c == '-' || c == '+' {
		from++
	}
	return m.replace(from, from, zeros)
}

var intTexts = []string{
	"0", "-0", "+0", "1", "-1", "9223372036854775806", "9223372036854775807", "9223372036854775808", "-9223372036854775807",
	"-9223372036854775808", "-9223372036854775809", "+9223372036854775807", "+9223372036854775808", "09223372036854775807",
	"000000000000000000000000000005", "18446744073709551615", "18446744073709551616", "18446744073709551617", "-18446744073709551615",
	"36893488147419103232", "99999999999999999999999", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
	"", "-", "+", "1.0", "1e1", "0x1", "0b1", "1 ", " 1", "1_0", "５", "1,", "NAN",
}

func (m *mutator) changeInt() []byte {
	i := m.findKind(codec.TokenInt, codec.TokenReference, codec.TokenAlias)
	if i < 0 {
		return m.replaceValue("i:" + pick(m.r, intTexts) + ";")
	}
	from, to := m.parts[i].number()
	if coin(m.r) {
		return m.replace(from, to, strconv.FormatInt(RandomInt(m.r), 10))
	}
	return m.replace(from, to, pick(m.r, intTexts))
}

func (m *mutator) respellFloat() []byte {
	i := m.findKind(codec.TokenFloat)
	if i < 0 || oneIn(m.r, 4) {
		return m.replaceValue("d:" + RandomFloatText(m.r) + ";")
	}
	from, to := m.parts[i].number()
	return m.replace(from, to, respelled(m.r, string(m.src[from:to])))
}

func (m *mutator) findKey() int { return m.find(func(i int) bool { return m.parts[i].key }) }

// keyText returns what the key at part i means as a text.
func (m *mutator) keyText(i int) string {
	k := &m.parts[i]
	if k.Kind == codec.TokenInt {
		return strconv.FormatInt(k.Int, 10)
	}
	return string(m.src[k.From:k.To])
}

var noKeys = []string{"N;", "b:1;", "b:0;", "d:1;", "d:0.5;", "a:0:{}", "a:1:{i:0;N;}", `S:1:"a";`, `S:1:"5";`, `O:1:"A":0:{}`, "R:1;", "r:1;", `E:3:"A:B";`}

func (m *mutator) retypeKey() []byte {
	i := m.findKey()
	if i < 0 {
		return nil
	}
	k, text := &m.parts[i], m.keyText(i)
	with := pick(m.r, noKeys)
	if oneIn(m.r, 3) {
		return m.replace(k.Start, k.End, with)
	}
	if k.Kind == codec.TokenInt {
		with = stringToken(text)
	} else if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		with = "i:" + text + ";"
	} else {
		with = "i:" + strconv.Itoa(m.r.Intn(8)) + ";"
	}
	return m.replace(k.Start, k.End, with)
}

func (m *mutator) respellKey() []byte {
	i := m.findKey()
	if i < 0 {
		return nil
	}
	with := stringToken(RandomKeyText(m.r))
	if oneIn(m.r, 4) {
		with = "i:" + pick(m.r, intTexts) + ";"
	}
	return m.replace(m.parts[i].Start, m.parts[i].End, with)
}

func stringToken(text string) string { return "s:" + strconv.Itoa(len(text)) + `:"` + text + `";` }

// siblings draws two different elements of one array, in order, or returns -1.
func (m *mutator) siblings() (i, j int) {
	i = m.findElement()
	if i < 0 {
		return -1, -1
	}
	j = m.find(func(j int) bool { return j != i && m.parts[j].open == m.parts[i].open && m.element(j) })
	if j < 0 {
		return -1, -1
	}
	return min(i, j), max(i, j)
}

func (m *mutator) repeatKey() []byte {
	i, j := m.siblings()
	if i < 0 {
		return m.doubleElement()
	}
	if coin(m.r) {
		i, j = j, i
	}
	with := m.src[m.parts[i].Start:m.parts[i].End]
	if oneIn(m.r, 3) {
		if text := m.keyText(i); m.parts[i].Kind == codec.TokenInt {
			with = []byte(stringToken(text))
		} else if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			with = []byte("i:" + text + ";")
		}
	}
	return edited(m.src, edit{m.parts[j].Start, m.parts[j].End, with})
}

func (m *mutator) changeText() []byte {
	i := m.findKind(codec.TokenString)
	if i < 0 {
		return m.replaceValue(stringToken(randomText(m.r)))
	}
	s := &m.parts[i]
	text := m.src[s.From:s.To]
	switch m.r.Intn(6) {
	case 0: // one byte, with the length kept
		if len(text) > 0 {
			at := s.From + m.r.Intn(len(text))
			return m.replace(at, at+1, pick(m.r, []string{`"`, ";", "}", "\x00", "\xff", "0", "a", "\\"}))
		}
	case 1: // what a careless reader takes for the end
		return m.replace(s.Start, s.End, stringToken(string(text)+pick(m.r, punctuation)))
	case 2: // without the length
		return m.replace(s.From, s.To, randomText(m.r))
	case 3:
		return m.replace(s.From+m.r.Intn(len(text)+1), s.To, "")
	}
	return m.replace(s.Start, s.End, stringToken(randomText(m.r)))
}

func (m *mutator) breakTerminator() []byte {
	i := m.find(func(i int) bool { return !m.parts[i].junk })
	if i < 0 {
		return nil
	}
	p := &m.parts[i]
	places := [6]int{p.End - 1, p.End - 1, p.Start + 1, p.End - 2, p.From - 1, p.To}
	n := 4
	if p.To > p.From || p.Kind == codec.TokenString {
		n = 6
	}
	at := max(min(places[m.r.Intn(n)], p.End-1), p.Start)
	switch m.r.Intn(4) {
	case 0:
		return m.replace(at, at+1, "")
	case 1:
		return m.replace(at, at, string(m.src[at]))
	}
	return m.replace(at, at+1, pick(m.r, []string{";", ":", `"`, "{", "}", "'", " ", ",", "\x00", "=", "\n"}))
}

func (m *mutator) changeTag() []byte {
	i := m.find(func(i int) bool { return !m.parts[i].junk })
	if i < 0 {
		return nil
	}
	at := m.parts[i].Start
	if m.parts[i].Kind == codec.TokenInt && coin(m.r) {
		return m.replace(at, at+1, "d") // a number all the same
	}
	if oneIn(m.r, 4) {
		return m.replace(at, at+1, string(m.src[at]^0x20))
	}
	return m.replace(at, at+1, pick(m.r, []string{"N", "b", "i", "d", "s", "a", "S", "O", "C", "E", "R", "r", "}", "{", "o", "x", "\x00"}))
}

func (m *mutator) removeToken() []byte {
	if len(m.parts) == 0 {
		return nil
	}
	p := pick(m.r, m.parts)
	return m.replace(p.Start, p.End, "")
}

func (m *mutator) doubleToken() []byte {
	if len(m.parts) == 0 {
		return nil
	}
	p := pick(m.r, m.parts)
	return edited(m.src, edit{p.End, p.End, m.src[p.Start:p.End]})
}

func (m *mutator) swapTokens() []byte {
	if len(m.parts) < 2 {
		return nil
	}
	i := m.r.Intn(len(m.parts) - 1)
	j := i + 1
	if coin(m.r) {
		j += m.r.Intn(len(m.parts) - j)
	}
	return m.swap(m.parts[i].Start, m.parts[i].End, m.parts[j].Start, m.parts[j].End)
}

// swap exchanges two pieces of the payload, which must be in order.
func (m *mutator) swap(from1, to1, from2, to2 int) []byte {
	return edited(m.src, edit{from1, to1, m.src[from2:to2]}, edit{from2, to2, m.src[from1:to1]})
}

var tokens = []string{
	"N;", "b:0;", "b:1;", "i:0;", "i:5;", "i:-1;", "d:0.5;", "d:1;", "d:INF;", "d:NAN;", `s:0:"";`, `s:1:"5";`, `s:1:"a";`, "a:0:{}", "a:1:{", "}", "{",
	";", ":", `"`, "\x00", " ", "\n", "N", "i:", "s:", "a:", `S:1:"a";`, "R:1;", "r:1;",
}

func (m *mutator) insertToken() []byte {
	at := len(m.src)
	if len(m.parts) > 0 {
		at = pick(m.r, m.parts).Start
	}
	return m.replace(at, at, pick(m.r, tokens))
}

// recount is the edit that raises the count around part i, the key of an element,
// by the given number.
func (m *mutator) recount(i, by int) (edit, bool) {
	open := m.parts[i].open
	if open < 0 {
		return edit{}, false
	}
	from, to := m.parts[open].count()
	return edit{from, to, strconv.AppendInt(nil, int64(m.parts[open].Count+by), 10)}, true
}

func (m *mutator) removeElement() []byte {
	i := m.findElement()
	if i < 0 {
		return nil
	}
	count, _ := m.recount(i, -1)
	return edited(m.src, count, edit{m.parts[i].Start, m.elementEnd(i), nil})
}

func (m *mutator) doubleElement() []byte {
	i := m.findElement()
	if i < 0 {
		return nil
	}
	count, _ := m.recount(i, 1)
	end := m.elementEnd(i)
	return edited(m.src, count, edit{end, end, m.src[m.parts[i].Start:end]})
}

func (m *mutator) swapElements() []byte {
	i, j := m.siblings()
	if i < 0 {
		return nil
	}
	return m.swap(m.parts[i].Start, m.elementEnd(i), m.parts[j].Start, m.elementEnd(j))
}

func (m *mutator) splice() []byte {
	other := takeApart(RandomValidPayload(m.r))
	defer other.release()
	o := mutator{m.r, other}
	if i, j := m.findValue(), o.findValue(); i >= 0 && j >= 0 && m.r.Intn(3) > 0 {
		return edited(m.src, edit{m.parts[i].Start, m.end(i), o.text(j)})
	}
	return append(bytes.Clone(m.src[:m.cut()]), o.src[o.cut():]...)
}

// cut draws a place: the start of a token, or any other.
func (m *mutator) cut() int {
	if coin(m.r) && len(m.parts) > 0 {
		return pick(m.r, m.parts).Start
	}
	return m.r.Intn(len(m.src) + 1)
}

func (m *mutator) nest() []byte {
	i := m.findValue()
	if i < 0 {
		return nil
	}
	from, to := m.parts[i].Start, m.end(i)
	opening := pick(m.r, []string{"a:1:{i:0;", "a:1:{i:0;", `a:1:{s:1:"a";`, "a:1:{i:-1;"})
	switch m.r.Intn(8) {
	case 0, 1:
		if j := m.find(func(j int) bool { return m.parts[j].open == i && m.parts[j].value() }); j >= 0 {
			return edited(m.src, edit{from, to, m.text(j)})
		}
	case 2:
		return m.replace(from, from, opening)
	case 3:
		return m.replace(to, to, "}")
	case 4:
		if len(m.src) < 4000 { // to the limit, and past it
			n := codec.MaxDepth - m.r.Intn(4) + 1
			return edited(m.src, edit{from, from, bytes.Repeat([]byte(opening), n)}, edit{to, to, bytes.Repeat([]byte("}"), n)})
		}
	}
	return edited(m.src, edit{from, from, []byte(opening)}, edit{to, to, []byte("}")})
}

func (m *mutator) truncate() []byte {
	if len(m.src) == 0 {
		return nil
	}
	if coin(m.r) {
		return bytes.Clone(m.src[:len(m.src)-1])
	}
	return bytes.Clone(m.src[:min(m.cut(), len(m.src)-1)])
}

func (m *mutator) addTrailing() []byte {
	if coin(m.r) {
		return append(bytes.Clone(m.src), pick(m.r, tokens)...)
	}
	return append(bytes.Clone(m.src), randomText(m.r)...)
}

var unsupported = []string{
	`O:8:"stdClass":0:{}`, `O:8:"stdClass":1:{s:1:"a";i:1;}`, `O:1:"A":1:{i:0;N;}`, `O:3:"A B":0:{}`, `O:0:"":0:{}`, `O:+1:"A":0:{}`, `O:8:"stdClass":1:{`,
	`C:1:"A":0:{}`, `C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}`, `E:3:"A:B";`, `E:1:"A";`, `R:1;`, `R:0;`, `R:2;`, `R:-1;`, `r:1;`, `r:2;`, `r:99;`,
	`S:1:"a";`, `S:1:"\61";`, `S:0:"";`, `S:2:"\0";`, `o:1:{s:1:"a";i:1;}`, `n;`, `B:1;`, `I:1;`, `D:1;`, `A:0:{}`, `b:2;`, `b:01;`, `b:;`, `b:t;`, `N:;`, `N`,
}

func (m *mutator) useUnsupported() []byte { return m.replaceValue(pick(m.r, unsupported)) }

func (m *mutator) useReserved() []byte {
	if i := m.findKind(codec.TokenString); i >= 0 && oneIn(m.r, 5) {
		return m.replace(m.parts[i].Start, m.parts[i].End, stringToken(pick(m.r, reservedNames)))
	}
	return m.replaceValue(RandomDescriptor(m.r))
}

func (m *mutator) changeByte() []byte {
	if len(m.src) == 0 {
		return RandomBytesOverAlphabet(m.r, 1+m.r.Intn(3))
	}
	at := m.r.Intn(len(m.src))
	with := string(RandomBytesOverAlphabet(m.r, 1))
	switch m.r.Intn(8) {
	case 0:
		return m.replace(at, at+1, "")
	case 1:
		return m.replace(at, at, with)
	case 2:
		return m.replace(at, at+1, string([]byte{m.src[at] ^ 1<<m.r.Intn(8)}))
	case 3:
		return m.replace(at, at+1, string([]byte{byte(m.r.Intn(256))}))
	}
	return m.replace(at, at+1, with)
}
