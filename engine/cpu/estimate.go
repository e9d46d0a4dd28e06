package cpu

import (
	"math/bits"

	"github.com/gohops/hops/level"
)

const (
	// samples is how many unvisited vertices are probed to predict a bottom-up
	// level: some 10 to 20 µs, and an error of a tenth or so.
	samples = 128
	// sampleDepth is how many entries of a row a sample looks at, at most.
	sampleDepth = 64

	// A frontier with less than 1/smallShare of the remaining edges is one for
	// top-down, and with more than 1/largeShare one for bottom-up: there the work
	// need not be known well. Nor if it has less than an eighth of the entries that
	// bottom-up reads at least, one for each unvisited vertex.
	smallShare  = 256
	largeShare  = 2
	fewerThanUp = 8

	// With less than 1/fewOpen of the vertices unvisited, passing over the
	// bitmaps is most of a bottom-up level. What remains of the edges is then the
	// small difference of large estimates, and no guide.
	fewOpen = 64
)

// estimate predicts the row entries that each direction would examine in the
// next level. Top-down reads the rows of the frontier. How soon a row meets the
// frontier bottom-up depends on the graph, so a few rows are tried.
func (m *machine) estimate(f *level.Front, light int64) {
	f.Work[level.TopDown] = f.Edges
	switch {
	case f.Edges > f.Remaining/largeShare || f.Unvisited < f.Size/fewOpen:
		f.Work[level.BottomUp], f.Work[level.Split] = f.Unvisited, f.Unvisited+light
		return
	case clearlySmall(f.Edges, f):
		f.Work[level.BottomUp], f.Work[level.Split] = f.Remaining, f.Remaining
		return
	}
	m.wantFront()
	all, heavy, taken := m.trial()
	if taken == 0 {
		taken = 1
	}
	f.Work[level.BottomUp] = f.Unvisited * all / taken
	f.Work[level.Split] = f.Unvisited*heavy/taken + light
}

// clearlySmall tells whether edges are so few beside what remains at f that
// top-down is the direction.
func clearlySmall(edges int64, f *level.Front) bool {
	return edges < max(f.Remaining/smallShare, f.Unvisited/fewerThanUp)
}

// trial probes the rows of a sample of unvisited vertices. It returns how many
// entries were examined, how many of these a split level would examine, and the
// number of vertices.
func (m *machine) trial() (all, heavy, taken int64) {
	stride := len(m.visited)/samples + 1
	for w := 0; w < len(m.visited); w += stride {
		open := ^m.visited[w]
		if open == 0 {
			continue
		}
		// Start at another bit in each word, so that no position is preferred.
		turn := w / stride % 64
		bit := (bits.TrailingZeros64(bits.RotateLeft64(open, -turn)) + turn) % 64
		v := uint32(w)<<6 + uint32(bit)
		row := m.graph.In.Row(v)
		i := m.kernels.ScanRow(row[:min(len(row), sampleDepth)], &m.front[0])
		examined := int64(i) + 1
		if i < 0 {
			examined = int64(min(len(row), sampleDepth))
		}
		all += examined
		heavy += max(1, min(examined, int64(m.graph.Parents.HubPrefix[v])))
		taken++
	}
	return all, heavy, taken
}
