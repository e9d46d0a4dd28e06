package cpu

import (
	"slices"
	"sync/atomic"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

const (
	// binPairs is the size of all bins of a worker together, in pairs of 8 bytes, and
	// allPairs that of all bins of all workers, if that is more: a few workers have larger
	// bins. A round ends when a bin may be full, and all workers wait for each other then.
	// Vertices that a round has found are not collected again in the next. With bins of
	// 262,144 pairs instead of 16,384, a level that finds a million vertices took 0.73 to
	// 0.84 of the time, two workers. A row or piece must fit in a bin.
	binPairs    = 1 << 17
	allPairs    = 1 << 20
	smallestBin = 2 * longRow
	largestBin  = 256 * longRow
)

// bins are the pairs (parent, vertex) that one worker has collected for each worker.
// The pairs for worker w are pairs[w*stride:][:length[w]].
type bins struct {
	pairs   []uint64
	length  []uint32
	size    uint32
	fullest int64 // an upper bound of all lengths
}

// binSize is how many pairs one of the bins of a worker holds.
func binSize(workers int64) int64 {
	return min(max(binPairs/workers, allPairs/(workers*workers), smallestBin), largestBin)
}

// needBins is the memory that the bins of all workers take in searches of a graph with so
// many entries. Bins are mapped for all pairs of workers, and take memory where they are
// written: no more pages than there are entries.
func needBins(workers, entries int64) int64 {
	const page = 4096
	if workers == 1 {
		return 0
	}
	return min(workers*workers*8*(binSize(workers)+kernel.DealSlack), page*entries)
}

func newBins(mem *arena.Arena, workers int) (b bins, err error) {
	b.size = uint32(binSize(int64(workers)))
	b.length = make([]uint32, workers)
	b.pairs, err = arena.Make[uint64](mem, workers*int(b.stride()))
	return b, err
}

// room tells whether n pairs fit into any of the bins.
func (b *bins) room(n int) bool {
	if b.fullest+int64(n) > int64(b.size) {
		b.fullest = int64(slices.Max(b.length))
	}
	return b.fullest+int64(n) <= int64(b.size)
}

// stride is the distance of two bins in pairs. With room for what vectors write past the end, it
// is no power of two: with two bins 2 MiB apart, and pairs dealt out one by one, a level took 11 to 20
// ms from one run to the next, since then 10 to 12. Which of the two changes did it was not measured.
func (b *bins) stride() int64 { return int64(b.size) + kernel.DealSlack }

// of returns the pairs for worker w.
func (b *bins) of(w int) []uint64 { return b.pairs[w*int(b.stride()):][:b.length[w]] }

// longRows are the frontier vertices with long rows. Those that the workers do not pick
// their own vertices from are cut into pieces of longRow entries.
type longRows struct {
	any      bool // the graph has long rows
	vertices []uint32
	count    atomic.Int64 // valid entries of vertices
	cuts     []int64      // number of the first piece of each row; at the end, of all pieces
}

// init finds out whether the graph has long rows, and makes room for all of them.
func (l *longRows) init(g *graph.Graph, team *par.Team) {
	const grain = 1 << 14 // vertices at a time
	var some atomic.Bool
	team.For(int64(g.NumVertices()), grain, func(_ int, lo, hi int64) {
		for v := lo; v < hi && !some.Load(); v++ {
			if g.Out.Degree(uint32(v)) >= longRow {
				some.Store(true)
			}
		}
	})
	if l.any = some.Load(); l.any {
		l.vertices = make([]uint32, g.NumEntries()/longRow)
		l.cuts = make([]int64, 0, len(l.vertices)+1)
	}
}

// add adds a vertex. Several workers may do so at the same time.
func (l *longRows) add(v uint32) { l.vertices[l.count.Add(1)-1] = v }

// all returns the vertices.
func (l *longRows) all() []uint32 { return l.vertices[:l.count.Load()] }

// cutRows numbers the pieces of the long rows.
func (m *machine) cutRows() {
	l := &m.long
	l.cuts = append(l.cuts[:0], 0)
	for i, v := range l.all() {
		l.cuts = append(l.cuts, l.cuts[i]+(m.graph.Out.Degree(v)+longRow-1)/longRow)
	}
}

// pieceWorker reads pieces of long rows. It returns early when a bin may be full.
func (m *machine) pieceWorker(id int) {
	me := &m.workers[id]
	pieces := m.long.cuts[len(m.long.cuts)-1]
	for {
		for ; me.claimed.lo < me.claimed.hi; me.claimed.lo++ {
			if v, row := m.piece(me.claimed.lo); !m.collect(v, row, me) {
				return
			}
		}
		var ok bool
		if me.claimed.lo, me.claimed.hi, ok = m.claim(pieces, m.grain(pieces, pieceGrain)); !ok {
			me.claimed = span{}
			return
		}
	}
}

// piece returns the piece of that number, and the vertex whose row it is from.
func (m *machine) piece(number int64) (v uint32, row []uint32) {
	cuts := m.long.cuts
	i, _ := slices.BinarySearch(cuts, number+1)
	v = m.long.vertices[i-1]
	row = m.graph.Out.Row(v)[(number-cuts[i-1])*longRow:]
	return v, row[:min(longRow, len(row))]
}
