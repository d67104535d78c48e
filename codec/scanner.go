package codec

import "phpwire/floatfmt"

// TokenKind tells what a [Token] is.
type TokenKind uint8

// The tokens of the grammar of PHP's unserialize(), on every version.
const (
	TokenNull      TokenKind = iota // N;
	TokenBool                       // b:1;
	TokenInt                        // i:5;
	TokenFloat                      // d:0.5;
	TokenString                     // s:1:"a";
	TokenEscaped                    // S:1:"\61";
	TokenArray                      // a:1:{
	TokenObject                     // O:1:"A":1:{
	TokenCustom                     // C:1:"A":3:{xyz}
	TokenEnum                       // E:3:"A:B";
	TokenReference                  // R:1;
	TokenAlias                      // r:1;
	TokenClose                      // }
)

var tokenNames = [...]string{
	TokenNull: "null", TokenBool: "bool", TokenInt: "int", TokenFloat: "float", TokenString: "string",
	TokenEscaped: "escaped string", TokenArray: "array", TokenObject: "object", TokenCustom: "custom object",
	TokenEnum: "enum", TokenReference: "reference", TokenAlias: "object reference", TokenClose: "close",
}

func (k TokenKind) String() string {
	if int(k) < len(tokenNames) {
		return tokenNames[k]
	}
	return "unknown"
}

// Token is one token of a payload, Payload[Start:End].
type Token struct {
	Kind       TokenKind
	Start, End int
	Int        int64   // the number of an int, a bool (0 or 1) or a reference
	Float      float64 // the number of a float
	// From and To enclose the bytes of a string, or of the class or case name;
	// both are 0 for other tokens.
	From, To int
	// Count is the number of elements of an array or properties of an object,
	// or the length in bytes of a custom object's body.
	Count int
	// Canonical tells whether PHP would write this token so.
	Canonical bool
}

// Scanner cuts a payload into tokens. It checks each token, not how they follow
// one another: that is the decoder's part, under a profile.
type Scanner struct {
	in  []byte
	pos int
}

// NewScanner returns a scanner for payload, which it does not copy.
func NewScanner(payload []byte) *Scanner { return &Scanner{in: payload} }

// Offset returns where the next token starts.
func (s *Scanner) Offset() int { return s.pos }

// Done tells whether the whole payload was read.
func (s *Scanner) Done() bool { return s.pos == len(s.in) }

// Next reads the next token. The error is an [*Error]; after one the scanner
// stays where the token began.
func (s *Scanner) Next() (Token, error) {
	t, err := s.scan()
	if err != nil {
		return Token{}, err
	}
	s.pos = t.End
	return t, nil
}

var valueTags = map[byte]TokenKind{
	'b': TokenBool, 'i': TokenInt, 'd': TokenFloat, 's': TokenString, 'S': TokenEscaped, 'a': TokenArray,
	'O': TokenObject, 'C': TokenCustom, 'E': TokenEnum, 'R': TokenReference, 'r': TokenAlias,
}

func (s *Scanner) scan() (t Token, err *Error) {
	in, pos := s.in, s.pos
	t.Start, t.Canonical = pos, true
	if pos >= len(in) {
		return t, unexpected(in, pos, "a token")
	}
	switch in[pos] {
	case '}':
		t.Kind, t.End = TokenClose, pos+1
		return t, nil
	case 'N':
		if pos+1 >= len(in) || in[pos+1] != ';' {
			return t, unexpected(in, pos+1, `";"`)
		}
		t.Kind, t.End = TokenNull, pos+2
		return t, nil
	}
	kind, known := valueTags[in[pos]]
	if !known {
		return t, unexpected(in, pos, "a token (N b i d s S a O C E R r })")
	}
	if pos+1 >= len(in) || in[pos+1] != ':' {
		return t, unexpected(in, pos+1, `":"`)
	}
	t.Kind = kind
	body := pos + 2
	switch kind {
	case TokenBool:
		if body >= len(in) || (in[body] != '0' && in[body] != '1') {
			return t, unexpected(in, body, `"0" or "1"`)
		}
		if body+1 >= len(in) || in[body+1] != ';' {
			return t, unexpected(in, body+1, `";"`)
		}
		t.Int, t.End = int64(in[body]-'0'), body+2
	case TokenInt:
		t.Int, t.End, t.Canonical, err = scanInt(in, body)
	case TokenReference, TokenAlias:
		if body < len(in) && (in[body] == '-' || in[body] == '+') {
			return t, unexpected(in, body, "a digit")
		}
		t.Int, t.End, t.Canonical, err = scanInt(in, body)
	case TokenFloat:
		err = s.scanFloat(&t, body)
	case TokenString:
		t.From, t.To, t.End, t.Canonical, err = scanString(in, body)
	case TokenEscaped:
		err = s.scanEscaped(&t, body)
	case TokenArray:
		t.Count, t.End, t.Canonical, err = scanCount(in, body)
	default:
		err = s.scanNamed(&t, body)
	}
	return t, err
}

func (s *Scanner) scanFloat(t *Token, pos int) *Error {
	f, n, err := floatfmt.ParsePrefix(s.in[pos:])
	if err != nil {
		return floatError(s.in, pos, err)
	}
	t.Float, t.End = f, pos+n+1
	t.Canonical = floatfmt.Canonical(s.in[pos:pos+n], f)
	return nil
}

// scanEscaped reads a string in which "\" and two hex digits stand for a byte;
// its length counts bytes, not digits.
func (s *Scanner) scanEscaped(t *Token, pos int) *Error {
	in := s.in
	n, at, _, err := scanLength(in, pos)
	if err != nil {
		return err
	}
	if at >= len(in) || in[at] != '"' {
		return unexpected(in, at, `"\""`)
	}
	at++
	t.From = at
	for ; n > 0; n-- {
		if at < len(in) && in[at] == '\\' {
			at++
			for range 2 {
				if at >= len(in) || !isHex(in[at]) {
					return unexpected(in, at, "a hex digit")
				}
				at++
			}
		} else if at++; at > len(in) {
			return unexpected(in, at, "a byte of the string")
		}
	}
	t.To, t.End, t.Canonical = at, at+2, false
	if at >= len(in) || in[at] != '"' {
		return unexpected(in, at, `"\""`)
	}
	if at+1 >= len(in) || in[at+1] != ';' {
		return unexpected(in, at+1, `";"`)
	}
	return nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// scanNamed reads what starts with a name: O C E.
func (s *Scanner) scanNamed(t *Token, pos int) *Error {
	in := s.in
	n, at, canonical, err := scanLength(in, pos)
	if err != nil {
		return err
	}
	if at >= len(in) || in[at] != '"' {
		return unexpected(in, at, `"\""`)
	}
	t.From = at + 1
	if n > len(in)-t.From {
		return fault(Truncated, in, pos, "a length of at most "+itoa(len(in)-t.From)+", the bytes that are left")
	}
	t.To = t.From + n
	if t.To >= len(in) || in[t.To] != '"' {
		return unexpected(in, t.To, `"\"" after `+itoa(n)+" bytes")
	}
	at = t.To + 1
	if t.Kind == TokenEnum {
		if at >= len(in) || in[at] != ';' {
			return unexpected(in, at, `";"`)
		}
		t.End, t.Canonical = at+1, canonical
		return nil
	}
	if at >= len(in) || in[at] != ':' {
		return unexpected(in, at, `":"`)
	}
	count, next, plain, err := scanCount(in, at+1)
	if err != nil {
		return err
	}
	t.Count, t.End, t.Canonical = count, next, canonical && plain
	if t.Kind == TokenCustom {
		if count > len(in)-next {
			return fault(Truncated, in, at+1, "a length of at most "+itoa(len(in)-next)+", the bytes that are left")
		}
		t.End = next + count + 1
		if next+count >= len(in) || in[next+count] != '}' {
			return unexpected(in, next+count, `"}"`)
		}
	}
	return nil
}
