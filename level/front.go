package level

import "math"

// SmallFront is the largest number of vertices and row entries, added up, of a small
// frontier: about a microsecond's work for one core, less than a device or a team of
// workers needs to start.
const SmallFront = 64

// Small tells whether the frontier is a small one.
func (f *Front) Small() bool { return f.Vertices+f.Edges <= SmallFront }

// Expect estimates Front.Work for a machine that cannot try a sample of rows. If the
// ends of edges met at random, an entry of an unvisited vertex would lead to the
// frontier with the probability p of the frontier's share of the edges, and a row of
// average length d would be looked at for (1-(1-p)^d)/p entries.
func Expect(f Front) (work [Directions]int64) {
	open, edges, rest := float64(f.Unvisited), float64(f.Edges), float64(f.Remaining)
	work[TopDown] = f.Edges
	if open > 0 && edges > 0 {
		p := edges / (edges + rest)
		looked := (1 - math.Pow(1-p, max(1, rest/open))) / p
		work[BottomUp] = int64(min(rest, open*looked))
	}
	work[Split] = work[BottomUp]
	return work
}
