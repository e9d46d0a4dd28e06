package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// A prefix is a power of ten or of two before a unit.
type prefix struct {
	factor float64
	symbol string
}

var (
	whole   = prefix{1, ""}
	decimal = []prefix{whole, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}, {1e18, "E"}}
	parts   = []prefix{{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}}
	binary  = []prefix{whole, {1 << 10, "Ki"}, {1 << 20, "Mi"}, {1 << 30, "Gi"}, {1 << 40, "Ti"}, {1 << 50, "Pi"}, {1 << 60, "Ei"}}
)

// prefixes returns the prefixes of a unit, from small to large. Counts have none below 1,
// seconds none above. Bytes have binary prefixes, rates of networks decimal ones.
func prefixes(unit string) []prefix {
	switch {
	case unit == "B":
		return binary
	case unit == "B/s":
		return decimal
	case unit == "s":
		return slices.Concat(parts, []prefix{whole})
	case unit == "%" || unit == "×" || strings.HasPrefix(unit, "log"):
		return []prefix{whole}
	case symbol(unit) && unit != "TEPS":
		return slices.Concat(parts, decimal)
	}
	return decimal
}

// symbol tells whether a unit is a symbol, like W, which is written together with its
// prefix, and not a word, like edges.
func symbol(unit string) bool {
	first, _ := utf8.DecodeRuneInString(unit)
	return unit == "s" || unicode.IsUpper(first)
}

// prefixFor returns the prefix with which a number has one to three digits before the
// point, if there is one.
func prefixFor(v float64, unit string) prefix {
	all := prefixes(unit)
	best := all[0]
	if v = math.Abs(v); v == 0 {
		return whole
	}
	for _, p := range all {
		if p.factor <= v*(1+1e-12) {
			best = p
		}
	}
	return best
}

// with joins prefix and unit: "ms", "M edges", "GiB".
func (p prefix) with(unit string) string {
	if p.symbol == "" || unit == "" || symbol(unit) {
		return p.symbol + unit
	}
	return p.symbol + " " + unit
}

// Value formats a number with its unit: "1.23 ms", "16.8 M edges".
func Value(v float64, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "none"
	}
	p := prefixFor(v, unit)
	return strings.TrimRight(threeDigits(v/p.factor)+" "+p.with(unit), " ")
}

// threeDigits formats three significant digits, so that numbers in a column have equal
// precision: 2.20, 56.0, 412. Integers have no point.
func threeDigits(v float64) string {
	if a := math.Abs(v); v == math.Trunc(v) || a >= 999.5 || a < 1e-4 {
		return digits(v, 3)
	}
	_, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
	n, _ := strconv.Atoi(power)
	return strconv.FormatFloat(v, 'f', max(0, 2-n), 64)
}

// digits formats a number with n significant digits, integers without a point.
func digits(v float64, n int) string {
	if a := math.Abs(v); a >= 1e6 || a > 0 && a < 1e-4 {
		return strings.Replace(strconv.FormatFloat(v, 'g', n, 64), "e+", "e", 1)
	}
	if math.Abs(v) >= math.Pow(10, float64(n-1)) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', n, 64)
}
