package gen

import (
	"strconv"
	"strings"
)

// ranks puts the bytes in an order of simplicity: digits, letters, control bytes,
// punctuation, what is not ASCII.
var ranks = func() (ranks [256]byte) {
	next := byte(0)
	give := func(from, to byte) {
		for c := int(from); c <= int(to); c++ {
			ranks[c] = next
			next++
		}
	}
	give('0', '9')
	give('a', 'z')
	give('A', 'Z')
	give(0, '0'-1)
	give('9'+1, 'A'-1)
	give('Z'+1, 'a'-1)
	give('z'+1, 255)
	return ranks
}()

// Simpler tells whether a is simpler than b: shorter, or as long and with a
// simpler byte at the first place at which they differ. There is no endless
// sequence of ever simpler bytes, so shrinking by it ends.
func Simpler[T string | []byte](a, b T) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return ranks[a[i]] < ranks[b[i]]
		}
	}
	return false
}

// oddTexts are the simplest of those with which a decoder may have its troubles:
// the bytes that end strings, NUL, bytes that are no UTF-8, characters of two bytes
// and of three.
var oddTexts = []string{`"`, `";`, "\x00", "\x80", "\xff", "\u0080", "\u0800"}

// simplerTexts lists texts simpler than s, the boldest first: parts of it, then
// s with its bytes made plain.
func simplerTexts(s string) []string {
	var texts []string
	offer := func(t string) {
		if Simpler(t, s) {
			texts = append(texts, t)
		}
	}
	if s == "" {
		return nil
	}
	mostPlaces := 48
	if len(s) > 100_000 {
		mostPlaces = 4 // the texts are as long
	}
	offer("")
	for size := len(s) / 2; size > 0 && len(s)/size <= mostPlaces; size /= 2 {
		for at := 0; at < len(s); at += size {
			offer(s[:at] + s[min(at+size, len(s)):])
		}
	}
	offer(filled(s, 'a'))
	offer(filled(s, '0'))
	for _, odd := range oddTexts {
		offer(odd)
	}
	if len(s) > 1000 {
		return texts // bytes by themselves come once it is short
	}
	for i := range min(len(s), mostPlaces) {
		for _, c := range []byte{'0', '1', 'a', s[i] - 1} {
			if ranks[c] < ranks[s[i]] {
				offer(s[:i] + string([]byte{c}) + s[i+1:])
			}
		}
	}
	return texts
}

func filled(s string, c byte) string {
	b := make([]byte, len(s))
	for i := range b {
		b[i] = c
	}
	return string(b)
}

// simplerNumbers lists texts simpler than s, the text of a number.
func simplerNumbers(s string) []string {
	var texts []string
	for _, t := range append([]string{"0", "1", "-1", "0.5"}, simplerTexts(s)...) {
		if t != "" && Simpler(t, s) {
			texts = append(texts, t)
		}
	}
	for i := 0; i < len(s); i++ { // 1234 as 1000
		if c := s[i]; c >= '1' && c <= '9' {
			zeros := []byte(s)
			for j := i + 1; j < len(zeros) && zeros[j] >= '0' && zeros[j] <= '9'; j++ {
				zeros[j] = '0'
			}
			if Simpler(string(zeros), s) {
				texts = append(texts, string(zeros))
			}
			break
		}
	}
	return texts
}

// simplerFloatTexts lists texts simpler than s, the text of f: shorter spellings
// of f, and of simpler doubles.
func simplerFloatTexts(f float64, s string) []string {
	var texts []string
	for _, g := range append(smallerFloats(f), f) {
		for _, t := range []string{floatText(g), strings.Replace(strconv.FormatFloat(g, 'e', -1, 64), "e+", "e", 1)} {
			if Simpler(t, s) {
				texts = append(texts, t)
			}
		}
	}
	return texts
}

func itoa(n int) string { return strconv.Itoa(n) }
