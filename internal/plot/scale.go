package plot

import "math"

var nan = math.NaN()

// Numbers beyond largest, and positive ones below smallest, are drawn as these,
// so that differences and ratios stay finite.
const (
	largest  = 1e300
	smallest = 1e-300
)

// A scale maps numbers between lo and hi to pixels between from and to.
type scale struct {
	kind     Scale
	lo, hi   float64
	from, to float64
}

// shows tells whether a number has a place on a scale of this kind.
func (k Scale) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (k == Linear || v > 0)
}

// at is the pixel of a number; what lies outside is drawn at the border.
func (s scale) at(v float64) float64 {
	f := (s.along(v) - s.along(s.lo)) / (s.along(s.hi) - s.along(s.lo))
	return s.from + min(max(f, 0), 1)*(s.to-s.from)
}

// along is the number as the axis counts it.
func (s scale) along(v float64) float64 {
	if s.kind == Linear {
		return min(max(v, -largest), largest)
	}
	return math.Log10(min(max(v, smallest), largest))
}

// An extent is the range of some numbers; empty if lo > hi.
type extent struct{ lo, hi float64 }

func nothing() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(k Scale, v float64) {
	if !k.shows(v) {
		return
	}
	v = min(max(v, -largest), largest)
	if k != Linear {
		v = max(v, smallest)
	}
	e.lo, e.hi = min(e.lo, v), max(e.hi, v)
}

// widen makes a range that is not empty: no number becomes 0 to 1, one number gets
// room around it or below it, and a linear axis starts at 0 unless that wastes half
// of it.
func (e extent) widen(a Axis, bars bool) extent {
	logarithmic := a.Scale != Linear
	if e.lo > e.hi {
		e = extent{0, 1}
		if logarithmic {
			e = extent{1, 10}
		}
	}
	if !logarithmic {
		if bars || a.Zero || e.lo > 0 && e.lo < e.hi/2 {
			e.lo, e.hi = min(e.lo, 0), max(e.hi, 0)
		}
		if room := max(math.Abs(e.lo), math.Abs(e.hi)); e.hi-e.lo <= 1e-9*room || room < smallest {
			e = extent{e.lo - room/10, e.hi + room/10}
			if room < smallest {
				e.hi = 1
			}
		}
		return e
	}
	if bars || e.hi/e.lo < 1+1e-9 { // the lowest bar is to be seen too
		e.lo = max(e.lo/2, smallest)
	}
	if e.hi/e.lo < 1+1e-9 {
		e.hi *= 2
	}
	return e
}
