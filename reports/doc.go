// Package reports turns the result of a run into what people and machines
// read: report.json (the model itself, with a JSON Schema), junit.xml,
// summary.md for a CI job page, and index.html, one file that opens offline.
//
// Everything starts from one model, [Run]. A run has columns (the PHPs or the
// ports that were judged) and suites (what was asked of them); a [Cell] counts
// what one suite found in one column, and a [Failure] tells one case in full.
// Runs of shards add up with [Merge].
//
// The package knows no codec. Payloads arrive as bytes with the tokens that
// colour them, values as tagged JSON.
package reports
