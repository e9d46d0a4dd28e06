package plot

import "slices"

const swatch = 22.0 // width of the sample of a style

// legend writes the names of the series in as many rows as they need, from y
// downwards, and returns where it ends.
func (f *frame) legend(y float64) (bottom float64) {
	named := slices.DeleteFunc(f.indexes(), func(i int) bool { return f.Series[i].Name == "" })
	if len(named) == 0 {
		return y
	}
	x := margin
	for _, i := range named {
		name := fit(f.Series[i].Name, tickSize, f.width-2*margin-swatch-gap, false)
		width := swatch + gap/2 + measure(name, tickSize, false)
		if x > margin && x+width > f.width-margin {
			x, y = margin, y+leading*tickSize
		}
		f.sample(i, box{x, y + 3, x + swatch, y + 3 + 0.8*tickSize})
		f.write(text{string: name, at: point{x + swatch + gap/2, y + ascent*tickSize}, size: tickSize, role: ink})
		x += width + 2*gap
	}
	return y + leading*tickSize + gap/2
}

func (f *frame) indexes() []int {
	all := make([]int, len(f.Series))
	for i := range all {
		all[i] = i
	}
	return all
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
	if f.Series[i].Kind != Step {
		f.marker(center, style, "")
	}
}
