package bench

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"syscall"
	"time"

	"phpwire/codec"
	"phpwire/fuzz/bench/timing"
	"phpwire/fuzz/gen"
	"phpwire/fuzz/judge"
)

const goName = "Go"

// judging measures the processor's time of both sides while batches are judged: all
// that Go does with a batch, from the first byte encoded to the last finding, and
// all that PHP does to answer it. The side that takes more is the limit. Garbage is
// collected as it is wherever batches are judged.
func (b *bench) judging(ctx context.Context) ([]Row, error) {
	defer judge.CollectSeldom()()
	facts, err := b.client.Facts(ctx)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewSource(6))
	payloads, values := make([][]byte, casesPerBatch), make([]judge.Value, casesPerBatch)
	for i := range payloads {
		payloads[i] = gen.RandomPayload(r)
		values[i] = judge.Of(gen.RandomValue(r, gen.Options{}))
	}
	var rows []Row
	for _, w := range []struct {
		name  string
		judge func() ([]*judge.Finding, error)
	}{
		{"payloads, most of them damaged", func() ([]*judge.Finding, error) {
			return judge.Payloads(ctx, b.client, judge.BehaviourOf(facts), judge.Read(payloads))
		}},
		{"values", func() ([]*judge.Finding, error) { return judge.Values(ctx, b.client, values) }},
	} {
		row, err := b.bothSides(ctx, w.name, func() error {
			findings, err := w.judge()
			for i, f := range findings {
				if f != nil {
					return wrong("case %d is no good one to measure with: %s", i, f.Title)
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// longestFill bounds how long a round waits for its garbage to be collected.
const longestFill = 2 * time.Second

// bothSides measures the same work on both sides. A round goes on until its garbage
// was collected once: then it has its share of that, no more and no less.
func (b *bench) bothSides(ctx context.Context, name string, work func() error) (Row, error) {
	host, child := series{contestant: contestant{who: goName}}, series{contestant: contestant{who: php}}
	for range b.options.Rounds {
		runtime.GC() // what there is from before, which is no part of the work
		hostBefore, childBefore, err := b.processorTimes(ctx)
		if err != nil {
			return Row{}, err
		}
		runs := 0
		collected := timing.Collected()
		for began := time.Now(); runs == 0 || time.Since(began) < b.options.AtLeast || !collected() && time.Since(began) < longestFill; runs++ {
			if err := work(); err != nil {
				return Row{}, err
			}
		}
		hostAfter, childAfter, err := b.processorTimes(ctx)
		if err != nil {
			return Row{}, err
		}
		if childAfter == childBefore {
			child.fails = "its getrusage() tells no time"
		}
		host.samples = append(host.samples, timing.Sample{Runs: runs, Seconds: (hostAfter - hostBefore).Seconds()})
		child.samples = append(child.samples, timing.Sample{Runs: runs, Seconds: (childAfter - childBefore).Seconds()})
	}
	return newRow(name, casesPerBatch, host, child), nil
}

// processorTimes is what this process and the child have used so far.
func (b *bench) processorTimes(ctx context.Context) (host, child time.Duration, err error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, 0, err
	}
	host = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	v, err := b.client.CallFunction(ctx, "getrusage")
	if err != nil {
		return 0, 0, err
	}
	for _, field := range []struct {
		name string
		unit time.Duration
	}{{"ru_utime.tv_sec", time.Second}, {"ru_utime.tv_usec", time.Microsecond}, {"ru_stime.tv_sec", time.Second}, {"ru_stime.tv_usec", time.Microsecond}} {
		n, _ := v.Get(codec.StringKey(field.name))
		i, ok := n.Int()
		if !ok {
			return 0, 0, fmt.Errorf("PHP's getrusage() tells no %s", field.name)
		}
		child += time.Duration(i) * field.unit
	}
	return host, child, nil
}
