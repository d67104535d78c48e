package php_test

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type violation struct {
	name string
	raw  []byte
	want string // in the line on stderr
}

func claim(length uint64) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, length), frame(0, 1, good)[8:]...)
}

var (
	good       = list(str("strlen"), list(str("a")), list())
	violations = []violation{
		{"bytes after it", frame(0, 1, good+"x"), "the payload is not the serialize() of one list"},
		{"cut short in the payload", frame(0, 1, good)[:30], "the stream ended inside a frame's payload, after 13 of 55 bytes"},
		// Those above are tried on every PHP.
		{"length 8", claim(8), "length 8, allowed are 9 to 268435456"},
		{"cut short in the head", frame(0, 1, good)[:8], "the stream ended inside a frame's head, after 8 of 17 bytes"},
		{"cut short in a long payload", frame(0, 1, list(str("strlen"), list(str(strings.Repeat("a", 100000))), list()))[:90000],
			"the stream ended inside a frame's payload, after 89983 of 100059 bytes"},
		{"too long", claim(268435457), "length 268435457"},
		{"far too long", claim(1 << 63), "length 9223372036854775808"},
		{"unknown tag", frame(10, 1, good), "unknown tag (0x0a)"},
		{"call from the wrong side", frame(4, 1, list("i:0;", str("f"), list(), list())), "CallRustMethod (0x04) is nothing that a host sends"},
		{"release from the wrong side", frame(7, 0, list("i:0;")), "ReleaseRustHandle (0x07) is nothing that a host sends"},
		{"even id", frame(0, 2, good), "CallFunction (0x00) with id 2, a host counts in odd numbers"},
		{"one-way with an id", frame(9, 1, list(num(1), num(1))), "EpochBump (0x09) with id 1, a one-way frame has 0"},
		{"reply to nobody", frame(5, 2, list("N;", list())), "Return (0x05) with id 2, which replies to no call"},
		{"no list", frame(0, 1, "i:5;"), "CallFunction (0x00): the payload is not the serialize() of one list"},
		{"no payload", frame(0, 1, ""), "the payload is not the serialize()"},
		{"no serialize", frame(0, 1, "rubbish"), "the payload is not the serialize()"},
		{"a brace after it", frame(0, 1, good+"}"), "the payload is not the serialize()"},
		{"a value after it", frame(0, 1, good+"i:0;"), "the payload is not the serialize()"},
		{"missing field", frame(0, 1, list(str("strlen"), list())), `field 2 "out_param_positions" is missing`},
		{"no field", frame(9, 0, list()), `EpochBump (0x09): field 0 "rhandle" is missing`},
		{"extra field", frame(0, 1, list(str("strlen"), list(), list(), "N;")), "field 3 is one too many"},
		{"extra empty field", frame(0, 1, list(str("strlen"), list(), list(), list())), "field 3 is one too many"},
		{"wrong type", frame(0, 1, list(str("strlen"), str("a"), list())), `field 1 "args" is string, not list`},
		{"args are no list", frame(0, 1, list(str("strlen"), dict(num(1), str("a")), list())), `field 1 "args" is an array that is no list, not list`},
		{"positions are no ints", frame(0, 1, list(str("strlen"), list(), list(str("a")))), `field 2 "out_param_positions" is a list, not ints`},
		{"keys out of order", frame(0, 1, dict(num(1), list(), num(0), str("strlen"), num(2), list())), "no list: key 1 where 0 belongs"},
		{"malformed rhandle", frame(0, 1, list(str("count"), list(dict(str("__rhandle"), num(1))), list())), "__rhandle that is no descriptor"},
		{"malformed phandle", frame(0, 1, list(str("count"), list(dict(str("__phandle"), num(1))), list())), "__phandle that is no descriptor"},
		{"malformed pclass", frame(0, 1, list(str("count"), list(dict(str("__pclass"), num(1))), list())), "__pclass is integer, not a string"},
		{"release of a string", frame(8, 0, list(str("1"))), `ReleasePhpHandle (0x08): field 0 "phandle" is string, not int`},
	}
)

func TestProtocolViolationsEndTheChild(t *testing.T) {
	for _, r := range everyPHP(t) {
		try := violations
		if r.wasm != "" {
			try = try[:2]
		}
		for _, v := range try {
			t.Run(r.String()+"/"+v.name, func(t *testing.T) {
				t.Parallel()
				c := start(t, r)
				c.write(v.raw)
				if strings.Contains(v.want, "stream ended") {
					require.NoError(t, c.conn.CloseWrite())
				}
				require.NoError(t, c.conn.SetReadDeadline(time.Now().Add(60*time.Second)))
				_, err := c.conn.Read(make([]byte, 1))
				if v.name != "far too long" && v.name != "too long" && v.name != "length 8" { // bytes are left unread
					require.ErrorIs(t, err, io.EOF)
				}
				require.Equal(t, 70, c.end())
				require.Contains(t, c.stderr.String(), "phpwire: protocol violation: ")
				require.Contains(t, c.stderr.String(), v.want)
				require.Equal(t, 1, strings.Count(c.stderr.String(), "\n"), c.stderr.String())
			})
		}
	}
}

func TestEndsWithItsHost(t *testing.T) {
	c := start(t, native(t))
	c.send(callFunction, 1, str("__shirabe_eval"), list(str(`try { Phpwire\callRust(0, 'f'); } finally { echo 'unreached'; }`)), list())
	c.serves(num(0), str("f"), list(), list())
	require.Zero(t, c.end(), "while it waits for a reply")
	require.Empty(t, c.stderr.String())
	require.Empty(t, c.stdout.String())
}
