package childtest

import (
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// nest makes a chain: the host calls PHP, which calls the host, which calls PHP …
func nest(depth int) func(*Host) {
	return func(h *Host) {
		h.prelude()
		var outer []uint64
		var open []frames.CallRustMethod
		for i := depth; i > 0; i-- {
			outer = append(outer, h.call("pw_down", rhandle(200, noStub, 1), num(int64(i))))
			open = append(open, h.served(200, "again", num(int64(i-1))))
		}
		h.expect(str("bottom"), "pw_down", null(), num(0))
		answer := "bottom"
		for i := depth - 1; i >= 0; i-- {
			h.reply(open[i], str(answer))
			answer += "."
			h.returnsReleasing(outer[i], str(answer))
		}
	}
}

// returnsReleasing waits for a Return, with releases before it.
func (h *Host) returnsReleasing(id uint64, want codec.Value) {
	for {
		f := h.receive()
		if _, ok := f.(frames.ReleaseRustHandle); ok {
			continue
		}
		r, ok := f.(frames.Return)
		if !ok || r.ID != id || !r.Value.Equal(want) {
			h.fail("call %d must return %s, the next frame is %s", id, shownValue(want), shown(f))
		}
		return
	}
}

var nestingCases = []Case{
	{"nesting/1", "C-2", "A call of the child within a call of the host is answered, and the outer call returns.", shared, anyPHP, nest(1)},
	{"nesting/2", "C-2", "Calls nest 2 deep in both directions.", shared, anyPHP, nest(2)},
	{"nesting/100", "C-2", "Calls nest 100 deep in both directions.", shared, anyPHP, nest(100)},
	{"nesting/200", "C-2", "Calls nest 200 deep in both directions.", shared, anyPHP, nest(200)},
	{"nesting/serves-static-method", "C-2", "While the child waits for a reply it serves a CallStaticMethod.", shared, anyPHP, whileWaiting(func(h *Host) {
		h.returns(h.static("PwThing", "twice", str("x")), str("xx"))
	})},
	{"nesting/serves-objects", "C-2", "While the child waits for a reply it serves NewObject and CallPhpMethod.", shared, anyPHP, whileWaiting(func(h *Host) {
		o := h.make("PwThing", num(8))
		h.returns(h.method(o, "count"), num(8))
		h.letGo(o)
	})},
	{"nesting/serves-throws", "C-2", "A call that throws while the child waits leaves the outer call as it was.", shared, anyPHP, whileWaiting(func(h *Host) {
		h.throws(h.call("pw_no_such_function"), "pw_no_such_function")
	})},
	{"nesting/serves-many", "C-2", "While the child waits for a reply it serves 50 calls, one after another.", shared, anyPHP, whileWaiting(func(h *Host) {
		for i := range 50 {
			h.expect(num(int64(i)), "strlen", str(strings.Repeat("x", i)))
		}
	})},
	{"nesting/loop", "C-2", "A call of PHP that asks the host ten times in a row is served each time.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_ten($o) { $all = []; for ($i = 0; $i < 10; $i++) { $all[] = $o->item($i); } return $all; }`)
		id := h.call("pw_ten", rhandle(201, noStub, 1))
		var want []codec.Value
		for i := range 10 {
			want = append(want, str(strings.Repeat("i", i)))
			h.reply(h.served(201, "item", num(int64(i))), want[i])
		}
		h.released(201)
		h.returns(id, list(want...))
	}},
	{"nesting/throw-through-all", "C-2", "A Throw at the bottom of a nest of 5 passes through every level.", shared, anyPHP, func(h *Host) {
		h.prelude()
		var outer []uint64
		var open []frames.CallRustMethod
		for i := range int64(5) {
			outer = append(outer, h.call("pw_call", rhandle(210+i, noStub, 1), str("f")))
			open = append(open, h.served(210+i, "f"))
		}
		for i := int64(4); i >= 0; i-- {
			h.send(frames.Throw{ID: open[i].ID, Class: "DomainException", Message: "bottom", Code: 4})
			for {
				f := h.receive()
				if _, ok := f.(frames.ReleaseRustHandle); ok {
					continue
				}
				if t, ok := f.(frames.Throw); !ok || t.ID != outer[i] || t.Class != "DomainException" || t.Message != "bottom" || t.Code != 4 {
					h.fail("call %d must throw the DomainException, the next frame is %s", outer[i], shown(f))
				}
				break
			}
		}
		h.drainReleases()
	}},
	{"nesting/in-destructor", "C-2", "A destructor that calls the host is served like any code.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`class PwCaller { public $o; function __construct($o) { $this->o = $o; } function __destruct() { $this->o->bye(); } }
			function pw_destroyed($o) { new PwCaller($o); return 'done'; }`)
		id := h.call("pw_destroyed", rhandle(216, noStub, 1))
		h.reply(h.served(216, "bye"), null())
		h.released(216)
		h.returns(id, str("done"))
	}},
}

// whileWaiting runs something while the child waits for the host's reply.
func whileWaiting(run func(*Host)) func(*Host) {
	return func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(202, noStub, 1), str("f"))
		c := h.served(202, "f")
		run(h)
		h.reply(c, str("at last"))
		h.released(202)
		h.returns(id, str("at last"))
	}
}

// drainReleases reads what the child lets go of late, where a clause leaves it
// open when: an exception's trace may hold the stubs.
func (h *Host) drainReleases() {
	id := h.call("strlen", str("drain"))
	h.returnsReleasing(id, num(5))
}

var replyCases = []Case{
	{"replies/one-each", "C-3", "Every call gets one reply, with its id, and nothing else comes.", shared, anyPHP, func(h *Host) {
		for range 20 {
			h.alive()
		}
		h.hearsNothing()
	}},
	{"replies/throw-is-one", "C-3", "A call that throws gets one reply, the Throw.", shared, anyPHP, func(h *Host) {
		h.threw(h.call("pw_no_such_function"))
		h.hearsNothing()
		h.alive()
	}},
	{"replies/innermost-first", "C-3", "The innermost open call is answered first.", shared, anyPHP, func(h *Host) {
		h.prelude()
		outer := h.call("pw_call", rhandle(220, noStub, 1), str("f"))
		a := h.served(220, "f")
		inner := h.call("pw_call", rhandle(221, noStub, 1), str("g"))
		b := h.served(221, "g")
		h.reply(b, str("inner"))
		h.released(221)
		h.returns(inner, str("inner"))
		h.reply(a, str("outer"))
		h.released(220)
		h.returns(outer, str("outer"))
	}},
	{"replies/crossed", "C-3", "A reply to an outer call of the child waits until its inner call is answered.", shared, anyPHP, func(h *Host) {
		h.prelude()
		outer := h.call("pw_call", rhandle(222, noStub, 1), str("f"))
		a := h.served(222, "f")
		inner := h.call("pw_call", rhandle(223, noStub, 1), str("g"))
		b := h.served(223, "g")
		h.reply(a, str("outer"))
		h.hearsNothing()
		h.reply(b, str("inner"))
		h.released(223)
		h.returns(inner, str("inner"))
		h.released(222)
		h.returns(outer, str("outer"))
	}},
	{"replies/null-is-a-reply", "C-3", "A Return of null answers a call of the child.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(224, noStub, 1), str("f"))
		h.reply(h.served(224, "f"), null())
		h.released(224)
		h.returns(id, null())
	}},
	{"replies/false-is-a-reply", "V-3", "A Return of false is false in PHP, not a failure.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(225, noStub, 1), str("f"))
		h.reply(h.served(225, "f"), boolean(false))
		h.released(225)
		h.returns(id, boolean(false))
	}},
	{"replies/position-nobody-named", "F-10", "A Return with a position that the child's call did not name ends the child.", ends, anyPHP, func(h *Host) {
		c := h.waits(226)
		h.send(frames.Return{ID: c.ID, Value: null(), OutParams: []frames.OutParam{{Position: 3, Value: null()}}})
		h.refused()
	}},
}

var oneWayCases = []Case{
	{"one-way/not-answered", "C-5", "EpochBump and ReleasePhpHandle are not answered, however many come.", shared, anyPHP, func(h *Host) {
		for i := range int64(50) {
			h.send(frames.EpochBump{Handle: 900 + i, Epoch: i})
			h.send(frames.ReleasePhpHandle{Handle: 900_000 + i})
		}
		h.alive()
		h.hearsNothing()
	}},
	{"one-way/before-a-reply", "C-5", "One-way frames may come before the reply that the child waits for.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("ArrayObject")
		id := h.call("pw_call", rhandle(230, noStub, 1), str("f"))
		c := h.served(230, "f")
		h.send(frames.EpochBump{Handle: 230, Epoch: 2})
		h.letGo(o)
		h.send(frames.EpochBump{Handle: 231, Epoch: 2})
		h.reply(c, num(1))
		h.released(230)
		h.returns(id, num(1))
	}},
	{"one-way/release-of-the-running", "O-13", "An object that is let go of while one of its methods runs lives until the method returns.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`class PwRunning extends PwGone { public $x = 'kept'; function run($o) { $o->f(); return $this->x; } }`)
		o := h.make("PwRunning")
		id := h.method(o, "run", rhandle(232, noStub, 1))
		c := h.served(232, "f")
		h.letGo(o)
		h.reply(c, null())
		h.returnsReleasing(id, str("kept"))
	}},
	{"one-way/released-before-reply", "C-5", "What a call lets go of is released before the call's reply: three arguments, three releases, then the Return.", shared, anyPHP, func(h *Host) {
		id := h.call("count", list(rhandle(233, noStub, 1), rhandle(234, event, 1), rhandle(235, noStub, 1)))
		want := map[int64]bool{233: true, 234: true, 235: true}
		for range 3 {
			f, ok := h.receive().(frames.ReleaseRustHandle)
			if !ok || !want[f.Handle] {
				h.fail("three releases must come before the Return, one of each handle")
			}
			delete(want, f.Handle)
		}
		h.returns(id, num(3))
	}},
}

var streamCases = []Case{
	{"stream/byte-by-byte", "F-16", "A frame that comes one byte at a time is read like any other.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		b := encode(frames.CallFunction{ID: id, Function: "strrev", Args: list(str("abc")).Elements()})
		for _, c := range b {
			h.write([]byte{c})
		}
		h.record("host", "CallFunction of strrev, one byte at a time", b)
		h.returns(id, str("cba"))
	}},
	{"stream/cut-in-head", "F-16", "A frame that is cut after 10 bytes and goes on later is read like any other.", shared, anyPHP, cutAt(10)},
	{"stream/cut-before-payload", "F-16", "A frame that is cut between head and payload is read like any other.", shared, anyPHP, cutAt(17)},
	{"stream/cut-in-payload", "F-16", "A frame that is cut inside its payload is read like any other.", shared, anyPHP, cutAt(30)},
	{"stream/glued", "F-16", "Two frames that come in one piece are two frames.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		h.sendBytes(append(encode(frames.EpochBump{Handle: 240, Epoch: 1}),
			encode(frames.CallFunction{ID: id, Function: "strrev", Args: list(str("ab")).Elements()})...), "EpochBump and CallFunction of strrev, in one piece")
		h.returns(id, str("ba"))
	}},
	{"stream/one-and-a-half", "F-16", "A frame and the half of the next in one piece: the first is answered, the second when it is whole.", shared, anyPHP, func(h *Host) {
		h.prelude()
		a, b := h.nextID(), h.nextID()
		first := encode(frames.CallFunction{ID: a, Function: "strrev", Args: list(str("ab")).Elements()})
		second := encode(frames.CallFunction{ID: b, Function: "strrev", Args: list(str("cd")).Elements()})
		h.sendBytes(append(first, second[:20]...), "CallFunction of strrev, and 20 bytes of the next frame")
		h.returns(a, str("ba"))
		h.sendBytes(second[20:], "the rest of the frame")
		h.returns(b, str("dc"))
	}},
	{"stream/reply-in-pieces", "F-16", "The reply that the child waits for may come in pieces.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(241, noStub, 1), str("f"))
		c := h.served(241, "f")
		b := encode(frames.Return{ID: c.ID, Value: str("pieces")})
		h.sendBytes(b[:5], "5 bytes of the Return")
		h.sendBytes(b[5:19], "14 more")
		h.sendBytes(b[19:], "and the rest")
		h.released(241)
		h.returns(id, str("pieces"))
	}},
	{"stream/large-in-pieces", "F-16", "A frame of 300,000 bytes in pieces of 9,973 is read like any other.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		b := encode(frames.CallFunction{ID: id, Function: "strlen", Args: list(str(strings.Repeat("x", 300_000))).Elements()})
		h.record("host", "CallFunction of strlen, in pieces of 9,973 bytes", b)
		for len(b) > 0 {
			n := min(9973, len(b))
			h.write(b[:n])
			b = b[n:]
		}
		h.returns(id, num(300_000))
	}},
	{"stream/1-mib-both-ways", "F-2", "A value of 1 MiB crosses both ways unchanged.", shared, anyPHP, roundtripOf(1 << 20)},
	{"stream/10-mib-both-ways", "F-2", "A value of 10 MiB crosses both ways unchanged.", shared, anyPHP, roundtripOf(10 << 20)},
	{"stream/10-mib-result", "F-2", "A result of 10 MiB is a Return.", shared, anyPHP, func(h *Host) {
		id := h.call("str_repeat", str("0123456789"), num(1<<20))
		if text, _ := h.returned(id).Value.Text(); text != strings.Repeat("0123456789", 1<<20) {
			h.fail("the result must be 10 MiB of digits")
		}
	}},
	{"stream/large-from-host-method", "F-2", "A reply of the host of 2 MiB reaches PHP.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_size($o) { return strlen($o->get()); }`)
		id := h.call("pw_size", rhandle(242, noStub, 1))
		h.reply(h.served(242, "get"), str(strings.Repeat("y", 2<<20)))
		h.released(242)
		h.returns(id, num(2<<20))
	}},
	{"stream/many-elements", "L-4", "An array of 100,000 elements crosses both ways.", shared, anyPHP, func(h *Host) {
		vs := make([]codec.Value, 100_000)
		for i := range vs {
			vs[i] = num(int64(i))
		}
		h.expect(list(vs...), "__shirabe_oracle_roundtrip", list(vs...))
	}},
}

func cutAt(n int) func(*Host) {
	return func(h *Host) {
		id := h.nextID()
		b := encode(frames.CallFunction{ID: id, Function: "strrev", Args: list(str("abc")).Elements()})
		h.sendBytes(b[:n], "the first "+itoa(n)+" bytes of a CallFunction of strrev")
		h.hearsNothing()
		h.sendBytes(b[n:], "the rest of the frame")
		h.returns(id, str("cba"))
	}
}

func roundtripOf(size int) func(*Host) {
	return func(h *Host) {
		pattern := "\x00\xff;}\"0123456789"
		text := strings.Repeat(pattern, size/len(pattern)+1)[:size]
		id := h.call("__shirabe_oracle_roundtrip", str(text))
		if back, _ := h.returned(id).Value.Text(); back != text {
			h.fail("the %d bytes must come back unchanged", size)
		}
	}
}
