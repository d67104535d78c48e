package judge

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"phpwire/codec"
	"phpwire/oracle"
)

// Reading is what the reference makes of a payload under one profile.
type Reading struct {
	Value codec.Value
	Err   *codec.Error // nil where it accepts
}

func reading(v codec.Value, err error) Reading {
	e, _ := err.(*codec.Error) // the decoder has no other
	return Reading{v, e}
}

// Payload is a payload with the reference's readings of it.
type Payload struct {
	Bytes     []byte
	Plugin    Reading
	Canonical Reading
	// reading is what Plugin makes of it, as [oracle.Client.ComparePayloads] has it.
	reading []byte
	php     phpVerdict
	own     *Finding
}

// Read has the reference read payloads, which must not be changed any more: one
// profile by [codec.Decode], the other by [codec.DecodeShared], so that both are
// held against PHP.
func Read(payloads [][]byte) []Payload {
	w := works.Get().(*work)
	defer works.Put(w)
	ps := make([]Payload, len(payloads))
	size := 0
	for _, b := range payloads {
		size += len(b)
	}
	readings := make([]byte, 0, size) // tagged JSON is longer, but not everything is accepted
	for i, b := range payloads {
		// A value is looked at from all sides while it is in the processor's cache.
		p := &ps[i]
		p.Bytes, p.Plugin, p.Canonical = b, reading(codec.Decode(b, codec.Plugin)), reading(codec.DecodeShared(b, codec.Canonical))
		if p.own = w.alone(p); p.Plugin.Err != nil {
			continue
		}
		from := len(readings)
		mayHoldHandles := bytes.Contains(b, []byte("__")) // text like that of a reserved key, which is spelled in one way
		readings = p.appendReading(readings, mayHoldHandles)
		// Should readings grow, what was read before stands where it stood.
		p.reading = readings[from:len(readings):len(readings)]
		if p.own == nil && (mayHoldHandles || len(p.reading) > maxDepth*leastTagged) {
			p.own = w.judgeValue(p, w.folder.fold(p.reading[1:]))
		}
	}
	return ps
}

// appendReading appends what the reference makes of a payload that it accepts.
func (p *Payload) appendReading(dst []byte, mayHoldHandles bool) []byte {
	if p.Canonical.Err == nil {
		dst = append(dst, oracle.ReadAlike)
	} else {
		dst = append(dst, oracle.ReadUnalike)
	}
	v := p.Plugin.Value
	if mayHoldHandles {
		v = v.Plain()
	}
	return codec.AppendTagged(dst, v)
}

// Alone returns the fault that needs no PHP to be seen, or nil.
func (p *Payload) Alone() *Finding { return p.own }

// work is the memory that judging a payload takes, and the next one takes again.
type work struct {
	folder          folder
	encoded, tagged []byte
}

var works = sync.Pool{New: func() any { return new(work) }}

// alone checks P1, what binds the two profiles to one another, and that errors
// say where.
func (w *work) alone(p *Payload) *Finding {
	for _, e := range [...]*codec.Error{p.Plugin.Err, p.Canonical.Err} {
		if e != nil && (e.Offset < 0 || e.Offset > len(p.Bytes) || e.Found == "" || e.Want == "") {
			return &Finding{"P3", "E-5", "an error does not say where", "An error does not say where, or what stood there: " + e.Error(), -1, nil}
		}
	}
	if p.Plugin.Err != nil {
		if p.Canonical.Err == nil {
			return &Finding{"P4", "P-3", "canonical accepts what plugin refuses",
				"Canonical accepts a payload that Plugin refuses: " + p.Plugin.Err.Error(), p.Plugin.Err.Offset, nil}
		}
		return nil
	}
	encoded, err := codec.AppendValue(w.encoded[:0], p.Plugin.Value)
	if err != nil {
		return &Finding{"P1", "V-10", "a decoded value cannot be encoded", err.Error(), -1, nil}
	}
	w.encoded = encoded
	canonical := bytes.Equal(encoded, p.Bytes)
	back := p.Canonical
	if !canonical {
		back = reading(codec.Decode(encoded, codec.Canonical))
	}
	if back.Err != nil {
		return &Finding{"P1", "P-3", "canonical refuses the encoder's bytes", back.Err.Error(), -1, []string{fmt.Sprintf("encoded as %q", shorten(encoded))}}
	}
	if !back.Value.Equal(p.Plugin.Value) {
		return &Finding{"P1", "V-10", "a value comes back changed", "Decode(Encode(v)) is not v", -1,
			differences(p.Plugin.Value, back.Value)}
	}
	if p.Canonical.Err == nil && !canonical {
		at, text := byteDifference(p.Bytes, encoded)
		return &Finding{"P4", "P-3", "canonical accepts what the encoder writes otherwise", "Canonical accepts another spelling than the encoder's", at, []string{text}}
	}
	return nil
}

func differences(a, b codec.Value) []string {
	var texts []string
	for _, d := range codec.Differences(a, b, mostDifferences) {
		texts = append(texts, d.String())
	}
	return texts
}

// Behaviour is how a PHP behaves where PHPs differ and the protocol cares.
type Behaviour struct {
	ExtraDataWarns bool // about bytes behind the value (clause W-1)
	OctalInts      bool // i:010; is 8 to it, and a:010:{ has 8 elements (clause W-10)
}

// BehaviourOf takes what the judge needs from what a PHP says of itself.
func BehaviourOf(f oracle.Facts) Behaviour {
	return Behaviour{ExtraDataWarns: f.ExtraDataWarns, OctalInts: f.OctalInts}
}

// octalInt finds the ints and counts that PHP 7.2 takes for octal numbers.
var octalInt = regexp.MustCompile(`[ia]:[+-]?0[0-9]`)

// Payloads judges payloads against one PHP (P1, P3, P4). The result has a
// finding, or nil, for each payload.
//
// PHP is told what the reference makes of the payloads, and only of those of which
// it makes something else it is asked what that is.
func Payloads(ctx context.Context, c *oracle.Client, is Behaviour, ps []Payload) ([]*Finding, error) {
	bytesOf, readings := make([][]byte, len(ps)), make([][]byte, len(ps))
	for i := range ps {
		bytesOf[i], readings[i] = ps[i].Bytes, ps[i].reading
	}
	unlike, warned, err := c.ComparePayloads(ctx, bytesOf, readings)
	if err != nil {
		return nil, err
	}
	findings := make([]*Finding, len(ps))
	others := compared(ps, unlike, warned, findings)
	answers, err := ask(ctx, c, others)
	if err != nil {
		return nil, err
	}
	judgeOthers(is, others, unlike, answers, findings)
	return findings, nil
}

// compared notes what PHP makes of payloads, where that is what the readings say,
// and returns those of which it makes something else.
func compared(ps []Payload, unlike, warned []int, findings []*Finding) (others []*Payload) {
	for i := range ps {
		p := &ps[i]
		if len(others) < len(unlike) && unlike[len(others)] == i {
			others = append(others, p)
			continue
		}
		switch {
		case len(warned) > 0 && warned[0] == i:
			warned = warned[1:]
			p.php = phpWarns
		case p.Plugin.Err != nil:
			p.php = phpRefuses
		default:
			p.php = phpAccepts
		}
		findings[i] = p.own
	}
	return others
}

// judgeOthers judges those of which PHP makes something else, whose numbers at are.
func judgeOthers(is Behaviour, others []*Payload, at []int, answers []answer, findings []*Finding) {
	w := works.Get().(*work)
	defer works.Put(w)
	for i, p := range others {
		findings[at[i]] = w.judge(p, is, answers[i].reserialized, answers[i].described)
	}
}

// answer is what PHP makes of a payload; it describes only what it reads without
// a warning.
type answer struct{ reserialized, described oracle.Answer }

// ask asks PHP what it makes of payloads.
func ask(ctx context.Context, c *oracle.Client, ps []*Payload) ([]answer, error) {
	bytesOf := make([][]byte, len(ps))
	for i, p := range ps {
		bytesOf[i] = p.Bytes
	}
	reserialized, err := c.Reserialize(ctx, bytesOf)
	if err != nil {
		return nil, err
	}
	var clean [][]byte
	for i, a := range reserialized {
		if a.Clean() {
			clean = append(clean, bytesOf[i])
		}
	}
	described, err := c.Describe(ctx, clean)
	if err != nil {
		return nil, err
	}
	answers := make([]answer, len(ps))
	for i, p := range ps {
		a := reserialized[i]
		answers[i].reserialized = a
		switch {
		case a.Clean():
			answers[i].described, described = described[0], described[1:]
			p.php = phpAccepts
		case a.Accepted:
			p.php = phpWarns
		default:
			p.php = phpRefuses
		}
	}
	return answers, nil
}

// judgeValue holds the value that Plugin reads against the one that PHP does.
func (w *work) judgeValue(p *Payload, seen view) *Finding {
	if why, clause := seen.unfit(); why != "" {
		return &Finding{"P3", clause, "plugin accepts " + why, "Plugin accepts " + why, -1,
			[]string{"Plugin reads " + p.Plugin.Value.String()}}
	}
	ours := codec.AppendTagged(w.tagged[:0], p.Plugin.Value)
	w.tagged = ours
	if !bytes.Equal(ours, seen.tagged) {
		return &Finding{"P3", "V-1", "plugin and PHP read different values", "Plugin and PHP read different values (Plugin ≠ PHP)", -1,
			valueDifferences(ours, seen.tagged)}
	}
	return nil
}

// judge holds the reference's readings against PHP's answers; described counts
// only where reserialized is clean.
func (w *work) judge(p *Payload, is Behaviour, reserialized, described oracle.Answer) *Finding {
	if p.own != nil {
		return p.own
	}
	if is.OctalInts && octalInt.Match(p.Bytes) {
		return nil // the protocol has decimal ints only, as PHP has from 7.3 on
	}
	accepts := p.Plugin.Err == nil
	if !reserialized.Clean() {
		if !accepts {
			return nil
		}
		if !reserialized.Accepted {
			return &Finding{"P3", "P-2", "plugin accepts what PHP refuses",
				"Plugin accepts a payload that PHP refuses: " + strings.Join(reserialized.Warnings, "; "), -1,
				[]string{"Plugin reads " + p.Plugin.Value.String()}}
		}
		return &Finding{"P3", "P-2", "plugin accepts what PHP warns about",
			"Plugin accepts a payload about which PHP warns: " + strings.Join(reserialized.Warnings, "; "), -1,
			[]string{"Plugin reads " + p.Plugin.Value.String()}}
	}
	if !described.Clean() {
		return &Finding{"P3", "P-2", "PHP contradicts itself",
			"PHP accepts the payload, and then cannot describe the value: " + strings.Join(described.Warnings, "; "), -1, nil}
	}
	seen := w.folder.fold(described.Bytes)
	if !accepts {
		return p.judgeRefusal(is, reserialized, seen)
	}
	if f := w.judgeValue(p, seen); f != nil {
		return f
	}
	return p.judgeCanonical(reserialized)
}

// judgeCanonical is P4 for a payload that both accept. The keys of a handle may
// come in any order; PHP, knowing no handles, keeps that order, and the encoder
// does not.
func (p *Payload) judgeCanonical(reserialized oracle.Answer) *Finding {
	canonical, same := p.Canonical.Err == nil, bytes.Equal(reserialized.Bytes, p.Bytes)
	if canonical == same {
		return nil
	}
	encoded, _ := codec.AppendValue(nil, p.Plugin.Value) // which Read did too, or there would be a finding
	if same && len(encoded) == len(p.Bytes) && bytes.Contains(p.Bytes, []byte(`handle";`)) {
		return nil
	}
	at, text := byteDifference(encoded, reserialized.Bytes)
	f := &Finding{"P4", "P-3", "canonical accepts what PHP writes otherwise", "Canonical accepts a spelling that PHP does not write", at,
		[]string{text + " (reference ≠ PHP)"}}
	if !canonical {
		f.Kind, f.Title, f.Offset = "canonical refuses what PHP writes", "Canonical refuses what PHP writes: "+p.Canonical.Err.Error(), p.Canonical.Err.Offset
	}
	return f
}

// judgeRefusal says whether Plugin may refuse what PHP accepts silently.
func (p *Payload) judgeRefusal(is Behaviour, reserialized oracle.Answer, seen view) *Finding {
	e := p.Plugin.Err
	// A value that PHP dropped, since its key came again, cannot be seen any more.
	dropped := len(reserialized.Bytes) < len(p.Bytes)
	right := false
	switch e.Kind {
	case codec.Unsupported:
		right = e.Offset < len(p.Bytes) && bytes.IndexByte([]byte("OCErRS"), p.Bytes[e.Offset]) >= 0
	case codec.TooLarge:
		right = true // the exception to P3: lengths of more than 31 bits wrap around in PHP
	case codec.Reserved:
		right = seen.misused || dropped
	case codec.Depth:
		right = seen.tooDeep || dropped
	case codec.TrailingData:
		if !is.ExtraDataWarns {
			if v, err := codec.Decode(p.Bytes[:e.Offset], codec.Plugin); err == nil {
				right = bytes.Equal(codec.AppendTagged(nil, v), seen.tagged)
			}
		}
	}
	if right {
		return nil
	}
	return &Finding{"P3", "P-2", "plugin refuses what PHP accepts (" + e.Kind.String() + ")",
		"Plugin refuses a payload that PHP accepts without a warning: " + e.Error(), e.Offset,
		[]string{"PHP writes it as " + fmt.Sprintf("%q", shorten(reserialized.Bytes))}}
}
