package oracle_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle"
)

// What each payload is said to be, and whether PHP agrees.
var comparedPayloads = []struct {
	payload, reading string
	unlike, warned   bool
}{
	{`i:5;`, `c{"t":"int","v":"5"}`, false, false},
	{`i:5;`, `p{"t":"int","v":"5"}`, true, false}, // it is written so
	{`i:+5;`, `p{"t":"int","v":"5"}`, false, false},
	{`i:+5;`, `c{"t":"int","v":"5"}`, true, false},
	{`i:5;`, `c{"t":"int","v":"6"}`, true, false},
	{`i:5;`, `c{"t":"float","bits":"4014000000000000"}`, true, false},
	{`i:5;`, ``, true, false},
	{`i:x;`, ``, false, false},
	{`i:x;`, `c{"t":"int","v":"5"}`, true, false},
	{``, ``, false, false},
	{`b:0;`, `c{"t":"bool","v":false}`, false, false},
	{`b:0;`, ``, true, false},
	{`b:2;`, ``, false, false},
	{`i:9223372036854775808;`, ``, false, true},
	{`i:9223372036854775808;`, `p{"t":"int","v":"9223372036854775807"}`, true, false},
	{`d:0.1;`, `c{"t":"float","bits":"3fb999999999999a"}`, false, false},
	{`d:0.1;`, `c{"t":"float","bits":"3fb999999999999b"}`, true, false},
	{`d:-0;`, `c{"t":"float","bits":"8000000000000000"}`, false, false},
	{`d:-0;`, `c{"t":"float","bits":"0000000000000000"}`, true, false},
	{`d:NAN;`, `c{"t":"float","bits":"7ff8000000000000"}`, false, false},
	{`a:2:{i:0;N;s:1:"k";s:1:"v";}`, `c{"t":"array","v":[[{"int":"0"},{"t":"null"}],[{"b64":"aw=="},{"t":"string","b64":"dg=="}]]}`, false, false},
	{`a:2:{i:0;N;s:1:"k";s:1:"v";}`, `c{"t":"array","v":[[{"b64":"aw=="},{"t":"string","b64":"dg=="}],[{"int":"0"},{"t":"null"}]]}`, true, false},
	{`a:1:{i:0;a:0:{}}`, `c{"t":"list","v":[{"t":"list","v":[]}]}`, false, false},
	{`a:1:{i:0;a:0:{}}`, `c{"t":"list","v":[{"t":"list","v":[]}`, true, false},
	{`a:1:{i:0;R:1;}`, ``, true, false},
	{`a:1:{i:0;R:1;}`, `c{"t":"null"}`, true, false},
	{`O:1:"A":0:{}`, `c{"t":"null"}`, true, false},
}

func TestComparePayloads(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		var payloads, readings [][]byte
		var unlike, warned []int
		// One large case in front has them cut into two frames.
		large := strings.Repeat("x", 1<<20)
		payloads, readings = append(payloads, []byte(large)), append(readings, nil)
		for i, tc := range comparedPayloads {
			payloads, readings = append(payloads, []byte(tc.payload)), append(readings, []byte(tc.reading))
			if tc.unlike {
				unlike = append(unlike, i+1)
			}
			if tc.warned {
				warned = append(warned, i+1)
			}
		}
		gotUnlike, gotWarned, err := c.ComparePayloads(ctx, payloads, readings)
		require.NoError(t, err)
		assert.Equal(t, unlike, gotUnlike)
		assert.Equal(t, warned, gotWarned)
		gotUnlike, gotWarned, err = c.ComparePayloads(ctx, nil, nil)
		require.NoError(t, err)
		assert.Empty(t, gotUnlike)
		assert.Empty(t, gotWarned)
	})
}

var comparedValues = []struct {
	tagged, encoded string
	unlike          bool
}{
	{`{"t":"int","v":"5"}`, `i:5;`, false},
	{`{"t":"int","v":"5"}`, `i:+5;`, true},
	{`{"t":"int","v":"5"}`, `i:6;`, true},
	{`{"t":"int","v":"5"}`, ``, true},
	{`{"t":"float","bits":"8000000000000000"}`, `d:-0;`, false},
	{`{"t":"float","bits":"0000000000000000"}`, `d:-0;`, true},
	{`{"t":"float","bits":"8000000000000000"}`, `d:0;`, true},
	{`{"t":"float","bits":"3fb999999999999b"}`, `d:0.1;`, true},
	{`{"t":"float","bits":"7ff8000000000000"}`, `d:NAN;`, true}, // it is not even itself
	{`{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}]]}`, `a:1:{i:5;N;}`, false},
	{`{"t":"array","v":[[{"b64":"NQ=="},{"t":"null"}]]}`, `a:1:{s:1:"5";N;}`, true},
	{`{"t":"object","v":[[{"b64":"YQ=="},{"t":"bool","v":true}]]}`, `a:1:{s:1:"a";b:1;}`, false},
	{`{"t":"phandle","phandle":"8","class":"QQ==","implements":["SQ=="]}`, `a:3:{s:9:"__phandle";i:8;s:7:"__class";s:1:"A";s:12:"__implements";a:1:{i:0;s:1:"I";}}`, false},
	{`{"t":"int"`, `i:5;`, true},
	{`{"t":"int","v":"9223372036854775808"}`, `i:9223372036854775807;`, true},
}

func TestCompareValues(t *testing.T) {
	each(t, func(t *testing.T, c *oracle.Client, ctx context.Context) {
		var tagged, encoded [][]byte
		var unlike []int
		for i, tc := range comparedValues {
			tagged, encoded = append(tagged, []byte(tc.tagged)), append(encoded, []byte(tc.encoded))
			if tc.unlike {
				unlike = append(unlike, i)
			}
		}
		got, err := c.CompareValues(ctx, tagged, encoded)
		require.NoError(t, err)
		assert.Equal(t, unlike, got)
	})
}
