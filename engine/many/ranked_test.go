package many

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops"
)

// A piece has those neighbours that a worker owns, in the order of the row, whether its
// cuts are kept or searched for.
func TestPieces(t *testing.T) {
	sources := testSources(t)
	for _, name := range []string{"kronecker", "kronecker directed", "sparse", "no edges"} {
		for _, workers := range []int{1, 2, 5} {
			t.Run(fmt.Sprint(name, workers), func(t *testing.T) {
				g := buildGraph(t, sources[name])
				defer g.Close()
				s, err := New(g, Options{Threads: workers})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				r := *s.m.rows
				r.cuts = nil
				for v := range uint32(r.count) {
					var joined []uint32
					lo := 0
					for w, hi := range r.ends {
						piece := s.m.rows.piece(v, w)
						if !slices.Equal(piece, r.piece(v, w)) {
							t.Fatalf("worker %d, rank %d: %v by cuts, %v by search", w, v, piece, r.piece(v, w))
						}
						if slices.ContainsFunc(piece, func(u uint32) bool { return int(u) < lo || int(u) >= hi }) {
							t.Fatalf("worker %d has the ranks %d to %d; its piece of row %d is %v", w, lo, hi, v, piece)
						}
						joined, lo = append(joined, piece...), hi
					}
					if !slices.Equal(joined, r.out.Row(v)) {
						t.Fatalf("rank %d: pieces %v, row %v", v, joined, r.out.Row(v))
					}
				}
			})
		}
	}
}

// Ranks go by falling degree in powers of two, then by label; isolated vertices share the last.
func TestRanks(t *testing.T) {
	g := kroneckerGraph(t, 10)
	s, err := New(g, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var labels []hops.Vertex
	for v := range g.NumVertices() {
		if g.Degree(v) > 0 {
			labels = append(labels, v)
		} else if int(s.m.rows.rank[v]) != s.m.rows.count {
			t.Errorf("isolated vertex %d has rank %d of %d", v, s.m.rows.rank[v], s.m.rows.count)
		}
	}
	power := func(v hops.Vertex) (k int) {
		for int64(2)<<k <= int64(g.Degree(v)) {
			k++
		}
		return k
	}
	slices.SortStableFunc(labels, func(a, b hops.Vertex) int { return power(b) - power(a) })
	for rank, v := range labels {
		if int(s.m.rows.rank[v]) != rank {
			t.Fatalf("vertex %d of degree %d has rank %d, want %d", v, g.Degree(v), s.m.rows.rank[v], rank)
		}
	}
}
