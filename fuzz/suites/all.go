package suites

// All returns every suite, in the order in which they run.
func All() []Suite {
	return []Suite{
		floatEdges(), floatFormat(), floatPrecision(), floatParse(), floatGrammar(),
		encodeValues(), encodeKeys(), encodeRefused(), decodeMutated(), decodeHandles(),
		bytesNoise(), bytesRandom(), depthLimit(), limitsClaims(), limitsProportion(),
		framesChunks(), framesTyped(), framesLive(),
	}
}
