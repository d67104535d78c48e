package judge

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

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
	encoded   []byte // Plugin's value, encoded again
	php       phpVerdict
	own       *Finding
}

// Read has the reference read payloads, which must not be changed any more: one
// profile by [codec.Decode], the other by [codec.DecodeShared], so that both are
// held against PHP.
func Read(payloads [][]byte) []Payload {
	ps := make([]Payload, len(payloads))
	for i, b := range payloads {
		ps[i] = Payload{Bytes: b, Plugin: reading(codec.Decode(b, codec.Plugin)), Canonical: reading(codec.DecodeShared(b, codec.Canonical))}
		ps[i].own = ps[i].alone()
	}
	return ps
}

// Alone returns the fault that needs no PHP to be seen, or nil.
func (p *Payload) Alone() *Finding { return p.own }

// alone checks P1, what binds the two profiles to one another, and that errors
// say where.
func (p *Payload) alone() *Finding {
	for _, r := range []Reading{p.Plugin, p.Canonical} {
		if e := r.Err; e != nil && (e.Offset < 0 || e.Offset > len(p.Bytes) || e.Found == "" || e.Want == "") {
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
	encoded, err := codec.Encode(p.Plugin.Value)
	if err != nil {
		return &Finding{"P1", "V-10", "a decoded value cannot be encoded", err.Error(), -1, nil}
	}
	p.encoded = encoded
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
	bytesOf, readings := readingsOf(ps)
	unlike, warned, err := c.ComparePayloads(ctx, bytesOf, readings)
	if err != nil {
		return nil, err
	}
	findings := make([]*Finding, len(ps))
	others, at := compared(ps, readings, unlike, warned, findings)
	answers, err := ask(ctx, c, others)
	if err != nil {
		return nil, err
	}
	judgeOthers(is, others, at, answers, findings)
	return findings, nil
}

// compared judges the payloads of which PHP makes what the readings say, and
// returns the others and their indexes.
func compared(ps []Payload, readings [][]byte, unlike, warned []int, findings []*Finding) (others []*Payload, at []int) {
	at = unlike
	others = make([]*Payload, len(unlike))
	for i := range ps {
		p := &ps[i]
		if len(unlike) > 0 && unlike[0] == i {
			others[len(others)-len(unlike)] = p
			unlike = unlike[1:]
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
		findings[i] = p.judgeAlike(readings[i])
	}
	return others, at
}

func judgeOthers(is Behaviour, others []*Payload, at []int, answers []answer, findings []*Finding) {
	for i, p := range others {
		findings[at[i]] = p.judge(is, answers[i].reserialized, answers[i].described)
	}
}

// readingsOf returns what the reference makes of payloads, as
// [oracle.Client.ComparePayloads] has it.
func readingsOf(ps []Payload) (bytesOf, readings [][]byte) {
	bytesOf, readings = make([][]byte, len(ps)), make([][]byte, len(ps))
	size := 0
	for i := range ps {
		if bytesOf[i] = ps[i].Bytes; ps[i].Plugin.Err == nil {
			size += 4 * len(ps[i].Bytes) // about as long is tagged JSON
		}
	}
	buf := make([]byte, 0, size)
	for i := range ps {
		p := &ps[i]
		if p.Plugin.Err != nil {
			continue
		}
		from := len(buf)
		if p.Canonical.Err == nil {
			buf = append(buf, oracle.ReadAlike)
		} else {
			buf = append(buf, oracle.ReadUnalike)
		}
		v := p.Plugin.Value
		if mayHoldHandles(p.Bytes) {
			v = v.Plain()
		}
		buf = codec.AppendTagged(buf, v)
		readings[i] = buf[from:len(buf):len(buf)]
	}
	return bytesOf, readings
}

// mayHoldHandles tells whether a payload has text like that of a reserved key,
// which is spelled in one way.
func mayHoldHandles(payload []byte) bool { return bytes.Contains(payload, []byte("__")) }

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

// judgeAlike judges a payload of which PHP makes what the reading says.
func (p *Payload) judgeAlike(reading []byte) *Finding {
	if p.own != nil || p.Plugin.Err != nil || !mayHoldHandles(p.Bytes) && len(reading) <= maxDepth*leastTagged {
		return p.own
	}
	return p.judgeValue(fold(reading[1:]))
}

// judgeValue holds the value that Plugin reads against the one that PHP does.
func (p *Payload) judgeValue(seen view) *Finding {
	if why, clause := seen.unfit(); why != "" {
		return &Finding{"P3", clause, "plugin accepts " + why, "Plugin accepts " + why, -1,
			[]string{"Plugin reads " + p.Plugin.Value.String()}}
	}
	if ours := codec.AppendTagged(nil, p.Plugin.Value); !bytes.Equal(ours, seen.tagged) {
		return &Finding{"P3", "V-1", "plugin and PHP read different values", "Plugin and PHP read different values (Plugin ≠ PHP)", -1,
			valueDifferences(ours, seen.tagged)}
	}
	return nil
}

// judge holds the reference's readings against PHP's answers; described counts
// only where reserialized is clean.
func (p *Payload) judge(is Behaviour, reserialized, described oracle.Answer) *Finding {
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
	seen := fold(described.Bytes)
	if !accepts {
		return p.judgeRefusal(is, reserialized, seen)
	}
	if f := p.judgeValue(seen); f != nil {
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
	if same && len(p.encoded) == len(p.Bytes) && bytes.Contains(p.Bytes, []byte(`handle";`)) {
		return nil
	}
	at, text := byteDifference(p.encoded, reserialized.Bytes)
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
