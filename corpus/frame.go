package corpus

import (
	"encoding/json"
	"fmt"
	"strconv"

	"phpwire/codec"
	"phpwire/frames"
)

// frameOf makes the frame that the input of a Write case describes. It checks
// types only: what a writer must refuse, it is given.
func frameOf(input []byte) (frames.Frame, error) {
	var in Frame
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	id, err := strconv.ParseUint(in.ID, 10, 64)
	if err != nil {
		return nil, err
	}
	v, err := codec.ParseTagged(in.Fields)
	if err != nil {
		return nil, err
	}
	f := fields{list: v.Elements()}
	for tag := frames.Tag(0); tag.Known(); tag++ {
		if tag.String() == in.Tag {
			frame := f.frame(tag, id)
			if f.wrong || len(f.list) > 0 {
				return nil, fmt.Errorf("the fields are not those of a %s frame", in.Tag)
			}
			return frame, nil
		}
	}
	return nil, fmt.Errorf("there is no tag %q", in.Tag)
}

// fields takes typed fields off a list.
type fields struct {
	list  []codec.Value
	wrong bool
}

func (f *fields) next() codec.Value {
	if len(f.list) == 0 {
		f.wrong = true
		return codec.Null()
	}
	v := f.list[0]
	f.list = f.list[1:]
	return v
}

func (f *fields) text() string {
	s, ok := f.next().Text()
	f.wrong = f.wrong || !ok
	return s
}

func (f *fields) number() int64 {
	n, ok := f.next().Int()
	f.wrong = f.wrong || !ok
	return n
}

func (f *fields) values() []codec.Value { return f.next().Elements() }

func (f *fields) positions() (ps []int) {
	for _, v := range f.values() {
		n, ok := v.Int()
		f.wrong = f.wrong || !ok
		ps = append(ps, int(n))
	}
	return ps
}

func (f *fields) outParams() (ps []frames.OutParam) {
	for k, v := range f.next().All() {
		n, ok := k.Int()
		f.wrong = f.wrong || !ok
		ps = append(ps, frames.OutParam{Position: int(n), Value: v})
	}
	return ps
}

func (f *fields) entries() (es []codec.Entry) {
	for k, v := range f.next().All() {
		es = append(es, codec.Entry{Key: k, Value: v})
	}
	return es
}

func (f *fields) frame(tag frames.Tag, id uint64) frames.Frame {
	switch tag {
	case frames.TagCallFunction:
		return frames.CallFunction{ID: id, Function: f.text(), Args: f.values(), OutParams: f.positions()}
	case frames.TagCallStaticMethod:
		return frames.CallStaticMethod{ID: id, Class: f.text(), Method: f.text(), Args: f.values(), OutParams: f.positions()}
	case frames.TagNewObject:
		return frames.NewObject{ID: id, Class: f.text(), Args: f.values()}
	case frames.TagCallPhpMethod:
		return frames.CallPhpMethod{ID: id, Handle: f.number(), Method: f.text(), Args: f.values(), OutParams: f.positions()}
	case frames.TagCallRustMethod:
		return frames.CallRustMethod{ID: id, Handle: f.number(), Method: f.text(), Args: f.values(), OutParams: f.positions()}
	case frames.TagReturn:
		return frames.Return{ID: id, Value: f.next(), OutParams: f.outParams()}
	case frames.TagThrow:
		return frames.Throw{ID: id, Class: f.text(), Message: f.text(), Code: f.number(), Properties: f.entries()}
	case frames.TagReleaseRustHandle:
		return frames.ReleaseRustHandle{Handle: f.number()}
	case frames.TagReleasePhpHandle:
		return frames.ReleasePhpHandle{Handle: f.number()}
	default:
		return frames.EpochBump{Handle: f.number(), Epoch: f.number()}
	}
}
