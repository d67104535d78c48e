package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The key of a handle, and a class, as descriptions have them.
const (
	rhandleJSON = `{"b64":"X19yaGFuZGxl"}`
	phandleJSON = `{"b64":"X19waGFuZGxl"}`
	pclassJSON  = `{"b64":"X19wY2xhc3M="}`
	otherJSON   = `{"t":"other","php":"object","class":"QQ=="}`
)

func TestFold(t *testing.T) {
	var f folder // one for all: nothing of a description shows in the next
	for description, want := range map[string]view{
		`{"t":"null"}`: {tagged: []byte(`{"t":"null"}`)},
		`{"t":"array","v":[[` + pclassJSON + `,{"t":"string","b64":"QQ=="}]]}`: {tagged: []byte(`{"t":"pclass","class":"QQ=="}`)},
		`{"t":"array","v":[[` + pclassJSON + `,{"t":"null"}]]}`: {
			tagged: []byte(`{"t":"array","v":[[` + pclassJSON + `,{"t":"null"}]]}`), misused: true},
		`{"t":"list","v":[{"t":"bool","v":true},{"t":"float","bits":"7ff8000000000000"},{"t":"array","v":[[{"int":"5"},{"t":"array","v":[[` + pclassJSON + `,{"t":"string","b64":""}]]}]]}]}`: {
			tagged: []byte(`{"t":"list","v":[{"t":"bool","v":true},{"t":"float","bits":"7ff8000000000000"},{"t":"array","v":[[{"int":"5"},{"t":"pclass","class":""}]]}]}`)},
		`{"t":"array","v":[[{"b64":"X19lcG9jaA=="},{"t":"int","v":"1"}],[` + rhandleJSON + `,{"t":"int","v":"3"}],[{"b64":"X19jbGFzcw=="},{"t":"string","b64":"QQ=="}],[{"b64":"X19zbmFwc2hvdA=="},{"t":"list","v":[{"t":"null"}]}]]}`: {
			tagged: []byte(`{"t":"rhandle","rhandle":"3","class":"QQ==","epoch":"1","snapshot":[[{"int":"0"},{"t":"null"}]]}`)},
		`{"t":"array","v":[[` + phandleJSON + `,{"t":"int","v":"3"}],[{"b64":"X19jbGFzcw=="},{"t":"string","b64":"QQ=="}],[{"b64":"X19pbXBsZW1lbnRz"},{"t":"list","v":[{"t":"string","b64":"QQ=="},{"t":"string","b64":"Qg=="}]}]]}`: {
			tagged: []byte(`{"t":"phandle","phandle":"3","class":"QQ==","implements":["QQ==","Qg=="]}`)},
		// What is foreign does not hide what is misused.
		`{"t":"list","v":[` + otherJSON + `,{"t":"array","v":[[` + rhandleJSON + `,{"t":"null"}]]}]}`: {
			tagged: []byte(`{"t":"list","v":[,{"t":"array","v":[[` + rhandleJSON + `,{"t":"null"}]]}]}`), foreign: true, misused: true},
		`{"t":"list","v":[` + otherJSON + `]`: {foreign: true}, // cut off
		strings.Repeat(`{"t":"list","v":[`, 513) + strings.Repeat(`]}`, 513): {
			tagged: []byte(strings.Repeat(`{"t":"list","v":[`, 513) + strings.Repeat(`]}`, 513)), tooDeep: true},
		strings.Repeat(`{"t":"list","v":[`, deepest+2): {tooDeep: true},
	} {
		assert.Equal(t, want, f.fold([]byte(description)), "%.200s", description)
	}
}
