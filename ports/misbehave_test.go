package ports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/ports/port"
)

// behaveAs names the variable of the environment that makes the test program a port,
// and says which: the reference, or the reference with something of its own.
const behaveAs = "PHPWIRE_TEST_PORT"

// asPort is the command of a port that is the test program itself, which starts in
// a few milliseconds.
func asPort(name string) string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return behaveAs + "='" + name + "' " + self
}

var reference, canonical = asPort("plugin"), asPort("canonical")

func TestMain(m *testing.M) {
	switch name := os.Getenv(behaveAs); name {
	case "":
		os.Exit(m.Run())
	case "plugin", "canonical":
		_ = port.Serve(os.Stdin, os.Stdout, *referenceCodec(name))
	default:
		behave(behaviours[name])
	}
}

func referenceCodec(profile string) *port.Codec {
	p := codec.Plugin
	if profile == codec.Canonical.String() {
		p = codec.Canonical
	}
	return &port.Codec{
		Hello:  port.Hello{Name: "reference", Language: "Go", Profile: port.Profile(profile)},
		Decode: func(payload []byte) (codec.Value, error) { return codec.Decode(payload, p) },
		Encode: codec.Encode,
	}
}

// misbehaving is the command of one that misbehaves.
func misbehaving(t *testing.T, name string) string {
	t.Helper()
	require.Contains(t, slices.Collect(maps.Keys(behaviours)), name)
	return asPort(name)
}

// behaviour answers the nth question; answer is the reference's line.
type behaviour func(n int, q port.Request, answer []byte, out io.Writer)

func behave(as behaviour) {
	c := referenceCodec("plugin")
	if strings.HasPrefix(os.Getenv(behaveAs), "php: ") {
		c.Profile = port.PHP
	}
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q port.Request
		if err := json.Unmarshal(line, &q); err != nil {
			panic(err)
		}
		answer := lineOf(c.Answer(q))
		if q.Op == port.AskHello {
			os.Stdout.Write(answer)
			continue
		}
		as(n, q, answer, os.Stdout)
	}
}

func lineOf(answer any) []byte {
	b, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return append(b, '\n')
}

func isPayload(q port.Request, payload string) bool {
	return q.Op != port.Encode && string(q.B64) == payload
}

func refusal(q port.Request, why string) []byte {
	return lineOf(port.Response{ID: &q.ID, OK: new(false), Error: why})
}

// noise is a port that does something with the answer to its third question.
func noise(what func(q port.Request, answer []byte, out io.Writer)) behaviour {
	return func(n int, q port.Request, answer []byte, out io.Writer) {
		if n == 3 {
			what(q, answer, out)
			return
		}
		out.Write(answer)
	}
}

// sleepsOn sleeps for ever where it is asked what it does not like.
func sleepsOn(when func(n int, q port.Request) bool) behaviour {
	return func(n int, q port.Request, answer []byte, out io.Writer) {
		if when(n, q) {
			time.Sleep(time.Hour)
		}
		out.Write(answer)
	}
}

// replaces one text of the answers to an operation by another.
func replaces(op port.Op, old, instead string) behaviour {
	return func(_ int, q port.Request, answer []byte, out io.Writer) {
		if q.Op == op {
			answer = []byte(strings.ReplaceAll(string(answer), old, instead))
		}
		out.Write(answer)
	}
}

var behaviours = map[string]behaviour{
	"crashes on every tenth": func(n int, _ port.Request, answer []byte, out io.Writer) {
		if n%10 == 0 {
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		}
		out.Write(answer)
	},
	"ends by a signal": func(n int, _ port.Request, answer []byte, out io.Writer) {
		if n == 2 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		out.Write(answer)
	},
	"sleeps on -5": sleepsOn(func(_ int, q port.Request) bool { return isPayload(q, "i:-5;") }),
	"is slow with -5": func(_ int, q port.Request, answer []byte, out io.Writer) {
		if isPayload(q, "i:-5;") {
			time.Sleep(time.Second)
		}
		out.Write(answer)
	},
	"is always slow": func(_ int, _ port.Request, answer []byte, out io.Writer) {
		time.Sleep(300 * time.Millisecond)
		out.Write(answer)
	},
	"always sleeps":    sleepsOn(func(int, port.Request) bool { return true }),
	"sleeps after 300": sleepsOn(func(n int, _ port.Request) bool { return n > 300 }),
	"sleeps on seven arrays": sleepsOn(func(_ int, q port.Request) bool {
		return strings.HasPrefix(string(q.B64), strings.Repeat("a:1:{i:0;", 7))
	}),
	"sleeps on two strings": sleepsOn(func(_ int, q port.Request) bool { return strings.Count(string(q.B64), "s:") >= 2 }),
	"crashes on two strings": func(_ int, q port.Request, answer []byte, out io.Writer) {
		if strings.Count(string(q.B64), "s:") >= 2 {
			panic("two strings")
		}
		out.Write(answer)
	},

	"noise: a log line": noise(func(_ port.Request, answer []byte, out io.Writer) { fmt.Fprintf(out, "loading...\n%s", answer) }),
	"noise: no JSON":    noise(func(_ port.Request, _ []byte, out io.Writer) { fmt.Fprintln(out, "42 apples") }),
	"noise: another id": noise(func(_ port.Request, _ []byte, out io.Writer) { fmt.Fprintln(out, `{"id":1,"ok":true}`) }),
	"noise: no verdict": noise(func(q port.Request, _ []byte, out io.Writer) { fmt.Fprintf(out, "{\"id\":%d}\n", q.ID) }),
	"noise: ok and no value": noise(func(q port.Request, _ []byte, out io.Writer) {
		fmt.Fprintf(out, "{\"id\":%d,\"ok\":true}\n", q.ID)
	}),
	"noise: binary": noise(func(_ port.Request, answer []byte, out io.Writer) {
		for c := range 256 {
			out.Write([]byte{byte(c)})
		}
		out.Write(answer)
	}),
	"noise: a second answer": noise(func(_ port.Request, answer []byte, out io.Writer) { out.Write(append(answer, answer...)) }),
	"noise: a flood of lines": noise(func(_ port.Request, _ []byte, out io.Writer) {
		io.WriteString(out, strings.Repeat("noise\n", 3_000_000))
	}),
	"noise: a flood, no lines": noise(func(_ port.Request, _ []byte, out io.Writer) { io.WriteString(out, strings.Repeat("x", 70_000_000)) }),

	"hoards memory on -5": func(_ int, q port.Request, answer []byte, out io.Writer) {
		for hoard := []byte(nil); isPayload(q, "i:-5;"); time.Sleep(time.Millisecond) {
			hoard = append(hoard, make([]byte, 4<<20)...)
			for i := 0; i < len(hoard); i += 4096 {
				hoard[i] = 1 // resident
			}
		}
		out.Write(answer)
	},

	"takes -5 for 5":          replaces(port.Decode, `"v":"-5"`, `"v":"5"`),
	"gives 7 as a number":     replaces(port.Decode, `"v":"7"`, `"v":7`),
	"writes null without a ;": replaces(port.Encode, `"b64":"Tjs="`, `"b64":"Tg=="`),
	"refuses -5": func(_ int, q port.Request, answer []byte, out io.Writer) {
		if isPayload(q, "i:-5;") {
			answer = refusal(q, "no minus")
		}
		out.Write(answer)
	},
	"accepts nothing as null": func(_ int, q port.Request, answer []byte, out io.Writer) {
		if isPayload(q, "") {
			answer = lineOf(port.Response{ID: &q.ID, OK: new(true), Value: json.RawMessage(`{"t":"null"}`), B64: []byte{}})
		}
		out.Write(answer)
	},
	"shortens long strings": func(_ int, q port.Request, answer []byte, out io.Writer) {
		v, err := codec.Decode(q.B64, codec.Plugin)
		if q.Op == port.Decode && err == nil {
			answer = lineOf(port.Response{ID: &q.ID, OK: new(true), Value: codec.AppendTagged(nil, shortened(v))})
		}
		out.Write(answer)
	},
	"has no ints": func(n int, q port.Request, answer []byte, out io.Writer) {
		if n > 5 || q.Op == port.Reencode {
			answer = lineOf(port.Response{ID: &q.ID, Skip: "no ints"})
		}
		out.Write(answer)
	},
	"php: refuses everything": func(_ int, q port.Request, _ []byte, out io.Writer) { out.Write(refusal(q, "no such type")) },
}

// shortened is a value whose strings of more than 3 bytes lack the last.
func shortened(v codec.Value) codec.Value {
	switch v.Kind() {
	case codec.KindString:
		if s, _ := v.Text(); len(s) > 3 {
			return codec.String(s[:len(s)-1])
		}
	case codec.KindList:
		var all []codec.Value
		for _, e := range v.Elements() {
			all = append(all, shortened(e))
		}
		return codec.List(all...)
	case codec.KindArray:
		var all []codec.Entry
		for k, e := range v.All() {
			all = append(all, codec.Entry{Key: k, Value: shortened(e)})
		}
		return codec.Array(all...)
	}
	return v
}
