// Package corpus holds the regression corpus: inputs, what a conforming
// implementation must make of them, and what each PHP from 7.2 to 8.5 does. It
// reads and checks the data, holds it against the reference and exports it;
// package grow asks PHP. docs/corpus.md shows how a port uses the data.
package corpus
