package childtest

import (
	"errors"
	"os"
	"strings"
	"time"

	"phpwire/frames"
	"phpwire/reports"
)

// quiet is how long a case listens to be sure that nothing comes.
const quiet = 300 * time.Millisecond

// hearsNothing makes sure that the child sends nothing by itself.
func (h *Host) hearsNothing() {
	_ = h.wire.Conn().SetReadDeadline(time.Now().Add(quiet))
	n, err := h.wire.Conn().Read(make([]byte, 1))
	_ = h.wire.Conn().SetDeadline(h.deadline)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		if n == 0 {
			h.died()
		}
		panic(fault{reports.Failed, "the child sends bytes although nobody asked"})
	}
	h.note("the child is silent for %v", quiet)
}

var startCases = []Case{
	{"start/silent", "C-7", "A child that has connected waits for the first frame of the host and sends nothing by itself.", fresh, anyPHP, func(h *Host) {
		h.hearsNothing()
		h.alive()
	}},
	{"start/first-call", "C-7", "The first frame of the host is answered.", fresh, anyPHP, (*Host).alive},
	{"start/hasty-host", "C-7", "A frame that was sent before the child was ready to read is answered all the same.", fresh, anyPHP, func(h *Host) {
		a, b := h.call("strlen", str("1")), h.nextID()
		h.returns(a, num(1))
		h.send(frames.CallFunction{ID: b, Function: "strlen", Args: list(str("22")).Elements()})
		h.returns(b, num(2))
	}},
	{"start/precision", "C-7", "PHP runs with serialize_precision=-1: floats cross with the fewest digits that read back.", shared, anyPHP, func(h *Host) {
		h.expect(str("-1"), "ini_get", str("serialize_precision"))
		id := h.call("floatval", str("0.1"))
		h.returns(id, float(0.1))
	}},
}

// length is a head that claims so many bytes, with a good frame behind it.
func length(n uint64) []byte {
	b := encode(frames.CallFunction{ID: 1, Function: "strlen", Args: list(str("a")).Elements()})
	for i := range 8 {
		b[i] = byte(n >> (8 * i))
	}
	return b
}

func badLength(n uint64, what string) func(*Host) {
	return func(h *Host) {
		h.sendBytes(length(n), "a frame that claims a length of "+what)
		h.refused()
	}
}

var lengthCases = []Case{
	{"lengths/0", "F-2", "A frame with the length 0 ends the child.", ends, anyPHP, badLength(0, "0")},
	{"lengths/8", "F-2", "A frame with the length 8, one too few for tag and id, ends the child.", ends, anyPHP, badLength(8, "8")},
	{"lengths/9", "F-15", "A frame with the length 9 has an empty payload, which ends the child.", ends, anyPHP, func(h *Host) {
		h.sendRaw(frames.TagCallFunction, 1, "")
		h.refused()
	}},
	{"lengths/above-256-mib", "F-2", "A frame that claims 256 MiB and one byte is refused at once: the child does not wait for them.", ends, anyPHP, badLength(frames.MaxLength+1, "268435457")},
	{"lengths/2-to-32", "F-2", "A length of 2^32 + 9 is refused, not cut to 32 bits.", ends, anyPHP, badLength(1<<32+9, "2^32 + 9")},
	{"lengths/2-to-63", "F-2", "A length of 2^63 is refused, not taken for a negative number.", ends, anyPHP, badLength(1<<63, "2^63")},
	{"lengths/all-ones", "F-2", "A length of 2^64 - 1 is refused, not taken for -1.", ends, anyPHP, badLength(1<<64-1, "2^64 - 1")},
	{"lengths/one-too-few", "F-1", "A frame that claims one byte less than it has ends the child.", ends, anyPHP, func(h *Host) {
		b := length(0)
		b[0] = byte(len(b) - 8 - 1)
		h.sendBytes(b, "a frame that claims one byte less than it has")
		h.refused()
	}},
	{"lengths/one-too-many", "F-1", "A frame that claims one byte more takes the first byte of the next frame, which ends the child.", ends, anyPHP, func(h *Host) {
		b := length(0)
		b[0] = byte(len(b) - 8 + 1)
		h.sendBytes(append(b, length(55)...), "two frames, the first claims a byte of the second")
		h.refused()
	}},
	{"lengths/little-endian", "F-1", "Length and id are little-endian: the id 0x0102030405060701 comes back as it was.", shared, anyPHP, func(h *Host) {
		const id = 0x0102030405060701
		h.send(frames.CallFunction{ID: id, Function: "strlen", Args: list(str("abc")).Elements()})
		h.returns(id, num(3))
	}},
	{"lengths/70000", "F-1", "A payload larger than any buffer, 70,000 bytes, is read whole.", shared, anyPHP, func(h *Host) {
		h.expect(num(70_000), "strlen", str(strings.Repeat("x", 70_000)))
	}},
}

var tagCases = []Case{
	{"tags/call-function", "F-5", "CallFunction calls a function of PHP.", shared, anyPHP, func(h *Host) {
		h.expect(str("cba"), "strrev", str("abc"))
	}},
	{"tags/call-static-method", "F-6", "CallStaticMethod calls a static method.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.nextID()
		h.send(frames.CallStaticMethod{ID: id, Class: "PwThing", Method: "twice", Args: list(str("ab")).Elements()})
		h.returns(id, str("abab"))
	}},
	{"tags/new-object", "F-7", "NewObject makes an object and returns its phandle.", shared, anyPHP, func(h *Host) {
		o := h.make("ArrayObject", list(num(1), num(2)))
		h.letGo(o)
	}},
	{"tags/call-php-method", "F-8", "CallPhpMethod calls a method of an object that the child holds.", shared, anyPHP, func(h *Host) {
		o := h.make("ArrayObject", list(num(1), num(2)))
		h.returns(h.method(o, "count"), num(2))
		h.letGo(o)
	}},
	{"tags/call-rust-method", "F-9", "A method of a stub sends CallRustMethod with the handle, the method, the arguments and no positions.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(101, noStub, 1), str("doIt"), num(1), str("\xff"), list(null()))
		c := h.served(101, "doIt", num(1), str("\xff"), list(null()))
		if len(c.OutParams) > 0 {
			h.fail("no argument goes by reference, out_param_positions must be empty")
		}
		h.reply(c, boolean(true))
		h.released(101)
		h.returns(id, boolean(true))
	}},
	{"tags/return", "F-10", "A Return of the host is the result of the child's call.", shared, anyPHP, func(h *Host) {
		h.prelude()
		want := dict(str("a"), float(1.5), num(7), list(null(), boolean(false)))
		id := h.call("pw_call", rhandle(102, noStub, 1), str("get"))
		h.reply(h.served(102, "get"), want)
		h.released(102)
		h.returns(id, want)
	}},
	{"tags/throw", "F-11", "A Throw of the host is thrown where the child's call was made.", shared, anyPHP, func(h *Host) {
		r := h.catch(103, frames.Throw{Class: "RuntimeException", Message: "no", Code: 5})
		r.is(h, "RuntimeException", "no", 5)
	}},
	{"tags/throw-three-fields", "F-11", "A Throw with three fields, without properties, is accepted.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_catch", rhandle(104, noStub, 1))
		c := h.served(104, "fails")
		h.sendRaw(frames.TagThrow, c.ID, fields(wire(str("LogicException")), wire(str("three")), "i:3;"))
		h.released(104)
		caughtOf(h, h.returned(id).Value).is(h, "LogicException", "three", 3)
	}},
	{"tags/release-rust-handle", "F-12", "ReleaseRustHandle names the handle whose last stub is gone, with the id 0.", shared, anyPHP, func(h *Host) {
		id := h.call("is_object", rhandle(105, noStub, 1))
		h.released(105)
		h.returns(id, boolean(true))
	}},
	{"tags/release-php-handle", "F-13", "ReleasePhpHandle lets go of an object and is not answered.", shared, anyPHP, func(h *Host) {
		o := h.make("ArrayObject")
		h.letGo(o)
		h.throws(h.method(o, "count"), "")
	}},
	{"tags/epoch-bump", "F-14", "EpochBump is taken and not answered.", shared, anyPHP, func(h *Host) {
		h.send(frames.EpochBump{Handle: 106, Epoch: 3})
		h.alive()
	}},
	{"tags/unknown-0a", "F-4", "The tag 0x0a, the first behind the ten, ends the child.", ends, anyPHP, wrongTag(0x0a, 1)},
	{"tags/unknown-7f", "F-4", "The tag 0x7f ends the child.", ends, anyPHP, wrongTag(0x7f, 1)},
	{"tags/unknown-ff", "F-4", "The tag 0xff ends the child, also with the id 0.", ends, anyPHP, wrongTag(0xff, 0)},
	{"tags/rust-method-from-host", "F-4", "A CallRustMethod from the host, which only PHP sends, ends the child.", ends, anyPHP, func(h *Host) {
		h.sendRaw(frames.TagCallRustMethod, 1, fields("i:0;", wire(str("f")), "a:0:{}", "a:0:{}"))
		h.refused()
	}},
	{"tags/rust-release-from-host", "F-4", "A ReleaseRustHandle from the host, which only PHP sends, ends the child.", ends, anyPHP, func(h *Host) {
		h.sendRaw(frames.TagReleaseRustHandle, 0, fields("i:1;"))
		h.refused()
	}},
	{"tags/unknown-while-waiting", "F-4", "An unknown tag ends the child while it waits for a reply, too.", ends, anyPHP, func(h *Host) {
		h.prelude()
		h.call("pw_call", rhandle(107, noStub, 1), str("f"))
		h.served(107, "f")
		wrongTag(0x0b, 1)(h)
	}},
}

func wrongTag(tag frames.Tag, id uint64) func(*Host) {
	return refusesRaw(tag, id, goodCall)
}
