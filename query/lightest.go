package query

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// LightestPaths answers one question after another in one graph, for one caller at a time. Of
// an undirected graph it learns the distances of landmarks, once the questions have read as much as
// that takes. Then a search goes towards its end (A*): by the triangle inequality the way
// from v to the end is at least as long as the distances of the two from a landmark differ. On a graph like roads
// of 2.1 million vertices a question reads 51,000 of them, and 732,000 from both ends. On
// graphs with hubs, where questions read little, landmarks are never made.
type LightestPaths struct {
	graph  *graph.Graph
	search DistanceSearch
	two    balls
	read   int64     // vertices reached by all questions
	marks  []float32 // distances from the landmarks, by vertex; nil: not known
	guided *ball
	failed error // why there are no landmarks
}

// A DistanceSearch fills an empty result with the shortest paths from root, as sssp.Searcher.Search does.
type DistanceSearch func(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)

// numLandmarks is the number of landmarks: 64 bytes a vertex, a cache line.
const numLandmarks = 16

// LandmarkBytes is the memory that landmarks take for a vertex while they are made: the
// distances from all, the distance from the nearest, and a result and a ball with distances and
// parents.
const LandmarkBytes = 4*numLandmarks + 8 + 2*(8+4)

// NewLightestPaths returns an answerer for a graph with weights. Landmarks are searched from by
// search, which is called with distances of 64 bits. If its first call fails, as it should where
// there is no room for LandmarkBytes, questions are answered without landmarks.
func NewLightestPaths(g *graph.Graph, search DistanceSearch) (*LightestPaths, error) {
	two, err := newBalls(g, 0, 0)
	return &LightestPaths{graph: g, search: search, two: two}, err
}

// Find is LightestPath.
func (l *LightestPaths) Find(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, float64, error) {
	n := l.graph.NumVertices()
	if v := max(from, to); v >= n {
		return nil, 0, fmt.Errorf("query: vertex %d: the graph has %d", v, n)
	}
	if l.marks == nil && l.failed == nil && !l.graph.Directed && l.read >= numLandmarks*int64(n) {
		if l.failed = l.learn(ctx); l.failed != nil && ctx.Err() != nil {
			err := l.failed
			l.failed = nil
			return nil, 0, err
		}
	}
	if l.marks != nil {
		return l.towards(ctx, from, to)
	}
	line, weight, err := l.two.find(ctx, from, to)
	l.read += int64(len(l.two.a.reached) + len(l.two.b.reached))
	return line, weight, err
}

// learn searches from landmarks, each of which is the vertex that is farthest from those before it.
// The first is farthest from a vertex that the last question reached.
func (l *LightestPaths) learn(ctx context.Context) error {
	n := l.graph.NumVertices()
	guided, err := newBall(l.graph, l.graph.OutEdges, 0)
	if err != nil {
		return err
	}
	p, at := hops.NewPaths(n), hops.Vertex(l.two.a.reached[0])
	if _, err := l.search(ctx, at, p); err != nil {
		return err
	}
	marks, nearest := make([]float32, int64(n)*numLandmarks), slices.Repeat([]float64{math.Inf(1)}, int(n))
	at = farthest(p.Double)
	for i := range numLandmarks {
		p.Reset()
		if _, err := l.search(ctx, at, p); err != nil {
			return err
		}
		for v, far := range p.Double {
			marks[v*numLandmarks+i], nearest[v] = float32(far), min(nearest[v], far)
		}
		at = farthest(nearest)
	}
	l.marks, l.guided = marks, guided
	return nil
}

// farthest returns the vertex of the largest distance that is finite.
func farthest(distances []float64) (at hops.Vertex) {
	most := 0.0
	for v, far := range distances {
		if far > most && !math.IsInf(far, 1) {
			at, most = hops.Vertex(v), far
		}
	}
	return at
}

// slack is the share of two distances of 32 bits by which their difference may be too large.
const slack = 1.0 / (1 << 22)

// towards grows a ball around from in the direction of to, until it has it.
func (l *LightestPaths) towards(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, float64, error) {
	b, end := l.guided, l.marksOf(uint32(to))
	b.rest = func(v uint32) float64 {
		least := float32(0)
		for i, far := range l.marksOf(v) {
			// Where a landmark reaches neither or one of the two, this is no number, or infinite.
			if d := max(far-end[i], end[i]-far) - slack*(far+end[i]); d > least {
				least = d
			}
		}
		return float64(least)
	}
	b.start(from)
	for !math.IsInf(b.least(), 1) {
		v, err := b.expand(ctx)
		if err != nil {
			return nil, 0, err
		}
		if hops.Vertex(v) == to {
			line := b.ancestors(v)
			slices.Reverse(line)
			return line, b.far[v], nil
		}
	}
	return nil, math.Inf(1), nil
}

func (l *LightestPaths) marksOf(v uint32) *[numLandmarks]float32 {
	return (*[numLandmarks]float32)(l.marks[int64(v)*numLandmarks:])
}
