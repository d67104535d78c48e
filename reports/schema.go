package reports

import _ "embed"

// Schema is the JSON Schema (2020-12) of report.json.
//
//go:embed report.schema.json
var Schema string
