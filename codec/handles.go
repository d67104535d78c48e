package codec

// The keys that make an array a handle (clause H-1).
const (
	keyRhandle    = "__rhandle"
	keyPhandle    = "__phandle"
	keyPclass     = "__pclass"
	keyClass      = "__class"
	keyEpoch      = "__epoch"
	keySnapshot   = "__snapshot"
	keyImplements = "__implements"
)

// reservedKeys is a set of the keys that mark handles.
type reservedKeys uint8

const (
	hasRhandle reservedKeys = 1 << iota
	hasPhandle
	hasPclass
)

func reservedKey(name string) reservedKeys {
	switch name {
	case keyRhandle:
		return hasRhandle
	case keyPhandle:
		return hasPhandle
	case keyPclass:
		return hasPclass
	}
	return 0
}

// reservedIn returns the marks among the keys of es, as far as they are misused
// when es is not a handle: __pclass matters only alone.
func reservedIn(es []Entry) reservedKeys {
	var found reservedKeys
	for i := range es {
		if name := es[i].Key.text(); len(name) >= len(keyPclass) && name[0] == '_' {
			found |= reservedKey(name)
		}
	}
	return marks(found, len(es))
}

func marks(found reservedKeys, entries int) reservedKeys {
	if entries != 1 {
		found &^= hasPclass
	}
	return found
}

func (r reservedKeys) name() string {
	switch {
	case r&hasRhandle != 0:
		return keyRhandle
	case r&hasPhandle != 0:
		return keyPhandle
	}
	return keyPclass
}

// descriptor makes the handle that es describes (clauses H-1 to H-5). The
// result is null where es is a plain array after all, and an error where it has
// a handle's key without a handle's shape. With ordered, the keys must stand as
// the encoder writes them.
func descriptor(es []Entry, found reservedKeys, ordered bool) (Value, *Error) {
	found = marks(found, len(es))
	r := fields{entries: es}
	var v Value
	switch found {
	case 0:
		return Value{}, nil
	case hasRhandle:
		h := &RustHandle{ID: r.id(keyRhandle), Class: r.text(keyClass), Epoch: r.id(keyEpoch)}
		if len(es) == 4 {
			h.Snapshot = r.snapshot()
		}
		v = rustHandleValue(h)
	case hasPhandle:
		v = phpHandleValue(&PhpHandle{ID: r.id(keyPhandle), Class: r.text(keyClass), Implements: r.names(keyImplements)})
	case hasPclass:
		v = PhpClass(r.text(keyPclass))
	default:
		r.refuse("both "+keyRhandle+" and "+keyPhandle, "one of them")
	}
	if r.err == nil && r.read != len(es) {
		r.refuse("other keys beside "+found.name(), "the keys of a handle only")
	}
	if r.err == nil && ordered {
		r.err = r.misplaced
	}
	if r.err != nil {
		return Value{}, r.err
	}
	return v, nil
}

// fields reads the fields of a descriptor and keeps the first error.
type fields struct {
	entries   []Entry
	read      int
	err       *Error
	misplaced *Error // the first field that is not where the encoder puts it
}

func (r *fields) refuse(found, want string) {
	if r.err == nil {
		r.err = &Error{Kind: Reserved, Offset: -1, Found: found, Want: want}
	}
}

func (r *fields) get(name string) (Value, bool) {
	for i, e := range r.entries {
		if text, ok := e.Key.Text(); ok && text == name {
			if i != r.read && r.misplaced == nil {
				r.misplaced = &Error{Kind: NotCanonical, Offset: -1, Found: name + " as key " + itoa(i+1) + " of a handle",
					Want: "it as key " + itoa(r.read+1)}
			}
			r.read++
			return e.Value, true
		}
	}
	r.refuse("a handle without "+name, "a handle with "+name)
	return Value{}, false
}

func (r *fields) id(name string) int64 {
	v, ok := r.get(name)
	if !ok {
		return 0
	}
	n, isInt := v.Int()
	if !isInt || n < 0 {
		r.refuse(name+" of "+brief(v), "an int of 0 or more")
	}
	return n
}

func (r *fields) text(name string) string {
	v, ok := r.get(name)
	if ok && v.k != KindString {
		r.refuse(name+" of "+brief(v), "a string")
	}
	return v.text()
}

func (r *fields) names(name string) []string {
	v, ok := r.get(name)
	if !ok {
		return nil
	}
	if v.k != KindList {
		r.refuse(name+" of "+brief(v), "a list of strings")
		return nil
	}
	names := make([]string, 0, v.Len())
	for _, e := range v.elements() {
		if e.k != KindString {
			r.refuse(name+" with "+brief(e), "strings only")
		}
		names = append(names, e.text())
	}
	return names
}

func (r *fields) snapshot() *Value {
	v, ok := r.get(keySnapshot)
	if !ok {
		return nil
	}
	if v.k != KindList && v.k != KindArray {
		r.refuse(keySnapshot+" of "+brief(v), "an array")
	}
	return &v
}

// brief names a value in an error.
func brief(v Value) string {
	const most = 40
	s := v.String()
	if len(s) > most {
		s = s[:most] + "…"
	}
	return v.k.String() + " " + s
}
