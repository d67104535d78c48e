package childtest

import (
	"strconv"
	"strings"

	"phpwire/frames"
)

func itoa(n int) string { return strconv.Itoa(n) }

// cutShort sends the beginning of a frame and ends the stream.
func cutShort(n int) func(*Host) {
	return func(h *Host) {
		h.sendBytes(length(uint64(len(length(0)) - 8))[:n], "the first "+itoa(n)+" bytes of a frame")
		h.closeWrite()
		h.refused()
	}
}

var endCases = []Case{
	{"end/unused", "C-8", "A child whose stream ends before the first frame exits with 0.", single, anyPHP, func(h *Host) {
		h.closeWrite()
		h.leaves()
	}},
	{"end/idle", "C-8", "A child whose stream ends between two calls exits with 0.", ends, anyPHP, func(h *Host) {
		h.alive()
		h.closeWrite()
		h.leaves()
	}},
	{"end/waiting", "C-8", "A child whose stream ends while it waits for a reply exits with 0.", ends, anyPHP, func(h *Host) {
		h.waits(250)
		h.closeWrite()
		h.leaves()
	}},
	{"end/waiting-3-deep", "C-8", "A child whose stream ends while it waits for three replies exits with 0, running no more code of the caller.", ends, anyPHP, func(h *Host) {
		h.prelude()
		h.eval(`function pw_catches_all($o) { try { $o->f(); } catch (\Throwable $e) {} finally { file_put_contents('php://stderr', 'went on'); } }`)
		for i := range int64(3) {
			h.call("pw_catches_all", rhandle(251+i, noStub, 1))
			h.served(251+i, "f")
		}
		h.closeWrite()
		h.leaves()
		if strings.Contains(h.ending.Stderr, "went on") {
			h.fail("the code that waited must not go on; it did")
		}
	}},
	{"end/holding-objects", "C-8", "A child that holds objects and stubs when the stream ends exits with 0.", ends, anyPHP, func(h *Host) {
		h.prelude()
		h.make("PwGone")
		h.ask("pw_keep", rhandle(254, event, 1))
		h.closeWrite()
		h.leaves()
	}},
	{"end/after-1-byte", "E-4", "A stream that ends after the first byte of a frame is a broken frame.", ends, anyPHP, cutShort(1)},
	{"end/in-length", "E-4", "A stream that ends inside the length of a frame is a broken frame.", ends, anyPHP, cutShort(7)},
	{"end/after-length", "E-4", "A stream that ends right behind the length is a broken frame.", ends, anyPHP, cutShort(8)},
	{"end/after-10-bytes", "E-4", "A frame that is cut short after 10 bytes, inside its id, is a broken frame.", ends, anyPHP, cutShort(10)},
	{"end/after-head", "E-4", "A stream that ends between head and payload is a broken frame.", ends, anyPHP, cutShort(17)},
	{"end/in-payload", "E-4", "A stream that ends inside a payload is a broken frame.", ends, anyPHP, cutShort(30)},
	{"end/one-byte-short", "E-4", "A stream that ends one byte before the end of a frame is a broken frame.", ends, anyPHP, func(h *Host) {
		cutShort(len(length(0)) - 1)(h)
	}},
	{"end/in-large-payload", "E-4", "A stream that ends inside a payload of 1 MiB is a broken frame.", ends, anyPHP, func(h *Host) {
		b := encode(frames.CallFunction{ID: 1, Function: "strlen", Args: list(str(strings.Repeat("x", 1<<20))).Elements()})
		h.sendBytes(b[:700_000], "700,000 bytes of a frame of 1 MiB")
		h.closeWrite()
		h.refused()
	}},
	{"end/in-reply", "E-4", "A stream that ends inside the reply that the child waits for is a broken frame.", ends, anyPHP, func(h *Host) {
		c := h.waits(255)
		h.sendBytes(encode(frames.Return{ID: c.ID, Value: str("cut")})[:25], "25 bytes of the Return")
		h.closeWrite()
		h.refused()
	}},
}

// dies waits for the end of the child that a call brings about.
func (h *Host) dies(status int, says string) {
	e := h.gone(true)
	if e.Signal != 0 || e.Status != status {
		h.fail("the child must end with status %d, it ends with %s", status, describeEnding(e))
	}
	if !strings.Contains(e.Stderr, says) {
		h.fail("stderr must say %q, it says %q", says, cutText(e.Stderr))
	}
}

var fatalCases = []Case{
	{"fatal/exit", "E-2", "exit(3) in called code ends the child with status 3, without an answer.", ends, anyPHP, func(h *Host) {
		h.call("__shirabe_eval", str("exit(3);"))
		h.dies(3, "")
	}},
	{"fatal/exit-0", "E-2", "exit(0) in called code ends the child with status 0, without an answer.", ends, anyPHP, func(h *Host) {
		h.call("__shirabe_eval", str("exit(0);"))
		h.dies(0, "")
	}},
	{"fatal/exit-while-nested", "E-2", "exit below a call of the host ends the child with its status.", ends, anyPHP, func(h *Host) {
		h.waits(260)
		h.call("__shirabe_eval", str("exit(4);"))
		h.dies(4, "")
	}},
	{"fatal/fatal-error", "E-2", "A fatal error of PHP ends the child with status 255, and stderr tells it.", ends, anyPHP, func(h *Host) {
		h.eval("function pw_twice_declared() {}")
		h.call("__shirabe_eval", str("function pw_twice_declared() {}"))
		h.dies(255, "pw_twice_declared")
	}},
	{"fatal/memory", "E-2", "Exhausted memory ends the child with status 255, and stderr tells it.", ends, anyPHP, func(h *Host) {
		h.call("__shirabe_eval", str("ini_set('memory_limit', '32M'); return strlen(str_repeat('x', 64 << 20));"))
		h.dies(255, "Allowed memory size")
	}},
}
