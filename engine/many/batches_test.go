package many

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
)

// weight is what the second level of a search from v reads.
func weight(s *Searcher, v hops.Vertex) (sum int64) {
	for u := range s.graph.Neighbors(v) {
		sum += int64(s.graph.Degree(u))
	}
	return sum
}

// Every root is in one batch, with its index, and batches go by what the second level reads.
func TestBatches(t *testing.T) {
	g := kroneckerGraph(t, 10)
	s, err := New(g, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := rand.New(rand.NewPCG(9, 1))
	for _, count := range []int{0, 1, 64, 65, 200, 500} {
		roots := someRoots(r, g.NumVertices(), count)
		var seen []int
		last, sizes := int64(-1), 0
		for indices, batch := range Batches(g, roots) {
			sizes++
			if len(indices) != len(batch) || len(batch) > hops.MaxRoots || len(batch) == 0 {
				t.Fatalf("%d roots: a batch of %d roots and %d indices", count, len(batch), len(indices))
			}
			for k, i := range indices {
				if roots[i] != batch[k] {
					t.Fatalf("root %d is said to be number %d, which is %d", batch[k], i, roots[i])
				}
				if w := weight(s, batch[k]); count > hops.MaxRoots && g.Degree(batch[k]) < sampledNeighbors {
					if w < last {
						t.Errorf("%d roots: root %d of weight %d comes after one of %d", count, batch[k], w, last)
					}
					last = w
				}
			}
			seen = append(seen, indices...)
		}
		if count <= hops.MaxRoots && !slices.IsSorted(seen) {
			t.Errorf("%d roots have another order: %v", count, seen)
		}
		slices.Sort(seen)
		for i := range count {
			if seen[i] != i {
				t.Fatalf("%d roots: indices %v", count, seen)
			}
		}
		if len(seen) != count || sizes != (count+hops.MaxRoots-1)/hops.MaxRoots {
			t.Fatalf("%d roots: %d of them in %d batches", count, len(seen), sizes)
		}
	}
	for range Batches(g, someRoots(r, g.NumVertices(), 200)) {
		break // an iterator that does not stop panics
	}
}

// The estimate takes its sample from the whole row: a star around a hub.
func TestSecondEntriesOfHubs(t *testing.T) {
	g := kroneckerGraph(t, 13)
	s, err := New(g, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	hub := hops.Vertex(0)
	for v := range g.NumVertices() {
		if g.Degree(v) > g.Degree(hub) {
			hub = v
		}
	}
	if g.Degree(hub) < 4*sampledNeighbors {
		t.Fatalf("a hub of degree %d is none", g.Degree(hub))
	}
	got, want := secondEntries(g, uint32(hub)), weight(s, hub)
	if got < want/2 || got > 2*want {
		t.Errorf("%d row entries estimated, want about %d", got, want)
	}
}
