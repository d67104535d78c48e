package reports

import (
	"fmt"
	"math"
	"strings"
)

// Charts are drawn in a box of chartWidth by 100 that is stretched to the
// width of the page; what is text stands beside it as HTML.
const chartWidth = 1000

// logBar is n of most as 0 to 100, by orders of magnitude: the least count is
// still seen beside the largest.
func logBar(n, most int64) int {
	if n <= 0 {
		return 0
	}
	return max(3, int(math.Round(100*math.Log1p(float64(n))/math.Log1p(float64(most)))))
}

// trendView is the trend over nights, this run last.
type trendView struct {
	Bars    []trendBar
	MaxBad  int64
	MaxAll  int64
	BadDays int
}

type trendBar struct {
	Night
	X, Width             float64
	Bad                  int64
	BadHeight, AllHeight float64
	Label                string
}

// PerSecond is the night's throughput in cases.
func (b trendBar) PerSecond() int64 { return int64(float64(b.Cases) / b.Seconds) }

// trendNights is how many nights are drawn.
const trendNights = 120

func (r *Run) trend() *trendView {
	if len(r.History) == 0 {
		return nil
	}
	nights := append(append([]Night{}, r.History...), r.Night())
	nights = nights[max(0, len(nights)-trendNights):]
	t := new(trendView)
	for _, n := range nights {
		t.MaxBad = max(t.MaxBad, n.Bad())
		t.MaxAll = max(t.MaxAll, n.Cases)
	}
	step := float64(chartWidth) / float64(len(nights))
	for i, n := range nights {
		b := trendBar{Night: n, X: round(float64(i)*step + step*0.1), Width: round(step * 0.8), Bad: n.Bad()}
		if b.Bad > 0 {
			b.BadHeight = round(float64(logBar(b.Bad, t.MaxBad)))
			t.BadDays++
		}
		if t.MaxAll > 0 {
			b.AllHeight = round(100 * float64(n.Cases) / float64(t.MaxAll))
		}
		b.Label = fmt.Sprintf("%s: %s, %s failed", n.Started.UTC().Format("2 Jan 2006"), some(n.Cases, "case"), number(b.Bad))
		t.Bars = append(t.Bars, b)
	}
	return t
}

// rateView is the throughput over the time of the run.
type rateView struct {
	Line, Area      string // SVG paths
	Mean, Low, High int64  // cases a second
	Until           float64
	MeanY           float64
}

// rateSteps is into how many steps the time is divided at most.
const rateSteps = 150

func (r *Run) rate() *rateView {
	ps := r.Throughput
	if len(ps) < 3 {
		return nil
	}
	first, last := ps[0], ps[len(ps)-1]
	span := last.Seconds - first.Seconds
	if span <= 0 || last.Cases <= first.Cases {
		return nil
	}
	steps := min(rateSteps, len(ps)-1)
	width := span / float64(steps)
	rates := make([]float64, steps)
	low, high := math.Inf(1), 0.0
	before := float64(first.Cases)
	at := 0
	for i := range rates {
		t := first.Seconds + width*float64(i+1)
		for at < len(ps)-2 && ps[at+1].Seconds < t {
			at++
		}
		done := between(ps[at], ps[at+1], t)
		rates[i] = max(0, (done-before)/width)
		before = done
		low, high = min(low, rates[i]), max(high, rates[i])
	}
	mean := float64(last.Cases-first.Cases) / span
	v := &rateView{Mean: int64(mean), Low: int64(low), High: int64(high), Until: last.Seconds, MeanY: round(100 - 95*mean/high)}
	var path strings.Builder
	for i, rate := range rates {
		x := round(chartWidth * (float64(i) + 0.5) / float64(steps))
		fmt.Fprintf(&path, "%s%g %g", []string{"M", "L"}[min(i, 1)], x, round(100-95*rate/high))
	}
	v.Line = path.String()
	half := round(chartWidth * 0.5 / float64(steps))
	v.Area = fmt.Sprintf("%sL%g 100L%g 100Z", v.Line, chartWidth-half, half)
	return v
}

// between is the count at a time between two points.
func between(a, b Point, t float64) float64 {
	if b.Seconds <= a.Seconds {
		return float64(b.Cases)
	}
	share := min(1, max(0, (t-a.Seconds)/(b.Seconds-a.Seconds)))
	return float64(a.Cases) + share*float64(b.Cases-a.Cases)
}

func round(x float64) float64 { return math.Round(x*10) / 10 }
