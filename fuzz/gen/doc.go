// Package gen draws what the suite feeds to codecs: values, payloads that are
// almost valid, and streams of frames; and makes what failed smaller.
//
// Everything comes twice: as a [gopter.Gen] for property tests ([Value],
// [Payload], [Stream] …), and as a plain function over a *rand.Rand for batches
// of thousands ([RandomValue], [RandomPayload], [RandomStream] …), which the
// first calls. The same seed gives the same draws.
//
// What failed is made smaller in rounds. [SmallerValues], [SmallerPayloads] and
// [SmallerStreams] list the candidates of one round, the boldest first, so that
// a judge that answers in batches sees a whole round at once; [Shrink] goes from
// round to round until no candidate shows the fault any more.
package gen
