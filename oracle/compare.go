package oracle

import (
	"context"
	"fmt"
	"strings"

	"phpwire/codec"
)

const (
	helperComparePayloads = "__phpwire_compare_payloads"
	helperCompareValues   = "__phpwire_compare_values"
)

// The first byte of a reading for [Client.ComparePayloads].
const (
	ReadAlike   = 'c' // serialize() of the value gives the payload again
	ReadUnalike = 'p' // it gives other bytes
)

// ComparePayloads tells PHP what the caller makes of each payload, and PHP names
// those of which it makes something else. A reading is empty where the payload is
// refused; else it is [ReadAlike] or [ReadUnalike] and the tagged JSON of the value
// that is read, handles being plain arrays. Unlike are the indexes of the payloads
// that PHP reads otherwise, and of those that are read but hold a reference; warned
// are those of refused payloads that PHP reads with a warning. Both are in order.
func (c *Client) ComparePayloads(ctx context.Context, payloads, readings [][]byte) (unlike, warned []int, err error) {
	err = c.compare(ctx, helperComparePayloads, [][][]byte{payloads, readings}, func(first, n int, v codec.Value) bool {
		lists := v.Elements()
		ok := len(lists) == 2
		if ok {
			unlike, ok = appendIndexes(unlike, lists[0], first, n)
		}
		if ok {
			warned, ok = appendIndexes(warned, lists[1], first, n)
		}
		return ok
	})
	return unlike, warned, err
}

// CompareValues has PHP build each value, given as tagged JSON, serialize it, and
// read what the caller encoded it as. The result are the indexes, in order, of those
// for which PHP writes other bytes, reads another value than it built, or writes
// that as other bytes; and of all that hold a NaN, which PHP cannot compare.
func (c *Client) CompareValues(ctx context.Context, tagged, encoded [][]byte) (unlike []int, err error) {
	err = c.compare(ctx, helperCompareValues, [][][]byte{tagged, encoded}, func(first, n int, v codec.Value) (ok bool) {
		unlike, ok = appendIndexes(unlike, v, first, n)
		return ok
	})
	return unlike, err
}

// listedBytes is at least what stands around a text in a list, so that a batch of
// batchBytes is a frame that long, for which the writer has memory already.
const listedBytes = len(`i:1999;s:131072:"";`)

// compare sends columns of equal length, cut into batches, and hands over what PHP
// says of the n cases from number first on.
func (c *Client) compare(ctx context.Context, helper string, columns [][][]byte, take func(first, n int, v codec.Value) bool) error {
	starts := []int{0} // of the batches, and the end
	for first, total := 0, len(columns[0]); first < total; {
		n, size := 0, 0
		for first+n < total && n < batchCases {
			for _, column := range columns {
				size += len(column[first+n]) + listedBytes
			}
			if size > batchBytes && n > 0 {
				break
			}
			n++
		}
		first += n
		starts = append(starts, first)
	}
	if len(starts) == 1 {
		return nil
	}
	return c.callInARow(ctx, helper, len(starts)-1,
		func(i int) []codec.Value {
			args := make([]codec.Value, len(columns))
			for k, column := range columns {
				args[k] = listOf(column[starts[i]:starts[i+1]])
			}
			return args
		},
		func(i int, v codec.Value) error {
			first, n := starts[i], starts[i+1]-starts[i]
			if !take(first, n, v) {
				return fmt.Errorf("%s answered %d questions with %.60s", helper, n, v)
			}
			return nil
		})
}

// appendIndexes appends the indexes below n that v lists, raised by first.
func appendIndexes(dst []int, v codec.Value, first, n int) ([]int, bool) {
	last := int64(-1)
	for _, e := range v.Elements() {
		i, ok := e.Int()
		if !ok || i <= last || i >= int64(n) {
			return dst, false
		}
		dst = append(dst, first+int(i))
		last = i
	}
	return dst, v.Kind() == codec.KindList
}

// listOf returns the list of the texts, which share one copy.
func listOf(texts [][]byte) codec.Value {
	size := 0
	for _, b := range texts {
		size += len(b)
	}
	var all strings.Builder
	all.Grow(size)
	vs := make([]codec.Value, len(texts))
	for i, b := range texts {
		from := all.Len()
		all.Write(b)
		vs[i] = codec.String(all.String()[from:])
	}
	return codec.List(vs...)
}
