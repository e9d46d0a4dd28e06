package plot

import (
	"math"
	"strings"
)

// Spark returns a plot in one line of text for a terminal: one block character for each
// value. Values that the scale cannot show are blanks. A linear scale starts at 0.
func Spark(values []float64, kind Scale) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	e := nothing()
	for _, v := range values {
		e.add(kind, v)
	}
	e = e.padded(Axis{Scale: kind, Zero: true}, false)
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
