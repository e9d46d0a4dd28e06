package plot

import (
	"math"
	"slices"

	"github.com/gohops/hops/stats"
)

const (
	lineWidth = 2.0
	radius    = 3.5 // of a marker
	// maxMarkers is the number of points beyond which a line is drawn without markers.
	maxMarkers = 60
)

// extentY returns the range of all values, and whether there are bars.
func (f *frame) extentY() (e extent, bars bool) {
	e = nothing()
	k := f.Y.Scale
	for i, s := range f.Series {
		bars = bars || s.Kind == Bar || s.Kind == Stack
		for _, v := range slices.Concat(slices.Concat(s.Samples...), s.Low, s.High) {
			e.add(k, v)
		}
		for j, v := range s.Y {
			if s.Kind == Stack {
				_, v = f.stacked(i, j)
			}
			e.add(k, v)
		}
	}
	return e, bars
}

func (f *frame) extentX() extent {
	e := nothing()
	for _, s := range f.Series {
		for i := range s.Y {
			e.add(f.X.Scale, s.x(i))
		}
	}
	return e
}

// data draws all series: bars and boxes first, then lines.
func (f *frame) data() {
	draw := [...]func(i int){Line: f.lines, Points: f.lines, Bar: f.bars, Stack: f.stacks, Box: f.boxes}
	for _, areas := range []bool{true, false} {
		for i, s := range f.Series {
			if int(s.Kind) < len(draw) && areas == (s.Kind >= Bar) {
				draw[s.Kind](i)
			}
		}
	}
}

// lines draws a series of points, joined or not, with gaps where a value is missing.
func (f *frame) lines(i int) {
	s, style := f.Series[i], f.style(i)
	var runs [][]point
	joined := false
	for j := range s.Y {
		p, ok := f.place(s, j)
		if !ok {
			joined = false
			continue
		}
		if !joined {
			runs = append(runs, nil)
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], p)
		joined = true
	}
	if s.Kind != Points {
		f.add(path{lines: runs, stroke: ofSeries(style), width: lineWidth, dash: dashes[style]})
	}
	for j := range s.Y {
		if p, ok := f.place(s, j); ok {
			f.errorBar(s, j, p.x, 4, ofSeries(style))
		}
	}
	if len(s.Y) > maxMarkers && s.Kind == Line {
		return
	}
	for j, v := range s.Y {
		if p, ok := f.place(s, j); ok {
			f.marker(p, style, f.tip(s, j, v))
		}
	}
}

func (f *frame) place(s Series, j int) (point, bool) {
	x, v := s.x(j), s.Y[j]
	if !f.x.kind.shows(x) || !f.Y.Scale.shows(v) {
		return point{}, false
	}
	return point{f.x.at(x), f.y.at(v)}, true
}

// errorBar draws the error bar of the value at j, if it has one.
func (f *frame) errorBar(s Series, j int, x, half float64, of role) {
	if j < min(len(s.Low), len(s.High)) && f.Y.Scale.shows(s.Low[j]) && f.Y.Scale.shows(s.High[j]) {
		f.whisker(x, f.y.at(s.Low[j]), f.y.at(s.High[j]), half, of)
	}
}

// whisker draws a vertical line with short horizontal ends.
func (f *frame) whisker(x, from, to, half float64, of role) {
	f.add(path{stroke: of, width: 1.5, lines: [][]point{
		{{x, from}, {x, to}},
		{{x - half, from}, {x + half, from}},
		{{x - half, to}, {x + half, to}},
	}})
}

func (f *frame) tip(s Series, j int, v float64) string {
	where := ""
	switch {
	case f.names == nil:
		where = Value(s.x(j), f.X.Unit)
	case j < len(f.names):
		where = f.names[j]
	}
	if f.X.Label != "" {
		where = f.X.Label + " " + where
	}
	if s.Name != "" {
		where += ", " + s.Name
	}
	return where + ": " + Value(v, f.Y.Unit)
}

// stacked returns where the value at j of the series at i begins and ends in its stack.
// On a logarithmic axis a stack begins at the bottom.
func (f *frame) stacked(i, j int) (from, to float64) {
	for _, below := range f.Series[:i] {
		if below.Kind == Stack && j < len(below.Y) && f.Y.Scale.shows(below.Y[j]) {
			from += max(0, below.Y[j])
		}
	}
	v := f.Series[i].Y[j]
	if !f.Y.Scale.shows(v) {
		return from, nan
	}
	return from, math.Min(from+max(0, v), largest)
}

// filled is the share of the width of a place that bars cover.
const filled = 0.76

// bars draws a series beside the other series of bars.
func (f *frame) bars(i int) {
	count, mine := 0, 0
	for j, s := range f.Series {
		if j == i {
			mine = count
		}
		if s.Kind == Bar {
			count++
		}
	}
	width := f.slot() * filled / float64(count)
	s := f.Series[i]
	for j, v := range s.Y {
		if !f.Y.Scale.shows(v) {
			continue
		}
		left := f.x.at(float64(j)) - f.slot()*filled/2 + float64(mine)*width
		base := f.y.at(max(0, f.yRuler.lo))
		top := f.y.at(v)
		f.bar(box{left, min(base, top), left + width*0.94, max(base, top)}, f.style(i), f.tip(s, j, v))
		f.errorBar(s, j, left+width*0.47, min(4, width/3), ink)
	}
}

func (f *frame) stacks(i int) {
	half := min(f.slot()*filled, 60) / 2
	s := f.Series[i]
	for j, v := range s.Y {
		from, to := f.stacked(i, j)
		if math.IsNaN(to) || to <= from {
			continue
		}
		x := f.x.at(float64(j))
		f.bar(box{x - half, f.y.at(to), x + half, f.y.at(max(from, f.yRuler.lo))}, f.style(i), f.tip(s, j, v))
	}
}

// boxes draws box plots after Tukey: quartiles, the median, whiskers to the last values
// within one and a half times the height of the box, and outliers as points.
func (f *frame) boxes(i int) {
	s, style := f.Series[i], f.style(i)
	half := min(f.slot()*0.5, 64) / 2
	for j, all := range s.Samples {
		var sample []float64
		for _, v := range all {
			if f.Y.Scale.shows(v) {
				sample = append(sample, min(max(v, -largest), largest))
			}
		}
		if len(sample) == 0 {
			continue
		}
		sum := stats.Summarize(sample)
		x := f.x.at(float64(j))
		reach := 1.5 * (sum.ThirdQuartile - sum.FirstQuartile)
		low, high := sum.FirstQuartile, sum.ThirdQuartile
		for _, v := range sample {
			if v < sum.FirstQuartile-reach || v > sum.ThirdQuartile+reach {
				f.marker(point{x, f.y.at(v)}, style, f.tip(s, j, v))
				continue
			}
			low, high = min(low, v), max(high, v)
		}
		f.whisker(x, f.y.at(low), f.y.at(sum.FirstQuartile), half/2, ink)
		f.whisker(x, f.y.at(sum.ThirdQuartile), f.y.at(high), half/2, ink)
		f.hollow(box{x - half, f.y.at(sum.ThirdQuartile), x + half, f.y.at(sum.FirstQuartile)}, style, f.tip(s, j, sum.Median)+" at the median")
		median := f.y.at(sum.Median)
		f.add(path{lines: line(point{x - half, median}, point{x + half, median}), stroke: ink, width: 3})
	}
}
