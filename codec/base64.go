package codec

import "encoding/binary"

// Base64 with padding, in pairs of digits one way and in single ones the other.
// Most strings are short, which is where the standard library's way takes long.

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Pairs holds the two digits for 12 bits, the first in the lower byte.
var base64Pairs = func() (pairs [1 << 12]uint16) {
	for i := range pairs {
		pairs[i] = uint16(base64Alphabet[i>>6]) | uint16(base64Alphabet[i&63])<<8
	}
	return
}()

// base64Values gives the bits of each digit, and noDigit for other bytes.
var base64Values = func() (values [256]byte) {
	for i := range values {
		values[i] = noDigit
	}
	for i := range base64Alphabet {
		values[base64Alphabet[i]] = byte(i)
	}
	return
}()

const noDigit = 0xff

// appendBase64 appends s in quotes.
func appendBase64(dst []byte, s string) []byte {
	b, at := room(dst, len(s)/3*4+8)
	b[at] = '"'
	at++
	for ; len(s) >= 3; s = s[3:] {
		word := uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])
		binary.LittleEndian.PutUint32(b[at:], uint32(base64Pairs[word>>12])|uint32(base64Pairs[word&0xfff])<<16)
		at += 4
	}
	switch len(s) {
	case 1:
		binary.LittleEndian.PutUint16(b[at:], base64Pairs[uint32(s[0])<<4])
		b[at+2], b[at+3] = '=', '='
		at += 4
	case 2:
		word := uint32(s[0])<<16 | uint32(s[1])<<8
		binary.LittleEndian.PutUint16(b[at:], base64Pairs[word>>12])
		b[at+2], b[at+3] = byte(base64Pairs[word&0xfff]), '='
		at += 4
	}
	b[at] = '"'
	return b[:at+1]
}

// decodeBase64 writes to to, which has room for 3 bytes for every 4 of from,
// what from stands for; ok is false where it is not what is written for any
// bytes.
func decodeBase64(to, from []byte) (n int, ok bool) {
	if len(from)%4 != 0 {
		return 0, false
	}
	padding := 0
	for padding < 2 && padding < len(from) && from[len(from)-1-padding] == '=' {
		padding++
	}
	from = from[:len(from)-padding]
	wrong := byte(0)
	for len(from) >= 8 && len(to)-n >= 8 {
		a, b, c, d := base64Values[from[0]], base64Values[from[1]], base64Values[from[2]], base64Values[from[3]]
		e, f, g, h := base64Values[from[4]], base64Values[from[5]], base64Values[from[6]], base64Values[from[7]]
		wrong |= a | b | c | d | e | f | g | h
		binary.BigEndian.PutUint64(to[n:], uint64(a)<<58|uint64(b)<<52|uint64(c)<<46|uint64(d)<<40|
			uint64(e)<<34|uint64(f)<<28|uint64(g)<<22|uint64(h)<<16)
		n += 6
		from = from[8:]
	}
	for len(from) >= 4 {
		a, b, c, d := base64Values[from[0]], base64Values[from[1]], base64Values[from[2]], base64Values[from[3]]
		wrong |= a | b | c | d
		word := uint32(a)<<18 | uint32(b)<<12 | uint32(c)<<6 | uint32(d)
		to[n], to[n+1], to[n+2] = byte(word>>16), byte(word>>8), byte(word)
		n += 3
		from = from[4:]
	}
	loose := byte(0) // bits that no byte takes, which must be zero
	switch len(from) {
	case 2:
		a, b := base64Values[from[0]], base64Values[from[1]]
		wrong |= a | b
		loose = b & 15
		to[n] = a<<2 | b>>4
		n++
	case 3:
		a, b, c := base64Values[from[0]], base64Values[from[1]], base64Values[from[2]]
		wrong |= a | b | c
		loose = c & 3
		to[n], to[n+1] = a<<2|b>>4, b<<4|c>>2
		n += 2
	}
	return n, wrong < 64 && loose == 0
}
