package gen

import (
	"math/rand"
	"strconv"
	"strings"

	"phpwire/codec"
)

// alphabet holds the bytes of the wire: tags, punctuation, what numbers are made of.
const alphabet = `NbidsaSOCErR::::;;;;""""{{}}0123456789+-.eE`

var words = []string{
	"a", "b", "k", "id", "name", "value", "foo", "bar", "Vendor\\Package\\Name", "stdClass", "php", "ext-json", ">=7.2",
	"The quick brown fox", "line\nbreak", "tab\t", "it's", "\\", "\\61", "$x", "<?php", "NULL", "true", "INF", "NAN",
}

var punctuation = []string{
	`"`, `;`, `";`, `";}`, `"}`, `}`, `{`, `:`, `:"`, `a:1:{`, `a:0:{}`, `s:1:"`, `";i:1;`, `";s:1:"a`, `N;`, `N;}`, `b:1;`,
	`i:0;`, `d:0.5;`, `s:0:"";`, `s:3:"abc";`, `a:1:{i:0;N;}`, `a:1:{s:1:"a";s:1:"b";}`, `O:8:"stdClass":0:{}`, `R:1;`, `r:1;`,
	`C:1:"A":0:{}`, `E:3:"A:B";`, `S:1:"\61";`, `";i:0;s:1:"x`, `}}}}`, `a:2:{i:0;s:2:"";";i:1;N;}`,
}

var unusual = []string{
	"\x00", "\x00*\x00prop", "\x00A\x00prop", "\xff", "\xff\xfe", "\xc3\x28", "\xed\xa0\x80", "\xf0\x9f\x90\x98", "é", "日本語", "\xef\xbb\xbf",
	"a\x00b", "\r\n", "\x7f", "\x80", "\u2028", "e\u0301",
}

// keyTraps are the texts at which a codec goes wrong in telling int keys from
// string keys.
var keyTraps = []string{
	"5", "05", "-0", "-5", "+5", " 5", "5 ", "0", "00", "-", "+", "", "\x00", "5\x00", "-05", "--5", "1", "2", "-1", "10", "01",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9223372036854775806",
	"-9223372036854775807", "09223372036854775807", "18446744073709551615", "18446744073709551616", "99999999999999999999",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "1000000000000000000", "999999999999999999",
	"1e1", "0x1", "0b1", "1.0", "1.", ".5", "1_000", "٣", "５", "5\n", "\n5", "\t5", "5a", "a5", "INF", "true", "null",
}

// reservedNames are the keys of the handles' descriptors; nearlyReserved are not.
var (
	reservedNames  = []string{"__rhandle", "__phandle", "__pclass", "__class", "__epoch", "__snapshot", "__implements"}
	nearlyReserved = []string{
		"__rhandl", "__rhandles", "_rhandle", "__Rhandle", "__RHANDLE", "__rhandle\x00", " __rhandle", "__phandl", "__phandle ",
		"__Phandle", "_pclass", "__pclas", "__pclasss", "__PCLASS", "pclass", "__", "_", "__clas", "__snapshots", "__epoc",
	}
)

// RandomBytes draws a byte string, mostly a short one: words, the wire's own
// punctuation, whole payloads, texts of numbers, bytes that are not UTF-8, noise;
// rarely some KiB.
func RandomBytes(r *rand.Rand) []byte { return []byte(randomText(r)) }

func randomText(r *rand.Rand) string {
	switch r.Intn(32) {
	case 0, 1, 2:
		return ""
	case 3, 4, 5, 6, 7, 8, 9, 10:
		return pick(r, words)
	case 11, 12, 13, 14, 15:
		return pick(r, punctuation)
	case 16, 17, 18:
		return pick(r, unusual)
	case 19, 20:
		return pick(r, keyTraps)
	case 21:
		return strconv.FormatInt(RandomInt(r), 10)
	case 22:
		return pick(r, punctuation) + pick(r, words) + pick(r, punctuation)
	case 23, 24:
		return string(RandomBytesOverAlphabet(r, r.Intn(12)))
	case 25:
		return strings.Repeat(pick(r, words), 1+r.Intn(9))
	case 26:
		return embeddedPayload(r)
	case 27:
		switch r.Intn(24) {
		case 0:
			return string(noise(r, r.Intn(6000)))
		case 1:
			return strings.Repeat(pick(r, punctuation), 1+r.Intn(1000))
		case 2, 3, 4, 5:
			return strings.Repeat("x", lengthEdge(r))
		}
		return string(noise(r, r.Intn(100)))
	}
	return string(noise(r, 1+r.Intn(8)))
}

// lengthEdge draws a length at which its text gets a digit more.
func lengthEdge(r *rand.Rand) int {
	return pick(r, []int{9, 10, 11, 99, 100, 101, 255, 256, 999, 1000})
}

// noise draws n bytes of any value.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 7 {
		bits := r.Int63()
		for j := i; j < min(i+7, n); j++ {
			b[j] = byte(bits)
			bits >>= 8
		}
	}
	return b
}

// embeddedPayload is a small payload, to stand in a string.
func embeddedPayload(r *rand.Rand) string {
	b, err := codec.Encode(RandomValue(r, Options{MaxNodes: 3, MaxDepth: 2}))
	if err != nil {
		return "N;"
	}
	return string(b)
}

// RandomBytesOverAlphabet draws n bytes of which each can stand in a payload: the
// letters of the tags, : ; " { }, digits and what else numbers are made of.
func RandomBytesOverAlphabet(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.Intn(len(alphabet))]
	}
	return b
}

// RandomKeyText draws the text of an array key as it may be written, mostly one
// that PHP is particular about: texts of ints and near misses of them, reserved
// names and near misses.
func RandomKeyText(r *rand.Rand) string {
	switch r.Intn(16) {
	case 0, 1, 2, 3, 4, 5:
		return pick(r, keyTraps)
	case 6, 7, 8:
		return pick(r, words)
	case 9:
		return strconv.FormatInt(RandomInt(r), 10)
	case 10:
		return strconv.Itoa(r.Intn(12))
	case 11:
		return pick(r, nearlyReserved)
	case 12:
		return pick(r, reservedNames)
	}
	return randomText(r)
}

// RandomKey draws an array key: an int, or what PHP makes of a [RandomKeyText].
// It may be a reserved name.
func RandomKey(r *rand.Rand) codec.Key {
	switch r.Intn(4) {
	case 0:
		return codec.IntKey(RandomInt(r))
	case 1:
		return codec.IntKey(int64(r.Intn(6)))
	}
	return codec.StringKey(RandomKeyText(r))
}
