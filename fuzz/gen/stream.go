package gen

import (
	"encoding/binary"
	"math/rand"

	"phpwire/frames"
)

// The layout of a frame: its length, its tag, its id, its payload.
const (
	tagAt     = 8
	idAt      = 9
	payloadAt = 17
)

// Breakage is a kind of damage to a stream of frames.
type Breakage uint8

// What [Break] does to a stream.
const (
	FrameLengthChanged    Breakage = iota // by one, to less than 9, to more than 256 MiB
	FrameTagChanged                       // to another tag, or to none of the ten
	FrameIDChanged                        // to one of the other parity, to 0, or by one bit
	FramePayloadCut                       // with the length kept right
	FramePayloadChanged                   // by one [Mutation], with the length kept right
	FieldAdded                            // or removed, or of another type
	StreamCut                             // at some place
	StreamTrailed                         // by some bytes more
	StreamBytesInserted                   // or one byte changed
	StreamFramesExchanged                 // two of them; that is no damage to most readers
	breakageCount
)

var breakageNames = [...]string{
	FrameLengthChanged: "length changed", FrameTagChanged: "tag changed", FrameIDChanged: "id changed", FramePayloadCut: "payload cut",
	FramePayloadChanged: "payload changed", FieldAdded: "field added", StreamCut: "stream cut", StreamTrailed: "stream trailed",
	StreamBytesInserted: "bytes inserted", StreamFramesExchanged: "frames exchanged",
}

func (b Breakage) String() string {
	if int(b) < len(breakageNames) {
		return breakageNames[b]
	}
	return "unknown"
}

// Breakages lists every kind of damage.
func Breakages() []Breakage {
	all := make([]Breakage, breakageCount)
	for i := range all {
		all[i] = Breakage(i)
	}
	return all
}

// RandomStream draws what the given side sends: none to six frames, in about half
// of the draws damaged in one place.
func RandomStream(r *rand.Rand, side frames.Side) []byte {
	b := RandomValidStream(r, side)
	if coin(r) {
		b, _ = Break(r, b)
	}
	return b
}

// RandomValidStream draws none to six frames, one after another.
func RandomValidStream(r *rand.Rand, side frames.Side) []byte {
	var b []byte
	for range r.Intn(7) {
		var err error
		if b, err = frames.Append(b, RandomFrame(r, side)); err != nil {
			// RandomFrame promises that it cannot be.
			panic(err)
		}
	}
	return b
}

// frameSpans returns where the frames of a stream start and end, as far as their
// lengths are sound; the last one is what remains.
func frameSpans(stream []byte) [][2]int {
	var spans [][2]int
	for at := 0; at < len(stream); {
		end := len(stream)
		if end-at >= payloadAt {
			n := binary.LittleEndian.Uint64(stream[at:])
			if n >= frames.MinLength && n <= uint64(end-at-tagAt) {
				end = at + tagAt + int(n)
			}
		}
		spans = append(spans, [2]int{at, end})
		at = end
	}
	return spans
}

// Break returns the stream damaged in one place, and tells how. The stream may be
// any bytes; it is not changed itself.
func Break(r *rand.Rand, stream []byte) ([]byte, Breakage) {
	spans := frameSpans(stream)
	if len(spans) == 0 {
		return RandomBytesOverAlphabet(r, 1+r.Intn(20)), StreamTrailed
	}
	kind := Breakage(r.Intn(int(breakageCount)))
	span := pick(r, spans)
	from, to := span[0], span[1]
	frame := stream[from:to]
	if to-from < payloadAt {
		kind = StreamBytesInserted
	}
	out := func(frame []byte) []byte { return edited(stream, edit{from, to, frame}) }
	switch kind {
	case FrameLengthChanged:
		return out(withUint64(frame, 0, otherFrameLength(r, binary.LittleEndian.Uint64(frame)))), kind
	case FrameTagChanged:
		changed := edited(frame)
		changed[tagAt] = byte(r.Intn(11))
		if oneIn(r, 4) {
			changed[tagAt] = byte(r.Intn(256))
		}
		return out(changed), kind
	case FrameIDChanged:
		id := binary.LittleEndian.Uint64(frame[idAt:])
		return out(withUint64(frame, idAt, pick(r, []uint64{0, 1, 2, id + 1, id - 1, id ^ 1<<r.Intn(64), 1 << 63}))), kind
	case FramePayloadCut:
		return out(reframed(frame, frame[payloadAt:payloadAt+r.Intn(len(frame)-payloadAt+1)])), kind
	case FramePayloadChanged:
		return out(reframed(frame, Mutate(r, frame[payloadAt:]))), kind
	case FieldAdded:
		return out(reframed(frame, otherFields(r, frame[payloadAt:]))), kind
	case StreamCut:
		return edited(stream[:r.Intn(len(stream))]), kind
	case StreamTrailed:
		return edited(stream, edit{len(stream), len(stream), noise(r, 1+r.Intn(24))}), kind
	case StreamFramesExchanged:
		other := pick(r, spans)
		if other[0] > from {
			return edited(stream, edit{from, to, stream[other[0]:other[1]]}, edit{other[0], other[1], frame}), kind
		}
		return edited(stream, edit{from, from, stream[other[0]:other[1]]}), kind
	}
	at := r.Intn(len(stream))
	if coin(r) {
		return edited(stream, edit{at, at + 1, []byte{stream[at] ^ 1<<r.Intn(8)}}), StreamBytesInserted
	}
	return edited(stream, edit{at, at, noise(r, 1+r.Intn(8))}), StreamBytesInserted
}

// withUint64 returns a copy of frame with eight bytes overwritten.
func withUint64(frame []byte, at int, n uint64) []byte {
	out := edited(frame)
	binary.LittleEndian.PutUint64(out[at:], n)
	return out
}

// reframed returns the frame with another payload and the length that it needs.
func reframed(frame, payload []byte) []byte {
	out := edited(frame, edit{payloadAt, len(frame), payload})
	binary.LittleEndian.PutUint64(out, uint64(len(out)-tagAt))
	return out
}

func otherFrameLength(r *rand.Rand, n uint64) uint64 {
	switch r.Intn(4) {
	case 0:
		return n + 1
	case 1:
		return n - 1
	case 2:
		return uint64(r.Intn(10))
	}
	return pick(r, []uint64{
		0, 8, 9, frames.MaxLength, frames.MaxLength + 1, 1<<31 - 1, 1 << 31, 1<<32 + n, 1<<63 - 1, 1 << 63, 1<<64 - 1, n << 8, n << 32,
	})
}

// otherFields changes the list of fields as a whole: one less, one more, one of
// another type.
func otherFields(r *rand.Rand, payload []byte) []byte {
	p := takeApart(payload)
	defer p.release()
	m := mutator{r, p}
	i := m.find(func(i int) bool { return p.parts[i].open == 0 && p.element(i) })
	if i < 0 || !p.parts[0].holds() {
		return Mutate(r, payload)
	}
	n := p.parts[0].Count
	switch r.Intn(3) {
	case 0:
		if from, to := p.parts[0].number(); n > 0 {
			last := i
			for j := i; j < len(p.parts); j++ {
				if p.parts[j].open == 0 && p.element(j) {
					last = j
				}
			}
			return edited(payload, edit{from, to, []byte(itoa(n - 1))}, edit{p.parts[last].Start, p.elementEnd(last), nil})
		}
	case 1:
		from, to := p.parts[0].number()
		end := p.end(0) - 1
		return edited(payload, edit{from, to, []byte(itoa(n + 1))}, edit{end, end, []byte("i:" + itoa(n) + ";" + pick(r, wrongTokens))})
	}
	return edited(payload, edit{p.parts[i+1].Start, p.elementEnd(i), []byte(pick(r, wrongTokens))})
}

// RandomChunks draws a plan by which n bytes arrive in pieces: their sizes, all
// above 0, in order, n together.
func RandomChunks(r *rand.Rand, n int) []int {
	var chunks []int
	style, size := r.Intn(6), 1+r.Intn(32)
	for n > 0 {
		chunk := n
		switch style {
		case 0: // all at once
		case 1:
			chunk = 1
		case 2:
			chunk = size
		case 3:
			chunk = pick(r, []int{1, 7, 8, 9, 16, 17, 18})
		case 4:
			chunk = 1 + r.Intn(n)
		default:
			chunk = 1 + r.Intn(64)
		}
		chunk = min(chunk, n)
		chunks = append(chunks, chunk)
		n -= chunk
	}
	return chunks
}

func idOf(frame []byte) uint64 { return binary.LittleEndian.Uint64(frame[idAt:]) }
