package gen

import (
	"math/rand"
	"strconv"
	"strings"
)

// field is one field of a handle's descriptor as it stands on the wire.
type field struct{ key, value string }

// RandomDescriptor draws the payload of a handle, as it must be, in another
// order, or with one thing wrong: a field too few or too many, of another name,
// of the wrong type, out of range, twice.
func RandomDescriptor(r *rand.Rand) string {
	class := field{"__class", stringToken(pick(r, classNames))}
	var fields []field
	switch r.Intn(4) {
	case 0:
		fields = []field{{"__phandle", idToken(r)}, class, {"__implements", pick(r, implementsTokens)}}
	case 1:
		fields = []field{{"__pclass", stringToken(pick(r, classNames))}}
	default:
		fields = []field{{"__rhandle", idToken(r)}, class, {"__epoch", idToken(r)}}
		if coin(r) {
			fields = append(fields, field{"__snapshot", pick(r, snapshotTokens)})
		}
	}
	if r.Intn(3) > 0 {
		fields = disturbed(r, fields)
	}
	var b strings.Builder
	b.WriteString("a:" + strconv.Itoa(len(fields)) + ":{")
	for _, f := range fields {
		b.WriteString(stringToken(f.key) + f.value)
	}
	b.WriteByte('}')
	return b.String()
}

func idToken(r *rand.Rand) string {
	return pick(r, []string{"i:0;", "i:1;", "i:2;", "i:8;", "i:9223372036854775807;"})
}

var (
	implementsTokens = []string{
		"a:0:{}", `a:1:{i:0;s:1:"I";}`, `a:2:{i:0;s:1:"I";i:1;s:1:"J";}`, `a:1:{i:1;s:1:"I";}`, `a:1:{i:0;i:1;}`, `a:1:{s:1:"0";s:1:"I";}`,
	}
	snapshotTokens = []string{"a:0:{}", "a:1:{i:0;i:1;}", `a:1:{s:1:"a";i:1;}`, `a:1:{s:8:"__pclass";s:1:"A";}`, "N;", `s:1:"a";`, "i:1;"}
	wrongTokens    = []string{"N;", "b:1;", "i:-1;", "i:-0;", "i:+5;", "i:05;", "d:1;", `s:1:"1";`, `s:0:"";`, "a:0:{}", "i:9223372036854775808;", "i:1;", `a:1:{i:0;N;}`}
)

// disturbed changes one thing of a descriptor.
func disturbed(r *rand.Rand, fields []field) []field {
	i := r.Intn(len(fields))
	switch r.Intn(7) {
	case 0:
		return append(fields[:i], fields[i+1:]...)
	case 1:
		return append(fields, field{pick(r, nearlyReserved), "N;"})
	case 2:
		return append(fields, field{pick(r, reservedNames), pick(r, wrongTokens)})
	case 3:
		fields[i].key = pick(r, nearlyReserved)
	case 4:
		fields[i].value = pick(r, wrongTokens)
	case 5:
		r.Shuffle(len(fields), func(a, b int) { fields[a], fields[b] = fields[b], fields[a] })
	case 6:
		fields[i].key = pick(r, reservedNames)
	}
	return fields
}
