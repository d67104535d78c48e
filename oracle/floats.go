package oracle

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"phpwire/codec"
)

// batchFloats is how many doubles travel in one frame, where there may be several.
const batchFloats = 4096

// Floats asks PHP to serialize the list of fs under the given
// serialize_precision and returns the text of each.
func (c *Client) Floats(ctx context.Context, fs []float64, precision int) ([][]byte, error) {
	batches := slices.Collect(slices.Chunk(fs, batchFloats))
	texts := make([][]byte, 0, len(fs))
	err := c.callInARow(ctx, helperFloats, len(batches),
		func(i int) []codec.Value { return floatArgs(batches[i], precision) },
		func(i int, v codec.Value) (err error) {
			list, err := textOf(helperFloats, v)
			if err == nil {
				texts, err = appendFloats(texts, []byte(list), len(batches[i]))
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	return texts, nil
}

// FloatList is [Client.Floats] for many at once: the serialized list as it came.
func (c *Client) FloatList(ctx context.Context, fs []float64, precision int) (string, error) {
	v, err := c.CallFunction(ctx, helperFloats, floatArgs(fs, precision)...)
	if err != nil {
		return "", err
	}
	return textOf(helperFloats, v)
}

func floatArgs(fs []float64, precision int) []codec.Value {
	packed := make([]byte, 0, 8*len(fs))
	for _, f := range fs {
		packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(f))
	}
	return []codec.Value{codec.Bytes(packed), codec.Int(int64(precision))}
}

func textOf(helper string, v codec.Value) (string, error) {
	text, ok := v.Text()
	if !ok {
		return "", fmt.Errorf("%s answered with %.60s", helper, v)
	}
	return text, nil
}

// appendFloats takes the texts out of a serialized list of n floats.
func appendFloats(texts [][]byte, list []byte, n int) ([][]byte, error) {
	rest, ok := bytes.CutPrefix(list, fmt.Appendf(nil, "a:%d:{", n))
	for range n {
		if !ok {
			break
		}
		var text []byte
		_, rest, ok = bytes.Cut(rest, []byte(";d:"))
		if ok {
			text, rest, ok = bytes.Cut(rest, []byte(";"))
			texts = append(texts, text[:len(text):len(text)])
		}
	}
	if !ok {
		return nil, fmt.Errorf("%s: %d floats came as %.60q", helperFloats, n, list)
	}
	return texts, nil
}

// ParseFloats asks PHP to unserialize each text as a float. All must be right:
// for one that is not, the answer is an error.
func (c *Client) ParseFloats(ctx context.Context, texts [][]byte) ([]float64, error) {
	batches := slices.Collect(slices.Chunk(texts, batchFloats))
	fs := make([]float64, 0, len(texts))
	err := c.callInARow(ctx, helperParseFloats, len(batches),
		func(i int) []codec.Value { return []codec.Value{codec.Bytes(serializeTexts(batches[i]))} },
		func(i int, v codec.Value) (err error) {
			fs, err = unpackFloats(fs, v, len(batches[i]))
			return err
		})
	if err != nil {
		return nil, err
	}
	return fs, nil
}

func serializeTexts(texts [][]byte) []byte {
	payload := fmt.Appendf(nil, "a:%d:{", len(texts))
	for i, t := range texts {
		payload = strconv.AppendInt(append(payload, "i:"...), int64(i), 10)
		payload = append(append(append(payload, ";d:"...), t...), ';')
	}
	return append(payload, '}')
}

// ParseFloatList asks PHP to unserialize a list of n floats, for many at once.
func (c *Client) ParseFloatList(ctx context.Context, payload []byte, n int) ([]float64, error) {
	v, err := c.CallFunction(ctx, helperParseFloats, codec.Bytes(payload))
	if err != nil {
		return nil, err
	}
	return unpackFloats(make([]float64, 0, n), v, n)
}

func unpackFloats(fs []float64, v codec.Value, n int) ([]float64, error) {
	packed, ok := v.Text()
	if !ok || len(packed) != 8*n {
		return nil, fmt.Errorf("%s: %d texts were answered with %.60s", helperParseFloats, n, v)
	}
	for b := range slices.Chunk([]byte(packed), 8) {
		fs = append(fs, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return fs, nil
}
