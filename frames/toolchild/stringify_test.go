package toolchild_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
)

func TestStringify(t *testing.T) {
	parent := "p"
	for want, v := range map[string]any{
		`null`:                           nil,
		`[]`:                             []any{},
		`[true,"a",-5,9007199254740993]`: []any{true, "a", -5, int64(9007199254740993)},
		`"\u0000\b\t\n\f\r\u001f\"\\/é😀` + "\u2028\x7f" + `"`: "\x00\b\t\n\f\r\x1f\"\\/é😀\u2028\x7f",
		`"\ud800x\udfff"`:       "\xed\xa0\x80x\xed\xbf\xbf",
		`"\udfff\ud800\udbff😀"`: "\xed\xbf\xbf\xed\xa0\x80\xed\xaf\xbf😀",
		`[0,0,1.5,1e+21,100000000000000000000,0.000001,1e-7,5e-324,null,null]`: []any{
			0.0, math.Copysign(0, -1), 1.5, 1e21, 1e20, 1e-6, 1e-7, 5e-324, math.Inf(1), math.NaN(),
		},
		`{"type":"x","a":[null],"b":{"c": 1}}`: map[string]any{"b": toolchild.JSON(`{"c": 1}`), "a": []any{toolchild.JSON(nil)}, "type": "x"},
		`[{"id":"e","lineBytes":2,"lineDelta":-3,"lineOffset":1,"parentId":"p"}]`: []toolchild.EntryMeta{
			{ID: "e", ParentID: &parent, LineOffset: 1, LineBytes: 2, LineDelta: -3},
		},
	} {
		got, err := toolchild.Stringify(v)
		require.NoError(t, err, want)
		assert.Equal(t, want, string(got))
	}
	for _, v := range []any{"\xff", "\xed\xa0", "\xed\xa0\x80\xed\xb0\x80", []any{"\xc0\x80"}, map[string]any{"\x80": 1}, struct{}{}, []any{make(chan int)}} {
		_, err := toolchild.Stringify(v)
		assert.Error(t, err, "%#v", v)
	}
}

// What Stringify writes is what JSON.stringify writes of the same value.
func TestStringifyIsJavaScripts(t *testing.T) {
	p := startPeer(t)
	seed := uint64(time.Now().UnixNano())
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	for range 20 {
		values := make([]any, 2000)
		for i := range values {
			switch g.IntN(4) {
			case 0:
				values[i] = math.Float64frombits(g.Uint64())
			case 1:
				values[i] = g.NormFloat64() * math.Pow(10, float64(g.IntN(60)-30))
			default:
				var s []byte
				for range g.IntN(5) {
					s = append(s, pick(g, []string{"a", "\x00", "\x1f", `"`, `\`, "/", "é", "\u2028", "😀", "\x7f", "\ufffd"})...)
				}
				values[i] = string(append(s, pick(g, []string{"", "\xed\xa0\x80", "\xed\xbf\xbf"})...))
			}
		}
		ours, err := toolchild.Stringify(values)
		require.NoError(t, err)
		reply, err := p.Call(time.Minute, "echo", ours, nil)
		require.NoError(t, err)
		require.Equal(t, string(ours), string(reply.Value), "seed %d", seed)
	}
}
