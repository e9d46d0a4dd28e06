package plot

import "math"

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
		for _, sample := range s.Samples {
			for _, v := range sample {
				e.add(k, v)
			}
		}
		for j, v := range s.Y {
			if s.Kind == Stack {
				_, v = f.stacked(i, j)
			}
			e.add(k, v)
		}
		for _, ends := range [][]float64{s.Low, s.High} {
			for _, v := range ends {
				e.add(k, v)
			}
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
	draw := [...]func(i int){Line: f.lines, Points: f.lines, Step: f.lines, Bar: f.bars, Stack: f.stacks, Box: f.boxes}
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
		last := &runs[len(runs)-1]
		if s.Kind == Step && joined {
			*last = append(*last, point{p.x, (*last)[len(*last)-1].y})
		}
		*last = append(*last, p)
		joined = true
	}
	if s.Kind != Points {
		f.add(path{lines: runs, stroke: ofSeries(style), width: lineWidth, dash: dashes[style]})
	}
	f.errorBars(s, style)
	if s.Kind == Step || len(s.Y) > maxMarkers && s.Kind == Line {
		return
	}
	for j, v := range s.Y {
		if p, ok := f.place(s, j); ok {
			f.marker(p, style, f.tip(s, j, v))
		}
	}
}

// place returns the point of the value at j, if it can be shown.
func (f *frame) place(s Series, j int) (point, bool) {
	x, v := s.x(j), s.Y[j]
	if !f.x.kind.shows(x) || !f.Y.Scale.shows(v) {
		return point{}, false
	}
	return point{f.x.at(x), f.y.at(v)}, true
}

func (f *frame) errorBars(s Series, style int) {
	for j := range min(len(s.Y), len(s.Low), len(s.High)) {
		p, ok := f.place(s, j)
		if ok && f.Y.Scale.shows(s.Low[j]) && f.Y.Scale.shows(s.High[j]) {
			f.whisker(p.x, f.y.at(s.Low[j]), f.y.at(s.High[j]), 4, ofSeries(style))
		}
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

// tip returns the tooltip of a value.
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
