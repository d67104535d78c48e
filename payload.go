package main

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"phpwire/corpus/printable"
	"phpwire/reports"
	"phpwire/reports/tokens"
)

// longestGlance is how many characters of a payload are shown in a line.
const longestGlance = 300

// tokenColours are those of the report's page, as far as a terminal has them.
var tokenColours = map[reports.TokenKind]text.Colors{
	reports.TokenTag:    {text.FgMagenta, text.Bold},
	reports.TokenLength: {text.FgCyan},
	reports.TokenKey:    {text.FgBlue},
	reports.TokenNumber: {text.FgYellow},
	reports.TokenString: {text.FgGreen},
	reports.TokenName:   {text.FgHiMagenta},
	reports.TokenBad:    {text.FgRed, text.Underline},
}

// glance is a payload in a line that can be read, however long it is: one that is
// not folded has its tokens in colours, where there are colours.
func glance(b []byte) string {
	brief := reports.Brief(b)
	if len(brief) > longestGlance || brief != printable.Bytes(b) {
		return clipped(brief, longestGlance)
	}
	var s strings.Builder
	at := 0
	for _, t := range tokens.Of(b) {
		s.WriteString(printable.Bytes(b[at:t.Offset]))
		s.WriteString(tokenColours[t.Kind].Sprint(printable.Bytes(b[t.Offset:t.End])))
		at = t.End
	}
	return s.String() + printable.Bytes(b[at:])
}
