package cpu

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/fringe"
	"github.com/gohops/hops/level"
)

// Where most vertices are in trees that hang on the rest of the graph, as in the chains
// of web crawls, a search leaves these trees out: they are visited from the start, as
// isolated vertices are. When the rest is found, the workers copy the parents of all
// hanging vertices, in order, and the levels of the trace are counted from those of the
// vertices on which the trees hang. A search of a Kronecker graph of scale 18 with 4 M
// vertices in 20,000 chains went through 400 levels of up to 20,000 vertices before,
// each of which missed the caches twice.
//
// Searches that end at a depth, and those that move between devices, do not.

const (
	// fringeVertices is the least number of vertices for which a fringe is made: the
	// searches of smaller graphs take less than a millisecond.
	fringeVertices = 1 << 16
	// fringeShare is the least share of a fringe: one in so many of the vertices that
	// are not isolated. It is a choice.
	fringeShare = 2
	// fringeEntries is the mean length of rows up to which a fringe is looked for: the
	// vertices of a fringe have less than two neighbours at the mean.
	fringeEntries = 8
)

// A domain is the part of the graph that a search looks at level by level.
type domain struct {
	outside  bitset.Set // vertices that count as visited from the start
	vertices int64
	entries  int64 // of the rows of these
}

func wholeGraph(g *graph.Graph) domain {
	return domain{outside: g.Isolated, vertices: g.NumConnected(), entries: g.NumEntries()}
}

// everyVertex is the whole graph with its isolated vertices. Each has itself as the head of
// its row, which it never finds in a frontier.
func everyVertex(g *graph.Graph) domain {
	n := int64(g.NumVertices())
	outside := bitset.New(n)
	if beyond := n % 64; beyond > 0 {
		outside[n/64] = ^uint64(0) << beyond
	}
	return domain{outside: outside, vertices: n, entries: g.NumEntries()}
}

// hanging is the fringe, and the state of a search without it.
type hanging struct {
	*fringe.Fringe
	rest   domain // the graph without the fringe
	tally  *fringe.Tally
	counts bool   // the running search leaves the fringe out
	depth  uint32 // of the frontier
	first  int    // hops from the root to where the running search began
	copyUp func(int)
}

// makeFringe makes the fringe, if most vertices are in it.
func (m *machine) makeFringe() error {
	g := m.graph
	if g.Directed || !mayHang(int64(g.NumVertices()), max(g.NumEntries(), 2*g.Tuples)) {
		return nil
	}
	return m.hang(m.domain.vertices / fringeShare)
}

// mayHang tells whether a fringe is looked for in a graph with so many vertices, and at
// most so many entries.
func mayHang(n, entries int64) bool { return n >= fringeVertices && entries <= fringeEntries*n }

// hang makes the fringe, if so many vertices are in it.
func (m *machine) hang(least int64) error {
	f, err := fringe.New(&m.graph.Out, least, &m.mem)
	if f == nil || err != nil {
		return err
	}
	outside := slices.Clone(m.domain.outside)
	for i, w := range f.In {
		outside[i] |= w
	}
	whole := m.domain
	m.fringe = &hanging{Fringe: f, tally: fringe.NewTally(f), copyUp: m.copyUpWorker}
	m.fringe.rest = domain{outside: outside, vertices: whole.vertices - f.Count, entries: max(whole.entries-2*f.Count, 0)}
	return nil
}

// noteAnchors counts what hangs on the vertices of the frontier.
func (m *machine) noteAnchors() {
	h := m.fringe
	if h == nil || !h.counts {
		return
	}
	switch {
	case m.regions.open:
		for i := range m.regions.each {
			h.tally.Note(m.regions.each[i].queue, h.depth)
		}
	case m.hasQueue:
		h.tally.Note(m.queue, h.depth)
	default:
		h.tally.NoteSet(m.front, h.depth)
	}
	h.depth++
}

// searchDomain searches the graph without the fringe, from the root or from the vertex
// on which the root's tree hangs, and adds the fringe.
func (m *machine) searchDomain(ctx context.Context, p level.Policy, root uint32, trace *hops.Trace) error {
	h, start := m.fringe, time.Now()
	whole := m.domain
	m.domain, h.counts, h.depth = h.rest, true, 0
	defer func() { m.domain, h.counts = whole, false }()
	h.tally.Begin()
	first := root
	if h.In.Has(uint64(root)) {
		var err error
		if first, h.depth, err = h.tally.Climb(ctx, root); err != nil {
			return err
		}
	}
	above := int(h.depth)
	h.first = above
	if err := level.SearchTo(ctx, m, p, hops.Vertex(first), math.MaxInt32, trace); err != nil {
		return err
	}
	if m.joinRegions(); m.visited.Has(uint64(h.Center)) {
		m.team.Run(h.copyUp)
	}
	h.tally.Turn(m.parents)
	addLevels(trace, above, h.tally.Levels(), time.Since(start))
	return nil
}

// copyUpWorker sets the parents of the hanging vertices among those that a worker owns.
// No other vertex has a bit that is not set in Up, and the parents of hanging vertices
// have all bits set as long as they are not set.
func (m *machine) copyUpWorker(id int) {
	me, n := &m.workers[id], int64(len(m.parents))
	lo, hi := min(me.lo*64, n), min(me.hi*64, n)
	parents, up := m.parents[lo:hi], m.fringe.Up[lo:hi]
	pairs, upPairs := arena.View[uint64](arena.Bytes(parents)), arena.View[uint64](arena.Bytes(up))
	for i, w := range upPairs {
		pairs[i] &= w
	}
	if odd := len(parents) &^ 1; odd < len(parents) {
		parents[odd] &= up[odd]
	}
}

// addLevels adds the vertices of the fringe in each level to the trace of the rest of
// the graph, whose first level is so many hops from the root. The time that the levels
// have not taken is shared by those that the fringe has alone.
func addLevels(trace *hops.Trace, first int, counts []int64, all time.Duration) {
	rest, ran := all-trace.Time(), len(trace.Levels)
	total := max(first+ran, len(counts))
	levels := append(trace.Levels, make([]hops.Level, total-ran)...)
	copy(levels[first:], levels[:ran])
	clear(levels[:first])
	of := func(level int) int64 {
		if level < len(counts) {
			return counts[level]
		}
		return 0
	}
	for i := range levels {
		l := &levels[i]
		if i < first || i >= first+ran {
			*l = hops.Level{Step: stepTopDown, Time: rest / time.Duration(total-ran)}
		}
		l.Frontier += of(i)
		l.Found += of(i + 1)
		l.Examined += of(i + 1)
	}
	if first > 0 {
		levels[first-1].Found++ // the vertex on which the root's tree hangs
		levels[first-1].Examined++
	}
	if total == ran {
		levels[ran-1].Time += rest
	}
	trace.Levels = levels
}
