package query_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// isPath tells whether a line follows the edges of g between the ends of a pair.
func isPath(g *graph.Graph, line []hops.Vertex, p query.Pair) bool {
	for i := 1; i < len(line); i++ {
		edge := false
		for u := range g.Neighbors(line[i-1]) {
			edge = edge || u == line[i]
		}
		if !edge {
			return false
		}
	}
	return line[0] == p.From && line[len(line)-1] == p.To
}

// All ways find a path of the length that a walk says, for more sources than share a
// search.
func TestPathsOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		vertex := rapid.Uint64Range(0, uint64(g.NumVertices())-1)
		var pairs []query.Pair
		for range rapid.IntRange(0, 200).Draw(t, "pairs") {
			pairs = append(pairs, query.Pair{From: hops.Vertex(vertex.Draw(t, "from")), To: hops.Vertex(vertex.Draw(t, "to"))})
		}
		s, err := many.New(g, many.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		byPair, err := query.PathsByPair(context.Background(), g, pairs, rapid.IntRange(1, 3).Draw(t, "workers"))
		bySource, err2 := query.PathsBySource(context.Background(), g, s, pairs)
		byTree, err3 := query.PathsByTree(context.Background(), g, searcher(t, g), pairs)
		if err = errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		for i, p := range pairs {
			want, reached := distances(t, g, p.From)[p.To]
			for _, line := range [][]hops.Vertex{byPair[i], bySource[i], byTree[i]} {
				if !reached && line != nil || reached && (len(line) != want+1 || !isPath(g, line, p)) {
					t.Fatalf("%v: path %v, want %d hops: %t", p, line, want, reached)
				}
			}
		}
	})
}

func TestPairsRefusals(t *testing.T) {
	g := build(t, edge.List([]hops.Edge{{U: 0, V: 1}}, 3))
	defer g.Close()
	beyond := []query.Pair{{From: 0, To: 1}, {From: 0, To: 3}}
	if _, err := query.PathsByPair(t.Context(), g, beyond, 1); err == nil {
		t.Error("by pair: a vertex beyond the last was accepted")
	}
	if _, err := query.PathsBySource(t.Context(), g, nil, beyond); err == nil {
		t.Error("by source: a vertex beyond the last was accepted")
	}
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.PathsByPair(dead, g, beyond[:1], 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBySource(t *testing.T) {
	pairs := func(sources, targets int) (all []query.Pair) {
		for s := range sources {
			for v := range targets {
				all = append(all, query.Pair{From: hops.Vertex(s), To: hops.Vertex(v)})
			}
		}
		return all
	}
	for _, c := range []struct {
		sources, targets int
		want             bool
	}{{0, 0, false}, {1, 511, false}, {1, 512, true}, {32, 16, true}, {512, 1, false}, {100, 15, false}} {
		if got := query.BySource(pairs(c.sources, c.targets)); got != c.want {
			t.Errorf("%d sources of %d targets: by source %t", c.sources, c.targets, got)
		}
	}
}
