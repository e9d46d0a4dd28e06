package plot

import (
	"slices"
	"strconv"
	"strings"
)

// axes draws the grid, the ticks with their labels, and the titles of the axes.
func (f *frame) axes() {
	a := f.area
	f.writeY()
	if f.banded() {
		f.writePlaces()
	} else {
		f.writeX()
	}
	f.add(path{lines: line(point{a.left, a.bottom}, point{a.right, a.bottom}), stroke: ink, width: 1})
	f.xRuler.shorten(f.width - 2*margin)
	if t := f.xRuler.title(); t != "" {
		half := measure(t, labelSize, false) / 2
		x := min(max((a.left+a.right)/2, margin+half), f.width-margin-half)
		f.write(text{string: t, at: point{x, a.bottom + f.below - descent*labelSize}, size: labelSize, anchor: middle, role: ink})
	}
	if t := f.yRuler.title(); t != "" {
		f.write(text{
			string: t, at: point{margin + ascent*labelSize, (a.top + a.bottom) / 2},
			size: labelSize, anchor: middle, upwards: true, role: ink,
		})
	}
}

func (f *frame) writeY() {
	a := f.area
	for _, t := range f.yRuler.ticks {
		y := f.y.at(t.value)
		f.add(path{lines: line(point{a.left, y}, point{a.right, y}), stroke: grid, width: 1})
		f.write(text{
			string: t.label, at: point{a.left - tickLength - gap/2, y + (ascent-descent)/2*tickSize - 1},
			size: tickSize, anchor: end, role: faint,
		})
	}
}

func (f *frame) writeX() {
	bottom := f.area.bottom
	for _, t := range f.xRuler.ticks {
		x := f.x.at(t.value)
		f.add(path{lines: line(point{x, bottom}, point{x, bottom + tickLength}), stroke: ink, width: 1})
		half := measure(t.label, tickSize, false) / 2
		x = min(max(x, margin+half), f.width-half)
		f.write(text{string: t.label, at: point{x, bottom + tickLength + gap/2 + ascent*tickSize}, size: tickSize, anchor: middle, role: faint})
	}
}

const swatch = 22.0 // width of the sample of a style

// legend writes the names of the series in as many rows as they need, from y
// downwards, and returns where it ends.
func (f *frame) legend(y float64) (bottom float64) {
	x := margin
	for i, s := range f.Series {
		if s.Name == "" {
			continue
		}
		name := fit(s.Name, tickSize, f.width-2*margin-swatch-gap, false)
		width := swatch + gap/2 + measure(name, tickSize, false)
		if x > margin && x+width > f.width-margin {
			x, y = margin, y+leading*tickSize
		}
		f.sample(i, box{x, y + 3, x + swatch, y + 3 + 0.8*tickSize})
		f.write(text{string: name, at: point{x + swatch + gap/2, y + ascent*tickSize}, size: tickSize, role: ink})
		x += width + 2*gap
	}
	if x == margin { // no series has a name
		return y
	}
	return y + leading*tickSize + gap/2
}

func (f *frame) sample(i int, r box) {
	style := f.style(i)
	switch f.Series[i].Kind {
	case Bar, Stack:
		f.bar(r, style, "")
		return
	case Box:
		f.hollow(r, style, "")
		return
	}
	center := point{(r.left + r.right) / 2, (r.top + r.bottom) / 2}
	if f.Series[i].Kind != Points {
		f.add(path{lines: line(point{r.left, center.y}, point{r.right, center.y}), stroke: ofSeries(style), width: lineWidth, dash: dashes[style]})
	}
	f.marker(center, style, "")
}

// mostLines is the most lines of a name below its place; if one needs more, all names are
// written upwards.
const mostLines = 3

// placeNames returns the names below the places of bars and boxes, as many as the longest
// series needs.
func (p *Plot) placeNames() []string {
	if !p.banded() {
		return nil
	}
	n := len(p.X.Categories)
	for _, s := range p.Series {
		n = max(n, s.places())
	}
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
		if i < len(p.X.Categories) {
			names[i] = p.X.Categories[i]
		}
	}
	return names
}

func (f *frame) slot() float64 { return f.area.width() / float64(max(1, len(f.names))) }

// breakNames makes the names fit below their places, in several lines or else upwards,
// and returns their height. Numbers are not broken: writePlaces leaves some of them out.
func (f *frame) breakNames() (height float64) {
	width := f.slot() - gap
	if f.numbered() {
		width = longest
	}
	f.broken, f.turned = nil, false
	lines := 1
	for _, n := range f.names {
		broken := breakName(n, width)
		f.broken = append(f.broken, broken)
		lines = max(lines, len(broken))
		for _, line := range broken {
			f.turned = f.turned || measure(line, tickSize, false) > width
		}
	}
	if f.turned = f.turned || lines > mostLines; !f.turned {
		return float64(lines) * tickSize * leading
	}
	for i, n := range f.names {
		n = fit(strings.ReplaceAll(n, "\n", " "), tickSize, longest, false)
		f.broken[i] = []string{n}
		height = max(height, measure(n, tickSize, false))
	}
	return height + gap
}

func (f *frame) numbered() bool {
	return !slices.ContainsFunc(f.names, func(name string) bool {
		_, err := strconv.ParseFloat(name, 64)
		return err != nil
	})
}

// breakName breaks a name into lines after spaces and punctuation.
func breakName(name string, width float64) []string {
	var lines []string
	for _, whole := range strings.Split(name, "\n") {
		line := ""
		for len(whole) > 0 {
			n := strings.IndexAny(whole, " ,:/") + 1
			if n == 0 {
				n = len(whole)
			}
			if line != "" && measure(strings.TrimRight(line+whole[:n], " "), tickSize, false) > width {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
			}
			line, whole = line+whole[:n], whole[n:]
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// writePlaces writes the names of the places, or of every n-th place if there is no room
// for all.
func (f *frame) writePlaces() {
	room := gap
	for _, lines := range f.broken {
		for _, line := range lines {
			room = max(room, measure(line, tickSize, false)+gap)
		}
	}
	if f.turned {
		room = tickSize * leading
	}
	every := 1
	for float64(every)*f.slot() < room && every < len(f.names) {
		every++
	}
	y := f.area.bottom + tickLength + gap/2
	for i := 0; i < len(f.names); i += every {
		x := f.x.at(float64(i))
		for j, line := range f.broken[i] {
			t := text{string: line, size: tickSize, anchor: middle, role: faint}
			t.at = point{x, y + (float64(j)*leading+ascent)*tickSize}
			if f.turned {
				t.at, t.anchor, t.upwards = point{x + (ascent-descent)/2*tickSize, y}, end, true
			}
			f.write(t)
		}
	}
}
