package plot

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
)

// fonts are the fonts for browsers; texts keep their width with any of them.
const fonts = `"Go", "Helvetica Neue", Arial, "Liberation Sans", sans-serif`

// CSS is the style sheet of the plots in a page: colours for light and dark screens,
// which a page can override. Printed pages are always light.
var CSS = css()

func css() string {
	var b strings.Builder
	colours := func(selector string, table []string) {
		b.WriteString(selector + "{")
		for i, c := range table {
			if c != "" {
				fmt.Fprintf(&b, "--plot-%s:%s;", names[i], c)
			}
		}
		b.WriteString("}\n")
	}
	colours(":root", light[:])
	b.WriteString("@media screen and (prefers-color-scheme:dark){")
	colours(":root", dark[:])
	b.WriteString("}\n.plot{max-width:100%;height:auto}\n.plot text{font-family:" + fonts + "}\n")
	for i := range names {
		if r := role(i); r != none {
			fmt.Fprintf(&b, ".plot .f%s{fill:var(--plot-%s)}.plot .s%s{stroke:var(--plot-%s)}\n", names[i], names[i], names[i], names[i])
		}
	}
	return b.String()
}

// SVG writes the plot as a complete file with a white background.
func (p *Plot) SVG(w io.Writer) error {
	s := svgWriter{Writer: bufio.NewWriter(w), paint: func(attribute string, r role) string {
		return attribute + `="` + light[r] + `"`
	}}
	s.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	d := p.layout()
	ground := path{lines: rect(box{0, 0, d.width, d.height}), closed: true, fill: paper}
	d.marks = append([]mark{{path: ground}}, d.marks...)
	s.draw(d, ` font-family="`+html.EscapeString(fonts)+`"`)
	return s.Flush()
}

// Inline writes the plot as an element of a page whose style sheets include CSS.
func (p *Plot) Inline(w io.Writer) error {
	s := svgWriter{Writer: bufio.NewWriter(w), paint: func(attribute string, r role) string {
		return attribute[:1] + names[r]
	}, classes: true}
	s.draw(p.layout(), ` class="plot"`)
	return s.Flush()
}

// An svgWriter writes marks. Errors stay in the buffer until it is flushed.
type svgWriter struct {
	*bufio.Writer
	paint   func(attribute string, r role) string
	classes bool // paint returns class names and not attributes
}

func (s svgWriter) draw(d drawing, attributes string) {
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s"%s>`+"\n",
		px(d.width), px(d.height), px(d.width), px(d.height), escape(d.summary), attributes)
	for _, m := range d.marks {
		if m.text.string != "" {
			s.text(m.text)
		}
		if len(m.path.lines) > 0 {
			s.path(m.path)
		}
	}
	s.WriteString("</svg>\n")
}

func (s svgWriter) path(p path) {
	s.WriteString(`<path d="`)
	for _, line := range p.lines {
		for i, at := range line {
			s.WriteString(string("ML"[min(i, 1)]) + px(at.x) + " " + px(at.y))
		}
		if p.closed {
			s.WriteString("Z")
		}
	}
	s.WriteString(`"`)
	var painted []string
	if p.fill != none {
		painted = append(painted, s.paint("fill", p.fill))
	}
	if p.stroke != none {
		painted = append(painted, s.paint("stroke", p.stroke))
	}
	s.painted(painted)
	if p.fill == none {
		s.WriteString(` fill="none"`)
	}
	if p.stroke != none && p.width != 1 {
		fmt.Fprintf(s, ` stroke-width="%s"`, px(p.width))
	}
	if p.dash != nil {
		s.WriteString(` stroke-dasharray="` + strings.Trim(fmt.Sprint(p.dash), "[]") + `"`)
	}
	if p.tip == "" {
		s.WriteString("/>\n")
		return
	}
	s.WriteString("><title>" + escape(p.tip) + "</title></path>\n")
}

func (s svgWriter) text(t text) {
	fmt.Fprintf(s, `<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		px(t.at.x), px(t.at.y), px(t.size), px(measure(t.string, t.size, t.bold)))
	s.painted([]string{s.paint("fill", t.role)})
	if t.anchor != start {
		s.WriteString(` text-anchor="` + [...]string{"start", "middle", "end"}[t.anchor] + `"`)
	}
	if t.bold {
		s.WriteString(` font-weight="bold"`)
	}
	if t.upwards {
		fmt.Fprintf(s, ` transform="rotate(-90 %s %s)"`, px(t.at.x), px(t.at.y))
	}
	s.WriteString(">" + escape(t.string) + "</text>\n")
}

func (s svgWriter) painted(paints []string) {
	if joined := strings.Join(paints, " "); s.classes && joined != "" {
		s.WriteString(` class="` + joined + `"`)
	} else if joined != "" {
		s.WriteString(" " + joined)
	}
}

// px formats a length to a tenth of a pixel.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// escape escapes text for XML, and replaces control characters, which XML forbids.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}
