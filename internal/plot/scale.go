package plot

import "math"

var nan = math.NaN()

// Numbers beyond largest are drawn as largest, and positive ones below smallest as
// smallest, so that differences and ratios stay finite.
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

// shows tells whether a scale of this kind can show a number.
func (k Scale) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (k == Linear || v > 0)
}

// at returns the pixel of a number; numbers outside the range are drawn at the border.
func (s scale) at(v float64) float64 {
	f := (s.along(v) - s.along(s.lo)) / (s.along(s.hi) - s.along(s.lo))
	return s.from + min(max(f, 0), 1)*(s.to-s.from)
}

// along returns the number, or its logarithm on a logarithmic axis.
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

// padded returns a range that is not empty: an empty one becomes 0 to 1 (1 to 10 on a
// logarithmic axis), a single number gets room around it, and a linear axis starts at 0
// unless more than half of it would be empty.
func (e extent) padded(a Axis, bars bool) extent {
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
		if room := max(math.Abs(e.lo), math.Abs(e.hi)); e.hi-e.lo <= 1e-9*room || room == 0 {
			e = extent{e.lo - room/10, e.hi + room/10}
			if room == 0 {
				e.hi = 1
			}
		}
		return e
	}
	if bars || e.hi/e.lo < 1+1e-9 { // so that the lowest bar is visible
		e.lo = max(e.lo/2, smallest)
	}
	if e.hi/e.lo < 1+1e-9 {
		e.hi *= 2
	}
	return e
}
