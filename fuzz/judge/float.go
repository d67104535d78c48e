package judge

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"phpwire/floatfmt"
	"phpwire/oracle"
)

// Float is a double, to be written under a serialize_precision and read back.
type Float struct {
	Bits      uint64
	Precision int
}

func (f Float) value() float64 { return math.Float64frombits(f.Bits) }

// Floats judges the text of doubles against one PHP (P2): what it writes, and,
// for the shortest text, what it reads. All must have the same precision.
func Floats(ctx context.Context, c *oracle.Client, fs []Float) ([]*Finding, error) {
	findings := make([]*Finding, len(fs))
	if len(fs) == 0 {
		return findings, nil
	}
	values := make([]float64, len(fs))
	for i, f := range fs {
		values[i] = f.value()
	}
	precision := fs[0].Precision
	texts, err := c.Floats(ctx, values, precision)
	if err != nil {
		return nil, err
	}
	var buf []byte
	for i, f := range values {
		buf = floatfmt.AppendFloat(buf[:0], f, precision)
		if !bytes.Equal(buf, texts[i]) {
			findings[i] = &Finding{"P2", "D-1", "the reference and PHP write a double differently",
				fmt.Sprintf("0x%016x is written as %q, PHP writes %q", fs[i].Bits, buf, texts[i]), -1, nil}
		}
	}
	if precision == -1 {
		return findings, readBack(ctx, c, fs, texts, findings)
	}
	return findings, nil
}

// readBack has both read what PHP wrote.
func readBack(ctx context.Context, c *oracle.Client, fs []Float, texts [][]byte, findings []*Finding) error {
	read, err := c.ParseFloats(ctx, texts)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if findings[i] == nil {
			findings[i] = judgeText(text, read[i])
		}
		if same := math.Float64bits(read[i]) == fs[i].Bits || math.IsNaN(read[i]); !same && findings[i] == nil {
			findings[i] = &Finding{"P2", "D-1", "PHP does not read what it wrote",
				fmt.Sprintf("0x%016x is written as %q, which PHP reads as 0x%016x", fs[i].Bits, text, math.Float64bits(read[i])), -1, nil}
		}
	}
	return nil
}

// judgeText compares the reference's reading of a text with PHP's.
func judgeText(text []byte, php float64) *Finding {
	ours, err := floatfmt.Parse(text)
	if err != nil {
		return &Finding{"P3", "D-2", "the reference refuses a double that PHP reads", fmt.Sprintf("%q: %v", shorten(text), err), -1, nil}
	}
	if math.Float64bits(ours) != math.Float64bits(php) {
		return &Finding{"P3", "D-2", "the reference and PHP read different doubles",
			fmt.Sprintf("%q is read as 0x%016x, PHP reads 0x%016x", shorten(text), math.Float64bits(ours), math.Float64bits(php)), -1, nil}
	}
	return nil
}

// FloatTexts judges how texts are read, all of which PHP must accept (P3).
func FloatTexts(ctx context.Context, c *oracle.Client, texts [][]byte) ([]*Finding, error) {
	findings := make([]*Finding, len(texts))
	read, err := c.ParseFloats(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		findings[i] = judgeText(text, read[i])
	}
	return findings, nil
}
