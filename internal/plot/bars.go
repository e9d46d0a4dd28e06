package plot

import (
	"math"

	"github.com/gohops/hops/stats"
)

// filled is the share of the width of a place that bars cover.
const filled = 0.76

// bars draws a series beside the other series of bars.
func (f *frame) bars(i int) {
	count, mine := 0, 0
	for j, s := range f.Series {
		if j == i {
			mine = count
		}
		if s.Kind == Bar {
			count++
		}
	}
	width := f.slot() * filled / float64(count)
	s := f.Series[i]
	for j, v := range s.Y {
		if !f.Y.Scale.shows(v) {
			continue
		}
		left := f.x.at(float64(j)) - f.slot()*filled/2 + float64(mine)*width
		base := f.y.at(max(0, f.yRuler.lo))
		top := f.y.at(v)
		f.bar(box{left, min(base, top), left + width*0.94, max(base, top)}, f.style(i), f.tip(s, j, v))
		if j < min(len(s.Low), len(s.High)) && f.Y.Scale.shows(s.Low[j]) && f.Y.Scale.shows(s.High[j]) {
			f.whisker(left+width*0.47, f.y.at(s.Low[j]), f.y.at(s.High[j]), min(4, width/3), ink)
		}
	}
}

// stacks draws a series on top of the earlier ones.
func (f *frame) stacks(i int) {
	half := min(f.slot()*filled, 60) / 2
	s := f.Series[i]
	for j, v := range s.Y {
		from, to := f.stacked(i, j)
		if math.IsNaN(to) || to <= from {
			continue
		}
		x := f.x.at(float64(j))
		f.bar(box{x - half, f.y.at(to), x + half, f.y.at(max(from, f.yRuler.lo))}, f.style(i), f.tip(s, j, v))
	}
}

// boxes draws box plots after Tukey: quartiles, the median, whiskers to the last values
// within one and a half times the height of the box, and outliers as points.
func (f *frame) boxes(i int) {
	s, style := f.Series[i], f.style(i)
	half := min(f.slot()*0.5, 64) / 2
	for j, all := range s.Samples {
		var sample []float64
		for _, v := range all {
			if f.Y.Scale.shows(v) {
				sample = append(sample, min(max(v, -largest), largest))
			}
		}
		if len(sample) == 0 {
			continue
		}
		sum := stats.Summarize(sample)
		x := f.x.at(float64(j))
		reach := 1.5 * (sum.ThirdQuartile - sum.FirstQuartile)
		low, high := sum.FirstQuartile, sum.ThirdQuartile
		for _, v := range sample {
			if v < sum.FirstQuartile-reach || v > sum.ThirdQuartile+reach {
				f.marker(point{x, f.y.at(v)}, style, f.tip(s, j, v))
				continue
			}
			low, high = min(low, v), max(high, v)
		}
		f.whisker(x, f.y.at(low), f.y.at(sum.FirstQuartile), half/2, ink)
		f.whisker(x, f.y.at(sum.ThirdQuartile), f.y.at(high), half/2, ink)
		f.hollow(box{x - half, f.y.at(sum.ThirdQuartile), x + half, f.y.at(sum.FirstQuartile)}, style, f.tip(s, j, sum.Median)+" at the median")
		median := f.y.at(sum.Median)
		f.add(path{lines: line(point{x - half, median}, point{x + half, median}), stroke: ink, width: 3})
	}
}
