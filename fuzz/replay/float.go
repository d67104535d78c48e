package replay

import (
	"context"
	"fmt"
	"math"

	"phpwire/floatfmt"
	"phpwire/fuzz/judge"
	"phpwire/oracle"
)

// Doubles is one double before everybody.
type Doubles struct {
	Bits        string       `json:"bits"`
	Precision   int          `json:"precision"`
	Reference   string       `json:"reference"`
	PHP         []DoubleText `json:"php"`
	Agree       bool         `json:"agree"`
	Differences []string     `json:"differences"`
}

// DoubleText is what one PHP writes for a double.
type DoubleText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Float puts a double before the reference and the PHPs of the clients.
func Float(ctx context.Context, f judge.Float, clients []*oracle.Client) (*Doubles, error) {
	value := math.Float64frombits(f.Bits)
	d := &Doubles{
		Bits: fmt.Sprintf("%016x", f.Bits), Precision: f.Precision,
		Reference: string(floatfmt.AppendFloat(nil, value, f.Precision)), PHP: []DoubleText{}, Differences: []string{},
	}
	for _, client := range clients {
		name := client.Runtime().Name()
		texts, err := client.Floats(ctx, []float64{value}, f.Precision)
		if err != nil {
			return nil, err
		}
		d.PHP = append(d.PHP, DoubleText{name, string(texts[0])})
		findings, err := judge.Floats(ctx, client, []judge.Float{f})
		if err != nil {
			return nil, err
		}
		if findings[0] != nil {
			d.Differences = append(d.Differences, "PHP "+name+": "+findings[0].String())
		}
	}
	d.Agree = len(d.Differences) == 0
	return d, nil
}
