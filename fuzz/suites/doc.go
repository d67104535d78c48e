// Package suites is what `phpwire run` runs: named groups of cases, each made
// from a seed and judged by one invariant or more against every PHP.
//
// A suite makes its cases in batches. A batch is made from the run's seed, the
// suite's name and the batch's number alone, so the same seed gives the same
// cases, whatever else runs beside it.
package suites
