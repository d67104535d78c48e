package reports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"phpwire/reports"
)

func TestBrief(t *testing.T) {
	for payload, want := range map[string]string{
		``:                   ``,
		`a:1:{s:1:"5";i:1;}`: `a:1:{s:1:"5";i:1;}`,
		"s:1:\"\xff\";":      `s:1:"\xff";`,
		strings.Repeat(`a:1:{i:0;`, 513) + `N;` + strings.Repeat(`}`, 513): `(a:1:{i:0;)×513N;(})×513`,
		strings.Repeat("x", 35): strings.Repeat("x", 35),
		strings.Repeat("x", 36): `(x)×36`,
	} {
		assert.Equal(t, want, reports.Brief([]byte(payload)))
	}
}
