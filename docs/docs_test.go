package docs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClausesAreRead(t *testing.T) {
	c, ok := Lookup("F-2")
	require.True(t, ok)
	assert.Equal(t, "Length limits", c.Title)
	assert.Equal(t, "Frames", c.Part)
	assert.Contains(t, c.Text, "268435456")
	assert.NotEmpty(t, c.Examples)
	_, ok = Lookup("F-99")
	assert.False(t, ok)

	clauses := Clauses()
	clauses[0].ID = "changed"
	assert.Equal(t, "V-1", Clauses()[0].ID)
}

func TestParse(t *testing.T) {
	clauses, err := parse(`# The wire

Words.

## A Arrays

Words before the clauses.

**A-1** Count. It MUST fit.
More of it.

| a | table |

- accepts ` + "`i:5;`: a note" + `
- accepts ` + "`i:+5;` as `i:5;`" + `

**A-3** Lists. They are arrays.

## Other things

No clause here.
`)
	require.NoError(t, err)
	assert.Equal(t, []Clause{
		{ID: "A-1", Title: "Count", Part: "Arrays", Text: "It MUST fit.\nMore of it.\n\n| a | table |", Examples: []Example{
			{Kind: Accepts, Input: "i:5;"}, {Kind: AcceptsAs, Input: "i:+5;", Output: "i:5;"}}},
		{ID: "A-3", Title: "Lists", Part: "Arrays", Text: "They are arrays."},
	}, clauses)
}

func TestParseIsStrict(t *testing.T) {
	const part = "## A Arrays\n"
	for text, want := range map[string]string{
		part + "**A-1** One. X.\n**A-1** Two. X.":            "line 3: clause A-1 follows A-1",
		part + "**A-2** Two. X.\n**A-1** One. X.":            "line 3: clause A-1 follows A-2",
		part + "**B-1** One. X.":                             "line 2: clause B-1 stands outside of part B",
		part + "## Words\n**A-1** One. X.":                   "line 3: clause A-1 stands outside of part A",
		"**A-1** One. X.":                                    "line 1: clause A-1 stands outside of part A",
		part + "**A-0** None. X.":                            `line 2: "**A-0** None. X." is no start of a clause`,
		part + "**A-1** One":                                 `line 2: "**A-1** One" is no start of a clause`,
		part + "**A1** One. X.":                              `line 2: "**A1** One. X." is no start of a clause`,
		part + "**A-1** One. X.\n" + part:                    "line 3: part A stands there twice",
		part + "**A-1** One. X.\n- takes `X`":                "line 3: \"- takes `X`\" is no example of A-1",
		part + "**A-1** One. X.\n- accepts `X`\nMore words.": "line 4: text after the examples of A-1",
	} {
		_, err := parse(text)
		assert.EqualError(t, err, want)
	}
}
