package frames

import "fmt"

// Tag tells what a frame is (clause F-4).
type Tag uint8

// The ten tags.
const (
	TagCallFunction      Tag = 0x00
	TagCallStaticMethod  Tag = 0x01
	TagNewObject         Tag = 0x02
	TagCallPhpMethod     Tag = 0x03
	TagCallRustMethod    Tag = 0x04
	TagReturn            Tag = 0x05
	TagThrow             Tag = 0x06
	TagReleaseRustHandle Tag = 0x07
	TagReleasePhpHandle  Tag = 0x08
	TagEpochBump         Tag = 0x09
)

// rule says which way a tag may travel, with which ids, and how its payload is
// read.
type rule struct {
	name              string
	fromHost, fromPHP bool
	id                func(id uint64, from Side) bool
	wantID            string
	parse             func(*fields) Frame
}

func odd(id uint64, _ Side) bool    { return id%2 == 1 }
func even(id uint64, _ Side) bool   { return id != 0 && id%2 == 0 }
func oneWay(id uint64, _ Side) bool { return id == 0 }

// reply: PHP answers the host's odd ids, the host answers PHP's even ones.
func reply(id uint64, from Side) bool {
	switch from {
	case FromPHP:
		return id%2 == 1
	case FromHost:
		return id != 0 && id%2 == 0
	}
	return id != 0
}

var rules = [...]rule{
	TagCallFunction:      {"CallFunction", true, false, odd, "an odd id", parseCallFunction},
	TagCallStaticMethod:  {"CallStaticMethod", true, false, odd, "an odd id", parseCallStaticMethod},
	TagNewObject:         {"NewObject", true, false, odd, "an odd id", parseNewObject},
	TagCallPhpMethod:     {"CallPhpMethod", true, false, odd, "an odd id", parseCallPhpMethod},
	TagCallRustMethod:    {"CallRustMethod", false, true, even, "an even id above 0", parseCallRustMethod},
	TagReturn:            {"Return", true, true, reply, "the id of a call of the receiver", parseReturn},
	TagThrow:             {"Throw", true, true, reply, "the id of a call of the receiver", parseThrow},
	TagReleaseRustHandle: {"ReleaseRustHandle", false, true, oneWay, "the id 0", parseReleaseRustHandle},
	TagReleasePhpHandle:  {"ReleasePhpHandle", true, false, oneWay, "the id 0", parseReleasePhpHandle},
	TagEpochBump:         {"EpochBump", true, false, oneWay, "the id 0", parseEpochBump},
}

// Known tells whether t is one of the ten tags.
func (t Tag) Known() bool { return int(t) < len(rules) }

func (t Tag) String() string {
	if t.Known() {
		return rules[t].name
	}
	return fmt.Sprintf("tag 0x%02x", uint8(t))
}

// Side tells who wrote a stream of frames.
type Side uint8

const (
	// FromAnyone: only what holds for both directions is checked.
	FromAnyone Side = iota
	// FromHost: the frames that a child reads.
	FromHost
	// FromPHP: the frames that a host reads.
	FromPHP
)

func (s Side) String() string { return [...]string{"anyone", "the host", "PHP"}[s] }

func (s Side) sends(r *rule) bool {
	switch s {
	case FromHost:
		return r.fromHost
	case FromPHP:
		return r.fromPHP
	}
	return true
}
