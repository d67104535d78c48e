package toolchild

import "fmt"

// A Message is a message that the guard has let through. Its accessors return
// the zero value for a field that it does not have.
type Message struct {
	Type   Type
	body   JSON
	fields map[string]value
}

// Fields are the fields of a message to send, as Go values; see [Stringify].
type Fields map[string]any

// New makes a message. It passes the guard like one that came from the wire.
func New(t Type, fields Fields) (Message, error) {
	members := make(map[string]any, len(fields)+1)
	for name, v := range fields {
		members[name] = v
	}
	members["type"] = string(t)
	text, err := Stringify(members)
	if err != nil {
		return Message{}, fmt.Errorf("toolchild: making %s: %w", t, err)
	}
	return Parse(text)
}

// Body returns the message's JSON text. The caller must not change it.
func (m Message) Body() JSON { return m.body }

// Direction returns who may send the message.
func (m Message) Direction() Direction { return shapes[m.Type].Direction }

// Has reports whether the message has a field.
func (m Message) Has(field string) bool {
	_, ok := m.fields[field]
	return ok
}

// Text returns a field's text. A lone surrogate in it takes three bytes (WTF-8).
func (m Message) Text(field string) string {
	if v, ok := m.fields[field]; ok && v.isString() {
		return unquote(v.text)
	}
	return ""
}

// Number returns a field's number; ok is false if it is null.
func (m Message) Number(field string) (n float64, ok bool) {
	if v, found := m.fields[field]; found && v.isNumber() {
		return v.number(), true
	}
	return 0, false
}

// Bool reports whether a field is true.
func (m Message) Bool(field string) bool {
	v, ok := m.fields[field]
	return ok && v.text[0] == 't'
}

// JSON returns a field's text. The caller must not change it.
func (m Message) JSON(field string) JSON { return m.fields[field].text }

// Ref returns a field's reference.
func (m Message) Ref(field string) (ref PayloadRef, ok bool) {
	v, found := m.fields[field]
	if !found {
		return PayloadRef{}, false
	}
	ref, err := parseRef(v)
	return ref, err == nil
}

// Entries returns the entries of a batch.
func (m Message) Entries() []EntryMeta {
	v, ok := m.fields["entries"]
	if !ok {
		return nil
	}
	entries, _ := parseEntries(v) // the guard has let them through
	return entries
}

// Detail returns a trace's detail: strings, float64s and bools by key.
func (m Message) Detail() map[string]any {
	v, ok := m.fields["detail"]
	if !ok {
		return nil
	}
	detail, _ := parseDetail(v) // the guard has let it through
	return detail
}
