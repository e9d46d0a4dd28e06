package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// KShortestPaths is the algorithm of Yen (Management Science, 1971) with Lawler's
// improvement (1972).
//
// The next path leaves one of the paths that are known at some vertex, and is then a
// shortest path from there to the target. So:
//
//  1. find a shortest path;
//  2. for every vertex of the path found last, find a detour: a shortest path from that
//     vertex to the target that avoids the vertices before it, and the edges by which the
//     known paths with the same beginning leave it;
//  3. the best of all detours that were found so far is the next path.
//
// A path that left a known one at its vertex i has no detours before i that were not
// looked for already, which is Lawler's improvement: no path is found twice. The detours
// of a path do not depend on each other, so that workers look for them at the same time.
// Each is a search from both ends, as for a single path.

// A KPath is one of the paths between two vertices.
type KPath struct {
	Vertices []hops.Vertex // each once, both ends included
	Length   float64       // its hops, or the sum of its weights
	leaves   int           // where it leaves the path that it was found from
}

// KShortestPaths returns the k shortest paths from one vertex to another that visit no
// vertex twice, the shortest first, or fewer if there are no more. Paths of the same length
// are in the order of their first vertices that differ; which of them are the last ones
// is the same in every run. If weighted, the length of a path is the sum of its weights,
// and else the number of its hops. threads is the number of workers, 0 is one for every CPU;
// each takes 8 bytes for every vertex, and 25 if weighted.
func KShortestPaths(ctx context.Context, g *graph.Graph, from, to hops.Vertex, k int, weighted bool, threads int) ([]KPath, error) {
	if end, n := max(from, to), g.NumVertices(); end >= n {
		return nil, fmt.Errorf("query: path: vertex %d: the graph has %d", end, n)
	}
	if weighted && !g.Weighted() {
		return nil, ErrNoWeights
	}
	team := par.NewTeam(threads, nil)
	defer team.Close()
	y := detours{graph: g, to: to, weighted: weighted, team: team, finders: make([]*detour, team.Size())}
	if err := g.Read(func() error { return y.find(ctx, from, k) }); err != nil {
		return nil, err
	}
	slices.SortFunc(y.known, compare) // of equal ones, a later one may come first
	return y.known, nil
}

// detours are the state of the algorithm.
type detours struct {
	graph      *graph.Graph
	to         hops.Vertex
	weighted   bool
	team       *par.Team
	finders    []*detour // of each worker
	known      []KPath
	candidates []KPath
}

func (y *detours) find(ctx context.Context, from hops.Vertex, k int) error {
	start := KPath{Vertices: []hops.Vertex{from, hops.NoVertex}}
	if err := y.leave(ctx, start); err != nil {
		return err
	}
	for len(y.candidates) > 0 && len(y.known) < k {
		best := 0
		for i := range y.candidates {
			if compare(y.candidates[i], y.candidates[best]) < 0 {
				best = i
			}
		}
		y.known = append(y.known, y.candidates[best])
		y.candidates = slices.Delete(y.candidates, best, best+1)
		if len(y.known) == k {
			return nil
		}
		if err := y.leave(ctx, y.known[len(y.known)-1]); err != nil {
			return err
		}
	}
	return nil
}

// compare orders paths by length, and equal ones by their first vertices that differ.
func compare(a, b KPath) int {
	return cmp.Or(cmp.Compare(a.Length, b.Length), slices.Compare(a.Vertices, b.Vertices))
}

// leave finds the detours from the vertices of a path.
func (y *detours) leave(ctx context.Context, p KPath) error {
	found := make([]KPath, len(p.Vertices)-1-p.leaves)
	err := y.team.Try(int64(len(found)), 1, func(worker int, lo, hi int64) (err error) {
		if y.finders[worker] == nil {
			if y.finders[worker], err = newDetour(y.graph, y.weighted); err != nil {
				return err
			}
		}
		for i := lo; i < hi; i++ {
			if found[i], err = y.detour(ctx, y.finders[worker], p, p.leaves+int(i)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, p := range found {
		if p.Vertices != nil {
			y.candidates = append(y.candidates, p)
		}
	}
	return err
}

// detour returns the best path that leaves p at its vertex i, without vertices if there is
// none.
func (y *detours) detour(ctx context.Context, d *detour, p KPath, i int) (KPath, error) {
	d.bar(p.Vertices[:i], p.Vertices[i])
	for _, other := range y.known {
		if len(other.Vertices) > i+1 && slices.Equal(other.Vertices[:i+1], p.Vertices[:i+1]) {
			d.barred[uint32(other.Vertices[i+1])] = true
		}
	}
	rest, err := d.find(ctx, p.Vertices[i], y.to)
	if err != nil || rest == nil {
		return KPath{}, err
	}
	whole := append(slices.Clone(p.Vertices[:i]), rest...)
	length, err := y.length(whole)
	return KPath{whole, length, i}, err
}

// length sums up weights in the order of the path, so that equal paths have equal sums.
func (y *detours) length(path []hops.Vertex) (float64, error) {
	if !y.weighted {
		return float64(len(path) - 1), nil
	}
	sum := 0.0
	for i, v := range path[:len(path)-1] {
		row, weights, err := y.graph.OutEdges(v)
		if err != nil {
			return math.NaN(), fmt.Errorf("query: path: %w", err)
		}
		at := slices.Index(row, uint32(path[i+1]))
		if at < 0 {
			return math.NaN(), contradiction(y.graph)
		}
		sum += float64(weights[at])
	}
	return sum, nil
}
