package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Target is a bound that a figure must keep.
type Target struct {
	Name   string  `json:"name"`
	Bound  float64 `json:"bound"`
	Most   bool    `json:"at_most"` // the bound is the largest figure allowed, else the smallest
	Figure float64 `json:"figure"`
	Of     string  `json:"of,omitempty"` // where the figure was seen, if it is the worst of several
	Low    float64 `json:"low,omitempty"`
	High   float64 `json:"high,omitempty"`
	Met    bool    `json:"met"`
	unit   string
}

// What must be reached.
const (
	leastOfPHP      = 1    // times PHP's speed, on every payload
	leastDecoding   = 1.5  // times PHP's, geometric mean
	leastEncoding   = 2    // times PHP's, geometric mean
	leastOfPeers    = 5    // times another codec's, geometric mean
	mostObjects     = 1    // of what the bound allows
	mostOfStrconv   = 1.25 // times its time
	leastOfCopy     = 0.8  // of a plain copy's speed
	mostOfPingPong  = 1.15 // times its time
	leastOfAlone    = 0.85 // of PHP alone
	leastOfOneChild = 1.8  // times one child's
	leastOfJudging  = 1    // times as fast as PHP
	mostOfDouble    = 2.1  // times, for twice the input
)

// goal collects the figures that one bound is for, and keeps the worst.
type goal struct {
	Target
	seen bool
}

func atLeast(name string, bound float64, unit string) *goal {
	return &goal{Target: Target{Name: name, Bound: bound, unit: unit}}
}

func atMost(name string, bound float64, unit string) *goal {
	return &goal{Target: Target{Name: name, Bound: bound, Most: true, unit: unit}}
}

func (g *goal) see(of string, figure, low, high float64) {
	if g.seen && (figure >= g.Figure) != g.Most {
		return
	}
	g.seen = true
	g.Figure, g.Low, g.High, g.Of = figure, low, high, of
	g.Met = figure >= g.Bound
	if g.Most {
		g.Met = figure <= g.Bound
	}
}

func (g *goal) seeRatio(of string, r *Ratio) {
	if r != nil {
		g.see(of, r.Value, r.Low, r.High)
	}
}

// targets are those for which something was measured.
func targets(r *Report) []Target {
	var goals []*goal
	goals = append(goals, codecGoals(r)...)
	goals = append(goals, doubleGoals(r)...)
	goals = append(goals, frameGoals(r)...)
	goals = append(goals, oracleGoals(r)...)
	goals = append(goals, growthGoals(r)...)
	var all []Target
	for _, g := range goals {
		if g.seen {
			all = append(all, g.Target)
		}
	}
	return all
}

func codecGoals(r *Report) []*goal {
	rows := r.Section("codec").Rows
	var goals []*goal
	for _, o := range []struct {
		op, besidePHP string
		mean          float64
	}{
		{"decode", "decode", leastDecoding},
		// PHP gives back the memory of a result before it makes the next, and gets the
		// same again; the other codecs' results are new memory.
		{"encode", "append", leastEncoding},
	} {
		each, mean := atLeast(o.besidePHP+": × PHP, each payload", leastOfPHP, "×"), atLeast(o.besidePHP+": × PHP, geometric mean", o.mean, "×")
		for _, row := range rows {
			if name, is := strings.CutPrefix(row.Name, o.besidePHP+" "); is {
				each.seeRatio(name, row.Score(php).Ratio)
			}
		}
		for _, m := range Means(rows, o.besidePHP) {
			if m.Who == php {
				mean.seeRatio("", &m.Ratio)
			}
		}
		goals = append(goals, each, mean)
		for _, m := range Means(rows, o.op) {
			if m.Who != php {
				peer := atLeast(o.op+": × "+m.Who+", geometric mean", leastOfPeers, "×")
				peer.seeRatio("", &m.Ratio)
				goals = append(goals, peer)
			}
		}
	}
	objects := atMost("decode: objects, of one a container and one a 16 KiB", mostObjects, "×")
	for _, row := range rows {
		if row.MostObjects > 0 {
			n := row.Scores[0].Alloc.Objects
			of := fmt.Sprintf("%s: %.0f of %d", strings.TrimPrefix(row.Name, "decode "), n, row.MostObjects)
			objects.see(of, n/float64(row.MostObjects), 0, 0)
		}
	}
	return append(goals, objects)
}

func doubleGoals(r *Report) []*goal {
	write, read := atMost("double to text: strconv's time", mostOfStrconv, "×"), atMost("text to double: strconv's time", mostOfStrconv, "×")
	for _, row := range r.Section("doubles").Rows {
		direction, load, _ := strings.Cut(row.Name, ": ")
		inverse := row.Score(strconvName).Ratio.Inverse()
		if direction == "to text" {
			write.seeRatio(load, &inverse)
		} else {
			read.seeRatio(load, &inverse)
		}
	}
	return []*goal{write, read}
}

func frameGoals(r *Report) []*goal {
	write, read := atLeast("writing 64 KiB frames: a plain copy's speed", leastOfCopy, "×"), atLeast("reading 64 KiB frames: a plain copy's speed", leastOfCopy, "×")
	for _, row := range r.Section("frames").Rows {
		g := read
		switch {
		case strings.HasPrefix(row.Name, "write"):
			g = write
		case strings.HasPrefix(row.Name, ownMemory):
			continue
		}
		g.seeRatio(row.Name, row.Score(plainCopy).Ratio)
	}
	goals := []*goal{write, read}
	for _, how := range []string{"write, typed", "read, typed", "read, raw"} {
		g := atMost("small frames, "+how+": objects a frame", 0, "")
		for _, row := range r.Section("small").Rows {
			if kind, is := strings.CutPrefix(row.Name, how+": "); is {
				// A run is many frames: less than one in a hundred is not theirs.
				g.see(kind, math.Round(100*row.Scores[0].Alloc.Objects/row.Amount)/100, 0, 0)
			}
		}
		goals = append(goals, g)
	}
	return goals
}

func oracleGoals(r *Report) []*goal {
	call := atMost("one call: a bare ping-pong's time", mostOfPingPong, "×")
	if rows := r.Section("calls").Rows; len(rows) > 0 {
		inverse := rows[0].Score(pingPong).Ratio.Inverse()
		call.seeRatio("", &inverse)
	}
	one, two := atLeast("batches with 1 child: PHP alone in a loop", leastOfAlone, "×"), atLeast("batches with 2 children: 1 child's", leastOfOneChild, "×")
	for _, row := range r.Section("batches").Rows {
		switch row.Scores[0].Who {
		case oneChild:
			one.seeRatio(row.Name, row.Score(alone).Ratio)
		case twoChildren:
			two.seeRatio(row.Name, row.Score(oneChild).Ratio)
		}
	}
	judging := atLeast("judging: cheaper in Go than PHP's answers are", leastOfJudging, "×")
	for _, row := range r.Section("judging").Rows {
		judging.seeRatio(row.Name, row.Score(php).Ratio)
	}
	return []*goal{call, one, two, judging}
}

func growthGoals(r *Report) []*goal {
	time, memory := atMost("twice the input: time", mostOfDouble, "×"), atMost("twice the input: memory", mostOfDouble, "×")
	for _, g := range r.Growth {
		if g.Yardstick {
			continue
		}
		time.see(g.Name, g.Judged, 0, 0)
		memory.see(g.Name, g.Memory, 0, 0)
	}
	return []*goal{time, memory}
}

// Mean is the geometric mean of how many times as fast the reference is.
type Mean struct {
	Who   string
	Ratio Ratio
}

// Means are those of the rows of one operation, by who is compared. What somebody
// cannot do is left out of theirs, and whoever can do nothing at all.
func Means(rows []Row, op string) []Mean {
	var means []Mean
	counts := map[string]float64{}
	for _, row := range rows {
		if !strings.HasPrefix(row.Name, op+" ") {
			continue
		}
		for _, s := range row.Scores[1:] {
			if s.Ratio == nil {
				continue
			}
			at := slices.IndexFunc(means, func(m Mean) bool { return m.Who == s.Who })
			if at < 0 {
				at = len(means)
				means = append(means, Mean{Who: s.Who})
			}
			m := &means[at].Ratio
			m.Value, m.Low, m.High = m.Value+math.Log(s.Ratio.Value), m.Low+math.Log(s.Ratio.Low), m.High+math.Log(s.Ratio.High)
			counts[s.Who]++
		}
	}
	for i := range means {
		m, n := &means[i].Ratio, counts[means[i].Who]
		m.Value, m.Low, m.High = math.Exp(m.Value/n), math.Exp(m.Low/n), math.Exp(m.High/n)
	}
	return means
}
