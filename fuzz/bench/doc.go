// Package bench measures how fast the reference is, beside those who do the same:
// live PHP, two other codecs in Go, strconv, a plain copy, a bare ping-pong.
//
// All who are compared take turns, round by round, so that a busy machine hits them
// alike. The figures are those of each one's fastest round; a ratio comes with what
// half of the rounds are between. Before anything is timed its result is
// checked: what is wrong is an error, or, for other codecs, a note.
//
// It stands under fuzz since it measures what fuzzing is made of, up to the judge,
// and nothing below may import that.
package bench
