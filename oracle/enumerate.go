package oracle

import (
	"context"
	"encoding/binary"
	"fmt"

	"phpwire/codec"
)

const helperAccepted = "__phpwire_accepted"

// Texts are all texts of Length tokens between Before and After, in order: text
// number n has the digits of n in base len(Tokens), the first token being the
// most significant digit.
type Texts struct {
	Tokens        []string
	Length        int
	Before, After string
}

// Count returns how many texts there are.
func (t Texts) Count() int {
	n := 1
	for range t.Length {
		n *= len(t.Tokens)
	}
	return n
}

// Append appends text number n to dst.
func (t Texts) Append(dst []byte, n int) []byte {
	dst = append(dst, t.Before...)
	place := t.Count()
	for range t.Length {
		place /= len(t.Tokens)
		dst = append(dst, t.Tokens[n/place%len(t.Tokens)]...)
	}
	return append(dst, t.After...)
}

// Accepted asks which of the texts number first to first+count-1 PHP does not
// refuse, with or without a warning: it makes them itself, so that no refused
// text crosses the wire. It returns their numbers in order.
func (c *Client) Accepted(ctx context.Context, t Texts, first, count int) ([]int, error) {
	tokens := make([]codec.Value, len(t.Tokens))
	for i, token := range t.Tokens {
		tokens[i] = codec.String(token)
	}
	v, err := c.CallFunction(ctx, helperAccepted, codec.List(tokens...), codec.Int(int64(t.Length)),
		codec.Int(int64(first)), codec.Int(int64(count)), codec.String(t.Before), codec.String(t.After))
	if err != nil {
		return nil, err
	}
	packed, ok := v.Text()
	if !ok || len(packed)%4 != 0 {
		return nil, fmt.Errorf("%s answered with %.60s", helperAccepted, v)
	}
	numbers := make([]int, len(packed)/4)
	for i := range numbers {
		n := int(binary.LittleEndian.Uint32([]byte(packed[4*i : 4*i+4])))
		if n >= count {
			return nil, fmt.Errorf("%s answered with text %d of %d", helperAccepted, n, count)
		}
		numbers[i] = first + n
	}
	return numbers, nil
}
