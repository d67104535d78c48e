package gen

import "phpwire/frames"

// SmallerFrames lists what f shrinks to in one round: the frames with its tag
// among the [SmallerStreams] of its bytes. Objects become arrays by the way. The
// bytes of each are [Simpler] than those of f.
func SmallerFrames(f frames.Frame) []frames.Frame {
	whole, err := frames.Append(nil, f)
	if err != nil {
		return nil
	}
	var out []frames.Frame
	var own []byte
	for _, b := range SmallerStreams(whole) {
		if len(b) < payloadAt || len(frameSpans(b)) != 1 {
			continue
		}
		raw := frames.Raw{Tag: frames.Tag(b[tagAt]), ID: idOf(b), Payload: b[payloadAt:]}
		g, err := frames.Parse(raw, frames.FromAnyone)
		if err != nil || g.Tag() != f.Tag() {
			continue
		}
		// A lenient spelling may be simpler than the one that the writer has.
		if own, err = frames.Append(own[:0], g); err == nil && Simpler(own, whole) {
			out = append(out, g)
		}
	}
	return out
}
