package codec

// The functions of this file know only the spelling that PHP writes, which is
// nearly all that a decoder meets. What they do not know is left to scan.go,
// which reads every spelling and makes the errors.

// quickInt reads an int of at most 18 digits and returns where the byte after
// them stands, which is there. A next of 0 means that something else stands at
// pos, or too close to the end.
func quickInt(in []byte, pos int) (n int64, next int) {
	if len(in)-pos < 9 {
		return 0, 0
	}
	at := pos
	negative := in[at] == '-'
	if negative {
		at++
	}
	if in[at] == '0' && (in[at+1]-'0' <= 9 || negative) {
		return 0, 0
	}
	word, count := leadingDigits(in[at:])
	if count == 0 {
		return 0, 0
	}
	n = int64(eightDigitsValue(word))
	for at += count; count == 8; at += count {
		if len(in)-at < 8 || at-pos > 17 {
			return 0, 0
		}
		word, count = leadingDigits(in[at:])
		n = n*powersOf10[count] + int64(eightDigitsValue(word))
	}
	if at-pos > 18 {
		return 0, 0
	}
	if negative {
		n = -n
	}
	return n, at
}

// quickText reads a string from its "s:" to its ";". The bytes are in[from:to];
// a to of 0 means that something else stands there, or too close to the end.
func quickText(in []byte, pos int) (from, to int) {
	if len(in)-pos < 8 || in[pos] != 's' || in[pos+1] != ':' {
		return 0, 0
	}
	n := int(in[pos+2] - '0')
	at := pos + 3
	if n > 9 || n == 0 && in[at] != ':' {
		return 0, 0
	}
	for {
		digit := in[at] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + int(digit)
		if at++; at-pos == 11 || at == len(in) {
			return 0, 0
		}
	}
	from = at + 2
	to = from + n
	if to+1 >= len(in) || to < from || in[at] != ':' || in[at+1] != '"' || in[to] != '"' || in[to+1] != ';' {
		return 0, 0
	}
	return from, to
}
