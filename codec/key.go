package codec

import "strconv"

// IntKey returns an int key.
func IntKey(i int64) Key { return Key{n: i} }

// StringKey returns the key that PHP uses for the string s: the int, where s is
// the canonical decimal text of an int64 ("5", "-5", but not "05", "-0", "+5" or
// "9223372036854775808"), else s itself (clause K-2). It shares the memory of s.
func StringKey(s string) Key {
	if i, ok := canonicalInt(s); ok {
		return IntKey(i)
	}
	return stringKey(s)
}

// canonicalInt reads s where it is what PHP would print for an int64.
func canonicalInt(s string) (int64, bool) {
	if len(s) == 0 || len(s) > len("-9223372036854775808") {
		return 0, false
	}
	digits := s
	if digits[0] == '-' {
		digits = digits[1:]
		if digits == "" || digits[0] == '0' {
			return 0, false
		}
	}
	if digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	i, err := strconv.ParseInt(s, 10, 64)
	return i, err == nil
}

// IsInt tells whether k is an int key.
func (k Key) IsInt() bool { return k.s == nil }

// Int returns the value of an int key, and whether k is one.
func (k Key) Int() (int64, bool) {
	if k.s != nil {
		return 0, false
	}
	return k.n, true
}

// Text returns the bytes of a string key, and whether k is one. It shares
// memory with k.
func (k Key) Text() (string, bool) { return k.text(), k.s != nil }

// Equal tells whether two keys name the same element of an array.
func (k Key) Equal(o Key) bool {
	if k.s == nil || o.s == nil {
		return k.s == nil && o.s == nil && k.n == o.n
	}
	return k.n == o.n && (k.s == o.s || k.text() == o.text())
}
