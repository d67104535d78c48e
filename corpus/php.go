package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// PHP names a PHP as far as the corpus tells them apart.
type PHP struct {
	Series   string // like "8.2"
	SizeBits int    // of C's size_t
}

func (p PHP) String() string { return fmt.Sprintf("%s %d-bit", p.Series, p.SizeBits) }

// AllSeries are the versions that every case was judged with.
func AllSeries() []string {
	return []string{"7.2", "7.3", "7.4", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5"}
}

// Asks tells whether PHP has a say in an operation.
func (o Op) Asks() bool { return o == Decode || o == Encode || o == Float }

// Given is what one PHP answered.
type Given struct {
	Does     Does
	Bytes    []byte // nil where it refuses
	Value    []byte // tagged JSON; nil where it refuses, or where only bytes are asked for
	Warnings []string
}

// SetPHP writes down what each PHP answered, those that answer alike together,
// and what follows from it. The answer of the one with the smallest name stands
// first.
func (c *Case) SetPHP(given map[PHP]Given) {
	phps := make([]PHP, 0, len(given))
	for p := range given {
		phps = append(phps, p)
	}
	slices.SortFunc(phps, func(a, b PHP) int { return strings.Compare(a.String(), b.String()) })
	answers := map[PHP]Answer{}
	for p, g := range given {
		answers[p] = c.answer(g)
	}
	name := func(p PHP) string { return p.Series }
	for _, p := range phps {
		for _, q := range phps {
			if p.Series == q.Series && !sameAnswer(answers[p], answers[q]) {
				name = PHP.String
			}
		}
	}
	c.PHP = nil
	for _, p := range phps {
		a := answers[p]
		i := slices.IndexFunc(c.PHP, func(o Answer) bool { return sameAnswer(o, a) })
		if i < 0 {
			i = len(c.PHP)
			c.PHP = append(c.PHP, a)
		}
		if n := name(p); !slices.Contains(c.PHP[i].On, n) {
			c.PHP[i].On = append(c.PHP[i].On, n)
		}
	}
	c.expectPHP()
	c.setFlags()
}

// answer is what a PHP did in the form of cases.
func (c *Case) answer(g Given) Answer {
	a := Answer{Does: g.Does}
	for _, w := range g.Warnings {
		a.Warnings = append(a.Warnings, sameWords(w))
	}
	if g.Does == Refuses {
		return a
	}
	if !bytes.Equal(c.asExpected(), g.Bytes) {
		a.Bytes = NewBytes(g.Bytes)
	}
	if g.Value != nil && !bytes.Equal(c.Value, g.Value) {
		a.Value = json.RawMessage(ShownValue(g.Value))
	}
	return a
}

// asExpected is what a PHP writes where its answer holds no bytes: what everybody
// writes, or, where Plugin refuses the input, the input.
func (c *Case) asExpected() []byte {
	if written := c.Written(); written != nil {
		return written
	}
	return c.Input.B64
}

// sameWords replaces the one text that C libraries, and not PHPs, choose (clause
// W-8).
func sameWords(warning string) string {
	return strings.ReplaceAll(warning, "Result not representable", "Numerical result out of range")
}

func sameAnswer(a, b Answer) bool {
	return a.Does == b.Does && a.Bytes.equal(b.Bytes) && bytes.Equal(a.Value, b.Value) && slices.Equal(a.Warnings, b.Warnings)
}

// expectPHP says what a port with PHP's own profile must do: what all PHPs do
// alike and silently.
func (c *Case) expectPHP() {
	if c.Op == Float || len(c.PHP) == 0 {
		return
	}
	c.Expect.PHP = May
	if c.Differ() {
		return
	}
	switch c.PHP[0].Does {
	case Accepts:
		c.Expect.PHP = MustAccept
	case Refuses:
		c.Expect.PHP = MustReject
	}
}

// Recorded returns the answer that stands for a PHP, and whether there is one:
// where builds differ by the size of size_t there may be none for a series and
// size that the corpus was not judged with.
func (c *Case) Recorded(p PHP) (Answer, bool) {
	for _, a := range c.PHP {
		if slices.Contains(a.On, p.Series) || slices.Contains(a.On, p.String()) {
			return a, true
		}
	}
	return Answer{}, false
}

// CheckPHP holds what a PHP did against what is recorded for it, and says what
// differs. Known is false where nothing is recorded for such a PHP.
func (c *Case) CheckPHP(p PHP, g Given) (differ []string, known bool) {
	recorded, known := c.Recorded(p)
	if !known {
		return nil, false
	}
	now := c.answer(g)
	var d differences
	d.compare("does", string(recorded.Does), string(now.Does))
	if !recorded.Bytes.equal(now.Bytes) {
		d.compare("bytes", recorded.Bytes, now.Bytes)
	}
	d.compare("value", string(recorded.Value), string(now.Value))
	if !slices.Equal(recorded.Warnings, now.Warnings) {
		d.compare("warnings", recorded.Warnings, now.Warnings)
	}
	return d.list, true
}
