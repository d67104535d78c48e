package suites

// All returns every suite of a default run, in the order in which they run.
func All() []Suite {
	return []Suite{
		corpusRecorded(),
		floatEdges(), floatFormat(), floatPrecision(), floatParse(), floatGrammar(),
		encodeValues(), encodeKeys(), encodeRefused(), decodeMutated(), decodeHandles(),
		bytesNoise(), bytesRandom(), depthLimit(), limitsClaims(), limitsProportion(),
		framesChunks(), framesTyped(), framesLive(),
	}
}
