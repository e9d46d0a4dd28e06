package sssp

import (
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
)

// A segment has up to four entries of a row, in 32 bytes. In a shorter row the missing entries have
// an infinite weight and lead to the vertex itself. In a longer row the last entry is a link: its
// slot is the index of the next segment.
type segment [4]entry

const (
	// infinite is the least entry of infinite weight. Rows have such entries only to fill a segment.
	infinite entry = 0x7f800000 << 32
	// link is the least link: instead of a weight it has bits that are not a number.
	link entry = math.MaxUint32 << 32
)

// short tells whether a row has two entries at the most.
func (q *segment) short() bool { return q[2] >= infinite }

// onward returns the entry of a short row that does not lead back. Its weight may be infinite.
func (q *segment) onward(from uint32) entry {
	if q[0].slot() == from {
		return q[1]
	}
	return q[0]
}

// links is the number of links of a segment.
func (q *segment) links() int {
	if q[3] < link {
		return 0
	}
	return 1
}

// rest returns the segment with the rest of a row, or nil.
func (q *segment) rest(segments []segment) *segment {
	if q[3] < link {
		return nil
	}
	return &segments[q[3].slot()]
}

// shortRows are a graph without hubs, as searches by queues read it.
type shortRows struct {
	label    []uint32  // of every slot; none for the slot behind the last
	slot     []uint32  // of every vertex; the slot behind the last if it has no edge
	segments []segment // of every slot, and behind these the rests of long rows
	directed bool
	inOrder  bool    // slots are in the order of labels
	entries  int64   // of all rows
	width    float64 // Δ
	chains   *chains // of inner vertices, which have no slots; nil if all vertices have
}

func (r *shortRows) slots() int { return len(r.label) - 1 }

// vertices is the number of vertices that have edges.
func (r *shortRows) vertices() int64 {
	if r.chains != nil {
		return int64(r.slots() + len(r.chains.inner))
	}
	return int64(r.slots())
}

// newShortRows copies the rows of a graph with weights, and contracts chains if byChains is set and
// that pays.
func newShortRows(g *graph.Graph, byChains bool, team *par.Team, mem *arena.Arena) (*shortRows, error) {
	r := &shortRows{directed: g.Directed, entries: int64(len(g.Out.Neighbors))}
	if err := r.number(g, mem); err != nil {
		return nil, err
	}
	if byChains && chainsPay(g) {
		if done, err := r.contract(g, mem); done || err != nil {
			return r, err
		}
	}
	rests := 0
	for _, v := range r.label[:r.slots()] {
		rests += segmentsBehind(g.Out.Degree(v))
	}
	var err error
	if r.segments, err = arena.Make[segment](mem, r.slots()+rests); err != nil {
		return nil, err
	}
	used := atomic.Int64{}
	used.Store(int64(r.slots()))
	rooms := make([][]entry, team.Size())
	team.For(int64(r.slots()), 1024, func(worker int, lo, hi int64) {
		for s := lo; s < hi; s++ {
			rooms[worker] = r.appendRow(rooms[worker][:0], &g.Out, r.label[s])
			r.fill(uint32(s), rooms[worker], &used)
		}
	})
	r.width = r.widthOf(g)
	return r, nil
}

// segmentsBehind is the number of segments of a row behind the first. A segment with a link has
// three entries beside it.
func segmentsBehind(degree int64) int { return int(max(0, degree-2)) / 3 }

// appendRow appends the entries of finite weight of a vertex, by rising weight.
func (r *shortRows) appendRow(row []entry, from *graph.Rows, v uint32) []entry {
	for at := from.Offsets[v]; at < from.Offsets[v+1]; at++ {
		if e := newEntry(from.Weights[at], r.slot[from.Neighbors[at]]); e < infinite {
			row = append(row, e)
		}
	}
	slices.Sort(row)
	return row
}

// fill writes the segments of a row.
func (r *shortRows) fill(slot uint32, row []entry, used *atomic.Int64) {
	behind := segmentsBehind(int64(len(row)))
	next, q := used.Add(int64(behind))-int64(behind), &r.segments[slot]
	for ; len(row) > len(q); row = row[3:] {
		copy(q[:3], row)
		q[3] = link | entry(next)
		q = &r.segments[next]
		next++
	}
	for i := copy(q[:], row); i < len(q); i++ {
		q[i] = infinite | entry(slot)
	}
}

// widthOf chooses Δ for a graph without chains: the usual weight times the entries between two
// vertices that have more than two.
func (r *shortRows) widthOf(g *graph.Graph) float64 {
	between := int64(1)
	for v := range uint32(g.NumVertices()) {
		if d := g.Out.Degree(v); d > 2 || r.directed {
			between += d
		}
	}
	return max(usualWeight(slices.Values(g.Out.Weights))*float64(r.entries)/float64(between), math.SmallestNonzeroFloat32)
}

// usualWeight is the median weight. With it as Δ a vertex mostly reaches vertices of the next bin,
// and few vertices are reached twice: on a grid 1.04 times as many as by Dijkstra's algorithm. A
// quarter of that Δ saves three of these four percent, but has four times as many bins, and all
// workers wait for each other after every bin. Where a few weights are much larger than the others,
// it is larger, so that bins are few.
func usualWeight(weights iter.Seq[float32]) float64 {
	counts, heaviest := bucket.Counts{}, float32(0)
	for weight := range weights {
		counts.Entries++
		counts.Classes[math.Float32bits(weight)>>bucket.ClassBits]++
		heaviest = max(heaviest, min(weight, math.MaxFloat32))
	}
	shares := bucket.NewShares(&counts, heaviest)
	return max(float64(shares.Quantile(0.5)), float64(shares.Quantile(0.99))/64, float64(heaviest)/(1<<20))
}
