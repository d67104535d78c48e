// Package nightly is what `phpwire nightly` does for hours: everything that is
// checked, over every PHP, round after round.
//
// The work is cut into units: a part of the work (a suite, the corpus, the child
// protocol), a PHP, and a range of cases. What a unit finds follows from the seed
// and its number alone, not from when or beside what it runs. So a night that was
// killed and resumed, or that several machines did in shards, finds what a night
// in one piece finds: the time decides only how many units are done.
//
// Units are done in the order of their numbers, each takes seconds, and after
// each one a checkpoint is written.
package nightly
