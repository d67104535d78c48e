package codec

import "math"

// MaxLength is the largest length of a string and the largest count of an
// array: they must fit 31 bits (clause L-3).
const MaxLength = math.MaxInt32

// The functions of this file read one production each, from pos on, and return
// where it ends. Their results say whether the spelling is the one that PHP
// writes.

// scanInt reads an int and its ";" (clause I-1).
func scanInt(in []byte, pos int) (v int64, next int, canonical bool, err *Error) {
	at := pos
	negative, signed := false, false
	if at < len(in) && (in[at] == '-' || in[at] == '+') {
		negative, signed = in[at] == '-', true
		at++
	}
	first := at
	var n uint64
	for at < len(in) {
		digit := in[at] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + uint64(digit)
		at++
	}
	if at == first {
		want := "a digit"
		if !signed {
			want = "a digit or a sign"
		}
		return 0, 0, false, unexpected(in, at, want)
	}
	if at >= len(in) || in[at] != ';' {
		return 0, 0, false, unexpected(in, at, `a digit or ";"`)
	}
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	if at-first > 18 && (significant(in[first:at]) > 19 || n > limit) {
		return 0, 0, false, fault(Range, in, pos, "an int of 64 bits")
	}
	canonical = (in[first] != '0' || (at-first == 1 && !signed)) && (!signed || negative)
	if negative {
		n = -n
	}
	return int64(n), at + 1, canonical, nil
}

// significant counts the digits after the leading zeros.
func significant(digits []byte) int {
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	return len(digits)
}

// scanLength reads the digits of a length or a count and the ":" behind them
// (clause L-3).
func scanLength(in []byte, pos int) (n, next int, canonical bool, err *Error) {
	at := pos
	var length int64 // an int may have 32 bits
	for at < len(in) {
		digit := in[at] - '0'
		if digit > 9 {
			break
		}
		if length <= MaxLength {
			length = length*10 + int64(digit)
		}
		at++
	}
	if at == pos {
		return 0, 0, false, unexpected(in, at, "a digit")
	}
	if at >= len(in) || in[at] != ':' {
		return 0, 0, false, unexpected(in, at, `a digit or ":"`)
	}
	if length > MaxLength {
		return 0, 0, false, fault(TooLarge, in, pos, "a length of 31 bits")
	}
	return int(length), at + 1, in[pos] != '0' || at-pos == 1, nil
}

// scanString reads a length, the quoted bytes and the ";" (clause S-1). The
// bytes are in[from:to].
func scanString(in []byte, pos int) (from, to, next int, canonical bool, err *Error) {
	n, at, canonical, err := scanLength(in, pos)
	if err != nil {
		return 0, 0, 0, false, err
	}
	if at >= len(in) || in[at] != '"' {
		return 0, 0, 0, false, unexpected(in, at, `"\""`)
	}
	from = at + 1
	if n > len(in)-from {
		return 0, 0, 0, false, fault(Truncated, in, pos, "a length of at most "+itoa(len(in)-from)+", the bytes that are left")
	}
	to = from + n
	if to >= len(in) || in[to] != '"' {
		return 0, 0, 0, false, unexpected(in, to, `"\"" after `+itoa(n)+" bytes")
	}
	if to+1 >= len(in) || in[to+1] != ';' {
		return 0, 0, 0, false, unexpected(in, to+1, `";"`)
	}
	return from, to, to + 2, canonical, nil
}

// scanCount reads a count and what opens the elements (clause A-1).
func scanCount(in []byte, pos int) (n, next int, canonical bool, err *Error) {
	n, at, canonical, err := scanLength(in, pos)
	if err != nil {
		return 0, 0, false, err
	}
	if at >= len(in) || in[at] != '{' {
		return 0, 0, false, unexpected(in, at, `"{"`)
	}
	return n, at + 1, canonical, nil
}
