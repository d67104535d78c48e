package judge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

// behaviour asks a PHP how it behaves.
func behaviour(t *testing.T, c *oracle.Client) judge.Behaviour {
	facts, err := c.Facts(oracletest.Context(t, time.Minute))
	require.NoError(t, err)
	return judge.BehaviourOf(facts)
}

// Payloads on which every PHP and the reference agree, although each is a trap.
var agreed = []string{
	`N;`, `i:+5;`, `i:-0;`, `s:01:"a";`, `d:.5;`, `a:1:{s:1:"5";i:1;}`, `i:5;x`, `a:0:{}}`, `i:9223372036854775808;`, `O:1:"A":0:{}`,
	`a:2:{i:0;i:5;i:1;R:2;}`, `a:2:{i:0;i:5;i:1;r:2;}`, `S:1:"\61";`, `s:4294967297:"a";`, `s:18446744073709551617:"a";`,
	`a:1:{s:20:"-9223372036854775808";N;}`, `a:1:{s:9:"__rhandle";N;}`, `a:1:{s:8:"__pclass";s:1:"A";}`, `a:2:{s:8:"__pclass";N;i:0;N;}`,
	`a:3:{s:7:"__epoch";i:1;s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";}`,
	`a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{i:0;N;}}`,
	`a:4:{s:9:"__rhandle";i:3;s:7:"__class";s:1:"A";s:7:"__epoch";i:1;s:10:"__snapshot";a:1:{s:8:"__pclass";s:1:"A";}}`,
	`a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;s:1:"I";}}`,
	`a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;i:1;}}`,
	`a:2:{i:0;a:1:{s:9:"__rhandle";N;}i:0;N;}`, `a:1:{i:0;r:1;}`, `a:1:{i:0;R:1;}`, `a:2:{i:0;N;i:1;a:1:{i:0;R:1;}}`, `a:1:{i:0;a:1:{i:0;R:1;}}`, `i:010;`, `a:010:{}`, `a:01:{i:0;N;}`, `i:-08;`, `a:1:{i:00;N;}`, `d:NAN;`, `d:-INF;`, `d:1e999;`, `d:-1e-999;`, `b:2;`, ``,
	strings.Repeat(`a:1:{i:0;`, 511) + `a:0:{}` + strings.Repeat(`}`, 511),
	strings.Repeat(`a:1:{i:0;`, 512) + `a:0:{}` + strings.Repeat(`}`, 512),
	strings.Repeat(`a:1:{i:0;`, 4000) + `a:0:{}` + strings.Repeat(`}`, 4000),
	strings.Repeat(`a:1:{s:1:"k";`, 4000) + `a:0:{}` + strings.Repeat(`}`, 4000),
	strings.Repeat(`a:1:{i:0;`, 100_000),
	strings.Repeat(`a:1:{i:0;`, 512) + `R:1;` + strings.Repeat(`}`, 512), // contains itself, 512 arrays further down
}

func TestPayloadsAgree(t *testing.T) {
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			c := oracletest.Client(t, r, nil)
			var payloads [][]byte
			for _, p := range agreed {
				payloads = append(payloads, []byte(p))
			}
			findings, err := judge.Payloads(oracletest.Context(t, time.Minute), c, behaviour(t, c), judge.Read(payloads))
			require.NoError(t, err)
			for i, f := range findings {
				assert.Nil(t, f, "%.60s", agreed[i])
			}
		})
	}
}

func TestValuesAgree(t *testing.T) {
	snapshot := codec.List(codec.Int(1))
	deep := codec.List()
	for range codec.MaxDepth - 1 {
		deep = codec.List(deep)
	}
	values := []judge.Value{
		judge.Of(codec.Null()), judge.Of(deep), judge.Of(codec.PhpClass("A")),
		judge.Of(codec.NewRustHandle(codec.RustHandle{ID: 1, Class: "A", Epoch: 2, Snapshot: &snapshot})),
		judge.Of(codec.NewPhpHandle(codec.PhpHandle{ID: 1, Class: "A", Implements: []string{"I"}})),
		judge.Of(codec.Object(codec.Entry{Key: codec.StringKey("5"), Value: codec.Int(1)}, codec.Entry{Key: codec.StringKey("a"), Value: codec.Object()})),
		{Value: codec.Array(codec.Entry{Key: codec.IntKey(5), Value: codec.Int(1)}), Tagged: []byte(`{"t":"array","v":[[{"b64":"NQ=="},{"t":"int","v":"1"}]]}`)},
	}
	for _, r := range oracletest.All(t) {
		findings, err := judge.Values(oracletest.Context(t, time.Minute), oracletest.Client(t, r, nil), values)
		require.NoError(t, err)
		for i, f := range findings {
			assert.Nil(t, f, "%s: %v", r.Name(), values[i].Value)
		}
	}
}
