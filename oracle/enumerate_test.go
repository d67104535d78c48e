package oracle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

func TestTextsCountAndOrder(t *testing.T) {
	texts := oracle.Texts{Tokens: []string{"a", "b", "cd"}, Length: 3, Before: "<", After: ">"}
	require.Equal(t, 27, texts.Count())
	assert.Equal(t, "<aaa>", string(texts.Append(nil, 0)))
	assert.Equal(t, "<aab>", string(texts.Append(nil, 1)))
	assert.Equal(t, "<baa>", string(texts.Append(nil, 9)))
	assert.Equal(t, "<cdcdcd>", string(texts.Append(nil, 26)))
}

// What PHP accepts of texts that it makes itself is what it accepts of the same
// texts when it is given them.
func TestAcceptedIsWhatReserializeAccepts(t *testing.T) {
	all := []oracle.Texts{
		{Tokens: []string{"b", ":", "0", "1", ";", "N", "i", "-"}, Length: 4},
		{Tokens: []string{"N;", "b:0;", "b:2;", "i:99999999999999999999;", `S:1:"\61";`, `O:1:"A":0:{}`, "R:1;", "}"}, Length: 2, Before: "a:1:{i:0;", After: "}"},
		{Tokens: []string{"b:0;", "x", `E:3:"A:B";`, `C:1:"A":0:{}`}, Length: 2},
	}
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			c, ctx := oracletest.Client(t, r, nil), oracletest.Context(t, time.Minute)
			for _, texts := range all {
				first, count := 1, texts.Count()-2
				given := make([][]byte, count)
				for i := range given {
					given[i] = texts.Append(nil, first+i)
				}
				answers, err := c.Reserialize(ctx, given)
				require.NoError(t, err)
				var want []int
				for i, a := range answers {
					if a.Accepted {
						want = append(want, first+i)
					}
				}
				got, err := c.Accepted(ctx, texts, first, count)
				require.NoError(t, err)
				assert.NotEmpty(t, got)
				assert.Equal(t, want, got)
			}
			for before, want := range map[string]int{"": 0, "N;": 1} {
				got, err := c.Accepted(ctx, oracle.Texts{Tokens: []string{"N;"}, Before: before}, 0, 1)
				require.NoError(t, err)
				assert.Len(t, got, want)
			}
		})
	}
}
