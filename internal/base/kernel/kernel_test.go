package kernel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
)

// randomSet has each of n integers with the given probability.
func randomSet(r *rand.Rand, n int, share float64) bitset.Set {
	s := bitset.New(int64(n))
	for i := range n {
		if r.Float64() < share {
			s.Add(uint64(i))
		}
	}
	return s
}

func testGraph(t testing.TB, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// A probed is all that a probe of heads writes.
type probed struct {
	next    bitset.Set
	parents []uint32
	misses  []uint32
	heads   int64
}

func probe(k Kernels, g *graph.Graph, visited, front bitset.Set, lo, hi int) probed {
	n := int(g.NumVertices())
	room := (hi-lo)*64 + Slack
	list, slots := make([]uint32, room), slotsOf(64*(hi-lo))
	p := probed{next: bitset.New(int64(n)), parents: make([]uint32, n)}
	h := HeadProbe{
		Visited: &visited[lo], Next: &p.next[lo], More: &g.Parents.More[lo], Head: &g.Parents.Head[lo*64],
		Slots: &slots[0], Front: &front[0], Parents: &p.parents[lo*64], Misses: &list[0], Words: int64(hi - lo), First: uint64(lo * 64),
	}
	k.ProbeHeads(&h)
	p.heads, p.misses = h.Examined, slices.Clone(list[:h.Missed])
	return p
}

func TestVectorProbesMatchTheReference(t *testing.T) {
	forms := vectorForms(t)
	g := testGraph(t, 11)
	r := rand.New(rand.NewPCG(1, 1))
	words := len(g.Isolated)
	for _, share := range []float64{0, 0.001, 0.03, 0.5, 0.99, 1} {
		for _, frontier := range []float64{0, 0.001, 0.05, 0.5, 1} {
			visited := randomSet(r, int(g.NumVertices()), share)
			for w := range visited {
				visited[w] |= g.Isolated[w]
			}
			front := randomSet(r, int(g.NumVertices()), frontier)
			lo := r.IntN(words)
			hi := lo + 1 + r.IntN(words-lo)
			want := probe(Kernels{}, g, visited, front, lo, hi)
			for _, k := range forms {
				got := probe(k, g, visited, front, lo, hi)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(probed{})); diff != "" {
					t.Fatalf("%+v, visited %g, frontier %g, words %d–%d: %s", k, share, frontier, lo, hi, diff)
				}
			}
		}
	}
}

func TestVectorRowsMatchTheReference(t *testing.T) {
	forms := append([]Kernels{{}}, vectorForms(t)...)
	r := rand.New(rand.NewPCG(2, 1))
	for length := range 100 {
		row := make([]uint32, length)
		for i := range row {
			row[i] = uint32(r.IntN(1000))
		}
		set := randomSet(r, 1000, r.Float64()*0.2)
		first, last := uint32(r.IntN(500)), uint32(500+r.IntN(500))
		out, at := make([][]uint32, len(forms)), make([]int, len(forms))
		for i, k := range forms {
			out[i] = make([]uint32, length+Slack)
			e := Expansion{Row: unsafe.SliceData(row), Length: int64(length), Visited: &set[0], Out: &out[i][0], First: first, Last: last}
			k.Expand(&e)
			out[i] = out[i][:e.Kept]
			at[i] = k.ScanRow(row, &set[0])
			if !slices.Equal(out[0], out[i]) {
				t.Fatalf("%+v, %d entries: expand keeps %v, want %v", k, length, out[i], out[0])
			}
			if at[0] != at[i] {
				t.Fatalf("%+v, %d entries: first hit at %d, want %d", k, length, at[i], at[0])
			}
		}
	}
}

// forms are the reference, the assembly without vectors, that with AVX2, and the fastest.
func forms() []Kernels {
	return []Kernels{{}, {prefetches: havePrefetch}, {avx2: haveAVX2, prefetches: havePrefetch}, Best()}
}

// vectorForms are those with vectors.
func vectorForms(t *testing.T) (forms []Kernels) {
	if haveVectors {
		forms = append(forms, Kernels{vectors: true})
	}
	if haveAVX2 {
		forms = append(forms, Kernels{avx2: true})
	}
	if forms == nil {
		t.Skip("this processor has neither AVX-512 nor AVX2: there is only the reference")
	}
	return forms
}

func TestPrefetchingAdvanceMatchesTheReference(t *testing.T) {
	if !havePrefetch {
		t.Skip("there is only the reference on this processor")
	}
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared=%t", shared), func(t *testing.T) { testAdvance(t, shared) })
	}
}

func testAdvance(t *testing.T, shared bool) {
	type outcome struct {
		Done, Found, Examined int64
		Visited               []uint64
		Parents, Out, Won     []uint32
		Pairs                 []uint64
	}
	g := testGraph(t, 10)
	n := int(g.NumVertices())
	r := rand.New(rand.NewPCG(4, 1))
	long := 0
	for range 200 {
		queue := make([]uint32, 1+r.IntN(40))
		for i := range queue {
			queue[i] = uint32(r.IntN(n))
		}
		visited := randomSet(r, n, r.Float64())
		room := r.IntN(2 * n)
		taken := make([]uint32, n) // parents that other workers have set
		for v := range taken {
			taken[v] = ^uint32(0)
			if r.IntN(3) == 0 {
				taken[v] = uint32(r.IntN(n))
			}
		}
		var got [2]outcome
		for i, k := range []Kernels{{}, {prefetches: true}} {
			o := &got[i]
			o.Visited, o.Parents, o.Out = slices.Clone(visited), make([]uint32, n), make([]uint32, room+1)
			o.Pairs = make([]uint64, room+1)
			a := Advance{
				Queue: &queue[0], Count: int64(len(queue)), Offsets: &g.Out.Offsets[0], Neighbors: &g.Out.Neighbors[0],
				Visited: &o.Visited[0], Parents: &o.Parents[0], Out: &o.Out[0], Pairs: &o.Pairs[0], Room: int64(room),
			}
			if shared {
				for v := range o.Parents {
					o.Parents[v] = taken[v]
				}
				k.Bid(&a)
				won := outbid(o.Pairs[:a.Found], o.Parents)
				o.Won = k.Won(o.Pairs[:a.Found], &o.Parents[0], make([]uint32, a.Found+1))
				if !slices.Equal(o.Won, won) {
					t.Fatalf("won %v, want %v", o.Won, won)
				}
			} else {
				k.Advance(&a)
			}
			o.Done, o.Found, o.Examined = a.Done, a.Found, a.Examined
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Fatal(diff)
		}
		if done := got[0].Done; done < int64(len(queue)) {
			if degree := g.Out.Degree(queue[done]); degree <= ShortRow && got[0].Found+degree <= int64(room) {
				t.Fatalf("ended before a row of %d entries, with %d found and room for %d", degree, got[0].Found, room)
			}
			long++
		}
		if last := uint64(got[1].Out[room]) | got[1].Pairs[room]; last != 0 || got[1].Found > int64(room) {
			t.Fatalf("found %d with room for %d", got[1].Found, room)
		}
	}
	if long == 0 || long == 200 {
		t.Errorf("%d of 200 queues met a long row: the test does not try both", long)
	}
}

// BidRow does the same in all forms, for rows of any length.
func TestBidRowMatchesTheReference(t *testing.T) {
	if !havePrefetch {
		t.Skip("there is only the reference on this processor")
	}
	type outcome struct {
		Found   int64
		Visited bitset.Set
		Parents []uint32
		Pairs   []uint64
	}
	const n, parent = 2000, 7
	r := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		row := make([]uint32, r.IntN(1+r.IntN(1000)))
		for i := range row {
			row[i] = uint32(r.IntN(n))
		}
		visited, taken := randomSet(r, n, r.Float64()), unclaimed(r, n)
		got := make([]outcome, len(forms()))
		for i, k := range forms() {
			o := &got[i]
			o.Visited, o.Parents, o.Pairs = slices.Clone(visited), slices.Clone(taken), make([]uint64, len(row)+1)
			a := RowBid{
				Row: unsafe.SliceData(row), Length: int64(len(row)), Parent: parent, Visited: &o.Visited[0], Parents: &o.Parents[0],
				Pairs: &o.Pairs[0], Kept: &make([]uint32, len(row)+Slack)[0],
			}
			k.BidRow(&a)
			o.Found = a.Found
		}
		if diff := cmp.Diff(got[0], got[1]) + cmp.Diff(got[0], got[2]); diff != "" {
			t.Fatal(diff)
		}
	}
}

// outbid lets another worker set the parent of every third vertex of the pairs last. It
// returns the other vertices.
func outbid(pairs []uint64, parents []uint32) (won []uint32) {
	won = []uint32{}
	for i, pair := range pairs {
		if u := uint32(pair); i%3 == 0 {
			parents[u] = uint32(pair>>32) + 1
		} else {
			won = append(won, u)
		}
	}
	return won
}

// Advance stops before the row that Out may have no room for, and at no other.
func TestAdvanceFillsItsRoom(t *testing.T) {
	const rows, length = 5, 3
	var queue [rows]uint32
	var offsets [rows*length + 1]int64
	var neighbors [rows * length]uint32
	for i := range queue {
		queue[i] = uint32(i)
	}
	for v := range offsets {
		offsets[v] = int64(min(v, rows) * length)
	}
	for i := range neighbors {
		neighbors[i] = uint32(i)
	}
	for _, k := range []Kernels{{}, Best()} {
		for room := range int64(rows*length + 2) {
			var visited [1]uint64
			var parents [rows * length]uint32
			var out [rows*length + 2]uint32
			a := Advance{
				Queue: &queue[0], Count: rows, Offsets: &offsets[0], Neighbors: &neighbors[0],
				Visited: &visited[0], Parents: &parents[0], Out: &out[0], Room: room,
			}
			k.Advance(&a)
			if want := min(room/length, rows); a.Done != want || a.Found != want*length {
				t.Errorf("room for %d: %d rows read, %d found, want %d rows", room, a.Done, a.Found, want)
			}
		}
	}
}

func TestPrefetchingAdoptionMatchesTheReference(t *testing.T) {
	if !havePrefetch {
		t.Skip("there is only the reference on this processor")
	}
	const n = 1000
	r := rand.New(rand.NewPCG(5, 1))
	for count := 1; count < 100; count++ {
		pairs := make([]uint64, count)
		for i := range pairs {
			pairs[i] = uint64(r.IntN(n))<<32 | uint64(r.IntN(n/(1+count%7)))
		}
		var visited [2][]uint64
		var parents [2][]uint32
		for i, k := range []Kernels{{}, {prefetches: true}} {
			visited[i], parents[i] = make([]uint64, (n+63)/64), make([]uint32, n)
			k.Adopt(&Adoption{Pairs: &pairs[0], Count: int64(count), Visited: &visited[i][0], Parents: &parents[i][0]})
		}
		for _, pair := range pairs {
			if u := uint32(pair); visited[0][u>>6]>>(u&63)&1 == 0 {
				t.Fatalf("vertex %d is not visited", u)
			}
		}
		if last := pairs[count-1]; parents[0][uint32(last)] != uint32(last>>32) {
			t.Fatalf("vertex %d has parent %d, want %d", uint32(last), parents[0][uint32(last)], last>>32)
		}
		if diff := cmp.Diff(visited[0], visited[1]) + cmp.Diff(parents[0], parents[1]); diff != "" {
			t.Fatalf("%d pairs: %s", count, diff)
		}
	}
}

// A list of vertices with one parent is adopted as pairs with that parent are.
func TestRowAdoptionMatchesPairs(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(6, 1))
	for count := 1; count < 100; count++ {
		list, parent, pairs := randomLabels(r, count, n), r.Uint32(), make([]uint64, count)
		for i, u := range list {
			pairs[i] = uint64(parent)<<32 | uint64(u)
		}
		visited, parents := make([]uint64, (n+63)/64), make([]uint32, n)
		Kernels{}.Adopt(&Adoption{Pairs: &pairs[0], Count: int64(count), Visited: &visited[0], Parents: &parents[0]})
		for _, k := range forms() {
			gotVisited, gotParents := make([]uint64, (n+63)/64), make([]uint32, n)
			k.AdoptRow(&RowAdoption{List: &list[0], Count: int64(count), Visited: &gotVisited[0], Parents: &gotParents[0], Parent: parent})
			if diff := cmp.Diff(visited, gotVisited) + cmp.Diff(parents, gotParents); diff != "" {
				t.Fatalf("%d vertices: %s", count, diff)
			}
		}
	}
}
