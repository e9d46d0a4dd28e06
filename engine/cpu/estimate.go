package cpu

import (
	"math/bits"

	"github.com/gohops/hops/internal/base/prefetch"
	"github.com/gohops/hops/level"
)

const (
	// samples is how many unvisited vertices are probed to predict the work of a
	// bottom-up level. They cost some 10 to 20 µs, and the error is about a tenth.
	samples = 128
	// sampleDepth is how many entries of a row are probed at most.
	sampleDepth = 64

	// The work need not be known well where the direction is clear. It is top-down
	// for a frontier with less than 1/smallShare of the remaining edges, or with
	// less than 1/bottomUpShare of the entries that bottom-up reads at least, which is
	// one for each unvisited vertex. It is bottom-up for a frontier with more than
	// 1/largeShare of the remaining edges.
	smallShare    = 256
	largeShare    = 2
	bottomUpShare = 8

	// If less than 1/fewUnvisited of the vertices are unvisited, passing over the
	// bitmaps is most of a bottom-up level. The remaining edges are then a small
	// difference of large estimates, and say nothing.
	fewUnvisited = 64
)

// estimate predicts the row entries that each direction would examine in the next
// level. Top-down reads the rows of the frontier. How soon a row meets the frontier
// bottom-up depends on the graph, so a few rows are probed. nonHub is the row entries
// of the frontier vertices that are no hubs.
//
// Where the policy does not ask, the least that either direction examines will do. A
// frontier for which neither is good is then not made a bitmap to read its rows after
// all: 0.1 ms at scale 24.
func (m *machine) estimate(f *level.Front, nonHub int64) {
	if m.unasked {
		f.Work = [level.Directions]int64{f.Edges, f.Unvisited, f.Unvisited}
		return
	}
	bottomUp, split := f.Unvisited, f.Unvisited+nonHub
	switch {
	case f.Edges > f.Remaining/largeShare || f.Unvisited < f.Size/fewUnvisited:
	case clearlySmall(f.Edges, f):
		bottomUp, split = f.Remaining, f.Remaining
	default:
		m.needFront()
		all, hubs, taken := m.trial()
		taken = max(taken, 1)
		bottomUp, split = f.Unvisited*all/taken, f.Unvisited*hubs/taken+nonHub
	}
	entries := m.graph.NumEntries()
	f.Work = [level.Directions]int64{f.Edges, min(bottomUp, entries), min(split, entries)}
}

// clearlySmall tells whether a frontier with so many edges is too small for any
// direction but top-down.
func clearlySmall(edges int64, f *level.Front) bool {
	return edges < max(f.Remaining/smallShare, f.Unvisited/bottomUpShare)
}

// trial probes the rows of a sample of unvisited vertices. It returns how many entries
// it has examined, how many of these a split level would examine, and the number of
// vertices sampled.
//
// Every sample takes four cache misses, each at an address that the one before gives:
// a word of visited, the offset of the row, the row, and a word of the frontier. So the
// samples go through them together, and the misses of one kind are under way at once.
func (m *machine) trial() (all, hubs, taken int64) {
	var drawn [samples]uint32
	var prefixes [samples]uint8
	sampled := m.drawUnvisited(drawn[:0])
	in := &m.graph.In
	for i, v := range sampled {
		prefixes[i] = m.graph.Parents.HubPrefix[v]
		if at := in.Offsets[v]; at < int64(len(in.Neighbors)) {
			prefetch.Row(&in.Neighbors[at])
		}
	}
	for k, v := range sampled {
		row := in.Row(v)
		i := m.kernels.ScanRow(row[:min(len(row), sampleDepth)], &m.front[0])
		examined := int64(i) + 1
		if i < 0 {
			examined = int64(min(len(row), sampleDepth))
		}
		all += examined
		hubs += max(1, min(examined, int64(prefixes[k])))
	}
	return all, hubs, int64(len(sampled))
}

// drawUnvisited appends up to samples unvisited vertices, at equal distances.
func (m *machine) drawUnvisited(drawn []uint32) []uint32 {
	stride := len(m.visited)/samples + 1
	for w := 0; w < len(m.visited); w += stride {
		open := ^m.visited[w]
		if open == 0 {
			continue
		}
		// Start at another bit in each word, so that no position is preferred.
		first := w / stride % 64
		bit := (bits.TrailingZeros64(bits.RotateLeft64(open, -first)) + first) % 64
		drawn = append(drawn, uint32(w)<<6+uint32(bit))
	}
	return drawn
}
