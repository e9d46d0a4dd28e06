package plot

import (
	"image/color"
	"math"
	"strconv"
)

// A hatching is a set of parallel lines over a bar: their direction and the distance
// between them in pixels.
type hatching struct{ dx, dy, every float64 }

// hatchings are the hatchings of each style; the first has none.
var hatchings = [styles][]hatching{
	nil,
	{{1, 1, 7}},
	{{1, -1, 7}},
	{{1, 0, 6}},
	{{1, 1, 7}, {1, -1, 7}},
	{{0, 1, 6}},
	{{1, 0, 6}, {0, 1, 6}},
}

// bar draws a filled rectangle in a style. Its border is drawn last; of a bar without
// height only the border is visible.
func (f *frame) bar(r box, style int, tip string) {
	f.rectangle(r, style, ofSeries(style), paper, 1, tip)
}

// hollow draws a rectangle in a style that is filled with the background.
func (f *frame) hollow(r box, style int, tip string) {
	f.rectangle(r, style, paper, ofSeries(style), 2, tip)
}

func (f *frame) rectangle(r box, style int, fill, hatch role, border float64, tip string) {
	f.add(path{lines: rect(r), closed: true, fill: fill, tip: tip})
	var lines [][]point
	for _, h := range hatchings[style] {
		lines = append(lines, h.within(r)...)
	}
	if len(lines) > 0 {
		f.add(path{lines: lines, stroke: hatch, width: 1.4, tip: tip})
	}
	f.add(path{lines: rect(r), closed: true, stroke: ofSeries(style), width: border, tip: tip})
}

// within returns the lines of a hatching in a rectangle. They are aligned to the canvas,
// so that neighbouring bars of a style match.
func (h hatching) within(r box) [][]point {
	nx, ny := -h.dy, h.dx // across the lines
	norm := math.Hypot(nx, ny)
	nx, ny = nx/norm, ny/norm
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range rect(r)[0] {
		d := c.x*nx + c.y*ny
		lo, hi = min(lo, d), max(hi, d)
	}
	var lines [][]point
	for k := math.Ceil(lo / h.every); k*h.every < hi; k++ {
		foot := point{nx * k * h.every, ny * k * h.every}
		if a, b, ok := clip(foot, h.dx, h.dy, r); ok {
			lines = append(lines, []point{a, b})
		}
	}
	return lines
}

// clip returns the part of a line through p that lies in a rectangle.
func clip(p point, dx, dy float64, r box) (a, b point, ok bool) {
	from, to := math.Inf(-1), math.Inf(1)
	for _, side := range [2][4]float64{{p.x, dx, r.left, r.right}, {p.y, dy, r.top, r.bottom}} {
		at, d, lo, hi := side[0], side[1], side[2], side[3]
		if d == 0 {
			if at < lo || at > hi {
				return a, b, false
			}
			continue
		}
		enter, leave := (lo-at)/d, (hi-at)/d
		from, to = max(from, min(enter, leave)), min(to, max(enter, leave))
	}
	if to-from < 1e-9 {
		return a, b, false
	}
	return point{p.x + from*dx, p.y + from*dy}, point{p.x + to*dx, p.y + to*dy}, true
}

// markers are the polygons of each style: the number of corners, the angle of the first
// corner as a share of a full rotation, and the size. All have about the same area.
var markers = [styles]struct {
	corners int
	angle   float64
	size    float64
	hollow  bool
}{
	{16, 0, 1, false},
	{4, 0.125, 1.2, false},
	{3, 0.25, 1.35, false},
	{4, 0, 1.3, true},
	{16, 0, 1.05, true},
	{3, 0.75, 1.35, true},
	{4, 0.125, 1.2, true},
}

func (f *frame) marker(p point, style int, tip string) {
	m := markers[style]
	fill := ofSeries(style)
	if m.hollow {
		fill = paper
	}
	f.add(path{lines: [][]point{polygon(p, m.size*radius, m.corners, m.angle)}, closed: true, fill: fill, stroke: ofSeries(style), width: 1.5, tip: tip})
}

// polygon returns the corners of a regular polygon. angle is that of the first corner as
// a share of a full rotation.
func polygon(center point, r float64, corners int, angle float64) []point {
	p := make([]point, corners)
	for i := range p {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i)/float64(corners) - angle))
		p[i] = point{center.x + r*cos, center.y + r*sin}
	}
	return p
}

// A role is what a colour is for. Backends choose the colour.
type role uint8

const (
	none  role = iota
	ink        // titles and axes
	faint      // labels of ticks, notes
	grid       // lines behind the data
	paper      // background
	first      // the first series; the others follow
)

// styles is the number of different styles of series.
const styles = 7

// names are the names of the roles in style sheets.
var names = [...]string{"none", "ink", "faint", "grid", "paper", "1", "2", "3", "4", "5", "6", "7"}

// The colours of series are those of Okabe and Ito, which people with any of
// the common kinds of colour blindness can tell apart; grey replaces yellow, which is
// hard to see on white. On a dark background they are lighter.
var (
	light = [...]string{"", "#1b1f24", "#57606a", "#d8dee4", "#ffffff", "#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#6e7781"}
	dark  = [...]string{"", "#e6edf3", "#9aa4af", "#30363d", "#0d1117", "#4aa8e0", "#f0803c", "#2fc79c", "#f0b73a", "#8ccdf4", "#e29dc3", "#a0a8b2"}
)

// dashes are the dashes of each style; the first is a solid line.
var dashes = [styles][]float64{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}, {4, 4}, {12, 4}, {2, 2, 6, 2}}

func ofSeries(style int) role { return first + role(style) }

func rgb(hex string) color.RGBA {
	v, _ := strconv.ParseUint(hex[1:], 16, 32)
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}
