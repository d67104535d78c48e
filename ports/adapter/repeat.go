package adapter

import (
	"bytes"
	"fmt"
	"strings"
)

// What is written as a repetition: at least so many bytes in all, of parts that are
// no longer than longestPart.
const (
	leastRepeated = 120
	longestPart   = 48
)

// repetition is how a language writes a text that is repeated, and joins texts.
type repetition struct{ times, join string }

// expression is a payload in the language: a literal, or texts that are repeated and
// joined where it repeats itself, so that deep nesting makes a line to be read.
func (c *Call) expression(payload []byte) (string, error) {
	style := styles[c.Values]
	var parts []string
	add := func(b []byte, times int) error {
		if len(b) == 0 {
			return nil
		}
		text, err := style.bytes(b, c.Text)
		if times > 1 {
			text = fmt.Sprintf(style.repeats.times, text, times)
		}
		parts = append(parts, text)
		return err
	}
	from := 0
	for at := 0; at < len(payload); {
		part, times := repeated(payload[at:])
		if times == 0 {
			at++
			continue
		}
		if err := add(payload[from:at], 1); err != nil {
			return "", err
		}
		if err := add(payload[at:at+part], times); err != nil {
			return "", err
		}
		at += part * times
		from = at
	}
	if err := add(payload[from:], 1); err != nil {
		return "", err
	}
	if len(parts) == 0 {
		return style.bytes(nil, c.Text)
	}
	return strings.Join(parts, style.repeats.join), nil
}

// repeated is the length of the shortest part that b begins with again and again,
// and how often; 0 where that is not worth while.
func repeated(b []byte) (part, times int) {
	for part := 1; part <= min(longestPart, len(b)/2); part++ {
		times := 1
		for bytes.HasPrefix(b[part*times:], b[:part]) {
			times++
		}
		if times > 1 && part*times >= leastRepeated {
			return part, times
		}
	}
	return 0, 0
}
