// Package judge says whether the reference codec and a PHP agree. It states the
// invariants of docs/protocol.md once, for everything that asks: the suites, the
// fuzz targets, replay and the corpus.
//
//	P1  Decode(Encode(v)) is v as it lands
//	P2  PHP builds v and serializes it to Encode(v), and reads Encode(v) as v
//	P3  Plugin accepts b exactly where PHP accepts it without a warning, with
//	    plugin types only, within the depth, no reserved key misused and no length
//	    above 31 bits; then the values are equal
//	P4  Canonical accepts b exactly where Plugin does and PHP re-serializes it to b
//	P5  any split of a stream of frames into chunks gives the same frames and the
//	    same error
//	P6  nothing on the wire makes anybody panic, hang, or allocate out of proportion
package judge
