package codec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// TaggedError says why a text is not the tagged JSON of a value.
type TaggedError struct {
	Path  string // where: $ is the whole value, $[2] an element, $.class a member
	Found string
	Want  string
}

func (e *TaggedError) Error() string {
	return fmt.Sprintf("tagged JSON at %s: found %s, want %s", e.Path, e.Found, e.Want)
}

// ParseTagged reads a value from tagged JSON, with its members in any order
// (clause T-1). A float's "v" is for reading and is not looked at; any other
// member that the kind does not have is an error. An array with the keys 0 to
// n-1 is a List. A string key must be one that PHP could hold: {"b64":"NQ=="},
// the string "5", is an error, since PHP's key is the int 5. The error is a
// [*TaggedError].
func ParseTagged(text []byte) (Value, error) { return parseTagged(text, false) }

// ParseTaggedKeys is [ParseTagged] for a text that asks what becomes of a key:
// it turns string keys into ints as PHP does, where ParseTagged refuses them.
func ParseTaggedKeys(text []byte) (Value, error) { return parseTagged(text, true) }

func parseTagged(text []byte, anyKey bool) (Value, error) {
	if v, ok := quickTagged(text, anyKey); ok {
		return v, nil
	}
	return parseAnySpelling(text, anyKey)
}

// parseAnySpelling reads tagged JSON however it is spelled.
func parseAnySpelling(text []byte, anyKey bool) (Value, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return Value{}, &TaggedError{Path: "$", Found: err.Error(), Want: "JSON"}
	}
	v, err := untag(tree, anyKey)
	if err != nil {
		err.Path = "$" + err.Path
		return Value{}, err
	}
	return v, nil
}

// members of each kind beside "t"; a "?" marks one that may be missing.
var taggedMembers = map[string][]string{
	"null": {}, "bool": {"v"}, "int": {"v"}, "float": {"bits", "?v"}, "string": {"b64"},
	"list": {"v"}, "array": {"v"}, "object": {"v"}, "pclass": {"class"},
	"rhandle": {"rhandle", "class", "epoch", "?snapshot"},
	"phandle": {"phandle", "class", "implements"},
}

// untag makes the value of a tree. The path of its error is relative to that
// tree; callers put their own part before it.
func untag(tree any, anyKey bool) (Value, *TaggedError) {
	object, ok := tree.(map[string]any)
	if !ok {
		return Value{}, &TaggedError{"", describeJSON(tree), "an object"}
	}
	kind, _ := object["t"].(string)
	members, known := taggedMembers[kind]
	if !known {
		return Value{}, &TaggedError{".t", describeJSON(object["t"]), "the name of a kind of plugin value"}
	}
	for _, name := range members {
		if _, there := object[name]; !there && name[0] != '?' {
			return Value{}, &TaggedError{"", "a " + kind + " without " + name, "it"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if name != "t" && !slices.Contains(members, name) && !slices.Contains(members, "?"+name) {
			return Value{}, &TaggedError{"", "the member " + strconv.Quote(name), "the members of a " + kind + " only"}
		}
	}
	u := untagger{object: object, anyKey: anyKey}
	var v Value
	switch kind {
	case "bool":
		b, ok := object["v"].(bool)
		if !ok {
			u.refuse("v", "true or false")
		}
		v = Bool(b)
	case "int":
		v = Int(u.number("v"))
	case "float":
		v = u.float()
	case "string":
		v = String(u.base64("b64"))
	case "list":
		v = List(u.list()...)
	case "array":
		v = Array(u.entries("v")...)
	case "object":
		v = Object(u.entries("v")...)
	case "pclass":
		v = PhpClass(u.base64("class"))
	case "rhandle":
		h := RustHandle{ID: u.id("rhandle"), Class: u.base64("class"), Epoch: u.id("epoch")}
		if _, there := object["snapshot"]; there {
			snapshot := Array(u.entries("snapshot")...)
			h.Snapshot = &snapshot
		}
		v = NewRustHandle(h)
	case "phandle":
		v = NewPhpHandle(PhpHandle{ID: u.id("phandle"), Class: u.base64("class"), Implements: u.names()})
	}
	return v, u.err
}

// untagger reads the members of one object and keeps the first error.
type untagger struct {
	object map[string]any
	anyKey bool // string keys may be such that PHP makes ints of them
	err    *TaggedError
}

func (u *untagger) refuse(name, want string) {
	if u.err == nil {
		u.err = &TaggedError{"." + name, describeJSON(u.object[name]), want}
	}
}

func (u *untagger) number(name string) int64 {
	text, _ := u.object[name].(string)
	n, ok := canonicalInt(text)
	if !ok {
		u.refuse(name, "an int64 as a string of digits")
	}
	return n
}

func (u *untagger) id(name string) int64 {
	n := u.number(name)
	if n < 0 {
		u.refuse(name, "0 or more")
	}
	return n
}

func (u *untagger) float() Value {
	text, _ := u.object["bits"].(string)
	bits, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != 16 {
		u.refuse("bits", "16 hex digits")
	}
	return Float(math.Float64frombits(bits))
}

func (u *untagger) base64(name string) string {
	s, ok := fromBase64(u.object[name])
	if !ok {
		u.refuse(name, "base64 with padding")
	}
	return s
}

var strictBase64 = base64.StdEncoding.Strict()

func fromBase64(tree any) (string, bool) {
	text, ok := tree.(string)
	if !ok {
		return "", false
	}
	b, err := strictBase64.DecodeString(text)
	return share(b), err == nil
}

func (u *untagger) array(name string) []any {
	items, ok := u.object[name].([]any)
	if !ok {
		u.refuse(name, "an array")
	}
	return items
}

func (u *untagger) list() []Value {
	items := u.array("v")
	vs := make([]Value, len(items))
	for i, item := range items {
		v, err := untag(item, u.anyKey)
		if err != nil {
			u.keep(i, err)
			return nil
		}
		vs[i] = v
	}
	return vs
}

// keep takes over the error of element i.
func (u *untagger) keep(i int, err *TaggedError) {
	if u.err == nil {
		err.Path = "[" + itoa(i) + "]" + err.Path
		u.err = err
	}
}

func (u *untagger) entries(name string) []Entry {
	items := u.array(name)
	es := make([]Entry, len(items))
	for i, item := range items {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			u.keep(i, &TaggedError{"", describeJSON(item), "a pair of key and value"})
			return nil
		}
		key, err := untagKey(pair[0], u.anyKey)
		if err != nil {
			u.keep(i, err)
			return nil
		}
		v, err := untag(pair[1], u.anyKey)
		if err != nil {
			u.keep(i, err)
			return nil
		}
		es[i] = Entry{key, v}
	}
	return es
}

func untagKey(tree any, anyKey bool) (Key, *TaggedError) {
	object, _ := tree.(map[string]any)
	if len(object) == 1 {
		if text, ok := object["int"].(string); ok {
			if n, ok := canonicalInt(text); ok {
				return IntKey(n), nil
			}
		}
		if s, ok := fromBase64(object["b64"]); ok {
			if n, isInt := canonicalInt(s); isInt && !anyKey {
				return Key{}, &TaggedError{"", "the string key " + strconv.Quote(s),
					"the int key " + strconv.FormatInt(n, 10) + ", which is what PHP makes of it"}
			}
			return StringKey(s), nil
		}
	}
	return Key{}, &TaggedError{"", describeJSON(tree), `a key, {"int":"5"} or {"b64":"…"}`}
}

func (u *untagger) names() []string {
	items := u.array("implements")
	names := make([]string, len(items))
	for i, item := range items {
		name, ok := fromBase64(item)
		if !ok {
			u.refuse("implements", "an array of base64 strings")
			return nil
		}
		names[i] = name
	}
	return names
}

// describeJSON names what stood in a text, in a line.
func describeJSON(tree any) string {
	switch t := tree.(type) {
	case nil:
		return "null or nothing"
	case map[string]any:
		return "an object"
	case []any:
		return "an array of " + itoa(len(t))
	}
	s := fmt.Sprintf("%#v", tree)
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return s
}
