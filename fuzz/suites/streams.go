package suites

import (
	"context"
	"math/rand"

	"phpwire/codec"
	"phpwire/frames"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// framesChunks is P5 for streams, broken ones too.
func framesChunks() Suite {
	return &suite[judge.Stream]{
		about: about{
			name: "frames/chunks", title: "streams of frames, broken ones too: the same frames and error in any chunks",
			clauses: []string{"F-1", "F-2", "F-3", "F-4", "F-15", "F-16"}, share: 10, size: 500, alone: true,
		},
		make: each(func(r *rand.Rand) judge.Stream {
			from := []frames.Side{frames.FromHost, frames.FromPHP}[r.Intn(2)]
			b := gen.RandomStream(r, from)
			return judge.Stream{Bytes: b, From: from, Chunks: gen.RandomChunks(r, len(b))}
		}),
		judge: func(_ context.Context, _ *php, _ *oracle.Client, cases []judge.Stream, seen *judge.Visits) ([]*judge.Finding, error) {
			findings := make([]*judge.Finding, len(cases))
			for i, s := range cases {
				findings[i] = judge.Chunking(s)
				if seen != nil {
					seen.Stream(judge.ReadStream(s, true))
				}
			}
			return findings, nil
		},
		smaller: func(s judge.Stream) []judge.Stream {
			var smaller []judge.Stream
			if len(s.Chunks) > 0 {
				smaller = append(smaller, judge.Stream{Bytes: s.Bytes, From: s.From})
			}
			for _, b := range gen.SmallerStreams(s.Bytes) {
				smaller = append(smaller, judge.Stream{Bytes: b, From: s.From, Chunks: s.Chunks})
			}
			return smaller
		},
		show: func(s judge.Stream) shown {
			return shown{input: s.Bytes, replay: judge.ReplayStream(s), file: judge.ReplayStream(s)}
		},
	}
}

// framesTyped: a frame that is written and read is the same frame.
func framesTyped() Suite {
	return &suite[frames.Frame]{
		about: about{
			name: "frames/typed", title: "frames of every tag: written and read, they are the same",
			clauses: []string{"F-5", "F-6", "F-7", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "F-14"}, share: 5, size: 500, alone: true,
		},
		make: each(func(r *rand.Rand) frames.Frame {
			return gen.RandomFrame(r, []frames.Side{frames.FromHost, frames.FromPHP}[r.Intn(2)])
		}),
		judge: func(_ context.Context, _ *php, _ *oracle.Client, cases []frames.Frame, seen *judge.Visits) ([]*judge.Finding, error) {
			findings := make([]*judge.Finding, len(cases))
			for i, f := range cases {
				findings[i] = judge.RoundTrip(f, frames.FromAnyone)
				seen.Frame(f)
			}
			return findings, nil
		},
		smaller: gen.SmallerFrames,
		show: func(f frames.Frame) shown {
			b, _ := frames.Append(nil, f) // what cannot be written has no bytes to show
			arguments := judge.ReplayStream(judge.Stream{Bytes: b})
			return shown{input: b, replay: arguments, file: arguments}
		},
	}
}

// framesLive sends values through real calls, one a frame, and looks at what
// comes back.
func framesLive() Suite {
	return &suite[judge.Value]{
		about: about{
			name: "frames/live", title: "values as arguments and results of real calls: what goes out comes back",
			clauses: []string{"F-5", "F-10", "V-10"}, share: 1, size: 100,
		},
		make: each(func(r *rand.Rand) judge.Value {
			return judge.Of(gen.RandomValue(r, gen.Options{MaxDepth: codec.MaxDepth - 2}))
		}),
		judge: func(ctx context.Context, _ *php, c *oracle.Client, cases []judge.Value, seen *judge.Visits) ([]*judge.Finding, error) {
			seen.Values(cases)
			findings := make([]*judge.Finding, len(cases))
			for i, v := range cases {
				back, err := c.CallFunction(ctx, "__shirabe_oracle_roundtrip", v.Value)
				if err != nil {
					return nil, err
				}
				if !back.Equal(v.Value.Landed()) {
					findings[i] = &judge.Finding{Invariant: "P2", Clause: "F-10", Kind: "a value comes back from PHP changed",
						Title: "A value that PHP was called with came back as another", Offset: -1}
					for _, d := range codec.Differences(v.Value.Landed(), back, 5) {
						findings[i].Differences = append(findings[i].Differences, d.String())
					}
				}
			}
			return findings, nil
		},
		smaller: smallerValues,
		show:    showValue,
	}
}
