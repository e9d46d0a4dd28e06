package plot

import (
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG writes the plot as an image of density pixels for each of the plot's: 1
// for a screen, 3 for print.
func (p *Plot) PNG(w io.Writer, density float64) error {
	return png.Encode(w, p.layout().image(min(max(density, 0.1), 8)))
}

// image draws everything, lines and letters too, as filled outlines, so that one
// rasteriser suffices.
func (d drawing) image(density float64) *image.RGBA {
	bounds := image.Rect(0, 0, int(math.Ceil(d.width*density)), int(math.Ceil(d.height*density)))
	img := image.NewRGBA(bounds)
	draw.Draw(img, bounds, image.NewUniform(rgb(light[paper])), image.Point{}, draw.Src)
	b := &brush{img: img, density: density, ras: vector.NewRasterizer(0, 0)}
	for _, m := range d.marks {
		if m.path.fill != none {
			b.fill(m.path.lines, m.path.fill)
		}
		if m.path.stroke != none {
			b.stroke(m.path)
		}
		if m.text.string != "" {
			b.letters(m.text)
		}
	}
	return img
}

// A brush fills outlines, given in pixels of the plot. It rasterises only part of the
// image at a time, since most marks are small.
type brush struct {
	img     *image.RGBA
	ras     *vector.Rasterizer
	part    image.Rectangle
	density float64
}

func (b *brush) fill(outlines [][]point, of role) {
	room := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, o := range outlines {
		for _, p := range o {
			room = box{min(room.left, p.x), min(room.top, p.y), max(room.right, p.x), max(room.bottom, p.y)}
		}
	}
	b.begin(room)
	for _, o := range outlines {
		for i, p := range o {
			x, y := b.at(p)
			if i == 0 {
				b.ras.MoveTo(x, y)
			} else {
				b.ras.LineTo(x, y)
			}
		}
		b.ras.ClosePath()
	}
	b.paint(of)
}

// begin prepares the rasteriser for outlines within a box.
func (b *brush) begin(room box) {
	b.part = image.Rect(
		int(math.Floor(room.left*b.density))-1, int(math.Floor(room.top*b.density))-1,
		int(math.Ceil(room.right*b.density))+1, int(math.Ceil(room.bottom*b.density))+1,
	).Intersect(b.img.Bounds())
	b.ras.Reset(b.part.Dx(), b.part.Dy())
}

func (b *brush) at(p point) (x, y float32) {
	return float32(p.x*b.density - float64(b.part.Min.X)), float32(p.y*b.density - float64(b.part.Min.Y))
}

func (b *brush) paint(of role) {
	b.ras.Draw(b.img, b.part, image.NewUniform(rgb(light[of])), image.Point{})
}

// stroke fills a rectangle along each piece of line, and a disc at each corner.
// They are filled one by one: filled together, outlines of opposite orientation would
// leave holes where they overlap.
func (b *brush) stroke(p path) {
	for _, line := range p.lines {
		if p.closed && len(line) > 0 {
			line = append(line[:len(line):len(line)], line[0])
		}
		for _, piece := range dashed(line, p.dash) {
			b.polyline(piece, p.width/2, p.stroke)
		}
	}
}

func (b *brush) polyline(line []point, half float64, of role) {
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		if length == 0 {
			continue
		}
		nx, ny := -(to.y-from.y)/length*half, (to.x-from.x)/length*half
		b.fill([][]point{{{from.x + nx, from.y + ny}, {to.x + nx, to.y + ny}, {to.x - nx, to.y - ny}, {from.x - nx, from.y - ny}}}, of)
		if i+1 < len(line) && half > 0.6 {
			b.fill([][]point{polygon(to, half, 12, 0)}, of)
		}
	}
}

func dashed(line []point, dash []float64) [][]point {
	if dash == nil || len(line) < 2 {
		return [][]point{line}
	}
	var pieces [][]point
	which, left := 0, dash[0]
	piece := []point{line[0]}
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		for {
			length := math.Hypot(to.x-from.x, to.y-from.y)
			if length <= left {
				left -= length
				break
			}
			from = point{from.x + (to.x-from.x)*left/length, from.y + (to.y-from.y)*left/length}
			if which%2 == 0 {
				pieces = append(pieces, append(piece, from))
			}
			piece = []point{from}
			which++
			left = dash[which%len(dash)]
		}
		piece = append(piece, to)
	}
	if which%2 == 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}

func (b *brush) letters(t text) {
	f := faceOf(t.bold)
	pen := t.at
	switch width := measure(t.string, t.size, t.bold); {
	case t.anchor == start:
	case t.upwards:
		pen.y += width * float64(t.anchor) / 2
	default:
		pen.x -= width * float64(t.anchor) / 2
	}
	b.begin(t.bounds())
	for _, r := range t.string {
		b.glyph(f, r, t, pen)
		advance := measure(string(r), t.size, t.bold)
		if t.upwards {
			pen.y -= advance
		} else {
			pen.x += advance
		}
	}
	b.paint(t.role)
}

func (b *brush) glyph(f *face, r rune, t text, pen point) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g, _ := f.GlyphIndex(&f.buf, r)
	segments, err := f.LoadGlyph(&f.buf, g, fixed.I(metricsSize), nil)
	if err != nil {
		return
	}
	at := func(p fixed.Point26_6) (x, y float32) {
		dx, dy := float64(p.X)/64*t.size/metricsSize, float64(p.Y)/64*t.size/metricsSize
		if t.upwards {
			dx, dy = dy, -dx
		}
		return b.at(point{pen.x + dx, pen.y + dy})
	}
	for _, s := range segments {
		x, y := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			b.ras.ClosePath()
			b.ras.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			b.ras.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := at(s.Args[1])
			b.ras.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := at(s.Args[1])
			x2, y2 := at(s.Args[2])
			b.ras.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	b.ras.ClosePath()
}
