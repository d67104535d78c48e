package corpus

import (
	"phpwire/codec"
)

// Suggest names the clause that a payload is about, by what the reference makes
// of it: the one that a refusal is owed to, or else the kind of value.
func Suggest(payload []byte) string {
	c := Case{Op: Decode, Input: *NewBytes(payload), Clause: "P-2"}
	c.observeDecode()
	if c.Refused == nil || c.Refused.Plugin == nil {
		if c.Expect.Canonical == MustReject {
			return "P-3"
		}
		return clauseOfKind(payload)
	}
	switch c.Refused.Plugin.Kind {
	case codec.Depth.String():
		return "L-1"
	case codec.TooLarge.String():
		return "L-3"
	case codec.Reserved.String():
		return "H-5"
	case codec.Range.String():
		return "I-2"
	case codec.BadKey.String():
		return "K-1"
	case codec.Unsupported.String():
		return "P-4"
	case codec.TrailingData.String():
		return "P-5"
	}
	if len(payload) == 0 {
		return "P-6"
	}
	switch areaOf(&c) {
	case "malformed-null":
		return "V-2"
	case "malformed-bool":
		return "V-3"
	case "malformed-int":
		return "I-1"
	case "malformed-float":
		return "D-2"
	case "malformed-string":
		return "S-1"
	case "malformed-array":
		return "A-1"
	}
	return "P-2"
}

func clauseOfKind(payload []byte) string {
	v, err := codec.Decode(payload, codec.Plugin)
	if err != nil {
		return "P-2"
	}
	switch v.Kind() {
	case codec.KindNull:
		return "V-2"
	case codec.KindBool:
		return "V-3"
	case codec.KindInt:
		return "I-1"
	case codec.KindFloat:
		return "D-1"
	case codec.KindString:
		return "S-1"
	case codec.KindList:
		return "V-7"
	case codec.KindRustHandle:
		return "H-2"
	case codec.KindPhpHandle:
		return "H-3"
	case codec.KindPhpClass:
		return "H-4"
	}
	return "V-8"
}
