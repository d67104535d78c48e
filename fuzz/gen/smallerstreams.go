package gen

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// SmallerStreams lists what a stream of frames, which may be any bytes, shrinks
// to in one round: frames left out or alone, their payloads as [SmallerPayloads]
// has them with their lengths kept right, ids made small, texts and ids that several
// frames have made simpler in all of them, ranges of bytes left out. The boldest come first, each is [Simpler] than stream, and they are at
// most 2,000, and fewer of a long stream, as those of a large payload are.
func SmallerStreams(stream []byte) [][]byte {
	spans := frameSpans(stream)
	var out [][]byte
	seen := map[string]bool{}
	size := 0
	offer := func(b []byte) bool {
		if size > budget(len(stream)) {
			return false
		}
		if Simpler(b, stream) && !seen[string(b)] {
			seen[string(b)] = true
			size += len(b)
			out = append(out, b)
		}
		return true
	}
	ranges(len(spans), shares[elements], func(from, to int) {
		offer(edited(stream, edit{spans[from][0], spans[to-1][1], nil}))
	})
	sampled(len(spans), shares[hoisted], func(i int) { offer(bytes.Clone(stream[spans[i][0]:spans[i][1]])) })
	for _, span := range spans {
		frame := stream[span[0]:span[1]]
		if len(frame) < payloadAt {
			continue
		}
		put := func(frame []byte) bool { return offer(edited(stream, edit{span[0], span[1], frame})) }
		for _, id := range []uint64{0, 1, 2} {
			put(withUint64(frame, idAt, id))
		}
		if binary.LittleEndian.Uint64(frame) != uint64(len(frame)-tagAt) {
			continue // a wrong length would be made right
		}
		put(reframed(frame, nil))
		for _, payload := range SmallerPayloads(frame[payloadAt:]) {
			if !put(reframed(frame, payload)) {
				break
			}
		}
	}
	retellStream(stream, spans, offer)
	ranges(len(stream), shares[cut], func(from, to int) { offer(edited(stream, edit{from, to, nil})) })
	slices.SortStableFunc(out, func(a, b []byte) int { return cmp.Compare(len(a), len(b)) })
	return out[:min(len(out), mostCandidates)]
}

// retellStream offers the stream with texts and ids made simpler in all the frames
// that have them, until offer takes no more.
func retellStream(stream []byte, spans [][2]int, offer func([]byte) bool) {
	var whole [][2]int // frames whose lengths are right
	var inside []*payload
	ids := map[uint64]int{}
	for _, span := range spans {
		frame := stream[span[0]:span[1]]
		if len(frame) < payloadAt || binary.LittleEndian.Uint64(frame) != uint64(len(frame)-tagAt) {
			continue
		}
		p := takeApart(frame[payloadAt:])
		defer p.release()
		whole, inside = append(whole, span), append(inside, p)
		ids[idOf(frame)]++
	}
	// change offers the stream with every frame changed.
	change := func(changed func(i int, frame []byte) []byte) bool {
		var edits []edit
		for i, span := range whole {
			frame := changed(i, stream[span[0]:span[1]])
			if frame == nil {
				return true
			}
			edits = append(edits, edit{span[0], span[1], frame})
		}
		return offer(edited(stream, edits...))
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		for small := range min(id, 3) {
			if ids[id] > 1 && !change(func(_ int, frame []byte) []byte {
				if idOf(frame) == id {
					return withUint64(frame, idAt, small)
				}
				return frame
			}) {
				return
			}
		}
	}
	for _, r := range retellings(repeatedTexts(inside, mostRetold)) {
		if !change(func(i int, frame []byte) []byte {
			if payload := inside[i].retold(r); payload != nil {
				return reframed(frame, payload)
			}
			return nil
		}) {
			return
		}
	}
}
