package reports_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(reports.Schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("report.schema.json", doc))
	s, err := c.Compile("report.schema.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	return s.Validate(doc)
}

func TestReportJSONKeepsItsSchema(t *testing.T) {
	s := compiled(t)
	for name, r := range samples() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, r.Check())
			var b bytes.Buffer
			require.NoError(t, reports.WriteJSON(&b, r))
			require.NoError(t, validate(t, s, b.String()))
		})
	}
}

// A field of the model that the schema does not know would be found only by
// whoever validates a report that has it: so every field is filled in.
func TestSchemaKnowsEveryFieldOfTheModel(t *testing.T) {
	r := new(reports.Run)
	fill(reflect.ValueOf(r).Elem())
	r.Started, r.History[0].Started = started, started
	r.Kind, r.Columns[0].Kind = reports.KindRun, reports.ColumnPort
	r.Facts[0].Change, r.Known[0].State = reports.New, reports.StillFails
	f := &r.Failures[0]
	f.Outcome, f.Sides[0].Verdict = reports.Failed, reports.Accepted
	f.Value, f.Sides[0].Value = []byte(`{"t":"null"}`), []byte(`{"t":"null"}`)

	var b bytes.Buffer
	require.NoError(t, reports.WriteJSON(&b, r))
	require.NoError(t, validate(t, compiled(t), b.String()), "the schema lacks a field")
}

// fill sets every field to something that is not left out.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Uint8:
		v.SetUint('x')
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	var b bytes.Buffer
	require.NoError(t, reports.WriteJSON(&b, codecFault()))
	good := b.String()
	for name, change := range map[string][2]string{
		"a later format":        {`"format": 1`, `"format": 2`},
		"an unknown kind":       {`"kind": "run"`, `"kind": "walk"`},
		"a seed as number":      {`"seed": "1773455400"`, `"seed": 1773455400`},
		"a negative count":      {`"failed": 41`, `"failed": -41`},
		"an unknown field":      {`"tool": "phpwire"`, `"tool": "phpwire", "tol": 1`},
		"an unknown cell field": {`"failed": 41`, `"failde": 41`},
		"bytes as text":         {`"input": "`, `"input": "a:1:{`},
		"an untagged value":     {`"t": "array"`, `"type": "array"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, change[0])
			require.Error(t, validate(t, s, strings.Replace(good, change[0], change[1], 1)))
		})
	}
}
