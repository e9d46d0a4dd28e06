package plot

// A drawing is a plot in pixels, origin at the top left.
type drawing struct {
	width, height float64
	summary       string // description for screen readers
	marks         []mark // in the order in which they are drawn
}

// A mark is a path or a text.
type mark struct {
	path path
	text text // drawn if it is not empty
}

// A path is one or several strings of points.
type path struct {
	lines  [][]point
	closed bool
	fill   role // none: not filled
	stroke role // none: no line
	width  float64
	dash   []float64 // lengths of dash and gap, alternating
	tip    string    // tooltip
}

// A text is a line of text; at is a point of its baseline.
type text struct {
	string
	at      point
	size    float64
	bold    bool
	anchor  anchor
	upwards bool // rotated by 90° to the left around at
	role    role
}

type point struct{ x, y float64 }

// An anchor says which part of a text is at its point, in halves of its width.
type anchor uint8

const (
	start anchor = iota
	middle
	end
)

func (d *drawing) add(p path)   { d.marks = append(d.marks, mark{path: p}) }
func (d *drawing) write(t text) { d.marks = append(d.marks, mark{text: t}) }

func line(a, b point) [][]point { return [][]point{{a, b}} }

// A box is a rectangle with its sides along the axes.
type box struct{ left, top, right, bottom float64 }

func (r box) width() float64 { return r.right - r.left }

func rect(r box) [][]point {
	return [][]point{{{r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}}}
}

func (t text) bounds() box {
	w := measure(t.string, t.size, t.bold)
	before := w * float64(t.anchor) / 2
	up, down := ascent*t.size, descent*t.size
	if t.upwards {
		return box{t.at.x - up, t.at.y - w + before, t.at.x + down, t.at.y + before}
	}
	return box{t.at.x - before, t.at.y - up, t.at.x - before + w, t.at.y + down}
}
