package gen

import (
	"math/rand"

	"phpwire/codec"
	"phpwire/frames"
)

var (
	hostTags = []frames.Tag{
		frames.TagCallFunction, frames.TagCallStaticMethod, frames.TagNewObject, frames.TagCallPhpMethod,
		frames.TagReturn, frames.TagThrow, frames.TagReleasePhpHandle, frames.TagEpochBump,
	}
	phpTags = []frames.Tag{frames.TagCallRustMethod, frames.TagReturn, frames.TagThrow, frames.TagReleaseRustHandle}
)

// RandomFrame draws a frame that the given side may send, with an id that it may
// have there, and that can be appended: mostly small ones.
func RandomFrame(r *rand.Rand, side frames.Side) frames.Frame {
	if side == frames.FromAnyone {
		side = pick(r, []frames.Side{frames.FromHost, frames.FromPHP})
	}
	tags := hostTags
	if side == frames.FromPHP {
		tags = phpTags
	}
	b := builder{r: r}
	switch pick(r, tags) {
	case frames.TagCallFunction:
		return frames.CallFunction{ID: oddID(r), Function: b.name(), Args: b.args(), OutParams: b.positions()}
	case frames.TagCallStaticMethod:
		return frames.CallStaticMethod{ID: oddID(r), Class: b.class(), Method: b.name(), Args: b.args(), OutParams: b.positions()}
	case frames.TagNewObject:
		return frames.NewObject{ID: oddID(r), Class: b.class(), Args: b.args()}
	case frames.TagCallPhpMethod:
		return frames.CallPhpMethod{ID: oddID(r), Handle: b.id(), Method: b.name(), Args: b.args(), OutParams: b.positions()}
	case frames.TagCallRustMethod:
		return frames.CallRustMethod{ID: evenID(r), Handle: b.id(), Method: b.name(), Args: b.args(), OutParams: b.positions()}
	case frames.TagReturn:
		return frames.Return{ID: replyID(r, side), Value: b.field(1), OutParams: b.outParams()}
	case frames.TagThrow:
		return frames.Throw{ID: replyID(r, side), Class: b.class(), Message: randomText(r), Code: RandomInt(r), Properties: b.properties()}
	case frames.TagReleaseRustHandle:
		return frames.ReleaseRustHandle{Handle: b.id()}
	case frames.TagReleasePhpHandle:
		return frames.ReleasePhpHandle{Handle: b.id()}
	}
	return frames.EpochBump{Handle: b.id(), Epoch: b.id()}
}

func oddID(r *rand.Rand) uint64 {
	switch r.Intn(8) {
	case 0:
		return 1<<64 - 1
	case 1:
		return r.Uint64() | 1
	}
	return uint64(2*r.Intn(100) + 1)
}

func evenID(r *rand.Rand) uint64 {
	switch r.Intn(8) {
	case 0:
		return 1<<64 - 2
	case 1:
		return max(r.Uint64()&^1, 2)
	}
	return uint64(2*r.Intn(100) + 2)
}

// replyID draws the id of a call of the other side.
func replyID(r *rand.Rand, side frames.Side) uint64 {
	if side == frames.FromPHP {
		return oddID(r)
	}
	return evenID(r)
}

var functionNames = []string{"f", "strlen", "array_map", `Vendor\Package\run`, "__construct", "__invoke", "{closure}", "offsetGet", ""}

func (b *builder) name() string {
	if oneIn(b.r, 8) {
		return randomText(b.r)
	}
	return pick(b.r, functionNames)
}

// field draws a value inside the given number of containers.
func (b *builder) field(containers int) codec.Value {
	o := Options{MaxNodes: 12, MaxDepth: codec.MaxDepth - containers}
	if oneIn(b.r, 32) {
		o.MaxNodes = codec.MaxDepth + 100
	}
	return RandomValue(b.r, o)
}

func (b *builder) args() []codec.Value {
	args := make([]codec.Value, b.r.Intn(4))
	for i := range args {
		args[i] = b.field(2)
	}
	return args
}

func (b *builder) positions() []int {
	var positions []int
	for range max(b.r.Intn(5)-2, 0) {
		positions = append(positions, b.position())
	}
	return positions
}

func (b *builder) position() int {
	if oneIn(b.r, 16) {
		return codec.MaxLength
	}
	return b.r.Intn(4)
}

func (b *builder) outParams() []frames.OutParam {
	var params []frames.OutParam
	taken := map[int]bool{}
	for range max(b.r.Intn(5)-2, 0) {
		if at := b.position(); !taken[at] {
			taken[at] = true
			params = append(params, frames.OutParam{Position: at, Value: b.field(2)})
		}
	}
	return params
}

// properties draws the properties of an exception: none, or an array that is no
// list.
func (b *builder) properties() []codec.Entry {
	if coin(b.r) {
		return nil
	}
	es := make([]codec.Entry, 1+b.r.Intn(3))
	for i := range es {
		es[i] = codec.Entry{Key: b.key(), Value: b.field(2)}
	}
	if v := sound(codec.Array(es...), es); v.Kind() == codec.KindArray {
		return v.Entries()
	}
	return []codec.Entry{{Key: codec.StringKey("previous"), Value: codec.Null()}}
}
