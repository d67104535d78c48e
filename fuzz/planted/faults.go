package main

// fault is a mistake to put into the reference, on the path of one target.
type fault struct {
	target string
	what   string
	file   string
	old    string // stands there once
	new    string
}

var faults = []fault{
	{"FuzzDecode", "a count that cannot fit is believed up to 4 million elements, if one fits", "codec/container.go",
		"if room/leastElement < count {", "if (count > 1<<22 || room < leastElement) && room/leastElement < count {"},
	{"FuzzDecode", "Canonical takes a repeated key", "codec/container.go",
		"	case d.canonical:\n", "	case false:\n"},
	{"FuzzDecodePHP", "2^63 is taken for an int", "codec/scan.go",
		"	if negative {\n		limit++\n	}", "	limit++"},
	{"FuzzDecodePHP", "a repeated key moves its element to the end", "codec/container.go",
		"		k.entries[at].Value = Value{}\n", "		at += copy(k.entries[at:], k.entries[at+1:])\n		k.entries[at] = Entry{Key: key}\n"},
	{"FuzzEncodePHP", "the keys \"00\" to \"09\" become ints", "codec/key.go",
		"	if digits[0] == '0' && len(digits) > 1 {", "	if digits[0] == '0' && len(digits) > 2 {"},
	{"FuzzEncodePHP", "the count of an array with 10 elements or more is one too large", "codec/encode.go",
		"	b[at], b[at+1] = 'a', ':'\n", "	b[at], b[at+1] = 'a', ':'\n	if n > 9 {\n		n++\n	}\n"},
	{"FuzzFloatsPHP", "1e16 is written with an exponent", "floatfmt/shortest_text.go",
		"case point > shortestDigits || point < -3:", "case point >= shortestDigits || point < -3:"},
	{"FuzzFloatTextsPHP", "exponents are counted up to 305", "floatfmt/parse.go",
		"maxExponent = 19999 ", "maxExponent = 305 "},
	{"FuzzFloatTextsPHP", "exponents are counted up to 20000", "floatfmt/parse.go",
		"maxExponent = 19999 ", "maxExponent = 20000 "},
	{"FuzzFloatTextsPHP", "a sign before INF may be +", "floatfmt/parse.go",
		"case start == 1 && b[0] == '+' || i == len(b):", "case i == len(b):"},
	{"FuzzFrame", "a one-way frame may have an odd id", "frames/tag.go",
		"return id == 0 }", "return id == 0 || id&1 == 1 }"},
	{"FuzzFrame", "a handle may be negative", "frames/parse.go",
		"	if n < 0 {\n		f.refuse(BadField, name, strconv.FormatInt(n, 10), \"an int of 0 or more\")", "	if n < -1 {\n		f.refuse(BadField, name, strconv.FormatInt(n, 10), \"an int of 0 or more\")"},
	{"FuzzStream", "a length of 256 MiB and one byte is taken", "frames/reader.go",
		"length > MaxLength {\n		kind, want", "length > MaxLength+1 {\n		kind, want"},
	{"FuzzStream", "a stream that ends inside a length has ended well", "frames/reader.go",
		"if err == io.EOF && r.end == r.start {", "if err == io.EOF && r.end-r.start < 4 {"},
	{"FuzzThrow", "the properties may be a list", "frames/parse.go",
		"if v.Kind() != codec.KindArray && v.Len() > 0 || v.Kind()", "if v.Kind()"},
	{"FuzzTagged", "a snapshot that is a list is forgotten", "codec/taggedquick.go",
		"		h.Snapshot, pos = &snapshot, at\n", "		if h.Snapshot, pos = &snapshot, at; snapshot.Kind() == KindList {\n			h.Snapshot = nil\n		}\n"},
	{"FuzzTagged", "the epoch is written as the number", "codec/tagged.go",
		"dst = strconv.AppendInt(dst, h.Epoch, 10)", "dst = strconv.AppendInt(dst, h.ID, 10)"},
}
