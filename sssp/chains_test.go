package sssp

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// A chainDrawing adds chains to a graph.
type chainDrawing struct {
	r       *rand.Rand
	next    int // vertex
	largest int // weight
	edges   []hops.Edge
	weights []float32
}

func (d *chainDrawing) add(u, v int) {
	d.edges, d.weights = append(d.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)}), append(d.weights, float32(1+d.r.IntN(d.largest)))
}

// chain joins two vertices by some inner vertices.
func (d *chainDrawing) chain(u, v, inner int) {
	for ; inner > 0; inner-- {
		d.add(u, d.next)
		u, d.next = d.next, d.next+1
	}
	d.add(u, v)
}

// source draws chains between a few crossings, several between some and some back to where they began, dead
// ends, rings, and vertices without edges. Labels are permuted.
func (d *chainDrawing) source() hops.WeightedSource {
	crossings := 2 + d.r.IntN(12)
	d.next = crossings
	for range crossings + d.r.IntN(2*crossings) {
		d.chain(d.r.IntN(crossings), d.r.IntN(crossings), 2+d.r.IntN(9))
	}
	for range d.r.IntN(4) { // dead ends
		end := d.next
		d.next++
		d.chain(d.r.IntN(crossings), end, d.r.IntN(5))
	}
	for range d.r.IntN(3) { // rings
		start := d.next
		d.next++
		d.chain(start, start, 2+d.r.IntN(6))
	}
	n := d.next + d.r.IntN(5)
	labels := d.r.Perm(n)
	for i, e := range d.edges {
		d.edges[i] = hops.Edge{U: hops.Vertex(labels[e.U]), V: hops.Vertex(labels[e.V])}
	}
	return edge.WithWeights(edge.List(d.edges, hops.Vertex(n)), d.weights)
}

// Searches of crossings and chains find the distances of Dijkstra's algorithm from any vertex, an inner vertex or not.
// Where sums are too large to be exact they are those without chains.
func TestChainsOnAnyGraph(t *testing.T) {
	byChains, inexact, fromInner := 0, 0, 0
	for _, largest := range []int{1, 300, exactSums / 12, exactSums / 2} {
		rapid.Check(t, func(t *rapid.T) {
			d := chainDrawing{r: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3)), largest: largest}
			g := weightedGraph(t, d.source())
			defer g.Close()
			s := openQueues(t, g, rapid.IntRange(1, 3).Draw(t, "threads"))
			defer s.Close()
			s.widen(anyWidth(t))
			for range 6 {
				root := hops.Vertex(d.r.IntN(int(g.NumVertices())))
				searchBothWidths(t, g, s, root)
				if s.short.chains == nil {
					continue
				}
				byChains++
				if s.plain != nil {
					inexact++
				}
				if isInner(g, uint32(root)) {
					fromInner++
				}
			}
		})
	}
	if byChains == 0 || inexact == 0 || fromInner == 0 {
		t.Errorf("%d searches by chains, %d of graphs with large sums, %d from inner vertices", byChains, inexact, fromInner)
	}
}

// The trace says that a search by chains reached all vertices.
func TestTraceOfChains(t *testing.T) {
	g := weightedGraph(t, roads(30))
	s := newSearcher(t, g, Options{Threads: 2})
	p := hops.NewSinglePaths(g.NumVertices())
	for _, root := range rootsOf(g) {
		p.Reset()
		trace, err := s.Search(context.Background(), root, p)
		if err != nil {
			t.Fatal(err)
		}
		found, reached := int64(1), int64(0)
		for _, l := range trace.Levels {
			found += l.Found
		}
		for _, parent := range p.Narrow {
			if parent != none {
				reached++
			}
		}
		if last := trace.Levels[len(trace.Levels)-1].Step; found != reached || last != innerStep {
			t.Errorf("root %d: %d of %d vertices were found, at last by %s", root, found, reached, last)
		}
	}
}

// directed is a graph whose edges lead one way.
func directed(src hops.WeightedSource) hops.WeightedSource {
	weights := make([]float32, src.NumEdges())
	_, _ = src.WeightsAt(weights, 0)
	return edge.WithWeights(hops.Directed(src), weights)
}

// Graphs whose sums are rounded in the order of the path, or have few inner vertices, are searched without chains.
func TestWhatIsSearchedByChains(t *testing.T) {
	for _, c := range []struct {
		name   string
		src    hops.WeightedSource
		chains bool
	}{
		{"roads", roads(20), true},
		{"halves of roads", halves(roads(20)), false},
		{"grid", grid(20), false},
		{"weights of zero", edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}}, 6), []float32{1, 0, 1, 1, 1}), false},
		{"a chain", edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}}, 6), []float32{1, 2, 1, 1, 1}), true},
		{"a chain too long", edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}}, 6), []float32{1 << 23, 1, 1 << 23, 1, 1}), false},
		{"directed", directed(roads(20)), false},
	} {
		s := openQueues(t, weightedGraph(t, c.src), 1)
		if byChains := s.short.chains != nil; byChains != c.chains {
			t.Errorf("%s: by chains %v", c.name, byChains)
		}
		_ = s.Close()
	}
}
