package plot

import (
	"strconv"
	"strings"
)

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

// slot returns the width of a place.
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
	for _, n := range f.names {
		if _, err := strconv.ParseFloat(n, 64); err != nil {
			return false
		}
	}
	return true
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
