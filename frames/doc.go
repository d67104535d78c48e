// Package frames is the reference parser and writer of the frames that carry
// PHP values between a host and its PHP child (docs/protocol.md, part F):
//
//	[u64 length LE]   the number of bytes that follow, 9 to 256 MiB
//	[u8  tag]
//	[u64 corr_id LE]  odd: a call of the host; even: a call of PHP; 0: one-way
//	[payload]         the fields, as one serialize()d list
//
// [Reader] and [Writer] work over any stream. [Parse] makes a typed frame of a
// raw one, [Append] the other way round.
package frames
