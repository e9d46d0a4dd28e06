package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gohops/hops/stats"
)

// Text returns the plot for a terminal: a sparkline for each series and the range of its
// values. A box is shown as minimum, quartiles and maximum.
func (p *Plot) Text() string {
	var rows [][2]string
	width := 0
	add := func(name, value string) {
		name = OneLine(name)
		width = max(width, utf8.RuneCountInString(name))
		rows = append(rows, [2]string{name, value})
	}
	for _, s := range p.Series {
		if s.Kind == Box {
			names := p.placeNames()
			for i, sample := range s.Samples {
				add(names[i], fiveNumbers(sample, p.Y.Unit))
			}
			continue
		}
		if ends := p.ends(s.Y); ends != "" {
			add(s.Name, Spark(s.Y, p.Y.Scale)+"  "+ends)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s by %s\n", OneLine(p.Title), OneLine(ruler{label: p.Y.Label, unit: p.Y.Unit}.title()), OneLine(ruler{label: p.X.Label, unit: p.X.Unit}.title()))
	for _, r := range rows {
		if width > 0 {
			fmt.Fprintf(&b, "  %-*s", width, r[0])
		}
		b.WriteString("  " + r[1] + "\n")
	}
	return b.String()
}

func (p *Plot) ends(values []float64) string {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !p.Y.Scale.shows(v) })
	if len(values) == 0 {
		return ""
	}
	lo, hi := Value(slices.Min(values), p.Y.Unit), Value(slices.Max(values), p.Y.Unit)
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}

func fiveNumbers(sample []float64, unit string) string {
	if len(sample) == 0 {
		return "none"
	}
	s := stats.Summarize(sample)
	return fmt.Sprintf("%s ├ %s ┃ %s ┃ %s ┤ %s", Value(s.Min, unit), Value(s.FirstQuartile, unit), Value(s.Median, unit),
		Value(s.ThirdQuartile, unit), Value(s.Max, unit))
}

// OneLine returns a text without line breaks and other control characters, which a
// terminal would obey.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, s)
}

// Spark is a plot of one line of text for a terminal: a column for each value
// from the lowest bar to the highest. What the scale cannot show is a blank. A
// linear one starts at 0.
func Spark(values []float64, kind Scale) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	e := nothing()
	for _, v := range values {
		e.add(kind, v)
	}
	e = e.widen(Axis{Scale: kind, Zero: true}, false)
	s := scale{kind, e.lo, e.hi, 0, float64(len(bars) - 1)}
	var b strings.Builder
	for _, v := range values {
		if !kind.shows(v) {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(bars[int(math.Round(s.at(v)))])
	}
	return b.String()
}
