package frames

import (
	"encoding/binary"
	"sync"

	"phpwire/codec"
)

// Append appends the bytes of f to dst. The error is an [*Error]: a value that
// cannot be encoded (BadPayload), a negative handle, epoch or position
// (BadField), or a frame above 256 MiB (TooLong). On an error dst is returned as
// it was.
func Append(dst []byte, f Frame) ([]byte, error) {
	w := fieldWriters.Get().(*fieldWriter)
	defer fieldWriters.Put(w)
	return w.append(dst, f)
}

// fieldWriters keeps fieldWriters for Append: as a frame may be of any type, a new
// one would be an allocation.
var fieldWriters = sync.Pool{New: func() any { return new(fieldWriter) }}

// append is Append.
func (w *fieldWriter) append(dst []byte, f Frame) ([]byte, error) {
	start := len(dst)
	*w = fieldWriter{frame: f, dst: append(dst, make([]byte, headerBytes)...)}
	defer func() { *w = fieldWriter{} }()
	f.appendFields(w)
	if length := len(w.dst) - start - lengthBytes; w.err == nil && length > MaxLength {
		w.refuse(TooLong, "", itoa(length)+" bytes", "at most "+itoa(MaxLength))
	}
	if w.err != nil {
		return dst[:start], w.err
	}
	putHeader(w.dst[start:], f.Tag(), f.CorrID(), len(w.dst)-start-headerBytes)
	return w.dst, nil
}

// AppendRaw appends the bytes of a raw frame, whatever its tag, id and payload.
func AppendRaw(dst []byte, raw Raw) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, headerBytes)...)
	putHeader(dst[start:], raw.Tag, raw.ID, len(raw.Payload))
	return append(dst, raw.Payload...)
}

func putHeader(b []byte, tag Tag, id uint64, payload int) {
	binary.LittleEndian.PutUint64(b, uint64(payload+MinLength))
	b[lengthBytes] = byte(tag)
	binary.LittleEndian.PutUint64(b[lengthBytes+1:], id)
}

// fieldWriter appends the list of fields and keeps the first error.
type fieldWriter struct {
	frame Frame
	dst   []byte
	next  int
	err   *Error
}

func (w *fieldWriter) refuse(kind ErrorKind, field, found, want string) {
	if w.err == nil {
		w.err = &Error{Kind: kind, Tag: w.frame.Tag(), ID: w.frame.CorrID(), HasTag: true, Field: field, Found: found, Want: want}
	}
}

// opening holds what opens a list of so many fields.
var opening = [...]string{1: "a:1:{", 2: "a:2:{", 3: "a:3:{", 4: "a:4:{"}

// position holds the keys of the fields.
var position = [...]string{"i:0;", "i:1;", "i:2;", "i:3;"}

func (w *fieldWriter) open(n int) { w.dst = append(w.dst, opening[n]...) }
func (w *fieldWriter) close()     { w.dst = append(w.dst, '}') }

// value appends a field that stands inside the list of fields.
func (w *fieldWriter) value(name string, v codec.Value) {
	w.dst = append(w.dst, position[w.next]...)
	w.next++
	if w.err != nil {
		return
	}
	dst, err := codec.AppendNested(w.dst, v, 1)
	if err != nil {
		w.refuse(BadPayload, name, "", "")
		w.err.Err = err
	}
	w.dst = dst
}

func (w *fieldWriter) text(name, s string)         { w.value(name, codec.String(s)) }
func (w *fieldWriter) number(name string, n int64) { w.value(name, codec.Int(n)) }

func (w *fieldWriter) natural(name string, n int64) {
	if n < 0 {
		w.refuse(BadField, name, brief(codec.Int(n)), "0 or more")
	}
	w.number(name, n)
}

func (w *fieldWriter) list(name string, vs []codec.Value) { w.value(name, codec.List(vs...)) }

func (w *fieldWriter) positions(positions []int) {
	vs := make([]codec.Value, len(positions))
	for i, p := range positions {
		if p < 0 {
			w.refuse(BadField, "out_param_positions", itoa(p), "0 or more")
		}
		vs[i] = codec.Int(int64(p))
	}
	w.list("out_param_positions", vs)
}

func (f CallFunction) appendFields(w *fieldWriter) {
	w.open(3)
	w.text("function_name", f.Function)
	w.list("args", f.Args)
	w.positions(f.OutParams)
	w.close()
}

func (f CallStaticMethod) appendFields(w *fieldWriter) {
	w.open(4)
	w.text("pclass", f.Class)
	w.text("method_name", f.Method)
	w.list("args", f.Args)
	w.positions(f.OutParams)
	w.close()
}

func (f NewObject) appendFields(w *fieldWriter) {
	w.open(2)
	w.text("pclass", f.Class)
	w.list("ctor_args", f.Args)
	w.close()
}

func (f CallPhpMethod) appendFields(w *fieldWriter) {
	w.open(4)
	w.natural("phandle", f.Handle)
	w.text("method_name", f.Method)
	w.list("args", f.Args)
	w.positions(f.OutParams)
	w.close()
}

func (f CallRustMethod) appendFields(w *fieldWriter) {
	w.open(4)
	w.natural("rhandle", f.Handle)
	w.text("method_name", f.Method)
	w.list("args", f.Args)
	w.positions(f.OutParams)
	w.close()
}

func (f Return) appendFields(w *fieldWriter) {
	es := make([]codec.Entry, len(f.OutParams))
	for i, p := range f.OutParams {
		if p.Position < 0 {
			w.refuse(BadField, "out_params", itoa(p.Position), "0 or more")
		}
		es[i] = codec.Entry{Key: codec.IntKey(int64(p.Position)), Value: p.Value}
	}
	w.open(2)
	w.value("value", f.Value)
	w.value("out_params", codec.Array(es...))
	w.close()
}

func (f Throw) appendFields(w *fieldWriter) {
	w.open(4)
	w.text("exception_class", f.Class)
	w.text("message", f.Message)
	w.number("code", f.Code)
	w.value("properties", codec.Array(f.Properties...))
	w.close()
}

func (f ReleaseRustHandle) appendFields(w *fieldWriter) {
	w.open(1)
	w.natural("rhandle", f.Handle)
	w.close()
}

func (f ReleasePhpHandle) appendFields(w *fieldWriter) {
	w.open(1)
	w.natural("phandle", f.Handle)
	w.close()
}

func (f EpochBump) appendFields(w *fieldWriter) {
	w.open(2)
	w.natural("rhandle", f.Handle)
	w.natural("epoch", f.Epoch)
	w.close()
}
