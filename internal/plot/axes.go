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

// sample shows the style of a series.
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
