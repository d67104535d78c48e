package childtest

import (
	"math"

	"phpwire/frames"
)

// The payloads of good frames, for those whose head is wrong.
var (
	goodCall    = fields(wire(str("strlen")), wire(list(str("a"))), "a:0:{}")
	goodStatic  = fields(wire(str("DateTimeZone")), wire(str("listAbbreviations")), "a:0:{}", "a:0:{}")
	goodNew     = fields(wire(str("ArrayObject")), "a:0:{}")
	goodMethod  = fields("i:1;", wire(str("count")), "a:0:{}", "a:0:{}")
	goodReturn  = fields("N;", "a:0:{}")
	goodThrow   = fields(wire(str("RuntimeException")), wire(str("no")), "i:0;", "a:0:{}")
	goodRelease = fields("i:1;")
	goodBump    = fields("i:1;", "i:1;")
)

func refusesRaw(tag frames.Tag, id uint64, payload string) func(*Host) {
	return func(h *Host) {
		h.sendRaw(tag, id, payload)
		h.closeWrite() // what does not refuse the frame leaves, and need not be waited for
		h.refused()
	}
}

// waits brings the child to wait for the reply to the call that is returned.
func (h *Host) waits(handle int64) frames.CallRustMethod {
	h.prelude()
	h.call("pw_call", rhandle(handle, noStub, 1), str("f"))
	return h.served(handle, "f")
}

var idCases = []Case{
	{"ids/even-call-function", "F-3", "A CallFunction with an even id, which belongs to PHP, ends the child.", ends, anyPHP, refusesRaw(frames.TagCallFunction, 2, goodCall)},
	{"ids/zero-call-function", "F-3", "A CallFunction with the id 0 ends the child.", ends, anyPHP, refusesRaw(frames.TagCallFunction, 0, goodCall)},
	{"ids/even-call-static-method", "F-3", "A CallStaticMethod with an even id ends the child.", ends, anyPHP, refusesRaw(frames.TagCallStaticMethod, 4, goodStatic)},
	{"ids/even-new-object", "F-3", "A NewObject with an even id ends the child.", ends, anyPHP, refusesRaw(frames.TagNewObject, 2, goodNew)},
	{"ids/even-call-php-method", "F-3", "A CallPhpMethod with an even id ends the child.", ends, anyPHP, refusesRaw(frames.TagCallPhpMethod, 6, goodMethod)},
	{"ids/release-with-id", "F-3", "A ReleasePhpHandle with an id other than 0 ends the child.", ends, anyPHP, refusesRaw(frames.TagReleasePhpHandle, 1, goodRelease)},
	{"ids/bump-with-id", "F-3", "An EpochBump with an id other than 0 ends the child.", ends, anyPHP, refusesRaw(frames.TagEpochBump, 2, goodBump)},
	{"ids/largest", "F-3", "The id 2^64 - 1 is odd and comes back as it was.", shared, anyPHP, func(h *Host) {
		h.send(frames.CallFunction{ID: math.MaxUint64, Function: "strlen", Args: list(str("a")).Elements()})
		h.returns(math.MaxUint64, num(1))
	}},
	{"ids/2-to-63", "F-3", "The id 2^63 + 1, negative where ints are signed, comes back as it was.", shared, anyPHP, func(h *Host) {
		h.send(frames.CallFunction{ID: 1<<63 + 1, Function: "no_such_function"})
		h.threw(1<<63 + 1)
	}},
	{"ids/any-order", "F-3", "Ids need not rise: 1001, 7, 1001 again are answered in turn.", shared, anyPHP, func(h *Host) {
		for _, id := range []uint64{1001, 7, 1001} {
			h.send(frames.CallFunction{ID: id, Function: "strlen", Args: list(str("ab")).Elements()})
			h.returns(id, num(2))
		}
	}},
	{"ids/child-counts-even", "F-3", "The calls of the child have even ids from 2 on, none used twice while its call is open.", shared, anyPHP, func(h *Host) {
		h.prelude()
		var outer []uint64
		var open []frames.CallRustMethod
		seen := map[uint64]bool{}
		for i := range 5 {
			outer = append(outer, h.call("pw_call", rhandle(int64(110+i), noStub, 1), str("f")))
			c := h.served(int64(110+i), "f")
			if c.ID == 0 || c.ID%2 != 0 || seen[c.ID] {
				h.fail("the id of the call must be even, not 0, and not in use: it is %d", c.ID)
			}
			seen[c.ID] = true
			open = append(open, c)
		}
		for i := 4; i >= 0; i-- {
			h.reply(open[i], num(int64(i)))
			h.released(int64(110 + i))
			h.returns(outer[i], num(int64(i)))
		}
	}},
	{"ids/return-to-nobody", "C-3", "A Return to a call that was never made ends the child.", ends, anyPHP, refusesRaw(frames.TagReturn, 2, goodReturn)},
	{"ids/throw-to-nobody", "C-3", "A Throw to a call that was never made ends the child.", ends, anyPHP, refusesRaw(frames.TagThrow, 4, goodThrow)},
	{"ids/return-with-odd-id", "C-3", "A Return with an odd id, as the host's own calls have, ends the child.", ends, anyPHP, refusesRaw(frames.TagReturn, 1, goodReturn)},
	{"ids/return-with-id-0", "C-3", "A Return with the id 0 ends the child.", ends, anyPHP, refusesRaw(frames.TagReturn, 0, goodReturn)},
	{"ids/wrong-id-while-waiting", "C-3", "A Return with an id that is not open ends a child that waits for another.", ends, anyPHP, func(h *Host) {
		c := h.waits(120)
		refusesRaw(frames.TagReturn, c.ID+2, goodReturn)(h)
	}},
	{"ids/second-reply", "C-3", "A second reply to a call that was answered ends the child.", ends, anyPHP, func(h *Host) {
		c := h.waits(121)
		h.reply(c, null())
		h.released(121)
		h.receive()
		refusesRaw(frames.TagReturn, c.ID, goodReturn)(h)
	}},
	{"ids/two-replies-crossed", "C-3", "A second reply to an outer call that waits for its inner one ends the child.", ends, anyPHP, func(h *Host) {
		outer := h.waits(122)
		h.waits(123)
		h.reply(outer, null())
		refusesRaw(frames.TagThrow, outer.ID, goodThrow)(h)
	}},
}
