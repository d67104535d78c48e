package gen

import (
	"math/rand"
	"reflect"

	"github.com/leanovate/gopter"

	"phpwire/codec"
	"phpwire/frames"
)

// generator makes a gopter.Gen of a draw. The sizes of the gopter parameters are
// not used: each draw has its own distribution of sizes.
func generator[T any](draw func(*rand.Rand) T, smaller func(T) []T) gopter.Gen {
	shrinker := func(v any) gopter.Shrink { return shrinkOf(v.(T), smaller) }
	kind := reflect.TypeFor[T]()
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return &gopter.GenResult{Result: draw(p.Rng), ResultType: kind, Shrinker: shrinker}
	}
}

// shrinkOf lists the candidates when the first is asked for.
func shrinkOf[T any](v T, smaller func(T) []T) gopter.Shrink {
	var candidates []T
	listed := false
	return func() (any, bool) {
		if !listed {
			candidates, listed = smaller(v), true
		}
		if len(candidates) == 0 {
			return nil, false
		}
		next := candidates[0]
		candidates = candidates[1:]
		return next, true
	}
}

// Value generates values of every kind; see [RandomValue].
func Value() gopter.Gen { return ValueWith(Options{}) }

// ValueWith is [Value] within bounds.
func ValueWith(o Options) gopter.Gen {
	return generator(func(r *rand.Rand) codec.Value { return RandomValue(r, o) }, SmallerValues)
}

// Float generates doubles; see [RandomFloat].
func Float() gopter.Gen { return generator(RandomFloat, smallerFloats) }

// Int generates ints; see [RandomInt].
func Int() gopter.Gen { return generator(RandomInt, smallerInts) }

// Bytes generates byte strings; see [RandomBytes].
func Bytes() gopter.Gen {
	return generator(RandomBytes, func(b []byte) [][]byte {
		var out [][]byte
		for _, s := range simplerTexts(string(b)) {
			out = append(out, []byte(s))
		}
		return out
	})
}

// KeyText generates the texts of array keys; see [RandomKeyText].
func KeyText() gopter.Gen { return generator(RandomKeyText, simplerTexts) }

// Key generates array keys; see [RandomKey].
func Key() gopter.Gen { return generator(RandomKey, smallerKeys) }

// Payload generates payloads that are almost valid; see [RandomPayload].
func Payload() gopter.Gen { return generator(RandomPayload, SmallerPayloads) }

// Frame generates frames of either side; see [RandomFrame].
func Frame() gopter.Gen { return FrameFrom(frames.FromAnyone) }

// FrameFrom generates frames of one side.
func FrameFrom(side frames.Side) gopter.Gen {
	return generator(func(r *rand.Rand) frames.Frame { return RandomFrame(r, side) }, SmallerFrames)
}

// Stream generates what either side sends, often damaged; see [RandomStream].
func Stream() gopter.Gen { return StreamFrom(frames.FromAnyone) }

// StreamFrom generates what one side sends.
func StreamFrom(side frames.Side) gopter.Gen {
	return generator(func(r *rand.Rand) []byte { return RandomStream(r, side) }, SmallerStreams)
}
