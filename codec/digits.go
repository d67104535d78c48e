package codec

import (
	"encoding/binary"
	"math/bits"
)

// Digits are read and written eight at a time, in a word whose lowest byte is
// the first of them.

var powersOf10 = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// leadingDigits returns the digits that the first eight bytes of b begin with,
// each as its number in a byte, with zeros before them to make eight.
func leadingDigits(b []byte) (word uint64, count int) {
	word = binary.LittleEndian.Uint64(b) ^ asciiZeros
	// The top bit of the first byte that is no digit, and of some after it.
	others := (word + 0x7676767676767676 | word) & 0x8080808080808080
	count = bits.TrailingZeros64(others) / 8
	return word << (64 - 8*count), count
}

const asciiZeros = 0x3030303030303030

// eightDigitsValue returns the number that eight digits make.
func eightDigitsValue(word uint64) uint64 {
	word = word*10 + word>>8
	return (word&0x000000FF000000FF*(100+1000000<<32) + word>>16&0x000000FF000000FF*(1+10000<<32)) >> 32 & 0xFFFFFFFF
}

// eightDigits spreads n < 1e8 over eight bytes, each the number of a digit.
func eightDigits(n uint64) uint64 {
	n = n/1e4 | n%1e4<<32
	hundreds := n * 10486 >> 20 & 0x7F_0000_007F
	n = hundreds | (n-hundreds*100)<<16
	tens := n * 103 >> 10 & 0x0F_000F_000F_000F
	return tens | (n-tens*10)<<8
}

// appendDecimal appends n as PHP prints it.
func appendDecimal(dst []byte, n int64) []byte {
	b, at := room(dst, len("-9223372036854775808"))
	if n < 0 {
		b[at] = '-'
		at++
		n = -n
	}
	return b[:putDecimal(b, at, uint64(n))]
}

// putDecimal writes n to b[at:], which has room for that and for 8 bytes at least,
// and returns where it ends.
func putDecimal(b []byte, at int, n uint64) int {
	if n < 1e8 {
		word := eightDigits(n)
		zeros := bits.TrailingZeros64(word|1<<56) / 8
		binary.LittleEndian.PutUint64(b[at:], (word|asciiZeros)>>(8*zeros))
		return at + 8 - zeros
	}
	at = putDecimal(b, at, n/1e8)
	binary.LittleEndian.PutUint64(b[at:], eightDigits(n%1e8)|asciiZeros)
	return at + 8
}
