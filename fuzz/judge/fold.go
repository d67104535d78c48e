package judge

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
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
)

func asKey(b64 string) []byte { return []byte(`{"b64":"` + b64 + `"}`) }

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

// fold finds the handles in PHP's description. It states clauses H-1 to H-5 a
// second time, on purpose: were it the codec's own reading, a fault there would
// hide itself.
func fold(description []byte) view {
	closer := bytes.Contains(description, other) || mayBeTooDeep(description)
	for _, mark := range reserved {
		closer = closer || bytes.Contains(description, mark)
	}
	if !closer {
		return view{tagged: description}
	}
	d := reader{rest: string(description)}
	root := d.node(0)
	switch {
	case d.tooDeep:
		return view{tooDeep: true}
	case d.failed || d.rest != "":
		return view{foreign: true}
	}
	var f folder
	f.tagged = f.value(nil, &root, 0)
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
	text  string
	keys  []key
	items []node
}

// key is an array's key: the digits of an int, or base64.
type key struct {
	text  string
	isInt bool
}

// reader reads a description in the one form that PHP writes.
type reader struct {
	rest    string
	failed  bool
	tooDeep bool
}

// deepest is a depth far beyond the wire's.
const deepest = 20 * maxDepth

// skip takes a text away, where it stands next.
func (r *reader) skip(text string) (there bool) {
	r.rest, there = strings.CutPrefix(r.rest, text)
	return there
}

// between takes away what stands between two texts, and these.
func (r *reader) between(before, after string) string {
	found := r.skip(before)
	text, rest, ended := strings.Cut(r.rest, after)
	if !found || !ended {
		r.failed = true
		return ""
	}
	r.rest = rest
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
	n := node{t: r.between(`{"t":"`, `"`)}
	switch n.t {
	case "null":
		r.expect("}")
	case "bool":
		n.text = r.between(`,"v":`, "}")
	case "int":
		n.text = r.between(`,"v":"`, `"}`)
	case "float":
		n.text = r.between(`,"bits":"`, `"}`)
	case "string":
		n.text = r.between(`,"b64":"`, `"}`)
	case "list", "array":
		r.expect(`,"v":[`)
		for !r.failed && !r.skip("]}") {
			if len(n.items) > 0 {
				r.expect(",")
			}
			if n.t == "list" {
				n.items = append(n.items, r.node(depth+1))
				continue
			}
			r.expect("[")
			n.keys = append(n.keys, r.key())
			r.expect(",")
			n.items = append(n.items, r.node(depth+1))
			r.expect("]")
		}
	default:
		n.t = "other"
		r.between("", "}")
	}
	return n
}

func (r *reader) key() key {
	if strings.HasPrefix(r.rest, `{"int"`) {
		return key{r.between(`{"int":"`, `"}`), true}
	}
	return key{r.between(`{"b64":"`, `"}`), false}
}

// folder writes a description again, with handles, and notes why it may be no
// plugin value.
type folder struct{ view }

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
		return append(dst, `{"t":"bool","v":`+n.text+`}`...)
	case "int":
		return append(dst, `{"t":"int","v":"`+n.text+`"}`...)
	case "float":
		return append(dst, `{"t":"float","bits":"`+n.text+`"}`...)
	case "string":
		return append(dst, `{"t":"string","b64":"`+n.text+`"}`...)
	}
	f.foreign = true
	return dst
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
		k := key{strconv.Itoa(i), true}
		if n.t == "array" {
			k = n.keys[i]
		}
		dst = append(comma(dst, i), '[')
		if k.isInt {
			dst = append(dst, `{"int":"`+k.text+`"},`...)
		} else {
			dst = append(dst, `{"b64":"`+k.text+`"},`...)
		}
		dst = append(f.value(dst, &n.items[i], depth), ']')
	}
	return append(dst, ']')
}

// field returns the element with a string key, which is given in base64.
func (n *node) field(b64 string) *node {
	for i, k := range n.keys {
		if !k.isInt && k.text == b64 {
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

// id returns the digits of an int of 0 or more, "" for anything else.
func (n *node) id() string {
	if n == nil || n.t != "int" || n.text == "" || n.text[0] == '-' {
		return ""
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
		if id == "" || epoch == "" || !class.isText() || len(n.items) != fields {
			return nil, false
		}
		dst = append(dst, `{"t":"rhandle","rhandle":"`+id+`","class":"`+class.text+`","epoch":"`+epoch+`"`...)
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
		if id == "" || !class.isText() || names == nil || names.t != "list" || len(n.items) != 3 {
			return nil, false
		}
		f.tooDeep = f.tooDeep || depth+1 > maxDepth
		dst = append(dst, `{"t":"phandle","phandle":"`+id+`","class":"`+class.text+`","implements":[`...)
		for i := range names.items {
			name := &names.items[i]
			if !name.isText() {
				return nil, false
			}
			dst = append(comma(dst, i), `"`+name.text+`"`...)
		}
		return append(dst, "]}"...), true
	case pclass.isText() && rhandle == nil:
		return append(dst, `{"t":"pclass","class":"`+pclass.text+`"}`...), true
	}
	return nil, false
}
