// Package plot draws lines, bars, stacked bars, box plots and steps.
//
// A Plot is a description: plain numbers and words. It is drawn in two moves.
// Layout turns it into a drawing, a list of paths and texts in pixels, and knows
// everything about axes, ticks and legends. A backend writes a drawing down and
// knows nothing else: SVG for pages and papers, PNG for everything else. A new
// kind of plot is thus drawn by all backends, and a new backend draws all plots.
//
// What is drawn stays legible for everyone and everywhere. Colours can be told
// apart by the colour-blind, follow the reader's choice of light or dark, and are
// never the only difference: bars have hatchings, lines have dashes and markers.
// Texts are measured with the metrics of a real font, ticks are thinned out until
// they do not touch, and axes carry their units.
package plot

// A Plot is what to draw. Everything but Series may be left out.
type Plot struct {
	Title  string
	Note   string // small print below: a source, a caveat
	X, Y   Axis
	Series []Series

	// Width and Height are in pixels; 0 means DefaultWidth and DefaultHeight. A
	// plot whose legend needs the room becomes higher.
	Width, Height float64
}

// The size of a plot that fits beside another on a screen and alone on a phone.
const (
	DefaultWidth  = 460
	DefaultHeight = 300
)

// An Axis says what its numbers are.
type Axis struct {
	Label string // what is measured: "time", "frontier"
	// Unit of the numbers, without prefix: "s", "B", "TEPS", "edges". A prefix is
	// added to fit the range. Only a number of no unit leaves it empty.
	Unit  string
	Scale Scale
	// Categories, on a horizontal axis, are the names of the places 0, 1, 2 and so
	// on, which bars and boxes stand on. A name may have two lines.
	Categories []string
	// Zero puts 0 on a linear axis even if all data are far from it. Bars always do.
	Zero bool
	// Whole numbers only have ticks: half a search makes no sense.
	Whole bool
}

// A Scale is how an axis is divided.
type Scale uint8

// Values that a logarithmic scale cannot show, zero and less, are left out.
const (
	Linear Scale = iota
	Log10
	Log2
)

// A Kind is how a series is drawn.
type Kind uint8

// The kinds of series, which one plot may mix.
const (
	Line   Kind = iota // points joined by lines
	Points             // markers only
	Step               // a staircase: each value holds until the next
	Bar                // side by side with the bars of other series
	Stack              // on top of the stacks of earlier series
	Box                // quartiles, whiskers and outliers of Samples
)

// A Series is data of one name. NaN is a gap; infinities are taken for gaps too.
type Series struct {
	Name string // in the legend; "" has no place there
	Kind Kind
	X    []float64 // nil: 0, 1, 2 and so on; bars and boxes stand there always
	Y    []float64
	// Low and High, if there are any, are the ends of an error bar at each point.
	Low, High []float64
	// Samples are what the boxes at 0, 1, 2 and so on are made of.
	Samples [][]float64
	// Style fixes the colour, hatching, dash and marker, counted from 1, so that a
	// name looks the same in several plots. 0: by the place among the series.
	Style int
}

// places is how many positions the series takes.
func (s Series) places() int {
	if s.Kind == Box {
		return len(s.Samples)
	}
	return len(s.Y)
}

// x is the horizontal position of the value at i.
func (s Series) x(i int) float64 {
	switch {
	case s.Kind >= Bar || s.X == nil:
		return float64(i)
	case i < len(s.X):
		return s.X[i]
	}
	return nan
}

// banded tells whether the horizontal axis is one of places.
func (p *Plot) banded() bool {
	if p.X.Categories != nil {
		return true
	}
	for _, s := range p.Series {
		if s.Kind >= Bar {
			return true
		}
	}
	return false
}

// style is the look of the series at i.
func (p *Plot) style(i int) int {
	if n := p.Series[i].Style; n > 0 {
		return (n - 1) % styles
	}
	return i % styles
}

func (p *Plot) size() (width, height float64) {
	width, height = p.Width, p.Height
	if !(width > 0) {
		width = DefaultWidth
	}
	if !(height > 0) {
		height = DefaultHeight
	}
	return min(max(width, 220), 10000), min(max(height, 160), 10000)
}
