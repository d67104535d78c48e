package payloadref

import (
	"bytes"
	"context"
	"unicode/utf8"

	"phpwire/frames/toolchild"
)

// A Packed payload is ready for a frame: either as it is or by reference.
type Packed struct {
	Inline toolchild.JSON        // nil if it goes by reference
	Ref    *toolchild.PayloadRef // nil if it goes inline
}

// Pack makes a payload ready: inline if its JSON has at most
// toolchild.RefThreshold bytes, and otherwise by reference. The value is
// written by [toolchild.Stringify]; nil is null.
func Pack(ctx context.Context, value any, w *Writer) (Packed, error) {
	text, err := toolchild.Stringify(value)
	if err != nil {
		return Packed{}, err
	}
	if len(text) <= toolchild.RefThreshold {
		return Packed{Inline: text}, nil
	}
	ref, err := w.Create(ctx, bytes.NewReader(text))
	if err != nil {
		return Packed{}, err
	}
	return Packed{Ref: &ref}, nil
}

// Unpack accepts and consumes a reference and returns the payload's JSON. Bytes
// that are not UTF-8 are read as U+FFFD, as Node's Buffer.toString has it. The
// errors are those of [Reader.Accept] and [Reader.Consume], and a
// *[toolchild.Error] for a payload that is no JSON, whose file is deleted too.
func Unpack(ctx context.Context, ref toolchild.PayloadRef, r *Reader) (toolchild.JSON, error) {
	if err := r.Accept(ctx, ref); err != nil {
		return nil, err
	}
	var payload bytes.Buffer
	payload.Grow(int(ref.Bytes)) // the file was seen to have that many
	if err := r.Consume(ctx, ref.RefID, &payload); err != nil {
		return nil, err
	}
	return toolchild.ParseJSON(replaceInvalid(payload.Bytes()))
}

// replaceInvalid puts U+FFFD in the place of every maximal part of a UTF-8
// sequence that is not one, as the WHATWG decoder does.
func replaceInvalid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	var out []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			size = invalidBytes(text)
		}
		out = utf8.AppendRune(out, r)
		text = text[size:]
	}
	return out
}

// invalidBytes returns how many bytes of an invalid sequence could have begun a
// valid one, at least 1.
func invalidBytes(text []byte) int {
	least, most := byte(0x80), byte(0xbf) // of the second byte
	switch lead := text[0]; {
	case lead < 0xe0 || lead > 0xf4:
		return 1
	case lead == 0xe0:
		least = 0xa0
	case lead == 0xed:
		most = 0x9f
	case lead == 0xf0:
		least = 0x90
	case lead == 0xf4:
		most = 0x8f
	}
	switch {
	case len(text) < 2 || text[1] < least || text[1] > most:
		return 1
	case text[0] < 0xf0 || len(text) < 3 || text[2] < 0x80 || text[2] > 0xbf:
		return 2
	}
	return 3
}
