package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// ErrNoWeights is the error of questions about weights for a graph that has none.
var ErrNoWeights = errors.New("query: the edges of the graph have no weights")

// WithinDistance calls visit with every vertex at most radius away from center by
// weight, the nearest first and center itself at 0. Where edges are directed, it follows
// them. An error of visit ends the walk and is returned.
func WithinDistance(ctx context.Context, g *graph.Graph, center hops.Vertex, radius float64, visit func(v hops.Vertex, far float64) error) error {
	b, err := newBall(g, g.OutEdges, center)
	if err != nil {
		return err
	}
	b.start(center)
	for b.least() <= min(radius, math.MaxFloat64) { // least is infinite where there is no next vertex
		v, err := b.expand(ctx)
		if err != nil {
			return err
		}
		if err := visit(hops.Vertex(v), b.far[v]); err != nil {
			return err
		}
	}
	return nil
}

// LightestPath returns the vertices of a path of least weight, from and to included, and
// its weight, or nil and +Inf if there is none. Where edges are directed, so is the
// path.
func LightestPath(ctx context.Context, g *graph.Graph, from, to hops.Vertex) ([]hops.Vertex, float64, error) {
	two, err := newBalls(g, from, to)
	if err != nil {
		return nil, 0, err
	}
	return two.find(ctx, from, to)
}

// balls find one lightest path after another.
type balls struct{ a, b *ball }

func newBalls(g *graph.Graph, from, to hops.Vertex) (two balls, err error) {
	if two.a, err = newBall(g, g.OutEdges, from); err == nil {
		two.b, err = newBall(g, g.InEdges, to)
	}
	return two, err
}

// find grows a ball around each end, always the one whose next vertex is nearer, and stops
// when no path through two vertices outside the balls can be lighter than the best one
// found. Little of a mapped file is read that way.
func (two balls) find(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, float64, error) {
	a, b := two.a, two.b
	a.start(from)
	b.start(to)
	best, meeting := math.Inf(1), uint32(0)
	for a.least()+b.least() < best {
		near, other := a, b
		if b.least() < a.least() {
			near, other = b, a
		}
		v, err := near.expand(ctx)
		if err != nil {
			return nil, 0, err
		}
		for _, u := range append(near.lowered, v) {
			if other.has(u) && near.far[u]+other.far[u] < best {
				best, meeting = near.far[u]+other.far[u], u
			}
		}
	}
	if math.IsInf(best, 1) {
		return nil, best, nil
	}
	path := a.ancestors(meeting)
	slices.Reverse(path)
	path = append(path, b.ancestors(meeting)[1:]...)
	return path, best, nil
}

// A ball is Dijkstra's algorithm around one vertex, one vertex at a time.
type ball struct {
	edges   func(hops.Vertex) ([]uint32, []float32, error)
	rest    func(v uint32) float64 // no path from v to where the ball should grow is shorter; nil: anywhere
	far     []float64
	parents []uint32 // plus one; 0 is not reached
	final   []uint64 // bits of the vertices that were expanded
	queue   heap
	lowered []uint32 // by the last expansion
	reached []uint32
}

func newBall(g *graph.Graph, edges func(hops.Vertex) ([]uint32, []float32, error), center hops.Vertex) (*ball, error) {
	n := g.NumVertices()
	switch {
	case !g.Weighted():
		return nil, ErrNoWeights
	case center >= n:
		return nil, fmt.Errorf("query: vertex %d: the graph has %d", center, n)
	}
	return &ball{edges: edges, far: make([]float64, n), parents: make([]uint32, n), final: make([]uint64, n/64+1)}, nil
}

// start forgets the last search and begins one around a vertex.
func (b *ball) start(center hops.Vertex) {
	for _, v := range b.reached {
		b.parents[v] = 0
		b.final[v>>6] = 0
	}
	b.reached, b.queue = append(b.reached[:0], uint32(center)), b.queue[:0]
	b.far[center], b.parents[center] = 0, uint32(center)+1
	b.queue.push(queued{0, uint32(center)})
}

func (b *ball) has(v uint32) bool { return b.parents[v] != 0 }

// least is the distance of the next vertex, and what is left of its way; +Inf if there is none.
func (b *ball) least() float64 {
	for len(b.queue) > 0 {
		if v := b.queue[0].v; b.final[v>>6]>>(v&63)&1 == 0 {
			return b.queue[0].far
		}
		b.queue.pop()
	}
	return math.Inf(1)
}

// expand makes the next vertex, of which there is one, part of the ball.
func (b *ball) expand(ctx context.Context) (uint32, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("query: %w", err)
	}
	v := b.queue.pop().v
	b.final[v>>6] |= 1 << (v & 63)
	row, weights, err := b.edges(hops.Vertex(v))
	if err != nil {
		return v, fmt.Errorf("query: %w", err)
	}
	b.lowered = b.lowered[:0]
	for i, u := range row {
		if sum := b.far[v] + float64(weights[i]); !b.has(u) || sum < b.far[u] {
			if !b.has(u) {
				b.reached = append(b.reached, u)
			}
			b.far[u], b.parents[u] = sum, v+1
			b.final[u>>6] &^= 1 << (u & 63) // bounds that are rounded may come to a vertex too early
			key := sum
			if b.rest != nil {
				key += b.rest(u)
			}
			b.queue.push(queued{key, u})
			b.lowered = append(b.lowered, u)
		}
	}
	return v, nil
}

// ancestors leads from v to the center, both included.
func (b *ball) ancestors(v uint32) []hops.Vertex {
	line := []hops.Vertex{hops.Vertex(v)}
	for p := b.parents[v] - 1; p != v; p = b.parents[v] - 1 {
		line = append(line, hops.Vertex(p))
		v = p
	}
	return line
}
