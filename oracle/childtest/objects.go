package childtest

import (
	"slices"
	"strings"

	"phpwire/codec"
	"phpwire/frames"
)

// make makes an object of PHP and gives its handle.
func (h *Host) make(class string, args ...codec.Value) int64 {
	id := h.nextID()
	h.send(frames.NewObject{ID: id, Class: class, Args: args})
	return h.handleOf(h.returned(id).Value)
}

// newObject sends a NewObject and gives the call's id.
func (h *Host) newObject(class string, args ...codec.Value) uint64 {
	id := h.nextID()
	h.send(frames.NewObject{ID: id, Class: class, Args: args})
	return id
}

// method calls a method of an object of PHP and gives the call's id.
func (h *Host) method(object int64, name string, args ...codec.Value) uint64 {
	id := h.nextID()
	h.send(frames.CallPhpMethod{ID: id, Handle: object, Method: name, Args: args})
	return id
}

func (h *Host) letGo(object int64) { h.send(frames.ReleasePhpHandle{Handle: object}) }

func thing(id int64) codec.Value {
	return phandle(codec.PhpHandle{ID: id, Class: "PwThing", Implements: []string{"Countable", "PwShape"}})
}

var phpObjectCases = []Case{
	{"php-objects/descriptor", "H-3", "An object crosses as a phandle with its class and the names of its interfaces, sorted.", shared, anyPHP, func(h *Host) {
		h.prelude()
		id := h.newObject("PwThing", num(1))
		v := h.returned(id).Value
		o := h.handleOf(v)
		if !v.Equal(thing(o)) {
			h.fail("the descriptor must be %s", shownValue(thing(o)))
		}
		h.letGo(o)
	}},
	{"php-objects/constructor", "O-12", "NewObject runs the constructor with its arguments.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing", num(42))
		h.returns(h.method(o, "count"), num(42))
		h.letGo(o)
	}},
	{"php-objects/constructor-throws", "O-12", "A constructor that throws is a Throw.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throws(h.newObject("PwThing", num(-1)), "negative")
	}},
	{"php-objects/no-class", "O-12", "NewObject of a class that does not exist is a Throw that names it.", shared, anyPHP, func(h *Host) {
		h.throws(h.newObject("PwNoSuchClass"), "PwNoSuchClass")
	}},
	{"php-objects/abstract", "O-12", "NewObject of an abstract class or an interface is a Throw.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.throws(h.newObject("PwAbstract"), "PwAbstract")
		h.throws(h.newObject("PwShape"), "PwShape")
	}},
	{"php-objects/no-method", "C-10", "A method that does not exist is a Throw that names it.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing")
		h.throws(h.method(o, "noSuchMethod"), "noSuchMethod")
		h.letGo(o)
	}},
	{"php-objects/private-method", "O-12", "A private method is a Throw.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing")
		h.throws(h.method(o, "hidden"), "hidden")
		h.letGo(o)
	}},
	{"php-objects/magic-method", "O-12", "An object with __call answers any method.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwMany")
		h.returns(h.method(o, "anything", num(1)), list(str("anything"), list(num(1))))
		h.letGo(o)
	}},
	{"php-objects/method-throws", "O-12", "A method that throws is a Throw, and the object is still held.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwThrower { function f() { throw new LengthException('too long'); } function g() { return 'here'; } }`)
		o := h.make("PwThrower")
		h.throws(h.method(o, "f"), "too long")
		h.returns(h.method(o, "g"), str("here"))
		h.letGo(o)
	}},
	{"php-objects/one-handle", "O-10", "The same object has the same handle, however often and wherever it crosses.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing")
		h.returns(h.method(o, "self"), thing(o))
		h.expect(list(thing(o), thing(o), dict(str("x"), thing(o))), "array_merge", list(thing(o), thing(o)), list(dict(str("x"), thing(o))))
		h.letGo(o)
	}},
	{"php-objects/two-handles", "O-10", "Two objects have two handles, equal as they may be.", shared, anyPHP, func(h *Host) {
		h.prelude()
		a, b := h.make("PwThing", num(1)), h.make("PwThing", num(1))
		if a == b {
			h.fail("two objects must have two handles, both have %d", a)
		}
		h.letGo(a)
		h.returns(h.method(b, "count"), num(1))
		h.letGo(b)
	}},
	{"php-objects/number-not-reused", "O-10", "The number of an object that was released is not used again.", shared, anyPHP, func(h *Host) {
		var seen []int64
		for range 10 {
			o := h.make("ArrayObject")
			if slices.Contains(seen, o) {
				h.fail("the number %d was used before", o)
			}
			seen = append(seen, o)
			h.letGo(o)
		}
	}},
	{"php-objects/back", "O-11", "A phandle that goes back to PHP is the object itself.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing", num(6))
		h.expect(num(6), "count", thing(o))
		h.expect(boolean(true), "pw_same", thing(o), thing(o))
		h.letGo(o)
	}},
	{"php-objects/back-in-array", "O-11", "A phandle deep inside an argument is the object itself.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_pick($a) { return $a['x'][1]->count(); }`)
		o := h.make("PwThing", num(9))
		h.expect(num(9), "pw_pick", dict(str("x"), list(null(), thing(o))))
		h.letGo(o)
	}},
	{"php-objects/state", "O-10", "An object keeps its state between calls.", shared, anyPHP, func(h *Host) {
		o := h.make("ArrayObject")
		h.returned(h.method(o, "append", str("a")))
		h.returned(h.method(o, "append", str("b")))
		h.returns(h.method(o, "getArrayCopy"), list(str("a"), str("b")))
		h.letGo(o)
	}},
	{"php-objects/released", "O-11", "A number that was released is a Throw, as the object of a call and as an argument.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing")
		h.letGo(o)
		h.threw(h.method(o, "count"))
		h.threw(h.call("count", thing(o)))
	}},
	{"php-objects/unknown", "O-11", "A number that was never given out is a Throw.", shared, anyPHP, func(h *Host) {
		h.threw(h.method(88_888_888, "count"))
		h.threw(h.call("count", thing(88_888_888)))
	}},
	{"php-objects/release-unknown", "O-13", "The release of an unknown number is ignored.", shared, anyPHP, func(h *Host) {
		h.letGo(88_888_889)
		h.alive()
	}},
	{"php-objects/release-twice", "O-13", "A second release of the same number is ignored, and harms no other object.", shared, anyPHP, func(h *Host) {
		h.prelude()
		a, b := h.make("PwThing", num(1)), h.make("PwThing", num(2))
		h.letGo(a)
		h.letGo(a)
		h.returns(h.method(b, "count"), num(2))
		h.letGo(b)
	}},
	{"php-objects/held", "O-10", "An object that nothing in PHP refers to lives as long as the host holds it; its destructor runs on release.", shared, anyPHP, func(h *Host) {
		h.prelude()
		before, _ := h.ask("pw_gone").Int()
		o := h.make("PwGone")
		h.expect(num(before), "pw_gone")
		h.letGo(o)
		h.expect(num(before+1), "pw_gone")
	}},
	{"php-objects/shared-with-php", "O-13", "An object that PHP refers to lives on after its release, and gets a new handle.", shared, anyPHP, func(h *Host) {
		h.prelude()
		o := h.make("PwThing", num(3))
		h.ask("pw_keep", thing(o))
		h.letGo(o)
		kept := h.ask("pw_kept")
		if kept.Len() != 1 {
			h.fail("PHP must still have the object")
		}
		again := h.handleOf(kept.Elements()[0])
		if again == o {
			h.fail("the number %d was released and must not be used again", o)
		}
		h.returns(h.method(again, "count"), num(3))
		h.letGo(again)
		h.ask("pw_drop")
	}},
	{"php-objects/loud-destructor", "O-13", "A destructor that throws on release harms nobody: the child goes on.", shared, anyPHP, func(h *Host) {
		h.prelude()
		h.letGo(h.make("PwLoud"))
		h.alive()
	}},
	{"php-objects/loud-destructor-says", "O-13", "What a destructor throws on release is one line on stderr.", single, anyPHP, func(h *Host) {
		h.prelude()
		h.letGo(h.make("PwLoud"))
		h.alive()
		h.closeWrite()
		h.leaves()
		if lines := strings.Count(h.ending.Stderr, "too late"); lines != 1 {
			h.fail("one line on stderr must tell the exception, %d do", lines)
		}
	}},
	{"php-objects/closure", "O-10", "A closure crosses as a phandle, and __invoke calls it.", shared, anyPHP, func(h *Host) {
		v := h.eval(`return function ($x) { return $x * 2; };`)
		o := h.handleOf(v)
		if p, _ := v.PhpHandle(); p.Class != "Closure" {
			h.fail("its class must be Closure, it is %s", p.Class)
		}
		h.returns(h.method(o, "__invoke", num(21)), num(42))
		h.letGo(o)
	}},
	{"php-objects/generator", "O-10", "A generator crosses as a phandle and can be driven.", shared, anyPHP, func(h *Host) {
		o := h.handleOf(h.eval(`return (function () { yield 'a'; yield 'b'; })();`))
		h.returns(h.method(o, "current"), str("a"))
		h.returned(h.method(o, "next"))
		h.returns(h.method(o, "current"), str("b"))
		h.letGo(o)
	}},
	{"php-objects/enum", "O-10", "An enum's case crosses as a phandle, always the same.", shared, needsEnums, func(h *Host) {
		h.eval(`enum PwSuit { case Hearts; case Spades; }`)
		o := h.handleOf(h.eval(`return PwSuit::Hearts;`))
		if again := h.handleOf(h.eval(`return PwSuit::Hearts;`)); again != o {
			h.fail("the same case must have the same handle, it has %d and %d", o, again)
		}
		h.letGo(o)
	}},
	{"php-objects/stringable-is-no-string", "O-10", "An object with __toString crosses as a phandle, not as a text.", shared, anyPHP, func(h *Host) {
		h.eval(`class PwText { function __toString() { return 'text'; } }`)
		h.letGo(h.make("PwText"))
	}},
}
