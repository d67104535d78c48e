// Package fuzz holds the native fuzz targets: what `go test -fuzz` and libFuzzer
// drive. fuzz_test.go names them, the other files say what each judges.
//
// A target with PHP as its judge takes an input as the root of a batch: the input
// itself and mutants of it, drawn from a source that the input seeds, are judged
// in one frame. So it judges many thousands of cases for each wake-up of the
// child, and the same input is always the same batch.
//
// Every process has its own child, started when it is first needed. PHPWIRE_FUZZ_PHP
// chooses the PHP, as --php of phpwire run does; PHPWIRE_FUZZ_SEEDS names a folder
// whose files are further seeds.
package fuzz
