// Package grow makes the corpus: it puts questions to the reference and to PHPs,
// files the cases, judges them again, and derives new ones from the grammar.
package grow
