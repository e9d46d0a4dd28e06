package plot

import (
	"math"
	"strconv"
	"strings"
)

// A tick is a number on an axis and its label.
type tick struct {
	value float64
	label string
}

// A ruler is an axis that is ready to be drawn: its range reaches to the outermost ticks.
type ruler struct {
	extent
	ticks []tick
	label string
	unit  string // with its prefix
	kind  Scale
}

// rule returns the densest ticks whose labels fit. It calls fits with candidates from many
// ticks to few; one tick always fits.
func rule(a Axis, e extent, grow bool, fits func(extent, []tick) bool) ruler {
	generate := linearTicks
	if a.Scale != Linear {
		generate = logTicks
	}
	for coarse := 0; ; coarse++ {
		r := generate(a, e, grow, coarse)
		if len(r.ticks) <= 1 || fits(r.extent, r.ticks) || coarse > maxCoarse {
			r.kind = a.Scale
			return r
		}
	}
}

// maxCoarse ends the search for ticks that fit: the step is then 10²⁰ times the first.
const maxCoarse = 60

// linearTicks returns ticks at multiples of 1, 2 or 5 times a power of ten of the prefixed
// unit, so that binary prefixes have round numbers too. Each further coarseness takes the
// next of these steps.
func linearTicks(a Axis, e extent, grow bool, coarse int) ruler {
	const finest = 12 // no plot needs more ticks
	p := prefixFor(max(math.Abs(e.lo), math.Abs(e.hi)), a.Unit)
	lo, hi := e.lo/p.factor, e.hi/p.factor
	power := int(math.Floor(math.Log10((hi - lo) / finest)))
	multiples := [...]float64{1, 2, 5}
	if a.Whole {
		power = max(power, 0)
	}
	step := multiples[coarse%3] * math.Pow(10, float64(power+coarse/3))
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	if grow {
		first, last = math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
		e = extent{first * step * p.factor, last * step * p.factor}
	}
	r := ruler{extent: e, label: a.Label, unit: p.with(a.Unit)}
	for i := first; i <= last && len(r.ticks) < 1000; i++ {
		r.ticks = append(r.ticks, tick{i * step * p.factor, rounded(i*step, step)})
	}
	return r
}

// rounded formats a multiple of step with as many decimals as step has.
func rounded(v, step float64) string {
	if v == 0 {
		return "0"
	}
	if math.Abs(v) >= 1e6 || step < 1e-4 {
		return digits(v, max(1, min(15, int(math.Ceil(math.Log10(math.Abs(v)/step)))+1)))
	}
	return strconv.FormatFloat(v, 'f', max(0, int(math.Ceil(-math.Log10(step)-1e-9))), 64)
}

// logTicks returns ticks at powers of the base, in a short range also at 2 and 5 times
// these. Each further coarseness leaves out more of them. Bytes have powers of two on any
// axis: 10⁹ bytes would read 953.7 MiB.
func logTicks(a Axis, e extent, grow bool, coarse int) ruler {
	base, multiples := 10.0, []float64{1, 2, 5}
	if a.Scale == Log2 || a.Unit == "B" {
		base, multiples = 2, []float64{1}
	}
	every := 1
	if base == 2 || coarse > 0 || e.hi/e.lo > 100 {
		multiples = multiples[:1]
		every = 1 << max(0, coarse-1)
	}
	log := func(v float64) float64 { return math.Log(v) / math.Log(base) }
	first, last := math.Floor(log(e.lo)+1e-9), math.Ceil(log(e.hi)-1e-9)
	if grow {
		e = extent{max(smallest, below(e.lo, base)), min(largest, base/below(base/e.hi, base))}
	}
	r := ruler{extent: e, label: a.Label, unit: a.Unit}
	for i := first; i <= last; i += float64(every) {
		for _, m := range multiples {
			v := m * math.Pow(base, i)
			if v >= e.lo*(1-1e-9) && v <= e.hi*(1+1e-9) {
				r.ticks = append(r.ticks, tick{v, short(v, a.Unit)})
			}
		}
	}
	return r
}

// below returns the largest number up to v that is 1, 2 or 5 times a power of ten, or a
// power of two.
func below(v, base float64) float64 {
	v *= 1 + 1e-9
	power := math.Pow(base, math.Floor(math.Log(v)/math.Log(base)))
	for _, m := range []float64{5, 2} {
		if base > m && v >= m*power {
			return m * power
		}
	}
	return power
}

// short returns the label of a tick of a logarithmic axis: each tick has its own prefix;
// the unit is in the title, except for seconds and bytes.
func short(v float64, unit string) string {
	p := prefixFor(v, unit)
	name := p.symbol
	if unit == "s" || unit == "B" {
		name = p.with(unit)
	}
	return strings.TrimRight(digits(v/p.factor, 4)+" "+name, " ")
}

// title returns the title of the axis: "time (ms)", or "k edges" for counts.
func (r ruler) title() string {
	note := ""
	if r.kind != Linear {
		note = "logarithmic"
	}
	switch {
	case r.unit == "" && (note == "" || r.label == ""):
		return r.label + note
	case r.unit == "":
		return r.label + " (" + note + ")"
	case strings.HasSuffix(r.unit, r.label) && note == "": // also if the label is empty
		return r.unit
	case strings.HasSuffix(r.unit, r.label):
		return r.unit + " (" + note + ")"
	case note == "":
		return r.label + " (" + r.unit + ")"
	}
	return r.label + " (" + r.unit + ", " + note + ")"
}

// shorten shortens the title to a width, the label before the unit.
func (r *ruler) shorten(width float64) {
	if rest := width - measure(r.title(), labelSize, false); rest < 0 && r.label != "" {
		r.label = fit(r.label, labelSize, measure(r.label, labelSize, false)+rest, false)
	}
	rest := width - measure(r.title(), labelSize, false) + measure(r.unit, labelSize, false)
	r.unit = fit(r.unit, labelSize, max(0, rest), false)
}
