// Package bucket estimates what the next bucket of a search for shortest paths will cost in
// either direction, from counts of the graph's weights. Package sssp explains the algorithm.
package bucket

import "math"

// A Graph is what the choice of buckets depends on. All counts add up over ranks.
type Graph struct {
	Shares
	Candidates Octaves
	Vertices   int64 // that have edges
	Entries    int64
}

// Work estimates the entries that the next bucket examines if its bound is twice as far from
// D₀ as x, top-down and bottom-up. So many vertices were found, whose rows have degree entries.
func (g *Graph) Work(x float64, found, degree int64) (down, up int64) {
	down = int64(float64(degree) * (g.Of(2*x) - g.Of(x)))
	candidates, _ := g.Candidates.Below(Doubled(x))
	awake, left := max(0, candidates-found), g.Vertices-found
	each := 1 + float64(g.Entries-degree)/max(1, float64(left))*g.Of(2*x)
	return down, int64(float64(awake) * each)
}

// Doubled returns the least power of two beyond x.
func Doubled(x float64) float32 {
	_, exponent := math.Frexp(x)
	return float32(math.Ldexp(1, exponent))
}

// nearShare is the share of the vertices that the rows of vertices nearer than D₀ have
// entries, at most: these are pushed whole when the search turns bottom-up.
const nearShare = 1.0 / 64

// MoveNear returns D₀ after a bucket that began at from: the bound, while the rows of all that
// was found have few entries, and otherwise from, where it stays.
func (g *Graph) MoveNear(from, bound float64, degree int64) (near float64, stays bool) {
	if float64(degree) <= nearShare*float64(g.Vertices) {
		return bound, false
	}
	return from, true
}

// A Pace is how many times as wide as Δ the next bucket top-down is. Weights may be of any size, in
// any mixture, and Δ may be less than the gaps between distances, or than the class that is all that
// a device knows of a long row's next entry. So the width doubles after a bucket that found few
// vertices and is halved after others: there are never many more buckets that find few than others,
// and of these each adds a share to what was found.
type Pace struct{ times float64 }

// fewShare is the share of all vertices found below which a bucket has found few. Roads and grids have
// fronts of a larger share.
const fewShare = 1.0 / 1024

// Reset makes the next bucket as wide as Δ.
func (p *Pace) Reset() { p.times = 1 }

// After takes how many vertices a bucket has found, and how many were found with it.
func (p *Pace) After(found, all int64) {
	if float64(found) < fewShare*float64(all) {
		p.times *= 2
	} else {
		p.times = max(1, p.times/2)
	}
}

// Of returns the width of the next bucket.
func (p *Pace) Of(width float64) float64 { return p.times * width }

// Octaves count candidates by the octave of their lightest weight.
type Octaves struct {
	Ends   [NumOctaves]uint64 // of the candidates of every octave
	Degree [NumOctaves]uint64 // the entries of all candidates up to its end
}

// An octave of weights is a range from a power of two up to the next: the exponent of
// the float.
const NumOctaves = 256

// Octave is the number of the octave of a weight.
func Octave(weight float32) int { return int(math.Float32bits(weight) >> 23) }

// Below returns how many candidates have a lightest weight in an octave that begins below
// a weight, and how many entries their rows have.
func (w *Octaves) Below(weight float32) (candidates, entries int64) {
	if math.IsInf(float64(weight), 1) {
		return int64(w.Ends[NumOctaves-1]), int64(w.Degree[NumOctaves-1])
	}
	o := Octave(weight)
	if math.Float32bits(weight)&(1<<23-1) == 0 { // the octave begins with it
		o--
	}
	if o < 0 {
		return 0, 0
	}
	return int64(w.Ends[o]), int64(w.Degree[o])
}

// Shares tell which share of all entries has a weight below a given one.
type Shares struct {
	below    [NumClasses + 1]float64
	Heaviest float32
	Degree   float64 // mean degree of the vertex at the end of an entry
}

// A class of weights is an eighth of an octave: their bits without the last ClassBits.
const (
	ClassBits  = 20
	NumClasses = 1 << (31 - ClassBits)
)

// Counts count the weights of entries by class. All counts add up over ranks.
type Counts struct {
	Classes [NumClasses]uint64
	Entries uint64
	Squares uint64 // of the lengths of rows
}

// NewShares returns the shares of counted weights, of which none is beyond the heaviest.
func NewShares(c *Counts, heaviest float32) (s Shares) {
	total := max(1, float64(c.Entries))
	s.Heaviest, s.Degree = heaviest, max(1, float64(c.Squares)/total)
	sum := uint64(0)
	for i, n := range c.Classes {
		sum += n
		s.below[i+1] = float64(sum) / total
	}
	return s
}

// Of returns the share of entries below a weight, to the nearest class.
func (s *Shares) Of(weight float64) float64 {
	if weight <= 0 {
		return 0
	}
	return s.below[min(NumClasses, int(math.Float32bits(float32(weight))>>ClassBits)+1)]
}

// Quantile returns a weight below which about a share of all entries lie.
func (s *Shares) Quantile(share float64) float32 {
	for i := range NumClasses {
		if s.below[i+1] >= share {
			return min(s.Heaviest, math.Float32frombits(uint32(i+1)<<ClassBits))
		}
	}
	return s.Heaviest
}
