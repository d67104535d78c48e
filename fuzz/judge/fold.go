package judge

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
)

// view is what PHP describes, seen as a plugin value.
type view struct {
	tagged []byte // with handles where PHP has the arrays that stand for them
	// Why it is no plugin value; several may hold.
	foreign bool // it has a type that is no plugin value
	misused bool // it has a reserved key that makes no handle
	tooDeep bool // it has more than 512 arrays inside one another
}

// unfit says why the value is no plugin value, and by which clause; "" where it
// is one.
func (v view) unfit() (why, clause string) {
	switch {
	case v.foreign:
		return "a type that is no plugin value", "P-4"
	case v.misused:
		return "a reserved key that makes no handle", "H-5"
	case v.tooDeep:
		return "more than 512 arrays inside one another", "L-1"
	}
	return "", ""
}

const maxDepth = 512

// leastTagged is the least length in bytes of a description per level of depth.
const leastTagged = len(`{"t":"list","v":[]}`)

// What must stand in a description for it to need a closer look.
var (
	other    = []byte(`"other"`)
	reserved = [][]byte{asKey(rhandleKey), asKey(phandleKey), asKey(pclassKey)}
	// underscores is how each of reserved begins: a key that begins with "__".
	underscores = []byte(`{"b64":"X19`)
)

func asKey(b64 string) []byte { return []byte(`{"b64":"` + b64 + `"}`) }

func holdsReserved(description []byte) bool {
	at := bytes.Index(description, underscores)
	if at < 0 {
		return false
	}
	return slices.ContainsFunc(reserved, func(mark []byte) bool { return bytes.Contains(description[at:], mark) })
}

// The keys of handles, in base64.
var (
	rhandleKey    = inBase64("__rhandle")
	phandleKey    = inBase64("__phandle")
	pclassKey     = inBase64("__pclass")
	classKey      = inBase64("__class")
	epochKey      = inBase64("__epoch")
	snapshotKey   = inBase64("__snapshot")
	implementsKey = inBase64("__implements")
)

func inBase64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// folder finds the handles in descriptions, one after another in the same memory.
type folder struct {
	reader reader
	view
	buf []byte // that holds what view.tagged is
}

// fold finds the handles in PHP's description. It states clauses H-1 to H-5 a
// second time, on purpose: were it the codec's own reading, a fault there would
// hide itself. The view is good until the next description is folded, or changed.
func (f *folder) fold(description []byte) view {
	if !bytes.Contains(description, other) && !holdsReserved(description) && !mayBeTooDeep(description) {
		return view{tagged: description}
	}
	f.reader.begin(description)
	root := f.reader.node(0)
	switch {
	case f.reader.tooDeep:
		return view{tooDeep: true}
	case f.reader.failed || len(f.reader.rest) > 0:
		return view{foreign: true}
	}
	f.view = view{}
	f.buf = f.value(f.buf[:0], &root, 0)
	f.tagged = f.buf
	return f.view
}

// mayBeTooDeep tells whether more than 512 braces of a description are open at once.
// Each container is a pair of them, and no text in a description holds any.
func mayBeTooDeep(description []byte) bool {
	if len(description) <= maxDepth*leastTagged {
		return false
	}
	depth := 0
	for _, c := range description {
		switch c {
		case '{':
			if depth++; depth > maxDepth {
				return true
			}
		case '}':
			depth--
		}
	}
	return false
}

// node is one value of a description: t is its kind; text its number, bits or
// base64; items the elements of a list; keys and items those of an array.
type node struct {
	t     string
	text  []byte
	keys  []key
	items []node
}

// key is an array's key: the digits of an int, or base64.
type key struct {
	text  []byte
	isInt bool
}

// reader reads a description in the one form that PHP writes.
type reader struct {
	rest    []byte
	failed  bool
	tooDeep bool
	// The elements of the arrays that are open, the innermost last; and of those that
	// were read.
	openKeys, keys   []key
	openItems, items []node
}

// begin starts with a description, in the memory of the one before.
func (r *reader) begin(description []byte) {
	*r = reader{rest: description, openKeys: r.openKeys[:0], keys: r.keys[:0], openItems: r.openItems[:0], items: r.items[:0]}
}

// deepest is a depth far beyond the wire's.
const deepest = 20 * maxDepth

// next tells whether a text stands next.
func (r *reader) next(text string) bool {
	return len(r.rest) >= len(text) && string(r.rest[:len(text)]) == text
}

// skip takes a text away, where it stands next.
func (r *reader) skip(text string) (there bool) {
	if there = r.next(text); there {
		r.rest = r.rest[len(text):]
	}
	return there
}

// between takes away what stands between two texts, and these. The first byte of the
// second is none of what stands between.
func (r *reader) between(before, after string) []byte {
	r.expect(before)
	at := bytes.IndexByte(r.rest, after[0])
	if at < 0 {
		r.failed = true
		return nil
	}
	text := r.rest[:at]
	r.rest = r.rest[at:]
	r.expect(after)
	return text
}

// expect takes a text away, which must stand next.
func (r *reader) expect(text string) {
	if !r.skip(text) {
		r.failed = true
	}
}

func (r *reader) node(depth int) node {
	if depth > deepest {
		r.tooDeep, r.failed = true, true
		return node{}
	}
	switch t := r.between(`{"t":"`, `"`); string(t) {
	case "null":
		r.expect("}")
		return node{t: "null"}
	case "bool":
		return node{t: "bool", text: r.between(`,"v":`, "}")}
	case "int":
		return node{t: "int", text: r.between(`,"v":"`, `"}`)}
	case "float":
		return node{t: "float", text: r.between(`,"bits":"`, `"}`)}
	case "string":
		return node{t: "string", text: r.between(`,"b64":"`, `"}`)}
	case "list":
		return r.elements("list", depth)
	case "array":
		return r.elements("array", depth)
	}
	r.between("", "}")
	return node{t: "other"}
}

// elements reads a list or an array of kind t.
func (r *reader) elements(t string, depth int) node {
	r.expect(`,"v":[`)
	firstKey, firstItem := len(r.openKeys), len(r.openItems)
	for !r.failed && !r.skip("]}") {
		if len(r.openItems) > firstItem {
			r.expect(",")
		}
		if t == "list" {
			r.openItems = append(r.openItems, r.node(depth+1))
			continue
		}
		r.expect("[")
		r.openKeys = append(r.openKeys, r.key())
		r.expect(",")
		r.openItems = append(r.openItems, r.node(depth+1))
		r.expect("]")
	}
	n := node{t: t}
	r.keys, n.keys = moved(r.keys, r.openKeys[firstKey:])
	r.items, n.items = moved(r.items, r.openItems[firstItem:])
	r.openKeys, r.openItems = r.openKeys[:firstKey], r.openItems[:firstItem]
	return n
}

// moved appends some to all, and returns them also as they stand there. When all
// grows, those that were there before live on where they were.
func moved[T any](all, some []T) (_, there []T) {
	from := len(all)
	all = append(all, some...)
	return all, all[from:len(all):len(all)]
}

func (r *reader) key() key {
	if r.next(`{"int"`) {
		return key{r.between(`{"int":"`, `"}`), true}
	}
	return key{r.between(`{"b64":"`, `"}`), false}
}

// value writes a description again, with handles, and notes why it may be no plugin
// value.
func (f *folder) value(dst []byte, n *node, depth int) []byte {
	if n.t == "list" || n.t == "array" {
		depth++
		f.tooDeep = f.tooDeep || depth > maxDepth
	}
	switch n.t {
	case "list":
		dst = append(dst, `{"t":"list","v":[`...)
		for i := range n.items {
			dst = f.value(comma(dst, i), &n.items[i], depth)
		}
		return append(dst, "]}"...)
	case "array":
		if n.marked() {
			if handle, ok := f.handle(dst, n, depth); ok {
				return handle
			}
			f.misused = true
		}
		dst = append(dst, `{"t":"array","v":`...)
		return append(f.pairs(dst, n, depth), '}')
	case "null":
		return append(dst, `{"t":"null"}`...)
	case "bool":
		return around(dst, `{"t":"bool","v":`, n.text, `}`)
	case "int":
		return around(dst, `{"t":"int","v":"`, n.text, `"}`)
	case "float":
		return around(dst, `{"t":"float","bits":"`, n.text, `"}`)
	case "string":
		return around(dst, `{"t":"string","b64":"`, n.text, `"}`)
	}
	f.foreign = true
	return dst
}

// around appends a text and what stands around it.
func around(dst []byte, before string, text []byte, after string) []byte {
	return append(append(append(dst, before...), text...), after...)
}

func comma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// pairs writes keys and values, those of a list too.
func (f *folder) pairs(dst []byte, n *node, depth int) []byte {
	dst = append(dst, '[')
	for i := range n.items {
		dst = append(comma(dst, i), '[')
		switch {
		case n.t == "list":
			dst = append(strconv.AppendInt(append(dst, `{"int":"`...), int64(i), 10), `"},`...)
		case n.keys[i].isInt:
			dst = around(dst, `{"int":"`, n.keys[i].text, `"},`)
		default:
			dst = around(dst, `{"b64":"`, n.keys[i].text, `"},`)
		}
		dst = append(f.value(dst, &n.items[i], depth), ']')
	}
	return append(dst, ']')
}

// field returns the element with a string key, which is given in base64.
func (n *node) field(b64 string) *node {
	for i, k := range n.keys {
		if !k.isInt && string(k.text) == b64 {
			return &n.items[i]
		}
	}
	return nil
}

// marked tells whether an array has a key that makes it a handle (clause H-1).
func (n *node) marked() bool {
	return n.field(rhandleKey) != nil || n.field(phandleKey) != nil ||
		n.field(pclassKey) != nil && len(n.items) == 1
}

func (n *node) isText() bool { return n != nil && n.t == "string" }

// id returns the digits of an int of 0 or more, nothing for anything else.
func (n *node) id() []byte {
	if n == nil || n.t != "int" || len(n.text) == 0 || n.text[0] == '-' {
		return nil
	}
	return n.text
}

// handle writes the handle that a marked array stands for, if it has the shape
// of one.
func (f *folder) handle(dst []byte, n *node, depth int) ([]byte, bool) {
	rhandle, phandle, pclass, class := n.field(rhandleKey), n.field(phandleKey), n.field(pclassKey), n.field(classKey)
	switch {
	case rhandle != nil && phandle == nil:
		id, epoch, snapshot := rhandle.id(), n.field(epochKey).id(), n.field(snapshotKey)
		fields := 3
		if snapshot != nil {
			fields = 4
		}
		if len(id) == 0 || len(epoch) == 0 || !class.isText() || len(n.items) != fields {
			return nil, false
		}
		dst = around(dst, `{"t":"rhandle","rhandle":"`, id, `"`)
		dst = around(dst, `,"class":"`, class.text, `"`)
		dst = around(dst, `,"epoch":"`, epoch, `"`)
		if snapshot != nil {
			if snapshot.t != "list" && (snapshot.t != "array" || snapshot.marked()) {
				return nil, false
			}
			f.tooDeep = f.tooDeep || depth+1 > maxDepth
			dst = f.pairs(append(dst, `,"snapshot":`...), snapshot, depth+1)
		}
		return append(dst, '}'), true
	case phandle != nil && rhandle == nil:
		id, names := phandle.id(), n.field(implementsKey)
		if len(id) == 0 || !class.isText() || names == nil || names.t != "list" || len(n.items) != 3 {
			return nil, false
		}
		f.tooDeep = f.tooDeep || depth+1 > maxDepth
		dst = around(dst, `{"t":"phandle","phandle":"`, id, `"`)
		dst = around(dst, `,"class":"`, class.text, `","implements":[`)
		for i := range names.items {
			name := &names.items[i]
			if !name.isText() {
				return nil, false
			}
			dst = around(comma(dst, i), `"`, name.text, `"`)
		}
		return append(dst, "]}"...), true
	case pclass.isText() && rhandle == nil:
		return around(dst, `{"t":"pclass","class":"`, pclass.text, `"}`), true
	}
	return nil, false
}
