package frames

import (
	"errors"
	"strconv"

	"phpwire/codec"
)

// The limits of a frame's length (clause F-2): tag and id at least, and 256 MiB.
const (
	MinLength = 1 + 8
	MaxLength = 256 << 20
)

// lengthBytes is the size of the length itself, headerBytes with tag and id.
const (
	lengthBytes = 8
	headerBytes = lengthBytes + MinLength
)

// Raw is a frame whose payload was not looked at.
type Raw struct {
	Tag     Tag
	ID      uint64
	Payload []byte
}

// Parse makes a typed frame of a raw one that came from the given side. The frame
// does not refer to raw.Payload. The error is an [*Error].
func Parse(raw Raw, from Side) (Frame, error) { return new(fields).parse(raw, from, codec.Decode) }

// ParseShared is [Parse] for a payload that is not changed any more: the strings
// of the frame are its bytes.
func ParseShared(raw Raw, from Side) (Frame, error) {
	return new(fields).parse(raw, from, codec.DecodeShared)
}

// Clone returns the same frame with memory of its own. The error is that of
// [Append].
func Clone(f Frame) (Frame, error) {
	b, err := Append(nil, f)
	if err != nil {
		return nil, err
	}
	return ParseShared(Raw{f.Tag(), f.CorrID(), b[headerBytes:]}, FromAnyone)
}

// parse reads all fields. What f was before does not count.
func (f *fields) parse(raw Raw, from Side, decode func([]byte, codec.Profile) (codec.Value, error)) (Frame, error) {
	if err := checkHead(raw, from); err != nil {
		return nil, err
	}
	*f = fields{raw: raw}
	payload, err := decode(raw.Payload, codec.Plugin)
	switch {
	case err != nil:
		f.err = f.fault(BadPayload, "", "", "")
		f.err.Err = err
		var e *codec.Error
		if errors.As(err, &e) {
			f.err.Found, f.err.Want = e.Found, e.Want
		}
		return nil, f.err
	case payload.Kind() != codec.KindList:
		return nil, f.fault(NotAList, "", brief(payload), "a list of fields")
	}
	f.values = payload.Elements()
	frame := rules[raw.Tag].parse(f)
	if f.err == nil && f.next < len(f.values) {
		f.err = f.fault(ExtraField, "", itoa(len(f.values))+" fields", itoa(f.next))
	}
	if f.err != nil {
		return nil, f.err
	}
	return frame, nil
}

// checkHead checks what stands before the payload.
func checkHead(raw Raw, from Side) *Error {
	f := fields{raw: raw}
	if !raw.Tag.Known() {
		return f.fault(UnknownTag, "", raw.Tag.String(), "a tag from 0x00 to 0x09")
	}
	r := &rules[raw.Tag]
	if !from.sends(r) {
		return f.fault(WrongDirection, "", "it from "+from.String(), "it from the other side only")
	}
	if !r.id(raw.ID, from) {
		return f.fault(BadID, "", strconv.FormatUint(raw.ID, 10), r.wantID)
	}
	return nil
}

// fields reads the fields of a payload one after another and keeps the first
// error.
type fields struct {
	raw    Raw
	values []codec.Value
	next   int
	err    *Error
}

func (f *fields) fault(kind ErrorKind, field, found, want string) *Error {
	return &Error{Kind: kind, Tag: f.raw.Tag, ID: f.raw.ID, HasTag: true, Field: field, Found: found, Want: want}
}

func (f *fields) refuse(kind ErrorKind, field, found, want string) {
	if f.err == nil {
		f.err = f.fault(kind, field, found, want)
	}
}

func (f *fields) value(name string) codec.Value {
	f.next++
	if f.next > len(f.values) {
		f.refuse(MissingField, name, itoa(len(f.values))+" fields", "it as number "+itoa(f.next))
		return codec.Value{}
	}
	return f.values[f.next-1]
}

func (f *fields) text(name string) string {
	v := f.value(name)
	if v.Kind() != codec.KindString {
		f.refuse(BadField, name, brief(v), "a string")
		return ""
	}
	s, _ := v.Text()
	return s
}

func (f *fields) number(name string) int64 {
	v := f.value(name)
	n, ok := v.Int()
	if !ok {
		f.refuse(BadField, name, brief(v), "an int")
	}
	return n
}

// natural reads a handle or an epoch.
func (f *fields) natural(name string) int64 {
	n := f.number(name)
	if n < 0 {
		f.refuse(BadField, name, strconv.FormatInt(n, 10), "an int of 0 or more")
	}
	return n
}

func (f *fields) list(name string) []codec.Value {
	v := f.value(name)
	if v.Kind() != codec.KindList {
		f.refuse(BadField, name, brief(v), "a list")
	}
	return v.Elements()
}

func (f *fields) positions() []int {
	const name = "out_param_positions"
	var positions []int
	for _, v := range f.list(name) {
		n, ok := v.Int()
		if !ok || n < 0 || n > codec.MaxLength {
			f.refuse(BadField, name, brief(v), "positions of 0 or more")
			return nil
		}
		positions = append(positions, int(n))
	}
	return positions
}

func (f *fields) outParams() []OutParam {
	const name = "out_params"
	v := f.value(name)
	if v.Kind() != codec.KindList && v.Kind() != codec.KindArray {
		f.refuse(BadField, name, brief(v), "an array of position and value")
		return nil
	}
	var params []OutParam
	for k, e := range v.All() {
		n, ok := k.Int()
		if !ok || n < 0 || n > codec.MaxLength {
			f.refuse(BadField, name, "the key "+k.String(), "positions of 0 or more")
			return nil
		}
		params = append(params, OutParam{int(n), e})
	}
	return params
}

// properties reads the last field of a Throw, which may be left out.
func (f *fields) properties() []codec.Entry {
	const name = "properties"
	if f.next == len(f.values) {
		return nil
	}
	v := f.value(name)
	if v.Kind() != codec.KindArray && v.Len() > 0 || v.Kind() != codec.KindArray && v.Kind() != codec.KindList {
		f.refuse(BadField, name, brief(v), "an array of name and value")
	}
	return v.Entries()
}

func parseCallFunction(f *fields) Frame {
	return CallFunction{f.raw.ID, f.text("function_name"), f.list("args"), f.positions()}
}

func parseCallStaticMethod(f *fields) Frame {
	return CallStaticMethod{f.raw.ID, f.text("pclass"), f.text("method_name"), f.list("args"), f.positions()}
}

func parseNewObject(f *fields) Frame {
	return NewObject{f.raw.ID, f.text("pclass"), f.list("ctor_args")}
}

func parseCallPhpMethod(f *fields) Frame {
	return CallPhpMethod{f.raw.ID, f.natural("phandle"), f.text("method_name"), f.list("args"), f.positions()}
}

func parseCallRustMethod(f *fields) Frame {
	return CallRustMethod{f.raw.ID, f.natural("rhandle"), f.text("method_name"), f.list("args"), f.positions()}
}

func parseReturn(f *fields) Frame { return Return{f.raw.ID, f.value("value"), f.outParams()} }

func parseThrow(f *fields) Frame {
	return Throw{f.raw.ID, f.text("exception_class"), f.text("message"), f.number("code"), f.properties()}
}

func parseReleaseRustHandle(f *fields) Frame { return ReleaseRustHandle{f.natural("rhandle")} }
func parseReleasePhpHandle(f *fields) Frame  { return ReleasePhpHandle{f.natural("phandle")} }
func parseEpochBump(f *fields) Frame         { return EpochBump{f.natural("rhandle"), f.natural("epoch")} }

func itoa(n int) string { return strconv.Itoa(n) }

// brief names a value in an error.
func brief(v codec.Value) string {
	const most = 60
	s := v.Kind().String() + " " + v.String()
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}
