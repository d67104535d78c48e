package porttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"phpwire/codec"
	"phpwire/ports/port"
)

func decode(payload []byte) (codec.Value, error) { return codec.Decode(payload, codec.Plugin) }

// The five lines of docs/ports.md.
func TestPHPWire(t *testing.T) {
	Run(t, port.Codec{
		Hello:  port.Hello{Name: "reference", Language: "Go", Profile: port.Plugin},
		Decode: decode, Encode: codec.Encode,
	})
}

// recorder is a test that fails without us failing.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func TestFaultsFail(t *testing.T) {
	r := &recorder{TB: t}
	began := time.Now()
	Run(r, port.Codec{
		Hello: port.Hello{Name: "wrong", Profile: port.Plugin},
		Decode: func(payload []byte) (codec.Value, error) {
			switch string(payload) {
			case "i:-5;":
				return codec.Int(5), nil
			case "b:1;":
				panic("no true")
			}
			return decode(payload)
		},
	})
	all := strings.Join(r.said, "\n")
	assert.Contains(t, all, "reads another value: $: int 5 ≠ int -5")
	assert.Contains(t, all, "input i:-5;")
	assert.Contains(t, all, "crashes: panic: no true")
	assert.Less(t, time.Since(began), time.Minute)
}
