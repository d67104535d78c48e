package toolchild_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

const (
	// messagesVariable says how many texts the differential test tries.
	messagesVariable = "PHPWIRE_TOOLCHILD_MESSAGES"
	// seedVariable repeats a run.
	seedVariable = "PHPWIRE_TOOLCHILD_SEED"
	batch        = 5000
)

func variable(t testing.TB, name string, otherwise uint64) uint64 {
	t.Helper()
	set := os.Getenv(name)
	if set == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(set, 10, 64)
	require.NoError(t, err, name)
	return n
}

// disagreements returns the texts on which the two guards differ.
func disagreements(t testing.TB, p *peer.Peer, texts [][]byte) (which []int) {
	t.Helper()
	for i, theirs := range peerVerdicts(t, p, texts) {
		if theirs != verdict(texts[i]) {
			which = append(which, i)
		}
	}
	return which
}

// shrink cuts a text down as long as the guards still differ on it: first ever
// smaller pieces are left out, then any piece at all is left out or becomes 0.
// All candidates of a round go in one question.
func shrink(t testing.TB, p *peer.Peer, text []byte) []byte {
	t.Helper()
	smaller := func(candidates [][]byte) bool {
		for chunk := range slices.Chunk(candidates, batch) {
			if which := disagreements(t, p, chunk); len(which) > 0 {
				text = chunk[which[0]]
				return true
			}
		}
		return false
	}
	without := func(from, to int, instead string) []byte {
		return append(append(append([]byte{}, text[:from]...), instead...), text[to:]...)
	}
	for size := max(1, len(text)/2); size > 0; {
		var candidates [][]byte
		for at := 0; at < len(text); at += size {
			candidates = append(candidates, without(at, min(len(text), at+size), ""))
		}
		if !smaller(candidates) {
			size /= 2
		}
	}
	for again := len(text) <= 400; again; {
		var candidates [][]byte
		for size := len(text); size > 0; size-- {
			for at := 0; at+size <= len(text); at++ {
				candidates = append(candidates, without(at, at+size, ""))
				if size > 1 {
					candidates = append(candidates, without(at, at+size, "0"))
				}
			}
		}
		again = smaller(candidates)
	}
	return text
}

func TestDifferential(t *testing.T) {
	seed := variable(t, seedVariable, uint64(time.Now().UnixNano()))
	total := int(variable(t, messagesVariable, 30_000))
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	p := startPeer(t)
	verdicts := map[string]int{}
	for done := 0; done < total; done += batch {
		texts := make([][]byte, min(batch, total-done))
		for i := range texts {
			texts[i] = g.text()
			verdicts[verdict(texts[i])]++
		}
		for _, i := range disagreements(t, p, texts) {
			least := shrink(t, p, texts[i])
			t.Fatalf("the guards differ on %q: here %q, in the peer %q; %s=%d repeats the run",
				least, verdict(least), peerVerdicts(t, p, [][]byte{least})[0], seedVariable, seed)
		}
	}
	t.Logf("%d texts, %d no JSON, %d refused, seed %d", total, verdicts["syntax"], verdicts["refused"], seed)
	for _, shape := range toolchild.Vocabulary() {
		assert.NotZero(t, verdicts["message "+string(shape.Type)], "no text was a %s", shape.Type)
	}
	assert.NotZero(t, verdicts["syntax"])
	assert.NotZero(t, verdicts["refused"])
}

// The differential test finds a planted fault, and shrinks it to what matters.
func TestDifferentialFindsFaults(t *testing.T) {
	for _, fault := range []string{"unsafe-integer", "infinite-number", "unknown-field", "reserved-key", "null-is-absent", "lenient-utf8"} {
		t.Run(fault, func(t *testing.T) {
			p := startPeer(t, fault)
			g := generator{rand.New(rand.NewPCG(1, 2))}
			for range 20 {
				texts := make([][]byte, batch)
				for i := range texts {
					texts[i] = g.text()
				}
				if which := disagreements(t, p, texts); len(which) > 0 {
					least := shrink(t, p, texts[which[0]])
					t.Logf("%q", least)
					assert.Less(t, len(least), 180)
					assert.Len(t, disagreements(t, p, [][]byte{least}), 1)
					return
				}
			}
			t.Fatal("not found")
		})
	}
}
