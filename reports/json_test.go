package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

func TestReportJSONComesBackAsItWas(t *testing.T) {
	want := codecFault()
	require.NoError(t, want.Check())
	dir := t.TempDir()
	require.NoError(t, reports.Write(dir, want))
	got, err := reports.Read(dir)
	require.NoError(t, err)
	require.Equal(t, reports.Format, got.Format)
	want.Format = reports.Format
	if d := cmp.Diff(want, got, cmpopts.SortSlices(func(a, b reports.Failure) bool { return a.ID < b.ID })); d != "" {
		t.Fatal(d)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, json, want string }{
		{"a later format", `{"format":2}`, "format 2, this version reads 1 to 1"},
		{"no report", `{}`, "format 0"},
		{"no JSON", `<html>`, "invalid character"},
		{"an unknown suite", `{"format":1,"seed":"1","cells":[{"suite":"s","column":"c","cases":0,"passed":0}]}`, `names suite "s"`},
		{"counts that do not add up", `{"format":1,"seed":"1","suites":[{"name":"s"}],"columns":[{"name":"c"}],"cells":[{"suite":"s","column":"c","cases":3,"passed":1,"failed":1}]}`, "has 3 cases, its counts add up to 2"},
		{"skips without a reason", `{"format":1,"seed":"1","suites":[{"name":"s"}],"columns":[{"name":"c"}],"cells":[{"suite":"s","column":"c","cases":1,"passed":0,"skipped":1}]}`, "skips 1 cases, the reasons add up to 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reports.ReadJSON(strings.NewReader(c.json))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestNoBytesAreNotTheSameAsNothingWritten(t *testing.T) {
	r := codecFault()
	r.Failures = r.Failures[:1]
	r.Failures[0].Sides = []reports.Side{{Name: "a", Verdict: reports.Accepted, Bytes: []byte{}}, {Name: "b", Verdict: reports.Refused}}
	var b bytes.Buffer
	require.NoError(t, reports.WriteJSON(&b, r))
	got, err := reports.ReadJSON(&b)
	require.NoError(t, err)
	require.NotNil(t, got.Failures[0].Sides[0].Bytes)
	require.Nil(t, got.Failures[0].Sides[1].Bytes)
}
