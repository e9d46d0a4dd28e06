package plot

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
