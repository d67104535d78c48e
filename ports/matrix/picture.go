package matrix

import (
	"fmt"
	"io"

	svg "github.com/ajstarks/svgo"

	"phpwire/reports"
)

// Sizes of the picture, in pixels.
const (
	cellWidth, cellHeight = 66, 22
	headHeight            = 116 // of the names of the ports, which are slanted
	areaWidth             = 132
	rightMargin           = 84 // into which the last name reaches
	legendHeight          = 40
)

// style has the colours for light and dark, and one class for each share that holds.
const style = `
text { font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #1d2327 }
.back { fill: #ffffff } .dim { fill: #59646d } .num { text-anchor: middle } .area { text-anchor: end }
.h0 { fill: #d7eedd } .h1 { fill: #edf3cf } .h2 { fill: #fae6b8 } .h3 { fill: #f8cdb0 } .h4 { fill: #ee9f95 } .none { fill: #f1f3f4 }
@media (prefers-color-scheme: dark) {
  text { fill: #dfe4e8 } .back { fill: #14171a } .dim { fill: #9aa6b0 }
  .h0 { fill: #1d4029 } .h1 { fill: #3a4220 } .h2 { fill: #544417 } .h3 { fill: #643a20 } .h4 { fill: #7d302b } .none { fill: #21262b }
}`

// shares are the steps of the share that holds, from the best down.
var shares = []struct {
	least float64
	class string
	says  string
}{
	{1, "h0", "all"}, {0.95, "h1", "95 % and more"}, {0.8, "h2", "80 % and more"}, {0.5, "h3", "half and more"}, {0, "h4", "less"},
}

// WriteSVG draws which share of the cases that were judged holds, area by port, for
// light and dark.
func (m *Matrix) WriteSVG(w io.Writer) error {
	out := &firstError{w: w}
	areas := m.areaNames()
	width := areaWidth + cellWidth*len(m.Ports) + rightMargin
	height := headHeight + cellHeight*(len(areas)+1) + legendHeight
	c := svg.New(out)
	c.Startview(width, height, 0, 0, width, height)
	c.Title(fmt.Sprintf("Which share of the judged cases holds, by area and port, %s", m.Run.Started.Format("January 2006")))
	c.Style("text/css", style)
	c.Rect(0, 0, width, height, `class="back"`)
	for j, p := range m.Ports {
		x := areaWidth + cellWidth*j + cellWidth/2
		c.TranslateRotate(x-4, headHeight-8, -38)
		c.Text(0, 0, p.Column.Name)
		c.Gend()
	}
	for i, name := range append(areas, "all") {
		y := headHeight + cellHeight*i
		c.Text(areaWidth-8, y+15, name, `class="area"`)
		for j, p := range m.Ports {
			counts := p.Counts
			if i < len(areas) {
				counts = m.area(name, p)
			}
			cell(c, areaWidth+cellWidth*j, y, counts)
		}
	}
	legend(c, areaWidth, height-legendHeight+14)
	c.End()
	return out.err
}

func cell(c *svg.SVG, x, y int, n reports.Counts) {
	text, class := "–", "none"
	if judged := n.Cases - n.Skipped; judged > 0 {
		holds := float64(judged-n.Bad()) / float64(judged)
		for _, s := range shares {
			if holds >= s.least {
				class = s.class
				break
			}
		}
		text = fmt.Sprintf("%.0f %%", 100*holds)
		if n.Bad() > 0 && holds > 0.995 {
			text = fmt.Sprintf("%.1f %%", min(99.9, 100*holds)) // 100 % is for all
		}
	}
	c.Rect(x+1, y+1, cellWidth-2, cellHeight-2, fmt.Sprintf("class=%q", class))
	c.Text(x+cellWidth/2, y+15, text, `class="num"`)
}

func legend(c *svg.SVG, x, y int) {
	c.Text(x, y+11, "of the cases judged, hold:", `class="dim"`)
	x += 158
	for _, s := range shares {
		c.Rect(x, y, 14, 14, fmt.Sprintf("class=%q", s.class))
		c.Text(x+19, y+11, s.says, `class="dim"`)
		x += 28 + 7*len(s.says)
	}
	c.Rect(x, y, 14, 14, `class="none"`)
	c.Text(x+19, y+11, "none judged", `class="dim"`)
}

// firstError keeps the first error of writing, which the library does not tell.
type firstError struct {
	w   io.Writer
	err error
}

func (f *firstError) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.w.Write(b)
	f.err = err
	return n, err
}
