// Package plot draws lines, bars, stacked bars and box plots.
//
// A Plot is a description: plain numbers and words. It is drawn in two steps. Layout
// makes a drawing of it, a list of paths and texts in pixels, and handles axes, ticks
// and legends. A backend writes a drawing to a file: SVG for pages and papers, PNG for
// everything else. So all backends draw a new kind of plot, and a new backend draws all
// plots.
//
// Plots are legible for all readers. Colours can be told apart by the colour-blind,
// follow the reader's choice of light or dark, and are never the only difference: bars
// have hatchings, lines have dashes and markers. Texts are measured with the metrics of
// a real font, ticks are thinned out until they do not touch, and axes have units.
package plot

import "slices"

// A Plot describes a plot. Only Series is required.
type Plot struct {
	Title  string
	Note   string // note below the plot: a source, a caveat
	X, Y   Axis
	Series []Series
}

// The size of a plot in pixels: two plots fit side by side on a screen, one on a phone. A
// plot with a large legend becomes higher.
const (
	plotWidth  = 460.0
	plotHeight = 300.0
)

// An Axis describes one axis.
type Axis struct {
	Label string // what is measured: "time", "frontier"
	// Unit of the numbers, without prefix: "s", "B", "TEPS", "edges". A prefix is
	// added to fit the range. Empty for numbers without a unit.
	Unit  string
	Scale Scale
	// Categories, on a horizontal axis, are the names of the places 0, 1, 2 and so
	// on, at which bars and boxes are drawn. A name may have two lines.
	Categories []string
	// Zero puts 0 on a linear axis even if all data are far from it. Bars always do.
	Zero bool
	// Whole puts ticks at whole numbers only: half a search makes no sense.
	Whole bool
}

// A Scale says how an axis maps numbers to lengths.
type Scale uint8

// The scales. A logarithmic one leaves out zero and negative values.
const (
	Linear Scale = iota
	Log10
	Log2
)

// A Kind says how a series is drawn.
type Kind uint8

// The kinds of series, which one plot may mix.
const (
	Line   Kind = iota // points joined by lines
	Points             // markers only
	Bar                // side by side with the bars of other series
	Stack              // on top of the stacks of earlier series
	Box                // quartiles, whiskers and outliers of Samples
)

// A Series is data with one name. NaN and infinities are gaps.
type Series struct {
	Name string // name in the legend; "" is left out there
	Kind Kind
	X    []float64 // nil: 0, 1, 2 and so on, as bars and boxes always have
	Y    []float64
	// Low and High, if not empty, are the ends of an error bar at each point.
	Low, High []float64
	// Samples are the data of the boxes at 0, 1, 2 and so on.
	Samples [][]float64
	// Style fixes the colour, hatching, dash and marker, counted from 1, so that a
	// name looks the same in several plots. 0: by the index of the series.
	Style int
}

func (s Series) places() int {
	if s.Kind == Box {
		return len(s.Samples)
	}
	return len(s.Y)
}

func (s Series) x(i int) float64 {
	switch {
	case s.Kind >= Bar || s.X == nil:
		return float64(i)
	case i < len(s.X):
		return s.X[i]
	}
	return nan
}

// banded tells whether the horizontal axis has places and not numbers.
func (p *Plot) banded() bool {
	return p.X.Categories != nil || slices.ContainsFunc(p.Series, func(s Series) bool { return s.Kind >= Bar })
}

func (p *Plot) style(i int) int {
	if n := p.Series[i].Style; n > 0 {
		return (n - 1) % styles
	}
	return i % styles
}
