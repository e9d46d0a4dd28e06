package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
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

func testGraph(t testing.TB, scale int) *hops.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	team := par.NewTeam(0, nil)
	defer team.Close()
	g, err := csr.Build(context.Background(), src, team)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// A probed is all that the two bottom-up kernels write.
type probed struct {
	next       bitset.Set
	parents    []uint32
	misses     []uint32
	hits, left [][]uint32 // of each round
	heads      int64
}

func probe(k kernels, g *hops.Graph, visited, front bitset.Set, lo, hi int) probed {
	n := int(g.NumVertices())
	room := (hi-lo)*64 + vectorSlack
	list := [4][]uint32{}
	for i := range list {
		list[i] = make([]uint32, room)
	}
	p := probed{next: bitset.New(int64(n)), parents: make([]uint32, n)}
	h := headProbe{
		visited: &visited[lo], next: &p.next[lo], tail: &g.Tail[lo], head: &g.Head[lo*64],
		front: &front[0], parents: &p.parents[lo*64], misses: &list[0][0], words: int64(hi - lo), first: uint64(lo * 64),
	}
	k.probeHeads(&h)
	p.heads, p.misses = h.examined, slices.Clone(list[0][:h.missed])
	for i, v := range p.misses {
		list[1][i], list[2][i] = uint32(g.Out.Offsets[v]+1), uint32(g.Out.Offsets[v+1])
	}
	tails := tailProbe{
		neighbors: unsafe.SliceData(g.Out.Neighbors), front: &front[0], parents: &p.parents[0],
		vertices: &list[0][0], pos: &list[1][0], end: &list[2][0], hits: &list[3][0], count: h.missed,
	}
	for tails.count > 0 {
		k.probeTails(&tails)
		p.hits = append(p.hits, slices.Clone(list[3][:tails.found]))
		for _, l := range list[:3] {
			p.left = append(p.left, slices.Clone(l[:tails.count]))
		}
	}
	return p
}

func TestVectorProbesMatchTheReference(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512: there is only the reference")
	}
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
			want, got := probe(kernels{}, g, visited, front, lo, hi), probe(kernels{vectors: true}, g, visited, front, lo, hi)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(probed{})); diff != "" {
				t.Fatalf("visited %g, frontier %g, words %d–%d: %s", share, frontier, lo, hi, diff)
			}
		}
	}
}

func TestVectorRowsMatchTheReference(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512: there is only the reference")
	}
	r := rand.New(rand.NewPCG(2, 1))
	for length := range 100 {
		row := make([]uint32, length)
		for i := range row {
			row[i] = uint32(r.IntN(1000))
		}
		set := randomSet(r, 1000, r.Float64()*0.2)
		first, last := uint32(r.IntN(500)), uint32(500+r.IntN(500))
		out := [2][]uint32{make([]uint32, length+vectorSlack), make([]uint32, length+vectorSlack)}
		var at [2]int
		for i, k := range []kernels{{}, {vectors: true}} {
			e := expansion{row: unsafe.SliceData(row), length: int64(length), visited: &set[0], out: &out[i][0], first: first, last: last}
			k.expand(&e)
			out[i] = out[i][:e.kept]
			at[i] = k.scanRow(row, &set[0])
		}
		if !slices.Equal(out[0], out[1]) {
			t.Fatalf("%d entries: expand keeps %v, want %v", length, out[1], out[0])
		}
		if at[0] != at[1] {
			t.Fatalf("%d entries: first hit at %d, want %d", length, at[1], at[0])
		}
	}
}

func TestVectorHarvestMatchesTheReference(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512: there is only the reference")
	}
	g := testGraph(t, 10)
	r := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		queue := make([]uint32, 1+r.IntN(40))
		for i := range queue {
			queue[i] = uint32(r.IntN(int(g.NumVertices())))
		}
		visited := randomSet(r, int(g.NumVertices()), r.Float64())
		room := r.IntN(300)
		var got [2]harvest
		var lists [2][2][]uint32
		for i, k := range []kernels{{}, {vectors: true}} {
			lists[i] = [2][]uint32{make([]uint32, room+vectorSlack), make([]uint32, room+vectorSlack)}
			h := harvest{
				queue: &queue[0], count: int64(len(queue)), offsets: &g.Out.Offsets[0], neighbors: &g.Out.Neighbors[0],
				visited: &visited[0], out: &lists[i][0][0], from: &lists[i][1][0], room: int64(room),
			}
			k.harvest(&h)
			got[i] = harvest{done: h.done, kept: h.kept, examined: h.examined}
			lists[i] = [2][]uint32{lists[i][0][:h.kept], lists[i][1][:h.kept]}
		}
		if got[0] != got[1] {
			t.Fatalf("room %d: %+v, want %+v", room, got[1], got[0])
		}
		if diff := cmp.Diff(lists[0], lists[1]); diff != "" {
			t.Fatalf("room %d: %s", room, diff)
		}
	}
}

// A long queue is marked by all workers, a short one by the caller.
func TestQueueBecomesBitmap(t *testing.T) {
	g := testGraph(t, 17)
	team := par.NewTeam(3, nil)
	defer team.Close()
	m, err := newMachine(g, team, make([]seat, team.Size()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.mem.Close() }()
	for _, length := range []int{0, 1, 1000, 64*convertGrain + 1, int(g.NumVertices())} {
		m.queue = m.queue[:0]
		want := bitset.New(int64(int(g.NumVertices())))
		for _, v := range rand.New(rand.NewPCG(3, 3)).Perm(int(g.NumVertices()))[:length] {
			m.queue = append(m.queue, uint32(v))
			want.Add(uint64(v))
		}
		m.hasFront = false
		m.wantFront()
		if !slices.Equal(m.front, want) {
			t.Fatalf("a queue of %d: the bitmap has %d", length, m.front.Count())
		}
	}
}
