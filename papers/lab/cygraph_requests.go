package lab

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/page/plot"
)

func cygraphRequests(ctx context.Context, l *Lab) (*Finding, error) {
	m := l.simulated()
	f := newFinding(ModelTime)
	t := f.table("requests", "degree:#", "plain, per edge", "CyGraph, per edge", "2 + 3/degree", "plain over CyGraph:×")
	ours, plain, bound := curve{name: "CyGraph"}, curve{name: "plain"}, curve{name: "2 + 3/degree"}
	var saved, excess Sample
	for _, degree := range cygraphDegrees {
		g := uniform(m.Scale, degree)
		runs, err := f.compare(ctx, m, g, "cygraph:kernels=1")
		if err != nil {
			return nil, err
		}
		if runs[0].Missing != "" {
			continue
		}
		src, err := g.source()
		if err != nil {
			return nil, err
		}
		requests, entries, err := plainRequests(src, runs[0].Searches[0].Root)
		if err != nil {
			return nil, err
		}
		last := runs[0].Searches[0]
		var asked int64
		for _, level := range last.Levels {
			asked += level.Messages
		}
		ideal := 2 + 3/float64(degree)
		perEdge, theirs := float64(asked)/float64(entries), float64(requests)/float64(entries)
		t.add(degree, theirs, perEdge, ideal, theirs/perEdge)
		ours.add(float64(degree), one(perEdge))
		plain.add(float64(degree), one(theirs))
		bound.add(float64(degree), one(ideal))
		saved, excess = append(saved, theirs/perEdge), append(excess, perEdge/ideal)
	}
	f.Setting = "one kernel, so that few vertices are queued twice; " + m.setting(uniform(m.Scale, 8))
	f.plot(curves("Memory requests per edge", plot.Axis{Label: "average degree", Scale: plot.Log2},
		plot.Axis{Label: "requests per edge", Zero: true}, plain, ours, bound))
	f.quote("requests, plain over CyGraph, by the listings", "8/5 = 1.6×", saved.String()+"×")
	f.quote("requests, plain over CyGraph, by the introduction", "at least 2×, theoretically", saved.String()+"×")
	f.Notes = append(f.Notes, "The paper's listings have eight requests and five, and its introduction says that half are saved. Both cannot be: the listings are judged.")
	f.claim(about("requests of the plain algorithm over those of CyGraph, eight to five", saved, 8./5, .1))
	if len(excess) > 0 {
		f.claim(exact("requests per edge are 2 + 3/degree, within a tenth", excess.Median() < 1.1, fmt.Sprintf("%s times that", excess)))
	}
	return f, nil
}

func constant(x float64, n int) Sample { return slices.Repeat(Sample{x}, n) }

// plainRequests counts the memory requests of the paper's algorithm 1, and the
// row entries it walks. A vertex is marked when it leaves the queue, so each
// vertex is queued by every neighbour that comes before it.
func plainRequests(src hops.Source, root hops.Vertex) (requests, entries int64, err error) {
	rows, err := rowsOf(src)
	if err != nil {
		return 0, 0, err
	}
	visited := make([]bool, len(rows))
	for current := []hops.Vertex{root}; len(current) > 0; {
		var next []hops.Vertex
		for _, v := range current {
			requests += 2 // pop it, read its level
			if visited[v] {
				continue
			}
			visited[v] = true
			requests += 3 // write its level, read both ends of its row
			for _, u := range rows[v] {
				entries++
				requests += 2 // read the neighbour, read its level
				if !visited[u] {
					requests++ // push it
					next = append(next, u)
				}
			}
		}
		current = next
	}
	return requests, entries, nil
}

// rowsOf returns the neighbours of each vertex, in both directions, without self-loops
// and duplicates.
func rowsOf(src hops.Source) ([][]hops.Vertex, error) {
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) || err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading edge %d: %w", n, err)
	}
	rows, seen := make([][]hops.Vertex, src.NumVertices()), make(map[hops.Edge]bool, len(edges))
	for _, e := range edges {
		if e.U > e.V {
			e.U, e.V = e.V, e.U
		}
		if e.U == e.V || seen[e] {
			continue
		}
		seen[e] = true
		rows[e.U], rows[e.V] = append(rows[e.U], e.V), append(rows[e.V], e.U)
	}
	return rows, nil
}
