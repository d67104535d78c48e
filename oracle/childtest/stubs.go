package childtest

import (
	"phpwire/codec"
	"phpwire/frames"
)

// stubbed serves one call of a method without arguments, of a stub that PHP keeps
// first, and gives what PHP saw and whether the host was asked.
func (h *Host) stubbed(handle int64, method string, live codec.Value) (saw codec.Value, asked bool) {
	id := h.call("pw_first_kept", str(method))
	switch f := h.receive().(type) {
	case frames.CallRustMethod:
		if f.Handle != handle || f.Method != method {
			h.fail("the call must be of %s of rhandle %d", method, handle)
		}
		h.reply(f, live)
		return h.returned(id).Value, true
	case frames.Return:
		if f.ID == id {
			return f.Value, false
		}
	}
	h.fail("call %d must be answered, from the snapshot or after a CallRustMethod", id)
	return codec.Value{}, false
}

// keep hands PHP a descriptor that it keeps.
func (h *Host) keep(d codec.Value) {
	h.prelude()
	h.ask("pw_keep", d)
}

// drop lets PHP forget what it keeps, one stub at most of each handle.
func (h *Host) drop(handles ...int64) {
	id := h.call("pw_drop")
	for _, handle := range handles {
		h.released(handle)
	}
	h.returned(id)
}

// keptEpoch makes sure which epoch the kept stub knows.
func (h *Host) keptEpoch(handle int64, class string, epoch int64) {
	if v := h.ask("pw_kept"); v.Len() == 0 || !v.Elements()[0].Equal(rhandle(handle, class, epoch)) {
		h.fail("the stub must go back as %s, it goes as %s", shownValue(rhandle(handle, class, epoch)), shownValue(v))
	}
}

var stubCases = []Case{
	{"stubs/event", "O-1", "A descriptor of Composer\\EventDispatcher\\Event arrives as an instance of this class.", shared, anyPHP, func(h *Host) {
		id := h.call("get_class", rhandle(300, event, 1))
		h.released(300)
		h.returns(id, str(event))
	}},
	{"stubs/script-event", "O-1", "A descriptor of Composer\\Script\\Event arrives as an instance of it, which is an Event too.", shared, anyPHP, func(h *Host) {
		id := h.call("is_a", rhandle(301, scriptEvent, 1), str(event))
		h.released(301)
		h.returns(id, boolean(true))
		id = h.call("get_class", rhandle(301, scriptEvent, 1))
		h.released(301)
		h.returns(id, str(scriptEvent))
	}},
	{"stubs/event-methods", "O-1", "The methods of Event become calls of the host.", shared, anyPHP, func(h *Host) {
		h.prelude()
		for _, m := range []string{"getName", "getArguments", "getFlags", "isPropagationStopped", "stopPropagation"} {
			id := h.call("pw_call", rhandle(302, event, 1), str(m))
			h.reply(h.served(302, m), null())
			h.released(302)
			h.returned(id)
		}
	}},
	{"stubs/script-event-methods", "O-1", "The methods of Script\\Event become calls of the host, with the results that the host gives.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(303, scriptEvent, 1), str("isDevMode"))
		h.reply(h.served(303, "isDevMode"), boolean(true))
		h.released(303)
		h.returns(id, boolean(true))
		id = h.call("pw_call", rhandle(303, scriptEvent, 1), str("getName"))
		h.reply(h.served(303, "getName"), str("post-install-cmd"))
		h.released(303)
		h.returns(id, str("post-install-cmd"))
	}},
	{"stubs/any-class", "O-1", "A class without a stub class arrives as an object that passes every method on.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(304, noStub, 1), str("anyMethod"), num(1), list(str("x")))
		h.reply(h.served(304, "anyMethod", num(1), list(str("x"))), str("done"))
		h.released(304)
		h.returns(id, str("done"))
	}},
	{"stubs/real-class-is-no-stub", "O-1", "A descriptor that names a class of PHP arrives as a stub all the same, not as that class.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(305, "ArrayObject", 1), str("count"))
		h.reply(h.served(305, "count"), num(77))
		h.released(305)
		h.returns(id, num(77))
	}},
	{"stubs/method-returns-stub", "O-1", "A host method may return another object of the host, which is a stub too.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_two_steps($o) { return $o->getComposer()->getName(); }`)
		id := h.call("pw_two_steps", rhandle(306, scriptEvent, 1))
		h.reply(h.served(306, "getComposer"), rhandle(307, noStub, 1))
		h.reply(h.served(307, "getName"), str("root"))
		h.returnsReleasing(id, str("root"))
	}},
	{"stubs/as-argument", "O-7", "A stub that is an argument of a call to the host crosses as its own descriptor.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_call", rhandle(308, noStub, 1), str("take"), rhandle(309, event, 4))
		h.reply(h.served(308, "take", rhandle(309, event, 4)), null())
		h.returnsReleasing(id, null())
	}},
	{"stubs/back", "O-7", "A stub that goes back to the host crosses as its own descriptor, with its epoch and without the snapshot.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("array_values", list(snapshot(310, event, 5, str("getName"), str("n"))))
		r := h.receive()
		if f, ok := r.(frames.ReleaseRustHandle); ok && f.Handle == 310 {
			r = h.receive()
		}
		if f, ok := r.(frames.Return); !ok || f.ID != id || !f.Value.Equal(list(rhandle(310, event, 5))) {
			h.fail("the Return must have %s, it is %s", shownValue(list(rhandle(310, event, 5))), shown(r))
		}
		h.drainReleases()
	}},
	{"stubs/identity", "O-2", "Two descriptors of one handle in one call arrive as one object: === holds.", shared, needsWeakReference, func(h *Host) {
		h.prelude()
		id := h.call("pw_same", rhandle(311, event, 1), rhandle(311, event, 1))
		h.released(311)
		h.returns(id, boolean(true))
	}},
	{"stubs/identity-while-kept", "O-2", "A descriptor of a handle whose stub lives arrives as that stub, in later calls too.", shared, needsWeakReference, func(h *Host) {
		h.keep(rhandle(312, noStub, 1))
		h.eval(`function pw_is_kept($o) { return $o === $GLOBALS['pw_kept'][0]; }`)
		h.expect(boolean(true), "pw_is_kept", rhandle(312, noStub, 1))
		h.expect(boolean(true), "pw_is_kept", rhandle(312, noStub, 2))
		h.drop(312)
	}},
	{"stubs/identity-in-reply", "O-2", "A host method that returns a handle whose stub lives gives that stub.", shared, needsWeakReference, func(h *Host) {
		h.keep(rhandle(313, event, 1))
		h.eval(`function pw_get_is_kept($o) { return $o->get() === $GLOBALS['pw_kept'][0]; }`)
		id := h.call("pw_get_is_kept", rhandle(314, noStub, 1))
		h.reply(h.served(314, "get"), rhandle(313, event, 1))
		h.released(314)
		h.returns(id, boolean(true))
		h.drop(313)
	}},
	{"stubs/identity-weak", "O-2", "The registry holds stubs weakly: keeping 100 handles and dropping them releases all 100.", shared, needsWeakReference, func(h *Host) {
		h.prelude()
		for i := range int64(100) {
			h.ask("pw_keep", rhandle(1000+i, noStub, 1))
		}
		id := h.call("pw_drop")
		seen := map[int64]bool{}
		for range 100 {
			f, ok := h.receive().(frames.ReleaseRustHandle)
			if !ok || seen[f.Handle] {
				h.fail("100 releases must come, one of each handle")
			}
			seen[f.Handle] = true
		}
		h.returned(id)
	}},
	{"stubs/two-handles", "O-2", "Two handles of one class are two objects.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.call("pw_same", rhandle(315, event, 1), rhandle(316, event, 1))
		h.receive()
		h.receive()
		h.returns(id, boolean(false))
	}},
	{"stubs/class-stays", "O-3", "A descriptor that gives a living handle another class ends the child.", ends, anyPHP, func(h *Host) {
		h.keep(rhandle(317, event, 1))
		h.call("is_object", rhandle(317, scriptEvent, 1))
		h.refused()
	}},
	{"stubs/class-changes-after-release", "O-3", "A handle that was released may come back with another class.", shared, anyPHP, func(h *Host) {
		id := h.call("get_class", rhandle(318, event, 1))
		h.released(318)
		h.returns(id, str(event))
		id = h.call("get_class", rhandle(318, scriptEvent, 1))
		h.released(318)
		h.returns(id, str(scriptEvent))
	}},
	{"stubs/no-new", "O-8", "A stub cannot be made with new: a Throw.", shared, anyPHP, func(h *Host) {
		h.threw(h.newObject(event, str("n")))
		h.threw(h.call("__shirabe_eval", str(`return new Composer\Script\Event('n', null, null);`)))
	}},
	{"stubs/no-serialize", "O-8", "A stub cannot be serialized: a Throw.", shared, anyPHP, func(h *Host) {
		id := h.call("serialize", rhandle(319, event, 1))
		for {
			f := h.receive()
			if r, ok := f.(frames.ReleaseRustHandle); ok && r.Handle == 319 {
				continue
			}
			if t, ok := f.(frames.Throw); !ok || t.ID != id {
				h.fail("serialize of a stub must be a Throw, it is %s", shown(f))
			}
			break
		}
		h.drainReleases()
	}},
	{"stubs/before-others", "O-8", "The stub class is there before any other autoloader is asked for its name.", single, anyPHP, func(h *Host) {
		h.eval(`spl_autoload_register(function ($c) { $GLOBALS['pw_asked'][] = $c; }, true, true);`)
		h.ask("__shirabe_require", h.file(`<?php spl_autoload_register(function ($c) { if (strpos($c, 'Composer') === 0) { $GLOBALS['pw_asked'][] = $c; eval('namespace Composer\Script; class Event { function getName() { return "shadow"; } }'); } }, true, true);`))
		h.prelude()
		id := h.call("pw_call", rhandle(320, scriptEvent, 1), str("getName"))
		h.reply(h.served(320, "getName"), str("live"))
		h.released(320)
		h.returns(id, str("live"))
		h.closeWrite()
		h.leaves()
	}},
	{"stubs/pclass", "O-9", "A pclass arrives as a string.", shared, anyPHP, func(h *Host) {
		h.expect(str("string"), "gettype", codec.PhpClass("ArrayObject"))
		h.expect(str("ArrayObject"), "strval", codec.PhpClass("ArrayObject"))
		h.expect(list(str("A")), "array_values", list(codec.PhpClass("A")))
	}},
	{"stubs/deep-in-arguments", "O-1", "A descriptor deep inside an argument arrives as a stub.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_pick_stub($a) { return $a['x'][1]['y']->getName(); }`)
		id := h.call("pw_pick_stub", dict(str("x"), list(num(1), dict(str("y"), rhandle(321, event, 1)))))
		h.reply(h.served(321, "getName"), str("deep"))
		h.released(321)
		h.returns(id, str("deep"))
	}},
	{"stubs/any-key-order", "H-5", "The keys of a descriptor may come in any order.", shared, anyPHP, func(h *Host) {
		id := h.nextID()
		h.sendRaw(frames.TagCallFunction, id, fields(wire(str("get_class")),
			fields(`a:3:{s:7:"__epoch";i:1;s:7:"__class";s:30:"`+event+`";s:9:"__rhandle";i:322;}`), "a:0:{}"))
		h.released(322)
		h.returns(id, str(event))
	}},
	{"stubs/largest-number", "H-2", "The handle 2^63 - 1 with the epoch 2^63 - 1 arrives and goes back as it was.", shared, anyPHP, func(h *Host) {
		const largest = 1<<63 - 1
		h.keep(rhandle(largest, noStub, largest))
		h.keptEpoch(largest, noStub, largest)
		h.drop(largest)
	}},
}

var releaseCases = []Case{
	{"releases/once", "O-4", "When the last stub of a handle is gone, one ReleaseRustHandle is sent.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(330, event, 1))
		h.drop(330)
		h.hearsNothing()
	}},
	{"releases/not-while-kept", "O-4", "While a stub lives its handle is not released.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(331, event, 1))
		h.alive()
		id := h.call("is_object", rhandle(331, event, 1))
		h.returns(id, boolean(true))
		h.drop(331)
	}},
	{"releases/clone", "O-4", "A clone keeps the handle alive; the release comes once, with the last of them.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(332, event, 1))
		h.eval(`$GLOBALS['pw_kept'][] = clone $GLOBALS['pw_kept'][0]; array_shift($GLOBALS['pw_kept']);`)
		h.expect(num(1), "count", h.ask("pw_kept"))
		h.drop(332)
		h.hearsNothing()
	}},
	{"releases/clone-of-clone", "O-4", "Clones of clones count, too.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(333, noStub, 1))
		h.eval(`$k = &$GLOBALS['pw_kept']; $k[] = clone $k[0]; $k[] = clone $k[1]; array_shift($k); array_shift($k);`)
		h.drop(333)
		h.hearsNothing()
	}},
	{"releases/again", "O-4", "A descriptor that comes after the release makes a new stub, and another release.", shared, anyPHP, func(h *Host) {
		for range 3 {
			h.keep(rhandle(334, event, 1))
			h.drop(334)
		}
	}},
	{"releases/argument", "O-4", "An argument that nobody keeps is released when the call is done.", shared, anyPHP, func(h *Host) {
		id := h.call("is_object", rhandle(335, event, 1))
		h.released(335)
		h.returns(id, boolean(true))
	}},
	{"releases/reply", "O-4", "A result of the host that nobody keeps is released.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_ignores($o) { $o->get(); return 'ignored'; }`)
		id := h.call("pw_ignores", rhandle(336, noStub, 1))
		h.reply(h.served(336, "get"), rhandle(337, event, 1))
		h.released(337)
		h.released(336)
		h.returns(id, str("ignored"))
	}},
	{"releases/throw", "O-4", "Arguments of a call that throws are released in the end, each once.", shared, anyPHP, func(h *Host) {
		h.eval(`function pw_throws($o) { throw new Exception('with a stub'); }`)
		id := h.call("pw_throws", rhandle(338, noStub, 1))
		releases, threw := 0, false
		for releases == 0 || !threw {
			switch f := h.receive().(type) {
			case frames.ReleaseRustHandle:
				releases++
				if f.Handle != 338 || releases > 1 {
					h.fail("one release of 338 must come")
				}
			case frames.Throw:
				threw = f.ID == id
			default:
				h.fail("a Throw and a release must come, not %s", shown(f))
			}
		}
	}},
	{"releases/while-waiting", "O-4", "A release that happens while the child waits for a reply is sent at once.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(339, event, 1))
		whileWaiting(func(h *Host) { h.drop(339) })(h)
	}},
	{"releases/overwritten", "O-4", "A stub whose variable is overwritten is released before the code goes on.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(340, event, 1))
		h.eval(`function pw_overwrites_kept($o) { $GLOBALS['pw_kept'] = []; return $o->after(); }`)
		id := h.call("pw_overwrites_kept", rhandle(341, noStub, 1))
		h.released(340)
		h.reply(h.served(341, "after"), str("after"))
		h.released(341)
		h.returns(id, str("after"))
	}},
	{"releases/object-of-host-gone", "C-4", "A Throw of the host for an object that it let go of reaches the code that called.", shared, anyPHP, func(h *Host) {
		r := h.catch(342, frames.Throw{Class: "RuntimeException", Message: "342 is released"})
		r.is(h, "RuntimeException", "342 is released", 0)
	}},
}

var epochCases = []Case{
	{"epochs/from-descriptor", "O-5", "A stub knows the epoch of the descriptor that it was made from.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(350, event, 7))
		h.keptEpoch(350, event, 7)
		h.drop(350)
	}},
	{"epochs/bump", "O-5", "An EpochBump reaches a stub that lives.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(351, event, 1))
		h.send(frames.EpochBump{Handle: 351, Epoch: 9})
		h.keptEpoch(351, event, 9)
		h.drop(351)
	}},
	{"epochs/higher-descriptor", "O-5", "A descriptor with a higher epoch raises the epoch of the stub that lives.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(352, event, 1))
		h.ask("is_object", rhandle(352, event, 4))
		h.keptEpoch(352, event, 4)
		h.drop(352)
	}},
	{"epochs/lower-descriptor", "O-5", "A descriptor with a lower epoch changes nothing.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(353, event, 6))
		h.ask("is_object", rhandle(353, event, 2))
		h.keptEpoch(353, event, 6)
		h.drop(353)
	}},
	{"epochs/lower-bump", "O-5", "An EpochBump with a lower epoch changes nothing.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(354, event, 6))
		h.send(frames.EpochBump{Handle: 354, Epoch: 3})
		h.keptEpoch(354, event, 6)
		h.drop(354)
	}},
	{"epochs/bump-without-stub", "O-5", "An EpochBump for a handle without a stub is ignored: a later descriptor has its own epoch.", shared, anyPHP, func(h *Host) {
		h.send(frames.EpochBump{Handle: 355, Epoch: 50})
		h.keep(rhandle(355, event, 1))
		h.keptEpoch(355, event, 1)
		h.drop(355)
	}},
	{"epochs/while-waiting", "O-5", "An EpochBump that comes while the child waits for a reply counts from then on.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(356, event, 1))
		whileWaiting(func(h *Host) { h.send(frames.EpochBump{Handle: 356, Epoch: 2}) })(h)
		h.keptEpoch(356, event, 2)
		h.drop(356)
	}},
	{"epochs/after-release", "O-5", "A stub made after a release starts with the epoch of its own descriptor.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(357, event, 9))
		h.drop(357)
		h.keep(rhandle(357, event, 2))
		h.keptEpoch(357, event, 2)
		h.drop(357)
	}},
	{"snapshots/answers", "O-6", "A call without arguments that the snapshot has gives the snapshot's result, or the host's.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(360, event, 1, str("getName"), str("snap")))
		saw, asked := h.stubbed(360, "getName", str("live"))
		want := "snap"
		if asked {
			want = "live"
		}
		if !saw.Equal(str(want)) {
			h.fail("PHP must see %q, it sees %s", want, shownValue(saw))
		}
		h.drop(360)
	}},
	{"snapshots/other-method", "O-6", "A method that the snapshot does not have is a call of the host.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(361, event, 1, str("getName"), str("snap")))
		if saw, asked := h.stubbed(361, "getFlags", list()); !asked || !saw.Equal(list()) {
			h.fail("the host must be asked")
		}
		h.drop(361)
	}},
	{"snapshots/arguments", "O-6", "A call with arguments is a call of the host, whatever the snapshot has.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(362, noStub, 1, str("get"), str("snap")))
		id := h.call("pw_first_kept", str("get"), num(1))
		h.reply(h.served(362, "get", num(1)), str("live"))
		h.returns(id, str("live"))
		h.drop(362)
	}},
	{"snapshots/bump", "O-6", "After an EpochBump the snapshot is not used any more: the host is asked.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(363, event, 1, str("getName"), str("snap")))
		h.send(frames.EpochBump{Handle: 363, Epoch: 2})
		if saw, asked := h.stubbed(363, "getName", str("live")); !asked || !saw.Equal(str("live")) {
			h.fail("the host must be asked")
		}
		h.drop(363)
	}},
	{"snapshots/bump-of-same-epoch", "O-6", "After an EpochBump that is not lower, the same included, the host is asked.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(364, event, 3, str("getName"), str("snap")))
		h.send(frames.EpochBump{Handle: 364, Epoch: 3})
		if _, asked := h.stubbed(364, "getName", str("live")); !asked {
			h.fail("the host must be asked")
		}
		h.drop(364)
	}},
	{"snapshots/higher-without", "O-6", "A descriptor of a higher epoch without a snapshot removes the snapshot: the host is asked.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(365, event, 1, str("getName"), str("snap")))
		h.ask("is_object", rhandle(365, event, 2))
		if _, asked := h.stubbed(365, "getName", str("live")); !asked {
			h.fail("the host must be asked")
		}
		h.drop(365)
	}},
	{"snapshots/higher-replaces", "O-6", "A descriptor of a higher epoch replaces the snapshot: the old one is not seen any more.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(366, event, 1, str("getName"), str("old")))
		h.ask("is_object", snapshot(366, event, 2, str("getName"), str("new")))
		if saw, _ := h.stubbed(366, "getName", str("new")); !saw.Equal(str("new")) {
			h.fail("PHP must see the new result, it sees %s", shownValue(saw))
		}
		h.drop(366)
	}},
	{"snapshots/lower-ignored", "O-6", "A snapshot of a lower epoch is not used.", shared, anyPHP, func(h *Host) {
		h.keep(rhandle(367, event, 5))
		h.ask("is_object", snapshot(367, event, 4, str("getName"), str("old")))
		if saw, asked := h.stubbed(367, "getName", str("live")); !asked || !saw.Equal(str("live")) {
			h.fail("the host must be asked, PHP sees %s", shownValue(saw))
		}
		h.drop(367)
	}},
	{"snapshots/same-replaces", "O-6", "A descriptor of the same epoch replaces the snapshot if it has one.", shared, anyPHP, func(h *Host) {
		h.keep(snapshot(368, event, 1, str("getName"), str("old")))
		h.ask("is_object", snapshot(368, event, 1, str("getName"), str("new")))
		if saw, _ := h.stubbed(368, "getName", str("new")); !saw.Equal(str("new")) {
			h.fail("PHP must see the new result, it sees %s", shownValue(saw))
		}
		h.drop(368)
	}},
}
