package plot

import (
	"fmt"
	"math"
)

// Sizes in pixels.
const (
	margin     = 8.0
	titleSize  = 15.0
	labelSize  = 13.0
	tickSize   = 12.0
	noteSize   = 11.0
	tickLength = 4.0
	gap        = 8.0   // between things, and between labels at the least
	longest    = 120.0 // name of a place, when turned
)

// A frame is a plot on its way to a drawing: where the data go, and the scales
// that take them there.
type frame struct {
	*Plot
	drawing
	area   box
	x, y   scale
	xRuler ruler
	yRuler ruler
	names  []string   // of places; nil on an axis of numbers
	broken [][]string // these names in lines as they fit below their places
	turned bool       // or else they run upwards
	below  float64    // height that the labels of the horizontal axis take
}

// layout draws the plot as a list of marks.
//
// The area for data is what titles, legend and labels leave. Labels of the
// vertical axis take width, which the horizontal ones need; those take height,
// which the vertical ones need. A few rounds suffice, since the space for labels
// only grows.
func (p *Plot) layout() drawing {
	f := &frame{Plot: p}
	f.width, f.height = plotWidth, plotHeight
	top := f.heading()
	note := wrap(p.Note, noteSize, f.width-2*margin, false, 3)
	foot := margin + float64(len(note))*noteSize*leading
	f.names = p.placeNames()
	left := 0.0
	for range 4 {
		f.ruleY(f.height - top - foot - f.below)
		left = max(left, f.leftOf())
		f.area = box{left: left, right: f.width - margin - 2*gap}
		f.ruleX()
	}
	f.area.top = top + gap
	f.area.bottom = f.area.top + areaHeight(f.height-top-foot-f.below)
	f.height = f.area.bottom + f.below + foot
	f.scales()
	f.axes()
	f.data()
	f.caption(note)
	f.summary = f.describe()
	return f.drawing
}

// areaHeight keeps the data from being squeezed out.
func areaHeight(free float64) float64 { return max(free-gap, plotHeight*0.55) }

// heading writes title and legend and returns where they end.
func (f *frame) heading() (bottom float64) {
	y := margin
	for _, s := range wrap(f.Title, titleSize, f.width-2*margin, true, 3) {
		f.write(text{string: s, at: point{margin, y + ascent*titleSize}, size: titleSize, bold: true, role: ink})
		y += leading * titleSize
	}
	return f.legend(y)
}

func (f *frame) caption(lines []string) {
	y := f.height - margin - float64(len(lines))*noteSize*leading
	for _, s := range lines {
		y += noteSize * leading
		f.write(text{string: s, at: point{margin, y - descent*noteSize}, size: noteSize, role: faint})
	}
}

// leftOf is where the data may begin: after the title of the axis, which runs
// upwards, and the widest label.
func (f *frame) leftOf() float64 {
	widest := 0.0
	for _, t := range f.yRuler.ticks {
		widest = max(widest, measure(t.label, tickSize, false))
	}
	left := margin + widest + tickLength + gap
	if f.yRuler.title() != "" {
		left += labelSize * leading
	}
	return left
}

func (f *frame) ruleY(free float64) {
	height := areaHeight(free)
	e, bars := f.extentY()
	f.yRuler = rule(f.Y, e.widen(f.Y, bars), true, func(e extent, ticks []tick) bool {
		s := scale{f.Y.Scale, e.lo, e.hi, height, 0}
		for i := 1; i < len(ticks); i++ {
			if s.at(ticks[i-1].value)-s.at(ticks[i].value) < 2*tickSize*leading {
				return false
			}
		}
		return true
	})
	f.yRuler.shorten(height)
}

func (f *frame) ruleX() {
	titleHeight := labelSize*leading + gap/2
	if f.banded() {
		f.xRuler = ruler{label: f.X.Label, unit: f.X.Unit}
		f.below = max(f.below, tickLength+gap/2+f.breakNames()+titleHeight)
		return
	}
	f.xRuler = rule(f.X, f.extentX().widen(f.X, false), f.X.Scale != Linear, func(e extent, ticks []tick) bool {
		s := scale{f.X.Scale, e.lo, e.hi, f.area.left, f.area.right}
		reached := math.Inf(-1)
		for _, t := range ticks {
			half := measure(t.label, tickSize, false) / 2
			if s.at(t.value)-half < reached {
				return false
			}
			reached = s.at(t.value) + half + 2*gap
		}
		return true
	})
	f.below = max(f.below, tickLength+gap/2+tickSize*leading+titleHeight)
}

func (f *frame) scales() {
	f.y = scale{f.Y.Scale, f.yRuler.lo, f.yRuler.hi, f.area.bottom, f.area.top}
	if f.banded() {
		n := float64(max(1, len(f.names)))
		f.x = scale{Linear, -0.5, n - 0.5, f.area.left, f.area.right}
		return
	}
	f.x = scale{f.X.Scale, f.xRuler.lo, f.xRuler.hi, f.area.left + gap/2, f.area.right - gap/2}
}

func (f *frame) describe() string {
	text, separator := fmt.Sprintf("%s: %s by %s", f.Title, f.yRuler.title(), f.xRuler.title()), "; "
	for _, s := range f.Series {
		if s.Name != "" {
			text += separator + s.Name
			separator = ", "
		}
	}
	return text
}
