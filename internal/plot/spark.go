package plot

import (
	"math"
	"strings"
)

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
