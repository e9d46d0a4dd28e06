package plot

import (
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Text is measured, and in images drawn, in the Go fonts. An SVG file states the
// measured width of each text, and browsers fit their own font to it.
//
// ascent and descent are the largest extents of the glyphs above and below the baseline,
// leading the distance between baselines, all as shares of the font size.
const (
	ascent  = 0.95
	descent = 0.25
	leading = 1.3
)

// A face is one of the two fonts, safe for concurrent use.
type face struct {
	mu  sync.Mutex
	buf sfnt.Buffer
	*sfnt.Font
	advances map[rune]float64 // cached widths of letters in a font of one pixel
}

var regular, bold = sync.OnceValue(open(goregular.TTF)), sync.OnceValue(open(gobold.TTF))

func open(ttf []byte) func() *face {
	return func() *face {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic("plot: the font that is compiled in cannot be read: " + err.Error())
		}
		return &face{Font: f, advances: map[rune]float64{}}
	}
}

func faceOf(isBold bool) *face {
	if isBold {
		return bold()
	}
	return regular()
}

// measure returns the width of a text in pixels.
func measure(s string, size float64, isBold bool) float64 {
	f := faceOf(isBold)
	f.mu.Lock()
	defer f.mu.Unlock()
	sum := 0.0
	for _, r := range s {
		a, known := f.advances[r]
		if !known {
			a = f.advance(r)
			f.advances[r] = a
		}
		sum += a
	}
	return sum * size
}

// advance returns the width of a letter in a font of one pixel. Letters without a glyph
// are drawn as glyph 0, an empty box.
func (f *face) advance(r rune) float64 {
	g, _ := f.GlyphIndex(&f.buf, r)
	a, err := f.GlyphAdvance(&f.buf, g, fixed.I(metricsSize), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / 64 / metricsSize
}

// metricsSize is the font size in pixels at which glyphs are measured; a large one is
// more precise.
const metricsSize = 1000

// fit shortens a text to a width, with an ellipsis at the end.
func fit(s string, size, width float64, isBold bool) string {
	if measure(s, size, isBold) <= width {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes)-1, func(n int) bool { return measure(string(runes[:n+1])+"…", size, isBold) > width })
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// wrap breaks a text into at most limit lines of a width.
func wrap(s string, size, width float64, isBold bool, limit int) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if last := len(lines) - 1; last >= 0 {
			longer := lines[last] + " " + word
			if len(lines) == limit || measure(longer, size, isBold) <= width {
				lines[last] = longer
				continue
			}
		}
		lines = append(lines, word)
	}
	for i := range lines {
		lines[i] = fit(lines[i], size, width, isBold)
	}
	return lines
}
