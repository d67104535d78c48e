package toolchild

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Parse is the guard: it returns the message that text holds, or an *[Error]
// that says why it is none. Its cost is linear in the text, which the message
// keeps.
//
// A repeated key has its last value, and numbers are doubles, as JSON.parse has
// it: 5.0 and 5e0 are the integer 5, 2^53 is no safe integer, 1e999 is not
// finite. Fields of kind json hold anything; objects of kind ref, and the
// entries of a batch, may have further members, which mean nothing.
func Parse(text []byte) (Message, error) {
	body, err := ParseJSON(text)
	if err != nil {
		return Message{}, err
	}
	lead := skipSpace(text, 0)
	whole := value{body, lead}
	if !whole.isObject() {
		return Message{}, refused(whole, "an object")
	}
	fields := map[string]value{}
	whole.eachMember(func(key string, member value) { fields[key] = member })

	typ, ok := fields["type"]
	if !ok {
		return Message{}, refused(whole, "a member \"type\"")
	}
	var shape *Shape
	if typ.isString() {
		shape = shapes[Type(unquote(typ.text))]
	}
	if shape == nil {
		return Message{}, refused(typ, "a known message type")
	}
	if err := shape.check(whole, fields); err != nil {
		return Message{}, err
	}
	message := Message{Type: shape.Type, body: body, fields: make(map[string]value, len(fields)-1)}
	for _, field := range shape.Fields {
		if v, ok := fields[field.Name]; ok {
			message.fields[field.Name] = v
		}
	}
	return message, nil
}

func (s *Shape) check(whole value, fields map[string]value) error {
	for _, field := range s.Fields {
		v, ok := fields[field.Name]
		switch {
		case ok:
			if err := field.Kind.check(v); err != nil {
				return err
			}
		case !field.Optional:
			return refused(whole, fmt.Sprintf("%s with a member %q", s.Type, field.Name))
		}
	}
	// The first unknown field by its place, so that the error does not depend on the map's order.
	first := value{at: math.MaxInt}
	var name string
	for key, v := range fields {
		if key != "type" && s.field(key) == nil && v.at < first.at {
			first, name = v, key
		}
	}
	if first.text != nil {
		return refused(first, fmt.Sprintf("%s without a member %s", s.Type, shown([]byte(name))))
	}
	return nil
}

func refused(v value, want string) error {
	return &Error{Refused, int64(v.at), shown(v.text), want}
}

// check returns why v is not of the kind.
func (k Kind) check(v value) error {
	ok := true
	want := k.Name
	switch k.Name {
	case "string":
		ok, want = v.isString(), "a string"
	case "number":
		ok, want = isFinite(v), "a finite number"
	case "number|null":
		ok, want = v.isNull() || isFinite(v), "a finite number or null"
	case "boolean":
		ok, want = v.isBool(), "true or false"
	case "enum":
		ok = v.isString() && slices.Contains(k.Values, unquote(v.text))
		want = "one of " + strings.Join(k.Values, ", ")
	case "ref":
		_, err := parseRef(v)
		return err
	case "entries":
		_, err := parseEntries(v)
		return err
	case "detail":
		_, err := parseDetail(v)
		return err
	}
	if !ok {
		return refused(v, want)
	}
	return nil
}

func isFinite(v value) bool { return v.isNumber() && !math.IsInf(v.number(), 0) }

var (
	refIDPattern  = regexp.MustCompile(`\A[A-Za-z0-9_-]{1,64}\z`)
	sha256Pattern = regexp.MustCompile(`\A[0-9a-f]{64}\z`)
)

// IsRefID reports whether id may name a reference: 1 to 64 of A-Z, a-z, 0-9,
// '_' and '-'. Such a name cannot leave its folder.
func IsRefID(id string) bool { return refIDPattern.MatchString(id) }

// A PayloadRef names a payload that was moved as a file. The receiver derives
// the file's path itself.
type PayloadRef struct {
	RefID      string // see IsRefID
	Generation int64  // 0 to 2^53-1
	Bytes      int64  // 0 to 2^53-1
	SHA256     string // 64 lower-case hexadecimal digits
}

// Valid reports whether the guard would let the reference through.
func (r PayloadRef) Valid() bool {
	return IsRefID(r.RefID) && isCount(r.Generation) && isCount(r.Bytes) && sha256Pattern.MatchString(r.SHA256)
}

func isCount(n int64) bool { return 0 <= n && n <= maxSafeInteger }

// An EntryMeta is one parsed transcript entry with its place in the file.
type EntryMeta struct {
	ID         string
	ParentID   *string // nil is null
	LineOffset int64   // 0 to 2^53-1
	LineBytes  int64   // 0 to 2^53-1
	LineDelta  int64   // -(2^53-1) to 2^53-1
	Entry      JSON    // nil if there is none
}

// pick returns the named members of an object, each with its last value.
func pick(v value, names ...string) (map[string]value, error) {
	if !v.isObject() {
		return nil, refused(v, "an object")
	}
	picked := make(map[string]value, len(names))
	v.eachMember(func(key string, member value) {
		if slices.Contains(names, key) {
			picked[key] = member
		}
	})
	return picked, nil
}

// An object reads the members of an object until one is not what it should be.
type object struct {
	whole   value
	members map[string]value
	err     error
}

func open(v value, names ...string) *object {
	members, err := pick(v, names...)
	return &object{v, members, err}
}

// member returns a member if it is of the wanted form, and otherwise keeps why not.
func (o *object) member(name, want string, ok func(value) bool) (value, bool) {
	if o.err != nil {
		return value{}, false
	}
	v, found := o.members[name]
	switch {
	case !found:
		o.err = refused(o.whole, fmt.Sprintf("a member %q", name))
	case !ok(v):
		o.err = refused(v, want)
	}
	return v, o.err == nil
}

func (o *object) text(name, want string, ok func(string) bool) string {
	v, found := o.member(name, want, func(v value) bool { return v.isString() && ok(unquote(v.text)) })
	if !found {
		return ""
	}
	return unquote(v.text)
}

func (o *object) integer(name string, least int64) int64 {
	v, found := o.member(name, fmt.Sprintf("a safe integer from %d", least), func(v value) bool {
		return v.isNumber() && isSafeInteger(v.number()) && v.number() >= float64(least)
	})
	if !found {
		return 0
	}
	return int64(v.number())
}

func parseRef(v value) (PayloadRef, error) {
	o := open(v, "refId", "generation", "bytes", "sha256")
	ref := PayloadRef{
		RefID:      o.text("refId", "1 to 64 of A-Z, a-z, 0-9, _ and -", IsRefID),
		Generation: o.integer("generation", 0),
		Bytes:      o.integer("bytes", 0),
		SHA256:     o.text("sha256", "64 lower-case hexadecimal digits", sha256Pattern.MatchString),
	}
	return ref, o.err
}

func parseEntry(v value) (EntryMeta, error) {
	o := open(v, "id", "parentId", "lineOffset", "lineBytes", "lineDelta", "entry")
	entry := EntryMeta{ID: o.text("id", "a string", anyString)}
	parent, ok := o.member("parentId", "a string or null", func(v value) bool { return v.isString() || v.isNull() })
	if ok && parent.isString() {
		id := unquote(parent.text)
		entry.ParentID = &id
	}
	entry.LineOffset = o.integer("lineOffset", 0)
	entry.LineBytes = o.integer("lineBytes", 0)
	entry.LineDelta = o.integer("lineDelta", -maxSafeInteger)
	if e, ok := o.members["entry"]; ok {
		entry.Entry = e.text
	}
	return entry, o.err
}

func anyString(string) bool { return true }

func parseEntries(v value) ([]EntryMeta, error) {
	if !v.isArray() {
		return nil, refused(v, "an array of entries")
	}
	var entries []EntryMeta
	var err error
	v.eachElement(func(element value) bool {
		var entry EntryMeta
		if entry, err = parseEntry(element); err == nil {
			entries = append(entries, entry)
		}
		return err == nil
	})
	return entries, err
}

// parseDetail returns a trace's detail: strings, numbers and booleans by key. A
// number may be infinite here: only its type is judged.
func parseDetail(v value) (map[string]any, error) {
	if !v.isObject() {
		return nil, refused(v, "an object of scalars")
	}
	members := map[string]value{}
	v.eachMember(func(key string, member value) { members[key] = member })
	detail := make(map[string]any, len(members))
	var first error
	firstAt := math.MaxInt
	for key, member := range members {
		scalar, want := member.scalar(), "a string, a number or a boolean"
		if slices.Contains(reservedKeys, key) {
			scalar, want = nil, fmt.Sprintf("no reserved key (%s)", key)
		}
		if scalar == nil && member.at < firstAt {
			first, firstAt = refused(member, want), member.at
		}
		detail[key] = scalar
	}
	if first != nil {
		return nil, first
	}
	return detail, nil
}

// scalar returns a string, a float64, a bool, or nil for any other value.
func (v value) scalar() any {
	switch {
	case v.isString():
		return unquote(v.text)
	case v.isNumber():
		return v.number()
	case v.isBool():
		return v.text[0] == 't'
	}
	return nil
}
