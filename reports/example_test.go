package reports_test

import (
	"fmt"
	"os"

	"phpwire/reports"
)

// A runner says what it runs, counts what it finds, and writes.
func Example() {
	run := &reports.Run{
		Tool: "phpwire", Version: "0.1.0", Kind: reports.KindRun, Seed: 7,
		Columns:       []reports.Column{{Name: "PHP 8.2.36 native", Version: "8.2.36", Kind: reports.ColumnNative}},
		Suites:        []reports.Suite{{Name: "codec/decode/keys", Title: "array keys as PHP reads them"}},
		ListedPerCell: 20,
	}
	cell := run.Cell("codec/decode/keys", "PHP 8.2.36 native")
	cell.Counts = reports.Counts{Cases: 1000, Passed: 999, Failed: 1}
	cell.Kinds = reports.Tallied(cell.Kinds, "value differs", 1)
	run.Add(reports.Failure{
		Suite: cell.Suite, Column: cell.Column, Invariant: "P3",
		Outcome: reports.Failed, Kind: "value differs", Title: `the key "5" is an int key to PHP`,
		Input: []byte(`a:1:{s:1:"5";i:1;}`),
	})

	dir, _ := os.MkdirTemp("", "report")
	defer os.RemoveAll(dir)
	if err := reports.Write(dir, run); err != nil {
		fmt.Println(err)
	}
	again, _ := reports.Read(dir)
	word, sentence := again.Headline()
	fmt.Printf("%s: %s\n", word, sentence)
	// Output: failed: 1 of 1,000 cases fails, in 1 of 1 suite, on 1 of 1 PHP
}
